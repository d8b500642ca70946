"""Shell scripts."""

from __future__ import annotations

import re
from itertools import islice, pairwise

from auditor.forensics.languages import grammar_workarounds
from auditor.forensics.languages.built_query_patterns import BUILT_QUERY, BUILT_VALUE_QUERY
from auditor.forensics.languages.keyword_gated_patterns import compile_pattern
from auditor.forensics.languages.language_rule_types import WHOLE_CALL, ArgumentCondition, CallRule, NodeRule
from auditor.forensics.languages.language_type import Language
from auditor.forensics.languages.rules_shared_by_languages import (
    CONSTANT_COMMAND_REASON,
    DEBUG_LABEL_TEXT,
    DEBUG_MARKER_TEXT,
    FIXED_FILE_STATEMENT,
    IDENTIFIER_REASON,
    INTENDED_OUTPUT_REASON,
    ORIGIN_NOT_TRACED_REASON,
    PRIVATE_FOLDER_REASON,
    USE_NOT_TRACED_REASON,
)
from auditor.forensics.languages.string_syntax import DYNAMIC_MARK, StringSyntax
from auditor.forensics.languages.test_syntax import TestSyntax
from auditor.forensics.source_text.decode_and_run_commands import (
    DECODE_AND_RUN_COMMAND,
    DECODE_AND_RUN_STATEMENT,
    DECODE_COMMAND,
    NOT_DECODED_REASON,
)
from auditor.forensics.source_text.tree_sitter_grammars import grammar

_BATS_TEST = re.compile(rb"(?m:^@test[ \t][^\n]*\{)")


_PIPE = re.compile(rb" \|(?![|&])")
_QUOTED_TEXT = re.compile(rb"'[^'\n]*'|\"(?:[^\"\\\n]|\\.)*\"")
_CASE_PATTERN = re.compile(rb"\s*\(?[^\s()|]{1,200}(?:\s*\|\s*[^\s()|]{1,200}){1,50}\s*\)")
"""The choices of a `case`."""
_COMMAND_SEPARATOR = re.compile(rb"[;&()`]")
_MAX_STAGES = 100


def _preprocess(content: bytes) -> bytes:
    """Tests of bats as functions, which is what they are made into before they run, and pipelines that the grammar can end.

    It takes all that follows a pipeline of three commands for arguments of the last, up to the next redirection of the
    file: of such a pipeline only the last two commands stay one, and those before stand as `a && b` does.
    """
    told = (
        _BATS_TEST.sub(lambda found: b"t()".ljust(len(found[0]) - 1) + b"{", content)
        if b"@test" in content
        else content
    )
    return _terminate_pipelines(told) if told.count(b" |") > 1 else told


def _terminate_pipelines(content: bytes) -> bytes:
    changed = bytearray(content)
    begin = end = 0
    for line in content.split(b"\n"):
        end += len(line) + 1
        if line.rstrip().endswith((b"\\", b"|")):
            continue  # what follows belongs to the same statement
        if content.count(b" |", begin, end) > 1:
            for place in _inner_pipes(content[begin:end]):
                changed[begin + place : begin + place + 2] = b"&&"
        begin = end
    return bytes(changed)


def _inner_pipes(statement: bytes) -> list[int]:
    """Where the pipes of a statement stand that another one follows."""
    plain = _QUOTED_TEXT.sub(lambda found: b"q" * len(found[0]), statement)
    if _CASE_PATTERN.match(plain):
        return []
    places = [found.start() for found in _PIPE.finditer(plain)][:_MAX_STAGES]
    pairs = pairwise(places)
    return [one for one, two in pairs if not _COMMAND_SEPARATOR.search(held := plain[one + 2 : two]) or b"done" in held]


_MAX_PIPES = 2_000


def _is_slow_to_parse(content: bytes) -> bool:
    """Has it a pipeline of thousands of commands?"""
    if content.count(b"|") < _MAX_PIPES:
        return False
    pipes = 0
    for line in content.split(b"\n"):
        pipes += line.count(b"|")
        if pipes >= _MAX_PIPES:
            return True
        if not line.rstrip().endswith(b"|"):
            pipes = 0
    return False


_FUNCTION = re.compile(rb"(?m)^[ \t]*(?:function[ \t]+)?(?P<name>[A-Za-z_][\w-]{0,60})[ \t]*\([ \t]*\)\s{0,40}\{")
_RUNS_ARGUMENTS = re.compile(
    rb"(?:[\n;&|(!{]|\b(?:if|then|do|else|while|until|sudo|exec|time|command|eval)[ \t])[ \t]*\"\$@\"(?=[\s;&|)]|\Z)"
)
_MAX_FUNCTIONS = 300
_MAX_FUNCTION_BYTES = 1_500


def _wrapper_functions(content: bytes) -> frozenset[str]:
    """Functions that run what they are given: `run() { echo "+ $*"; "$@"; }`."""
    if b'"$@"' not in content:
        return frozenset()
    found = set()
    for each in islice(_FUNCTION.finditer(content), _MAX_FUNCTIONS):
        held = content[each.end() - 1 : each.end() + _MAX_FUNCTION_BYTES]
        first = held.partition(b"\n")[0]
        body = first if b"}" in first else held.partition(b"\n}")[0]
        if _RUNS_ARGUMENTS.search(body) is not None:
            found.add(each["name"].decode())
    return frozenset(found)


_COMMAND_ARRAY = re.compile(
    r"(?<![\w$.-])(?P<name>[A-Za-z_]\w{0,60})=\(\s{0,200}(?:sudo\s{1,20}(?=[a-z]))?[\"']?(?:\$\{\w{1,60}:?-)?(?:[\w./~-]{0,80}/)?(?P<program>[a-z][\w.-]{0,30})(?![\w/=])"
)
_MAX_COMMAND_ARRAYS = 200


def _commands_in_arrays(text: str) -> dict[str, str]:
    """How a command line is called that is kept in an array -> its program: `remote=(ssh -o Port=22 "$host")`, `"${remote[@]}" ls`."""
    if "[@]}" not in text:
        return {}
    kept: dict[str, str] = {}
    for found in islice(_COMMAND_ARRAY.finditer(text), _MAX_COMMAND_ARRAYS):
        called = f"${{{found['name']}[@]}}"
        kept.setdefault(called, found["program"])
        kept.setdefault(f'"{called}"', found["program"])
    return kept


_FETCH = r"(?:curl|wget)\b[^|\n]*"
_SUDO = r"(?:sudo\s+(?:-\w+\s+){0,4})?"


def _pipeline_rules(
    probe: str, statement: str, pattern: str, confidence: float, because: str
) -> tuple[NodeRule, NodeRule]:
    """A pipeline, and one of more than two commands, of which the first stand as those of a list do."""
    fits = compile_pattern(pattern)
    return (
        NodeRule(probe, "pipeline", statement, fits, confidence, because),
        NodeRule(probe, "list", statement, fits, confidence, because),
    )


_TRUSTED_OUTPUT = ArgumentCondition(
    0,
    compile_pattern(
        r"^\"?(?:\$\(|`)\s*(?:[\w./~${}-]*/)?(?:ssh-agent|gpg-agent|dircolors|keychain|lesspipe(?:\.sh)?|brew\s+shellenv|(?:py|rb|nod|go|j|pl)env\s+init|(?:direnv|atuin|mise|rtx)\s+(?:hook|activate|init)|(?:starship|zoxide)\s+init|opam\s+env|fnm\s+env|minikube\b[^)]*docker-env|docker-machine\s+env|resize|tset|locale|stty)\b"
    ),
)
"""Programs that are made to print commands for the shell that asks them."""
_DOWNLOADED_TEXT = ArgumentCondition(
    None, compile_pattern(rf"(?:\$\(|<\(|`)\s*(?:curl|wget)\b|(?:\$\(|<\(|`)[^)(`]{{0,300}}?(?:{DECODE_COMMAND})")
)
"""What other rules tell of: text from the network, and text that is decoded first."""
_INTERPOLATED_TEXT = compile_pattern(
    r"^\"(?:[^\"\\]|\\.){0,1900}?(?<!\\)(?:\$[A-Za-z_@*1-9]|\$\{[A-Za-z_@*1-9]|\$\((?!\())"
)
"""A text between double quotes into which the shell puts something."""
_INTERPOLATED_CODE = compile_pattern(
    r"(?:python[\d.]*|perl|ruby|node|php)(?:\s+-[^\s\"']{1,80}){0,6}?\s+-(?:\w?[cer]|p|pe|ne|n?le|E|-eval|-print)\s+"
    + _INTERPOLATED_TEXT.pattern.removeprefix("^")
)
"""What an interpreter is told to run, with something put in; what is handed over behind it is no code."""
_DATABASE_CLIENTS = ("psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "clickhouse-client", "duckdb", "cockroach", "wp", "bq", "sqlplus", "isql", "tsql", "snowsql", "mycli", "pgcli", "cqlsh", "trino", "presto", "hive", "beeline", "impala-shell", "athena")  # fmt: skip
_CLIENT_OR_INTERPRETER = compile_pattern(rf"^(?:{'|'.join(_DATABASE_CLIENTS)}|python[\d.]*|perl|ruby|node|php)$")
"""Programs that take no command of a shell behind `-c`."""
_OPTION = r"^(?:-{1,2}[\w-]{1,20}=?)?"
_VALUE_QUERY = compile_pattern(_OPTION + BUILT_VALUE_QUERY.pattern.removeprefix("^"))
_GLUED_QUERY = compile_pattern(_OPTION + BUILT_QUERY.pattern.removeprefix("^"))
"""A query that may stand right behind the option that it is given to."""
_TEMPORARY_FILE_AT_END = r"[^\n;|&]{0,300}?\s\"?(?:/var)?/tmp/[\w.$/-]*[\w$]\"?$"
"""A command that ends with a path in the shared temporary folder."""
_TEMPORARY_FOLDER_AT_END = r"[^\n;|&]{0,300}?\s\"?(?:/var)?/tmp/[\w.$/-]+\"?$"
_FIXED_PATH = compile_pattern(r"^/(?:var/)?tmp/+[\w./+-]+$")
"""The number of the process counts as fixed: it is one of few, and each user may list them."""
_PARTLY_FIXED = compile_pattern(rf"^/(?:var/)?tmp/+[\w.+-]*[a-zA-Z]{{2}}[\w.+-]{{0,60}}{DYNAMIC_MARK}[\w.+-]*$")
"""Into which something is put that was not followed."""
_FILLED_PATH = compile_pattern(rf"^/(?:var/)?tmp/+[\w./+-]*{DYNAMIC_MARK}[\w./+{DYNAMIC_MARK}-]*$")
_PARAMETER_SOURCE = compile_pattern(
    r"(?s)\A(?!.*(?i:mktemp|u?random|uuid|\brand\b|tempfile|sum\b)).*(?<!\\)\$(?:[1-9]|\{[1-9][^\d}]{0,80}\})"
)
"""Of what a script or a function is given first, second and so on, and of nothing that is made up on the way."""
_PARAMETER_PATH = ArgumentCondition(
    None, compile_pattern(r"^\"?\$"), reads=_FILLED_PATH, sources_pattern=_PARAMETER_SOURCE
)
_PARAMETER_REASON = "callers may pass a random part of the name"
_UNVERIFIED_HOST_KEY = r"StrictHostKeyChecking[= ][\"']?(?:no|off)\b|UserKnownHostsFile[= ][\"']?/dev/null|strict-host-key-checking[= ]no\b"
"""What makes ssh take whatever key it is shown."""
_TEST_SYNTAX = TestSyntax(
    words=(b"@test",),
    first_line_pattern=compile_pattern(r"^@test\s+(?P<title>\"[^\"]*\"|'[^']*'|\S+)\s*\{"),
    checks=compile_pattern(
        r"(?m:^[ \t]*)(?!(?:run(?![ \t]+(?:-\d|!))|load|bats_load_library|echo|printf|local|export|cd|true)\b|:|#|\}|\w+=\S*[ \t]*$)\S"
    ),
    counted=compile_pattern(
        r"(?m:^\s*!?\s*)(?:\[\[?\s|\(\(|test\s|assert\w*|refute\w*|fail\b|diff\s|cmp\s)|\|\s*grep\b"
    ),
    trivial=compile_pattern(r"(?m:^\s*(?:true|:|\[ 1 -eq 1 \])\s*$)"),
    stops=compile_pattern(r"skip\b(?!\s*\()"),
    comments=compile_pattern(r"(?m:^\s*#[^\n]*)"),
    allows_whole_file_tests=True,
)
SHELL = Language(
    name="shell",
    grammar=lambda _content: grammar("tree_sitter_bash"),
    calls={"command": "name"},
    callee_fields=("name",),
    comment_starts=(b"#",),
    line_continuation=b"\\\n",
    endless=_is_slow_to_parse,
    preprocess=_preprocess,
    alternative_parses=lambda content: ((grammar("tree_sitter_bash"), grammar_workarounds.rewrite_shell(_preprocess(content))),),
    wrapper_commands=frozenset({"sudo", "doas", "env", "nohup", "time", "timeout", "nice", "ionice", "xargs", "find", "docker", "docker-compose", "podman", "kubectl", "oc", "exec", "command", "builtin", "stdbuf", "setsid", "chroot", "gosu", "su-exec", "parallel", "retry", "runuser", "run_cmd", "run_command", "as_root", "maybe_sudo", "$SUDO", "${SUDO}", "$sudo", "${sudo}", '"${SUDO[@]}"', "${SUDO[@]}"}),
    wrappers=_wrapper_functions,
    imports=_commands_in_arrays,
    functions=frozenset({"function_definition"}),
    branches=frozenset({"if_statement", "elif_clause", "for_statement", "while_statement", "case_item", "c_style_for_statement"}),
    writing=StringSyntax(
        literals=frozenset({"string", "raw_string", "concatenation", "word"}),
        constants=False,
        interpolation_kinds=frozenset({"simple_expansion", "expansion", "command_substitution"}),
        gives={"variable_assignment": ("name", "value")},
        around={"simple_expansion": ""},
        names=frozenset({"variable_name", "special_variable_name"}),
        number_names=re.compile(r"^(?:[$?#!]|PPID|BASHPID|E?UID|RANDOM|SRANDOM|SECONDS|LINENO|EPOCHSECONDS)$"),
        temporary_folder=re.compile(rb"\$TMPDIR|\$\{TMPDIR(?::?[-=]\"?/tmp/?\"?)?\}|\$\{(?:TMP|TEMP)(?:DIR)?:?[-=]\"?/tmp/?\"?\}"),
    ),
    unsupported_dialect=re.compile(rb"^(?:#compdef|#autoload|#!.{0,40}\bzsh\b)"),
    test_syntax=_TEST_SYNTAX,
    rules=(
        NodeRule("code.dynamic_code", "pipeline", DECODE_AND_RUN_STATEMENT, compile_pattern(DECODE_AND_RUN_COMMAND), 0.95, NOT_DECODED_REASON),
        NodeRule("code.dynamic_code", "list", DECODE_AND_RUN_STATEMENT, compile_pattern(rf"{DECODE_COMMAND}[^|]{{0,300}}\|\s*(?:gunzip|gzip|zcat|tr|rev|tee)\b[^|]{{0,100}}\|\s*(?:sudo\s+)?(?:/bin/)?(?:ba|z|da|k)?sh\b"), 0.95, NOT_DECODED_REASON),
        NodeRule("code.dynamic_code", "command", DECODE_AND_RUN_STATEMENT, compile_pattern(rf"^(?:{DECODE_AND_RUN_COMMAND})"), 0.95, NOT_DECODED_REASON),
        NodeRule("code.dynamic_code", "command", "Downloaded script is run without checking its content", compile_pattern(r"^(?:eval|source|\.|(?:/usr)?(?:/bin/)?(?:ba|z|da|k)?sh)\s[^;\n]{0,100}?(?:\$\(|<\(|`)\s*(?:curl|wget)\b|^sudo\s+(?:-\w+\s+)*(?:/bin/)?(?:ba|z|da|k)?sh\s[^;\n]{0,100}?(?:\$\(|<\(|`)\s*(?:curl|wget)\b"), 0.9, "whether the server is trusted was not analysed"),
        NodeRule("code.dynamic_code", "command", "Downloaded script is run without checking its content", compile_pattern(r"^(?:python[\d.]*|node|deno|bun|perl|ruby|php)\s[^\n]{0,200}?(?:\$\(|<\(|`)\s*(?:curl|wget)\b"), 0.9, "whether the server is trusted was not analysed"),
        NodeRule("code.dynamic_code", "command", "Downloaded script is run without checking its content", compile_pattern(r"^(?:python[\d.]*|node|deno|bun|perl|ruby|php)\s(?:[^\n]{0,100}?\s)?(?:-[a-zA-Z]{0,4}[cepr]|--eval)\s[\s\S]{0,1500}?\bhttps?://[\s\S]{0,1500}?\b(?:eval|exec|execSync|execFile|spawn|spawnSync|Function|system|popen|runInThisContext)\s*\("), 0.85, "whether the server is trusted was not analysed"),
        NodeRule("code.shell_execution", "redirected_statement", "Shell injection risk: text built at run time is run by a shell", compile_pattern(r"^(?:sudo\s+)?(?:(?:/usr)?/bin/)?(?:ba|z|da|k)?sh\b[^\n|<]{0,60}<<<\s*\"?[^\n]{0,100}?\$\{?[A-Za-z_@*1-9]"), 0.7, ORIGIN_NOT_TRACED_REASON),
        NodeRule("code.dynamic_code", "redirected_statement", "Downloaded script is run without checking its content", compile_pattern(r"^(?:sudo\s+)?(?:/bin/)?(?:ba|z|da|k)?sh\s[^\n]{0,100}?<\(\s*(?:curl|wget)\b"), 0.9, "whether the server is trusted was not analysed"),
        CallRule("code.dynamic_code", ("eval",), "Code injection risk: `eval` runs text as commands", (ArgumentCondition(0, compile_pattern(r"^(?:\"set -- |set$)")), ArgumentCondition(None, compile_pattern(r"\$\{?[\w@*]|\$\(|`"))), 0.5, "the text looks like arguments that were quoted before", (_DOWNLOADED_TEXT,)),
        CallRule("code.dynamic_code", ("eval",), "Code injection risk: `eval` runs text as commands", (ArgumentCondition(None, compile_pattern(r"\$\{?[\w@*]|\$\(|`")),), 0.7, "the script may build the text itself", (_DOWNLOADED_TEXT, _TRUSTED_OUTPUT)),
        CallRule("code.shell_execution", ("sh", "bash", "/bin/sh", "/bin/bash", "/usr/bin/bash", "zsh", "dash", "ksh"), "Shell injection risk: {call} runs a command built at run time in another shell", (ArgumentCondition(0, compile_pattern(r"^-\w*c$")), ArgumentCondition(1, compile_pattern(r"^\"[^\"]*\$(?!\{?\w+@Q)|^\$"))), 0.7, ORIGIN_NOT_TRACED_REASON, (_DOWNLOADED_TEXT,)),
        CallRule("code.shell_execution", ("sh", "bash", "/bin/sh", "/bin/bash", "/usr/bin/bash", "zsh", "dash", "ksh"), "{call} runs a constant command in another shell", (ArgumentCondition(0, compile_pattern(r"^-\w*c$")), ArgumentCondition(1, compile_pattern(r"^(?:'[^']*'|\"[^\"$`]*\")$"))), 0.5, CONSTANT_COMMAND_REASON),
        CallRule("code.shell_execution", ("find", "xargs", "parallel", "docker", "docker-compose", "podman", "kubectl", "oc", "lxc", "incus", "nsenter", "unshare", "chroot", "sudo", "doas", "env", "nohup", "setsid", "timeout", "flock", "screen", "tmux", "systemd-run", "machinectl"), "{call} runs a constant command in another shell", (ArgumentCondition(None, compile_pattern(r"^(?:/usr)?(?:/bin/)?(?:ba|z|da|k)?sh$")), ArgumentCondition(None, compile_pattern(r"^-[a-z]{0,4}c$")), ArgumentCondition(None, compile_pattern(r"^(?:'[^']*[^']*'|\"[^\"$`]*\"|\$'[^']*')$")), ArgumentCondition(WHOLE_CALL, compile_pattern(r"\b(?:ba|z|da|k)?sh\s+(?:-\w+\s+){0,3}?-\w*c\s+\$?['\"]"))), 0.5, CONSTANT_COMMAND_REASON),
        CallRule("code.shell_execution", ("lxc", "incus", "screen", "nsenter", "unshare", "chroot", "systemd-run", "podman", "oc", "docker-compose", "setsid", "doas", "machinectl", "vagrant", "heroku", "multipass"), "Shell injection risk: {call} runs a command built at run time in another shell", (ArgumentCondition(WHOLE_CALL, compile_pattern(r"(?:\b(?:ba|z|da|k)?sh\s+(?:-\w+\s+){0,3}?-\w*c|\bssh\s+(?:-\S+\s+){0,3}?-c)\s+\"[^\"]*\$(?!\{?\w+@Q)|\b(?:ba|z|da|k)?sh\s+-\w*c\s+\"?\$")),), 0.6, ORIGIN_NOT_TRACED_REASON, (_DOWNLOADED_TEXT,)),
        CallRule("code.shell_execution", ("gcloud", "aws", "az", "fly", "flyctl", "doctl", "vagrant"), "Shell injection risk: a command built at run time is run in a shell on another machine", (ArgumentCondition(None, compile_pattern(r"^ssh$")), ArgumentCondition(WHOLE_CALL, compile_pattern(r"\s(?:--command|-C|-c|--ssh-command)[= ]\"(?=[^\"]*[ ;|&])[^\"]*\$"))), 0.65, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.shell_execution", ("tmux", "watch", "parallel", "entr"), "Shell injection risk: {call} runs a command built at run time in another shell", (ArgumentCondition(None, compile_pattern(r"^\"(?=[^\"]*(?:;|&&|\|))(?=[^\"]*(?:\$(?!\{?\w+@Q)|\{\}))[^\"]*\"$")),), 0.6, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.shell_execution", ("parallel",), "Shell injection risk: {call} inserts file names into a command for another shell", (ArgumentCondition(None, compile_pattern(r"^['\"][^'\"]*\s[^'\"]*\{[^}]{0,3}\}|^['\"][^'\"]*\{[^}]{0,3}\}[^'\"]*\s")),), 0.55, "the origin of the file names was not analysed"),
        CallRule("code.shell_execution", ("ssh",), "Shell injection risk: a command built at run time is run in a shell on another machine", (ArgumentCondition(None, compile_pattern(r"^\"[a-z][\w./-]*\s[^\"]*\$(?!\{?\w+@Q)[^\"]*\"$")),), 0.55, ORIGIN_NOT_TRACED_REASON, (_DOWNLOADED_TEXT, ArgumentCondition(WHOLE_CALL, compile_pattern(r"-o\s*\"|[pP]roxy[cC]ommand"))), unless_in_file=re.compile(rb"printf\s+(?:-v\s+\w+\s+)?['\"]?%q")),
        CallRule("code.shell_execution", ("ssh",), "Shell injection risk: a command built at run time is run in a shell on another machine", (ArgumentCondition(None, compile_pattern(r"^\"?\$\{?\w+\}?\"?$"), reads=compile_pattern(r"^[a-z][\w./-]*\s[^\0]{0,2000}\0")),), 0.55, ORIGIN_NOT_TRACED_REASON, unless_in_file=re.compile(rb"printf\s+(?:-v\s+\w+\s+)?['\"]?%q")),
        CallRule("code.shell_execution", ("adb",), "Shell injection risk: a command built at run time is run in a shell on another machine", (ArgumentCondition(None, compile_pattern(r"^shell$")), ArgumentCondition(None, compile_pattern(r"^\"[a-z][\w./-]*\s[^\"]*\$"))), 0.6, ORIGIN_NOT_TRACED_REASON),
        NodeRule("code.shell_execution", "redirected_statement", "Shell injection risk: a command built at run time is run in a shell on another machine", compile_pattern(r"^(?:sudo\s+)?ssh\s[^\n]{0,300}<<-?\s*(?P<end>[A-Za-z_]\w*)\b[^\n]*\n.*?(?<!\\)\$\{?[A-Za-z_1-9]"), 0.6, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.dynamic_code", ("source", "."), "Code injection risk: the script runs a file named by its arguments", (ArgumentCondition(0, compile_pattern(r"^\"?\$\{?1\}?\"?$")),), 0.55, "the user of the script may be trusted"),
        *_pipeline_rules("code.dynamic_code", "Downloaded script is run without checking its content", r"^(?:curl|wget)\b[^|\n]{0,300}?\s(?:-[a-zA-Z]{0,6}[oO]|--output|--output-document)[ =]\"?(?P<file>[\w./${}-]{1,120})\"?[^|\n]*(?:&&|;)\s*(?:chmod\s[^&;\n]{1,120}(?:&&|;)\s*)?(?:sudo\s+)?(?:(?:ba|z|da)?sh\s+(?:-\w+\s+){0,3})?\"?(?:\./)?(?P=file)\b", 0.85, "whether the server is trusted was not analysed"),
        *_pipeline_rules("code.dynamic_code", "Downloaded script is run without checking its content", rf"^{_FETCH}\|(?:\s*(?:gunzip|gzip|zcat|tar|sed|tr|tee|grep|awk|jq)\b[^|\n]*\|)?\s*{_SUDO}(?:env\s+)?(?:/bin/|/usr/bin/)?(?:(?:ba|z|da)?sh\b|(?:python[\d.]*|perl|ruby|node)\b(?!\s+-m\s+json))", 0.9, "whether the server is trusted was not analysed"),
        CallRule("code.shell_execution", ("$SHELL", "${SHELL}", '"$SHELL"', '"${SHELL}"', '"${SHELL:-/bin/sh}"'), "Shell injection risk: {call} runs a command built at run time in another shell", (ArgumentCondition(0, compile_pattern(r"^-\w*c$")), ArgumentCondition(1, compile_pattern(r"^\"[^\"]*\$(?!\{?\w+@Q)|^\$"))), 0.7, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.shell_execution", ("find", "xargs", "parallel"), "Shell injection risk: {call} inserts file names into a command for another shell", (ArgumentCondition(None, compile_pattern(r"^(?:/bin/)?(?:ba|z|da)?sh$")), ArgumentCondition(None, compile_pattern(r"^-\w*c$")), ArgumentCondition(None, compile_pattern(r"^['\"][^\n]*\{\}"))), 0.75, "the origin of the file names was not analysed"),
        CallRule("code.shell_execution", ("script", "sg", "runuser", "setpriv", "unshare", "nsenter"), "Shell injection risk: {call} runs a command built at run time in another shell", (ArgumentCondition(None, compile_pattern(r"^-\w*c$|^--command")), ArgumentCondition(None, compile_pattern(r"^\"(?=[^\"]*\$(?!\{?\w+@Q))[^\"]*\"$"))), 0.6, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.shell_execution", ("su", "ssh", "sudo", "env", "xargs", "timeout", "nohup", "docker", "kubectl", "watch", "flock"), "Shell injection risk: {call} runs a command built at run time in another shell", (ArgumentCondition(None, compile_pattern(r"^-\w*c$")), ArgumentCondition(None, compile_pattern(r"^(?:/bin/)?(?:ba|z|da)?sh$|^-c$")), ArgumentCondition(None, compile_pattern(r"^\"(?=[^\"]*[ ;|&])(?=[^\"]*\$(?!\{?\w+@Q))"))), 0.6, ORIGIN_NOT_TRACED_REASON, (_DOWNLOADED_TEXT, ArgumentCondition(0, compile_pattern(r"^-(?:-version|V)$")), ArgumentCondition(None, _CLIENT_OR_INTERPRETER))),
        CallRule("code.shell_execution", ("ssh",), "Shell injection risk: {call} runs a command built at run time in another shell", (ArgumentCondition(None, compile_pattern(r"^\"(?=[^\"]*(?:;|&&|\|))(?=[^\"]*\$(?!\{?\w+@Q))[^\"]*\"$")),), 0.6, ORIGIN_NOT_TRACED_REASON, (_DOWNLOADED_TEXT,), unless_in_file=re.compile(rb"printf\s+(?:-v\s+\w+\s+)?['\"]?%q")),
        CallRule("code.sql_from_strings", _DATABASE_CLIENTS, "SQL built by string formatting: a value is interpolated into the query of {call}", (ArgumentCondition(None, reads=_VALUE_QUERY, distinguishes_identifiers=True),), 0.75, ORIGIN_NOT_TRACED_REASON),
        NodeRule("code.sql_from_strings", "herestring_redirect", "SQL built by string formatting: a value is interpolated into the query", compile_pattern(r"^<<<\s*\"\s*(?i:select|insert|update|delete|drop|create|alter|grant)\s[^\"]*\$\{?[A-Za-z_1-9]"), 0.7, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.sql_from_strings", _DATABASE_CLIENTS, "Table or column name is interpolated into the query of {call}", (ArgumentCondition(None, reads=_GLUED_QUERY),), 0.6, IDENTIFIER_REASON),
        NodeRule("code.sql_from_strings", "redirected_statement", "SQL built by string formatting: a value is interpolated into the query", compile_pattern(r"^[^\n]{0,200}\b(?:psql|mysql|mariadb|sqlite3)\b[^\n]{0,200}<<-?\s*(?P<end>\w+)\b[^\n]*\n.*?\$\{?[A-Za-z_1-9]"), 0.7, ORIGIN_NOT_TRACED_REASON),
        *_pipeline_rules("code.sql_from_strings", "SQL built by string formatting: a value is interpolated into the query", r"^(?:echo|printf)\s+(?:-\w+\s+)?\"\s*(?i:select\b|insert\s|update\s|delete\s|drop\s|create\s|alter\s)[^\"]*\$\{?[A-Za-z_1-9][^|]*\|\s*(?:sudo\s+(?:-u\s+\w+\s+)?)?(?:psql|mysql|mariadb|sqlite3)\b", 0.75, ORIGIN_NOT_TRACED_REASON),
        CallRule("code.dynamic_code", ("python", "python3", "perl", "ruby", "node", "php"), "Code injection risk: text built at run time is run by another interpreter", (ArgumentCondition(WHOLE_CALL, _INTERPOLATED_CODE),), 0.6, ORIGIN_NOT_TRACED_REASON, (ArgumentCondition(0, compile_pattern(r"^-m$")),)),
        CallRule("code.dynamic_code", ("awk", "gawk", "mawk"), "Code injection risk: text built at run time is run by another interpreter", (ArgumentCondition(None, compile_pattern(r"^\"[^\"]*\{"), reads=compile_pattern(r"\0.*\{|\{.*\0")), ArgumentCondition(None, _INTERPOLATED_TEXT)), 0.5, ORIGIN_NOT_TRACED_REASON),
        *_pipeline_rules("code.dynamic_code", "Code injection risk: text is run as commands", r"^(?:echo|printf)\s+(?:-\w+\s+)*(?:'%s(?:\\n)?'\s+)?\"?(?:[^|\"'\n]{0,300}?)\$\{?[A-Za-z_@*1-9][^|\n]{0,200}\|\s*(?:sudo\s+)?(?:/bin/)?(?:ba|z|da|k)?sh\s*(?:-\w+\s*)?(?=$|[;&)\n])", 0.75, "the script may build the text itself"),
        CallRule("code.weak_hash", ("cksum", "mkpasswd", "rhash", "openssl"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(None, compile_pattern(r"^(?:-a|-m|--algorithm|--method|passwd|--md5|--sha1)(?:=|$)")), ArgumentCondition(None, compile_pattern(r"^(?:(?:-\w|--\w+=)?(?i:md5|sha1|sysv)|--md5|--sha1|-1|-apr1|-crypt)$"))), 0.6, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("htpasswd",), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, compile_pattern(r"^-[a-z]*[msd][a-z]*$")),), 0.65, USE_NOT_TRACED_REASON, (ArgumentCondition(0, compile_pattern(r"^-[a-z]*B")),)),
        CallRule("code.weak_hash", ("htpasswd",), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(1),), 0.55, "newer versions of the program default to another hash", (ArgumentCondition(0, compile_pattern(r"^-[a-z]*[B52v]")), ArgumentCondition(None, compile_pattern(r"^-[a-zA-Z]*[B52Dv]")))),
        CallRule("code.weak_hash", ("openssl",), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, compile_pattern(r"^(?:req|x509|ca|ts|cms|smime|enc|pkcs12|rsautl|dgst)$")), ArgumentCondition(None, compile_pattern(r"^-(?:md5|sha1)$|^(?:md5|sha1)$"))), 0.65, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("gpg", "gpg2", "keytool", "jarsigner", "chpasswd", "ssh-keygen", "osslsigncode"), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(WHOLE_CALL, compile_pattern(r"(?i)--(?:cert-)?digest-algo[= ](?:sha1|md5)\b|-(?:sigalg|digestalg)\s+(?:sha-?1|md5)(?:with\w+)?\b|(?:-c|--crypt-method)[= ](?:md5|des)\b|-E\s+md5\b|-h\s+sha1\b")),), 0.65, USE_NOT_TRACED_REASON),
        NodeRule("code.weak_hash", "variable_assignment", "Weak hash is used (MD5, SHA-1 or similar)", compile_pattern(r"^\w+=[\"']?(?:md5sum|sha1sum)[\"']?$"), 0.5, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("md5sum", "sha1sum", "md5"), "Weak hash is used (MD5, SHA-1 or similar)", (), 0.5, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("openssl",), "Weak hash is used (MD5, SHA-1 or similar)", (ArgumentCondition(0, compile_pattern(r"^(?:md5|sha1|dgst)$")), ArgumentCondition(None, compile_pattern(r"^-?(?:md5|sha1)$"))), 0.65, USE_NOT_TRACED_REASON),
        CallRule("code.weak_hash", ("shasum",), "Weak hash is used (MD5, SHA-1 or similar)", (), 0.5, USE_NOT_TRACED_REASON, (ArgumentCondition(None, compile_pattern(r"^(?:256|384|512|512256|-a(?:256|384|512)|--algorithm=(?!1$).*)$")),)),
        CallRule("code.tls_verification_off", ("curl",), "TLS certificate is not verified", (ArgumentCondition(None, compile_pattern(r"^(?:-k|--insecure|--proxy-insecure|-[abfgijklnpqrsvBGILMNORSV0-9#]*k[abfgijklnpqrsvBGIKLMNORSV0-9#]*[odHXu]?)$")),), 0.95, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", ("wget",), "TLS certificate is not verified", (ArgumentCondition(None, compile_pattern(r"^--no-check-certificate$")),), 0.95, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", ("git",), "TLS certificate is not verified", (ArgumentCondition(None, compile_pattern(r"http\.(?:https?://[^ ]*\.)?sslVerify=(?:false|0)|^http\.sslVerify$")), ArgumentCondition(None, compile_pattern(r"sslVerify=(?:false|0)|^(?:false|0|\"false\")$"))), 0.95, "whether it is used was not analysed"),
        NodeRule("code.tls_verification_off", "command", "SSH host key is not verified", compile_pattern(rf"^(?!(?:e|f)?grep\b|rg\b|sed\b)[^\n]{{0,1500}}?(?:{_UNVERIFIED_HOST_KEY})"), 0.9, "whether it is used was not analysed"),
        NodeRule("code.tls_verification_off", "variable_assignment", "SSH host key is not verified", compile_pattern(rf"^\w+\+?=[^\0]{{0,1500}}?(?:{_UNVERIFIED_HOST_KEY})"), 0.85, "whether it is used was not analysed"),
        NodeRule("code.tls_verification_off", "redirected_statement", "SSH host key is not verified", compile_pattern(rf"^(?:cat|tee)\b[^\0]{{0,1500}}?(?:{_UNVERIFIED_HOST_KEY})"), 0.85, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", ("npm", "yarn"), "TLS certificate is not verified", (ArgumentCondition(None, compile_pattern(r"^(?:--)?strict-ssl(?:=false)?$")), ArgumentCondition(None, compile_pattern(r"strict-ssl=false|^false$"))), 0.95, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", ("pip", "pip3", "python", "python3"), "TLS certificate is not verified", (ArgumentCondition(None, compile_pattern(r"^--trusted-host")),), 0.9, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", ("aws", "aria2c", "kubectl", "helm", "lftp", "http", "https", "docker", "podman", "skopeo", "apt-get", "apt", "dnf", "yum", "oc", "argocd", "vault", "mc", "buildah", "crane", "etcdctl", "grpcurl", "terraform", "gh", "glab", "cf", "mosquitto_pub", "mosquitto_sub", "conda", "gem"), "TLS certificate is not verified", (ArgumentCondition(None, compile_pattern(r"^-(?:insecure|tls-skip-verify)$|^--(?:insecure|tls-skip-verify|no-verify-ssl|check-certificate=false|insecure-skip-tls-verify(?:=true)?|verify=(?:no|false)|(?:src-|dest-)?tls-verify=false|insecure-skip-tls-verify-backend|setopt=sslverify=false)$|Verify-Peer=false|ssl:verify-certificate (?:no|false)")),), 0.9, "whether it is used was not analysed"),
        NodeRule("code.tls_verification_off", "variable_assignment", "TLS certificate checks are turned off for the whole process", compile_pattern(r"^(?:GIT_SSL_NO_VERIFY=[\"']?(?:1|true)|NODE_TLS_REJECT_UNAUTHORIZED=[\"']?0|PYTHONHTTPSVERIFY=[\"']?0|CURL_INSECURE=1|LDAPTLS_REQCERT=[\"']?(?:never|allow)|VAULT_SKIP_VERIFY=[\"']?(?:1|true)|CONSUL_HTTP_SSL_VERIFY=[\"']?(?:0|false)|ANSIBLE_HOST_KEY_CHECKING=[\"']?(?i:false|0|no)|(?:CURL|REQUESTS)_CA_BUNDLE=(?:\"\"|''|$))"), 0.95, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", ("curl",), "TLS certificate is not verified", (ArgumentCondition(None, kinds=frozenset({"simple_expansion", "expansion"}), reads=compile_pattern(r"(?:^|\s)(?:-[a-zA-Z]*k[a-zA-Z]*|--insecure)(?:\s|$)")),), 0.85, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", ("wget",), "TLS certificate is not verified", (ArgumentCondition(None, kinds=frozenset({"simple_expansion", "expansion"}), reads=compile_pattern(r"(?:^|\s)--no-check-certificate(?:\s|$)")),), 0.85, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", ("mysql", "mysqldump", "mariadb", "mysqladmin"), "TLS certificate is not verified", (ArgumentCondition(None, compile_pattern(r"^--(?:ssl-verify-server-cert=(?i:0|false|off)|skip-ssl-verify-server-cert|disable-ssl-verify-server-cert)$")),), 0.9, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", ("yum", "dnf", "microdnf", "zypper"), "TLS certificate is not verified", (ArgumentCondition(None, compile_pattern(r"^--(?:setopt=(?:\*\.)?sslverify=(?:0|false)|no-gpg-checks-ssl)$")),), 0.9, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", ("mvn", "./mvnw", "mvnw", "gradle", "./gradlew", "java"), "TLS certificate is not verified", (ArgumentCondition(None, compile_pattern(r"^-D(?:maven\.wagon\.http\.ssl\.(?:insecure|allowall)=true|maven\.resolver\.transport\.https?\.securityMode=insecure|com\.sun\.net\.ssl\.checkRevocation=false|jdk\.internal\.httpclient\.disableHostnameVerification)")),), 0.9, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", ("curl",), "TLS certificate is not verified", (ArgumentCondition(None, compile_pattern(r"^\"?\$\{\w+\[[@*]\]\}\"?$")),), 0.8, "whether it is used was not analysed", unless_in_file=re.compile(rb"\A(?!.*\w\+?=\((?:[^()\n]*\s)?(?:-k|--insecure)[\s)])", re.DOTALL)),
        NodeRule("code.tls_verification_off", "redirected_statement", "TLS certificate is not verified", compile_pattern(r"^(?:echo|printf)\s+(?:'%s\\n'\s+)?[\"']?(?:--)?insecure[\"']?\s*>>?\s*\S*\.curlrc"), 0.9, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", ("conda", "mamba", "yarn", "pnpm", "poetry"), "TLS certificate is not verified", (ArgumentCondition(None, compile_pattern(r"^(?:ssl_verify|enableStrictSsl|strict-ssl|certificates\.\S+\.cert)$")), ArgumentCondition(None, compile_pattern(r"^\"?(?:false|0|no)\"?$"))), 0.9, "whether it is used was not analysed"),
        CallRule("code.tls_verification_off", ("composer", "hg", "svn", "pip", "pip3"), "TLS certificate is not verified", (ArgumentCondition(None, compile_pattern(r"^(?:disable-tls|--insecure|--trust-server-cert\S*|global\.trusted-host)$")),), 0.85, "whether it is used was not analysed", (ArgumentCondition(None, compile_pattern(r"^(?:false|unset)$")),)),
        NodeRule("code.tls_verification_off", "variable_assignment", "TLS certificate is not verified", compile_pattern(r"^(?:AZURE_CLI_DISABLE_CONNECTION_VERIFICATION=[\"']?(?:1|true)|(?:NPM_CONFIG_STRICT_SSL|npm_config_strict_ssl)=[\"']?false|PERL_LWP_SSL_VERIFY_HOSTNAME=[\"']?0|PIP_TRUSTED_HOST=\S)"), 0.95, "whether it is used was not analysed"),
        NodeRule("code.tls_verification_off", "variable_assignment", "TLS certificate is not verified", compile_pattern(r"^\w+\+?=[\"'(][^\n]*?(?:--insecure|--no-check-certificate)\b|^\w*(?i:curl)\w*\+?=[\"'(](?:[^\n]*?\s)?-[a-zA-Z]*k\b"), 0.8, "whether it is used was not analysed"),
        CallRule("code.insecure_temporary_file", ("mkdir",), "Directory with a fixed name is created in the shared temporary directory, or reused if it exists", (ArgumentCondition(None, compile_pattern(r"^-[a-z]*p[a-z]*$|^--parents$")), ArgumentCondition(None, reads=_FIXED_PATH)), 0.5, PRIVATE_FOLDER_REASON),
        CallRule("code.insecure_temporary_file", ("cp", "mv", "install", "git"), FIXED_FILE_STATEMENT, (ArgumentCondition(WHOLE_CALL, compile_pattern(rf"^(?:sudo\s+)?(?:cp|mv|install|git\s+clone)\b{_TEMPORARY_FILE_AT_END}")),), 0.6, PRIVATE_FOLDER_REASON),
        CallRule("code.insecure_temporary_file", ("sort", "gcc", "cc", "ffmpeg", "pg_dump", "mysqldump", "tar", "zip", "gpg", "openssl", "jq", "base64"), FIXED_FILE_STATEMENT, (ArgumentCondition(None, compile_pattern(r"^(?:-o|-out|--output|-\w*f|--file)$")), ArgumentCondition(WHOLE_CALL, compile_pattern(r"\s(?:-o|-out|--output|-[cC]\w*f|-f|--file)\s+\"?/tmp/[\w.$/-]*[\w$]\"?(?:\s|$)"))), 0.6, PRIVATE_FOLDER_REASON, (ArgumentCondition(WHOLE_CALL, compile_pattern(r"^tar\s+-?-?\w*x")),)),
        CallRule("code.insecure_temporary_file", ("wget",), FIXED_FILE_STATEMENT, (ArgumentCondition(WHOLE_CALL, compile_pattern(r"\s(?:-P|--directory-prefix)[ =]?\"?/(?:var/)?tmp/?\"?(?:\s|$)")),), 0.65, PRIVATE_FOLDER_REASON),
        CallRule("code.insecure_temporary_file", ("tar", "unzip", "bsdtar", "7z"), "Archive is unpacked into the shared temporary directory, where other users can plant files", (ArgumentCondition(WHOLE_CALL, compile_pattern(r"^(?:sudo\s+)?(?:(?:bsd)?tar\s(?=[^\n]{0,300}?(?:\s-?-?\w{0,8}x|--extract))[^\n]{0,300}?\s(?:-C|--directory)[ =]?|unzip\s[^\n]{0,300}?\s-d\s?|7z\s+x\s[^\n]{0,300}?\s-o)\"?/(?:var/)?tmp/[\w./-]+\"?(?:\s|$)")),), 0.5, PRIVATE_FOLDER_REASON),
        CallRule("code.insecure_temporary_file", ("rsync", "scp", "ln"), FIXED_FILE_STATEMENT, (ArgumentCondition(WHOLE_CALL, compile_pattern(rf"^(?:sudo\s+)?(?:rsync|scp|ln\s+-\w*f\w*)\b{_TEMPORARY_FOLDER_AT_END}")),), 0.55, PRIVATE_FOLDER_REASON),
        CallRule("code.insecure_temporary_file", ("flock", "lockfile", "dotlockfile", "shlock", "setlock"), FIXED_FILE_STATEMENT, (ArgumentCondition(None, compile_pattern(r"^\"?/(?:var/)?tmp/[\w.$-]+\"?$|^\"?\$"), reads=_FIXED_PATH),), 0.6, PRIVATE_FOLDER_REASON),
        CallRule("code.insecure_temporary_file", ("socat", "nc", "ncat", "netcat"), FIXED_FILE_STATEMENT, (ArgumentCondition(WHOLE_CALL, compile_pattern(r"(?i)\bunix-listen:/(?:var/)?tmp/|^n(?:et)?c(?:at)?\s+(?=[^\n]{0,100}?-\w*l)(?=[^\n]{0,100}?-\w*U)[^\n]{0,200}?\s/(?:var/)?tmp/")),), 0.7, PRIVATE_FOLDER_REASON),
        CallRule("code.insecure_temporary_file", ("dd",), FIXED_FILE_STATEMENT, (ArgumentCondition(None, compile_pattern(r"^of=\"?/tmp/[\w.$-]+\"?$")),), 0.65, PRIVATE_FOLDER_REASON),
        NodeRule("code.insecure_temporary_file", "variable_assignment", "File name in the shared temporary directory is built from predictable parts", compile_pattern(r"^\w+=[\"']?(?:/var)?/tmp/[\w.-]{0,60}\$\((?:date|whoami|hostname|id|basename)\b[^()\n]{0,80}\)[\w.-]{0,40}[\"']?$"), 0.55, "whether it is used was not analysed"),
        CallRule("code.insecure_temporary_file", ("mktemp",), "{call} only prints a name: another user can create the file first", (ArgumentCondition(None, compile_pattern(r"^(?:-u|--dry-run)$")),), 0.85, PRIVATE_FOLDER_REASON),
        CallRule("code.insecure_temporary_file", ("tempfile",), "{call} only prints a name: another user can create the file first", (), 0.6, PRIVATE_FOLDER_REASON),
        CallRule("code.insecure_temporary_file", ("curl", "wget"), FIXED_FILE_STATEMENT, (ArgumentCondition(None, compile_pattern(r"^(?:-[a-zA-Z]*o|-O|--output|--output-document)$")), ArgumentCondition(None, compile_pattern(r"^\"?/tmp/[\w.$-]+\"?$"))), 0.65, PRIVATE_FOLDER_REASON),
        CallRule("code.insecure_temporary_file", ("curl", "wget"), FIXED_FILE_STATEMENT, (ArgumentCondition(None, compile_pattern(r"^(?:-[a-zA-Z]*o|-O|--output|--output-document)$")), ArgumentCondition(None, compile_pattern(r"^\"?\$"), reads=_FIXED_PATH)), 0.65, PRIVATE_FOLDER_REASON),
        CallRule("code.insecure_temporary_file", ("curl", "wget"), FIXED_FILE_STATEMENT, (ArgumentCondition(None, compile_pattern(r"^(?:-[a-zA-Z]*o|-O|--output|--output-document)$")), _PARAMETER_PATH), 0.55, _PARAMETER_REASON),
        CallRule("code.insecure_temporary_file", ("ffmpeg", "convert", "magick", "pg_dump", "pg_dumpall", "mysqldump", "mongodump", "openssl", "gpg", "zip", "split", "dd", "wkhtmltopdf", "pandoc", "xz", "aria2c"), FIXED_FILE_STATEMENT, (ArgumentCondition(None, compile_pattern(r"^\"?(?:of=|--[\w-]+=)?\"?/tmp/[\w.$-]+|^\"?\$"), reads=compile_pattern(r"^(?:of=|--[\w-]+=)?/(?:var/)?tmp/+[\w./+-]+$")),), 0.55, PRIVATE_FOLDER_REASON),
        CallRule("code.insecure_temporary_file", ("tar",), FIXED_FILE_STATEMENT, (ArgumentCondition(0, compile_pattern(r"^-?[a-zA-Z]*c")), ArgumentCondition(None, compile_pattern(r"^\"?/tmp/[\w.$-]+|^\"?\$"), reads=_FIXED_PATH)), 0.6, PRIVATE_FOLDER_REASON),
        CallRule("code.insecure_temporary_file", ("tee", "touch", "mkfifo"), FIXED_FILE_STATEMENT, (ArgumentCondition(None, compile_pattern(r"^\"?/tmp/[\w.$-]+\"?$")),), 0.65, PRIVATE_FOLDER_REASON),
        CallRule("code.insecure_temporary_file", ("tee", "touch", "mkfifo"), FIXED_FILE_STATEMENT, (ArgumentCondition(None, compile_pattern(r"^\"?\$"), reads=_FIXED_PATH),), 0.65, PRIVATE_FOLDER_REASON),
        CallRule("code.insecure_temporary_file", ("tar",), FIXED_FILE_STATEMENT, (ArgumentCondition(0, compile_pattern(r"^-?[a-zA-Z]*c")), _PARAMETER_PATH), 0.5, _PARAMETER_REASON),
        CallRule("code.insecure_temporary_file", ("tee", "touch", "mkfifo"), FIXED_FILE_STATEMENT, (_PARAMETER_PATH,), 0.55, _PARAMETER_REASON),
        NodeRule("code.insecure_temporary_file", "file_redirect", FIXED_FILE_STATEMENT, compile_pattern(r"^\d?&?>{1,2}\|?\s*\"?\$"), 0.55, _PARAMETER_REASON, reads=("destination", _FILLED_PATH), sources_pattern=_PARAMETER_SOURCE, beside=(b"tmp", b"TMPDIR", b"TMP", b"TEMP")),
        NodeRule("code.insecure_temporary_file", "file_redirect", FIXED_FILE_STATEMENT, compile_pattern(r"^\d?&?>{1,2}\|?\s*\"?\$"), 0.65, PRIVATE_FOLDER_REASON, reads=("destination", _FIXED_PATH)),
        NodeRule("code.insecure_temporary_file", "file_redirect", FIXED_FILE_STATEMENT, compile_pattern(r"^\d?&?>{1,2}\|?\s*\"?\$"), 0.5, "part of the name may be random", reads=("destination", _PARTLY_FIXED)),
        NodeRule("code.insecure_temporary_file", "file_redirect", FIXED_FILE_STATEMENT, compile_pattern(r"^\d?>{1,2}\s*\"?/tmp/[\w.$-]+"), 0.7, PRIVATE_FOLDER_REASON),
        NodeRule("text.debug_leftovers", "command", "Leftover shell tracing (`set -x` or `bash -x`)", compile_pattern(r"^set (?:-[a-z]*x[a-z]*(?:\s+(?:-o\s+)?\w+)?|-o xtrace|-[a-z]*o[a-z]* xtrace)$"), 0.5, "tracing may be intended", unless_before=re.compile(rb"(?:&&|\bthen)\s*\Z")),
        CallRule("text.debug_leftovers", ("echo", "printf"), "Printed text looks like leftover debug output", (ArgumentCondition(0, DEBUG_MARKER_TEXT),), 0.7, INTENDED_OUTPUT_REASON),
        CallRule("text.debug_leftovers", ("echo", "printf"), "Printed text looks like leftover debug output", (ArgumentCondition(0, DEBUG_LABEL_TEXT),), 0.55, INTENDED_OUTPUT_REASON, unless_in_file=re.compile(rb"(?i)(?:\$\{?\w*(?:debug|verbose|trace)|\b\w*(?:debug|log)\w*\s*\(\))")),
        CallRule("text.debug_leftovers", ("bash", "sh"), "Leftover shell tracing (`set -x` or `bash -x`)", (ArgumentCondition(0, compile_pattern(r"^-[a-z]*x[a-z]*$")), ArgumentCondition(1)), 0.5, "tracing may be intended"),
    ),
)  # fmt: skip
