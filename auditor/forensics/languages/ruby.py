"""Ruby."""

from __future__ import annotations

import re

from auditor.forensics.languages.language_rule_types import (
    ALL,
    AS_IT_IS,
    DECODED_IN_A_SHELL,
    DROPPED_RESULT,
    FIXED,
    FIXED_FOREIGN_COMMAND,
    FIXED_IN_A_SHELL,
    FIXED_NAME,
    FIXED_ON_ANOTHER_MACHINE,
    FOREIGN_COMMAND,
    GLUED_CONDITION,
    GLUED_PART,
    GLUED_QUERY,
    GUESSED_NAME,
    IDENTIFIER,
    IN_A_SHELL,
    IN_AN_INTERPRETER,
    IN_PART,
    ITSELF,
    JUDGED,
    KEYED,
    LAX_ADDRESS,
    LAX_PROGRAM,
    LAX_WORDS,
    ON_ANOTHER_MACHINE,
    ONE_USER,
    OUTPUT_TAKEN,
    PASSED,
    PERHAPS_EMPTY,
    READ_BY_SOMEBODY,
    RECEIVER,
    SHARED_FIXED,
    SHARED_GUESSED,
    UNGUESSABLE,
    VALUE_QUERY,
    Argument,
    Call,
    Handler,
    Language,
    Piece,
    Testing,
    Unlooked,
    Value,
    folder,
    form,
    graph_queries,
    handed,
    marked,
    temporary,
)
from auditor.forensics.languages.string_syntax import Writing
from auditor.forensics.source_text.decode_and_run_commands import (
    DECODE_AND_RUN_COMMAND,
    DECODE_AND_RUN_STATEMENT,
    NOT_DECODED_REASON,
)
from auditor.forensics.source_text.tree_sitter_grammars import grammar

_FILLED = form(r"[^\0\x1f]\0|\0[^\0\x1f]")
_RUN = (
    "system", "Kernel.system", "exec", "Kernel.exec", "spawn", "Kernel.spawn", "Process.spawn", "IO.popen", "Open3.capture2", "Open3.capture3", "Open3.capture2e", "Open3.popen3", "Open3.popen2",
    "Open3.popen2e", "Open3.pipeline", "Open3.pipeline_r", "PTY.spawn", "PTY.getpty", "sh", "POSIX::Spawn::Child.new",
)  # fmt: skip
_WITH_KEY = tuple(f"OpenSSL::HMAC.{made}" for made in ("hexdigest", "digest", "base64digest", "new"))
_KEYED = re.compile(rb"\bHMAC\.\w{1,20}[( ]\s{0,40}\Z")
"""What makes something of a digest and a key stands right before it."""
_ASKED = (
    ".execute", ".exec_query", ".exec_update", ".exec_delete", ".exec_insert", ".find_by_sql", ".count_by_sql", ".select_all", ".select_one", ".select_rows", ".select_value", ".select_values", ".query", ".exec",
    ".exec_params", ".async_exec", ".prepare", ".execute2", ".execute_batch", ".get_first_row", ".get_first_value", ".run", ".fetch", ".with_sql", ".sql_literal", ".async_query", ".insert", ".update", ".delete",
    "find_by_sql", "execute", "count_by_sql", "select_all", "Arel.sql", "Sequel.lit", "Sequel.literal",
)  # fmt: skip
_PARTS = (
    ".where", "where", ".not", ".or", ".having", ".joins", "joins", ".find_by", "find_by", ".exists?", "exists?", ".delete_all", ".update_all", "update_all", ".destroy_all", ".from", ".pluck", ".calculate", ".sum",
    ".count", ".lock", ".find_each", ".rewhere", ".filter", ".exclude", ".select", ".group", ".delete_by", ".destroy_by", "delete_all", "destroy_all", "having", "rewhere", "delete_by", "destroy_by", ".first", ".last",
)  # fmt: skip
_ORDERS = (
    ".order",
    "order",
    ".joins",
    "joins",
    "select",
    ".select",
    "pluck",
    "having",
    ".reorder",
    "reorder",
    ".group",
    ".order_append",
    "Arel.sql",
    "Sequel.lit",
    ".pluck",
    ".from",
    ".in_order_of",
)
_GLUED_PART = form(rf"{GLUED_PART.pattern}|\w\(\s*\0\s*\)")
_NO_OPTION = form(r"^(?!\w+:|:\w+\s*=>|\*\*|['\"][rwab+]+['\"]$|&|err\b|out\b|in\b|\w*opt(?:ion)?s\b)")
"""A word of a command, and nothing that tells how it is to be run."""
_OF_RECORDS = (b"ActiveRecord", b"ApplicationRecord", b"Sequel", b"Controller", b"scope :")
"""What is in files where a part of a query is asked for, and not something of a page or of a list."""
_GENERATORS = (b"Thor::Actions", b"Rails::Generators", b"TTY::Command")
"""Where `run` stands for a command line."""
_DEPLOYING = (b"SSHKit", b"capistrano", b"on roles", b"on release_roles", b"on primary")
"""Where `execute` stands for a command line on another machine."""
_EVAL = (
    "eval",
    "Kernel.eval",
    "instance_eval",
    "class_eval",
    "module_eval",
    ".instance_eval",
    ".class_eval",
    ".module_eval",
)
_TRACED = form(
    r"\.backtrace\b|\bfull_message\b|capture_exception|notify_error|Honeybadger\.notify|Rollbar\.error|Bugsnag\.notify|Rails\.error\.report|\.detailed_message|\b(?:error|fatal|warn)\s*\(\s*e(?:x|rr|rror|xception)?\s*\)|exception:\s*e"
)
"""A handler that keeps the trace of what it logs."""
_OUTERMOST = form(
    r"loop\s*(?:do\b|\{)|while\s+(?:true\b|!|@?running|not\b)|until\s+@?\w*(?:stop|shut|done|exit|quit)|def\s+(?:self\.)?(?:main|perform|call!?)\b(?=\s*(?:$|\n|\(\s*(?:\w+,\s*)?env\b|\(\s*\*))|Thread\.(?:new|start)\b"
)
"""What a program, a thread or a job begins in."""
_TALKS = re.compile(
    rb"\A#!|\bARGV\b|\b(?:OptionParser|Thor|GLI|TTY|Dry::CLI|Slop|Readline|Reline|Rake|IRB)\b|__FILE__\s*==\s*\$|\$PROGRAM_NAME|\$0\b|(?m:^[ \t]*task\s)"
)
"""What a program holds that speaks to whoever runs it."""
_STATUS_ASKED = re.compile(rb"\$\?|\$CHILD_STATUS|Process\.last_status|\bset -e")
_READ_OR_NEW = Argument(None, form(r"\bEXCL\b|^['\"](?:rb?|rt|r:[\w:-]+|\w*x\w*)['\"]$"))
_OUTPUT_ONLY = Unlooked(
    before=re.compile(rb"(?:\A|[\n;{|(])\s*(?:@?\w+\s*,\s*){0,2}(?:_\w*|@?\w+\s*,)\s*=\s*\Z"),
    behind=re.compile(rb"\s*(?:\[\s*0\s*\]|\.first\b)"),
    uses=re.compile(rb".?@(?:\[\s*0\s*\]|\.first\b)", re.DOTALL),
)
"""Of a child process, its output alone is asked for."""
_TESTING = Testing(
    words=(b"it ", b"it(", b"it{", b"scenario", b"test ", b"test(", b"specify", b"example", b"should ", b"def test_"),
    calls=re.compile(rb"(?:[xf]?(?:it|specify|example|scenario)|test|should|pending|skip)(?![\w.?!])"),
    holders=re.compile(rb"(?:RSpec\.)?[xf]?(?:describe|context|feature)(?![\w.?!])"),
    functions=form(r"^def test_\w+"),
    function_kinds=frozenset({"method"}),
    checks=form(
        r"\b(?i:assert|refute|expect|should|must|wont|is_expected|check|verify|flunk|raise|compare|ensure|skip|pending)\w*|have_\w+"
    ),
    counted=form(r"\b(?:assert|refute|expect|is_expected|should|must_|wont_|flunk|check_|verify_|have_received)\w*"),
    trivial=form(
        r"\bexpect[ (](?![^\n]{0,300}(?:\.|\b)(?:to|not_to|to_not)\b)[^\n{]{0,300}\)[ \t]*\n(?!\s*[.&])|\bassert(?:_equal)?[ (]+(true|1)\b(?:\s*,\s*\1\b)?\)?[ \t]*(?:\n|$)|\bexpect\((true|1)\)\.to\s+(?:eq|be)[ (]*\2\b\)?"
    ),
    skipped=form(
        r"^(?:x(?:it|specify|example|describe|context|feature)|skip|pending)\b|\b(?:skip|pending)(?::|\s*=>)\s*(?!false|nil)\S|(?<!\w):(?:skip|pending)\b"
    ),
    conditional=form(r"\b(?:if|unless)(?::|\s*=>)"),
    alone=form(r"^f(?:it|specify|example|describe|context|feature)\b|\bfocus(?::|\s*=>)\s*true|(?<!\w):focus\b"),
    stops=form(r"(?:skip|pending)\b(?!\s*[=.])(?!.*\b(?:if|unless)\b)"),
    comments=form(r"(?m:^\s*#[^\n]*)"),
)
_WRITING = Writing(
    literals=frozenset({"string", "chained_string", "heredoc_beginning", "bare_string", "subshell"}),
    holes=frozenset({"interpolation"}),
    gives={"assignment": ("left", "right"), "operator_assignment": ("left", "right"), "binary": ("left", "right")},
    sums=frozenset({"binary"}),
    around={"unary": "operand", "parenthesized_statements": "", "splat_argument": "", "begin": "", "then": "", "else": ""},
    choices={"conditional": ("consequence", "alternative"), "if": ("consequence", "alternative")},
    lists=frozenset({"array", "string_array"}),
    names=frozenset({"identifier", "instance_variable", "constant", "global_variable"}),
    members=frozenset({"scope_resolution"}),
    calls=frozenset({"call"}),
    blank=re.compile(r"%(?:\d+\$)?[-+ #0]*\d*(?:\.\d+)?([a-zA-Z%])|%[{<]\w{1,40}[}>]"),
    formats=re.compile(r"^(?:Kernel\.)?(?:format|sprintf)$"),
    same=re.compile(r"(?:^|\.)(?:to_s|to_str|squish|strip|freeze|dup|chomp|strip_heredoc|gsub|sub|html_safe|tr|downcase|upcase|presence|\+@)$"),
    wraps=re.compile(r"^(?:Pathname\.new|Pathname|File\.expand_path|String\.new|String|Arel\.sql|Sequel\.lit)$"),
    adds=re.compile(r"(?:^|\.)(?:concat)$"),
    collects=re.compile(r"(?:^|\.)(?:push|append)$"),
    growing=re.compile(rb"[\w.@]{1,80}\.(?:concat|push|append)\b"),
    joins=re.compile(r"(?:^|\.)join$"),
    paths=re.compile(r"^File\.join$|(?P<on>(?:^|\.)join$)"),
    temporary=re.compile(rb"(?:Dir\.)?tmpdir"),
    heredocs=("heredoc_beginning", "heredoc_body"),
)  # fmt: skip
_PLAIN = r"(?!\w*(?:message|msg|line|text|output|report|usage|help|banner|version|summary|content|table|out|str|string|result_text|body|sql|yaml|json|csv|error|err|e|ex)s?\b)@?[a-z_]\w*"
"""A name that stands for a value, and not for words to a reader."""
_CONSTANT = r"(?:nil|false|true|\[\s*\]|\{\s*\}|-?\d[\d_.]*|\"[^\"#\n]{0,60}\"|'[^'\n]{0,60}'|:\w+|(?:[A-Z]\w*::)*[A-Z][A-Z0-9_]+|(?:Hash|Array|Set|String|Struct|OpenStruct)\.new(?:\(\))?)"
"""A value that is the same whatever went wrong."""
_ASSIGNED = rf"@{{0,2}}[a-z_]\w*\s*=\s*{_CONSTANT}"
_NO_FLAG = r"(?!@{0,2}\w*(?i:err|fail|exc|rais|rescue|caught|valid|ok\b|success))"
"""A name that says that something failed is no value in place of it."""
_ONLY_DROPS = rf"\s*(?:#[^\n]*\s*)*(?:(?:return\s+)?(?:next|{_CONSTANT})|return|break|{_ASSIGNED})?\s*(?:#[^\n]*\s*)*$"
"""The rest of a handler that does nothing, or puts a fixed value in place of what failed."""
_FIXED_VALUE = rf"(?:=>[ \t]*\w+[ \t]*)?(?:\n|;|then)\s*(?:(?:return\s+)?(?:next|{_CONSTANT})|return|break|{_NO_FLAG}{_ASSIGNED})\s*$"
_DROPS = rf"[ \t]*{_FIXED_VALUE}|(?:[ \t]*=>[ \t]*\w+)?(?:\s|#[^\n]*(?:\n|$))*$"
"""What stands behind the class that a handler names where it only drops what it catches, which is told elsewhere."""
RUBY = Language(
    name="ruby",
    grammar=lambda _content: grammar("tree_sitter_ruby"),
    calls={"call": "method"},
    callee=("receiver", "method"),
    functions=frozenset({"method", "singleton_method"}),
    commented=(b"#", b"=begin"),
    branches=frozenset({"if", "unless", "elsif", "while", "until", "for", "when", "rescue", "conditional", "if_modifier", "unless_modifier"}),
    values=frozenset({"assignment", "pair"}),
    handlers=frozenset({"rescue"}),
    writing=_WRITING,
    declared=False,
    given_back=re.compile(rb"\bdef\s+[\w.]{1,80}\?[^\n]{0,100}\n\s*\Z"),
    statements=frozenset({"program", "body_statement", "then", "block_body", "do", "else", "begin", "ensure", "when"}),
    modifiers=frozenset({"if_modifier", "unless_modifier", "while_modifier", "until_modifier"}),
    testing=_TESTING,
    rules=(
        Call("code.shell_execution", _RUN, DECODE_AND_RUN_STATEMENT, (Argument(0, form(DECODE_AND_RUN_COMMAND)),), 0.95, NOT_DECODED_REASON),
        Call("code.shell_execution", _RUN, DECODE_AND_RUN_STATEMENT, (Argument(ALL, reads=DECODED_IN_A_SHELL),), 0.95, NOT_DECODED_REASON),
        Piece("code.shell_execution", "subshell", DECODE_AND_RUN_STATEMENT, form(DECODE_AND_RUN_COMMAND), 0.95, NOT_DECODED_REASON),
        Call("code.dynamic_code", _EVAL, "Text that stands encoded in the code is run as code", (Argument(0, form(r"\bBase64\b|\.unpack1?\(\s*['\"](?:m|H\*)")),), 0.95, NOT_DECODED_REASON),
        Call("code.shell_execution", _RUN, "A command is handed to a shell", (Argument(ALL, reads=IN_A_SHELL),), 0.95, PASSED),
        Call("code.shell_execution", _RUN, "A command put together at run time is handed to a shell", (Argument(0, reads=_FILLED),), 0.9, PASSED, (Argument(1, _NO_OPTION), Argument(0, kinds=frozenset({"array", "splat_argument"})))),
        Call("code.shell_execution", _RUN, "A command put together at run time is handed to a shell", (Argument(1, reads=_FILLED), Argument(0, kinds=frozenset({"identifier", "hash", "instance_variable", "constant"}))), 0.85, PASSED, (Argument(2, form(r"^(?!\w+:|:\w+\s*=>|\*\*)")),)),
        Call("code.shell_execution", _RUN, "A command is handed to a shell", (Argument(0, kinds=frozenset({"identifier", "instance_variable", "call", "element_reference"}), reads=form(r"^\0$")),), 0.75, "a command without blanks and signs reaches no shell", (Argument(1, _NO_OPTION), Argument(0, form(r"(?i)shelljoin|\.join$|\bargs?$|argv|words|^\*|\bblock$")))),
        Call("code.shell_execution", (*_RUN,), "A constant command is handed to a shell", (Argument(0, reads=form(r"^[^\0\x1f]*[|&;<>$*`][^\0\x1f]*$")),), 0.5, FIXED),
        Call("code.shell_execution", _RUN, "A constant command is handed to a shell", (Argument(ALL, reads=FIXED_IN_A_SHELL),), 0.5, FIXED),
        Call("code.shell_execution", _RUN, FOREIGN_COMMAND, (Argument(ALL, reads=ON_ANOTHER_MACHINE),), 0.8, PASSED, beside=(b"ssh", b"mosh")),
        Call("code.shell_execution", _RUN, FIXED_FOREIGN_COMMAND, (Argument(ALL, reads=FIXED_ON_ANOTHER_MACHINE),), 0.5, FIXED, beside=(b"ssh", b"mosh")),
        Call("code.tls_verification_off", _RUN, "A program is told not to check who answers", (Argument(ALL, reads=LAX_PROGRAM),), 0.9, "whether it is ever used was not followed", beside=LAX_WORDS),
        Piece("code.tls_verification_off", "subshell", "A program is told not to check who answers", form(r"\bcurl\s(?:[^;|&\n]{0,300}?\s)?(?:--insecure|-[a-zA-Z]{0,8}k[a-zA-Z]{0,8})\s|\bwget\s[^;|&\n]{0,300}?--no-check-certificate|\bStrictHostKeyChecking[= ](?:no|off)\b"), 0.9, "whether it is ever used was not followed"),
        Piece("code.tls_verification_off", "string", "The other side's certificate is not checked", LAX_ADDRESS, 0.9, "whether it is ever used was not followed"),
        Call("code.shell_execution", ("Open3.pipeline", "Open3.pipeline_r", "Open3.pipeline_w", "Open3.pipeline_rw", "Open3.pipeline_start"), "A command put together at run time is handed to a shell", (Argument(None, kinds=frozenset({"string"}), reads=_FILLED),), 0.85, PASSED),
        Call("code.shell_execution", (".exec!",), "A command put together at run time is handed to a shell on another machine", (Argument(0, reads=form(r"\0")),), 0.8, PASSED, beside=(b"ssh", b"SSH")),
        Call("code.shell_execution", (".exec!",), "A constant command is handed to a shell on another machine", (Argument(0, reads=form(r"^[^\0]+$")),), 0.5, FIXED, beside=(b"ssh", b"SSH")),
        Call("code.shell_execution", ("run", ".run"), "A command put together at run time is handed to a shell", (Argument(0, reads=_FILLED),), 0.85, PASSED, (Argument(1, form(r"^(?!\w+:|:\w+\s*=>|\*\*)")),), beside=_GENERATORS),
        Call("code.shell_execution", ("run", ".run"), "A constant command is handed to a shell", (Argument(0, reads=form(r"^[^\0\x1f]*[|&;<>$*`][^\0\x1f]*$")),), 0.5, FIXED, beside=_GENERATORS),
        Call("code.shell_execution", ("execute", "capture", ".execute", ".capture"), "A command put together at run time is handed to a shell on another machine", (Argument(0, kinds=frozenset({"string"}), reads=_FILLED), Argument(ALL, reads=form(r"^[^\x1f]*$"))), 0.8, PASSED, beside=_DEPLOYING),
        Call("code.shell_execution", ("ruby",), "A command put together at run time is handed to a shell", (Argument(0, kinds=frozenset({"string"}), reads=_FILLED), Argument(ALL, reads=form(r"^[^\x1f]*$"))), 0.8, PASSED, beside=(b"task ", b"Rake")),
        Call("code.dynamic_code", _RUN, "Text is run as code by an interpreter", (Argument(ALL, reads=IN_AN_INTERPRETER),), 0.8, PASSED),
        Call("code.shell_execution", ("open", "Kernel.open", "IO.read", "IO.readlines", "URI.open"), "A command put together at run time is handed to a shell", (Argument(0, reads=form(r"^\s*\|.*\0")),), 0.9, PASSED),
        Call("code.shell_execution", ("open", "Kernel.open", "IO.read", "IO.readlines"), "A constant command is handed to a shell", (Argument(0, reads=form(r"^\s*\|[^\0]+$")),), 0.5, FIXED),
        Piece("code.shell_execution", "subshell", "A command put together at run time is handed to a shell", form(rf"^(?!.*(?:{DECODE_AND_RUN_COMMAND})).*#\{{"), 0.9, PASSED),
        Piece("code.shell_execution", "subshell", "A constant command is handed to a shell", form(rf"^(?!.*#\{{)(?!.*(?:{DECODE_AND_RUN_COMMAND}))"), 0.5, FIXED),
        Call("code.dynamic_code", _EVAL, "Text is run as code", (Argument(0, form(r"^(?!&|:|['\"][^#]*['\"]$|__FILE__)")),), 0.8, "where the text comes from was not followed", (Argument(0, reads=form(r"^[^\0]+$")),)),
        Call("code.dynamic_code", ("binding.eval", "TOPLEVEL_BINDING.eval"), "Text is run as code", (Argument(0, reads=form(r"\0")),), 0.8, "where the text comes from was not followed"),
        Call("code.dynamic_code", (".eval",), "Text is run as code", (Argument(RECEIVER, form(r"(?i)(?:^|_|\.)(?:binding|scope)$")), Argument(0, reads=form(r"\0"))), 0.75, "where the text comes from was not followed"),
        Call("code.dynamic_code", ("ERB.new", "Haml::Engine.new", "Slim::Template.new", "Liquid::Template.parse"), "Text from outside is run as code (a template)", (Argument(0, form(r"\bparams\b|\brequest\.")),), 0.85, "what may be asked for was not followed"),
        Call("code.dynamic_code", ("render",), "Text from outside is run as code (a template)", (Argument(None, form(r"^inline:\s*.*\b(?:params|request)\b")),), 0.85, "what may be asked for was not followed"),
        Call("code.dynamic_code", ("ERB.new", "Haml::Engine.new", "Slim::Template.new"), "Text is run as code (a template put together at run time)", (Argument(0, reads=form(r"[^\0]\0|\0[^\0]|^\0$")),), 0.55, "the template may come from a file of the project", (Argument(0, form(r"File\.read|\.read\b|IO\.read|(?i:template|\bDATA\b)")),)),
        Call("code.dynamic_code", ("RubyVM::InstructionSequence.compile", "RubyVM::InstructionSequence.new"), "Text is run as code", (Argument(0, reads=form(r"\0")),), 0.8, "where the text comes from was not followed"),
        Call("code.dynamic_code", ("render", ".render"), "Text is run as code (a template put together at run time)", (Argument(None, form(r"^inline:\s*(?:[@a-z_][\w.@]*$|\"[^\"]*#\{)")),), 0.6, "the template may come from a file of the project", (Argument(None, form(r"(?i)\.read\b|File\.")),)),
        Call("code.dynamic_code", (".send", ".public_send", ".__send__", "send", "public_send", "__send__", ".method", "method"), "A method is chosen by somebody outside", (Argument(0, form(r"^\(?(?:params|request\.params)\b")),), 0.65, "what may be chosen was not followed"),
        Call("code.dynamic_code", (".send", ".public_send", ".__send__", "send"), "Text is run as code", (Argument(0, form(r"^:(?:instance_|class_|module_)?eval$")), Argument(1, reads=form(r"\0"))), 0.8, "where the text comes from was not followed"),
        Call("code.dynamic_code", ("load", "require", "require_relative", "Kernel.load", "Kernel.require"), "A module is loaded that somebody outside names", (Argument(0, form(r"^\(?(?:params|request\.params)\b|#\{\s*params\b")),), 0.75, "what may be named was not followed"),
        Call("code.dynamic_code", ("ExecJS.eval", "ExecJS.exec", "ExecJS.compile", "Dentaku", "Dentaku!", "Dentaku.evaluate"), "Text is run as code by an interpreter", (Argument(0, reads=form(r"\0")),), 0.7, "where the text comes from was not followed", (Argument(0, form(r"File\.read|\.read\b")),)),
        Call("code.dynamic_code", (".eval", ".exec", ".evaluate", ".evaluate!"), "Text is run as code by an interpreter", (Argument(0, reads=form(r"\0")), Argument(RECEIVER, made_of=form(r"\b(?:MiniRacer::Context|Quickjs::VM|QuickJS::\w+|V8::Context|Dentaku::Calculator|Duktape::Context|Rufus::Lua::State|Mustang::Context|Rhino::Context)\.new|(?i:calculator|js_?context)$"))), 0.7, "where the text comes from was not followed", beside=(b"MiniRacer", b"Quickjs", b"QuickJS", b"V8::", b"Dentaku", b"Duktape", b"Rufus::Lua")),
        Call("code.dynamic_code", (".const_get", "const_get"), "A class is chosen by a text", (Argument(0, form(r"\bparams\b|\brequest\b")),), 0.7, "what may be chosen was not followed"),
        Call("code.dynamic_code", (".constantize", ".safe_constantize"), "A class is chosen by a text", (Argument(RECEIVER, made_of=form(r"\bparams\b|\brequest\b")),), 0.7, "what may be chosen was not followed"),
        Call("code.unsafe_deserialization", ("Marshal.load", "Marshal.restore"), "Data that can carry code is unpacked", (), 0.85, "where the data comes from was not followed", (Argument(0, form(r"^\(?Marshal\.dump\b")),)),
        Call("code.unsafe_deserialization", ("YAML.unsafe_load", "Psych.unsafe_load", "YAML.unsafe_load_file", "Psych.unsafe_load_file", "Oj.object_load", "Ox.parse_obj", "CSV.load"), "Data that can carry code is unpacked", (), 0.9, "where the data comes from was not followed"),
        Call("code.unsafe_deserialization", ("YAML.load", "Psych.load", "YAML.load_documents"), "Data that can carry code is unpacked", (), 0.65, "newer versions of the library refuse all but plain values", (Argument(0, kinds=frozenset({"heredoc_beginning"})), Argument(0, form(r"^['\"][^#]*['\"]$")), Argument(None, form(r"\b(?:permitted_classes|safe:|safe\s*=>)")))),
        Call("code.unsafe_deserialization", ("YAML.load_file", "Psych.load_file", "YAML.load_stream", "Psych.load_stream"), "Data that can carry code is unpacked", (Argument(0, reads=form(r"\0")),), 0.5, "newer versions of the library refuse all but plain values", (Argument(0, form(r"(?i)config|Rails\.root|__dir__|expand_path|settings|locale|fixture")), Argument(None, form(r"\bpermitted_classes")))),
        Call("code.unsafe_deserialization", ("JSON.load", "JSON.parse", "JSON.restore", "JSON.parse!"), "Data may name the class that it is unpacked to", (Argument(None, form(r"\bcreate_additions(?::|\s*=>)\s*true\b")),), 0.85, "where the data comes from was not followed"),
        Call("code.unsafe_deserialization", ("Oj.load",), "Data that can carry code is unpacked", (Argument(None, form(r"\bmode:\s*:object\b|:mode\s*=>\s*:object\b")),), 0.85, "where the data comes from was not followed"),
        Call("code.unsafe_deserialization", ("Oj.load",), "Data that can carry code is unpacked", (), 0.5, "the mode may be set for all calls elsewhere", (Argument(None, form(r"\bmode\b")),)),
        graph_queries((".run", ".query", ".execute_query")),
        Call("code.sql_from_strings", _ASKED, "A query is put together from strings", (Argument(0, reads=VALUE_QUERY, told_apart=True),), 0.8, PASSED, handed_on=True),
        Call("code.sql_from_strings", _ASKED, "A name is put into a query as text", (Argument(0, reads=GLUED_QUERY),), 0.6, IDENTIFIER),
        Call("code.sql_from_strings", _PARTS, "A part of a query is put together from strings", (Argument(0, kinds=frozenset({"string", "binary", "call", "identifier", "array", "chained_string", "heredoc_beginning"}), reads=GLUED_CONDITION),), 0.8, PASSED, (Argument(0, form(r"^[\w.:]*(?:sanitize_sql|Arel)")),)),
        Call("code.sql_from_strings", _ORDERS, "A part of a query is put together from strings", (Argument(0, kinds=frozenset({"string", "binary", "chained_string"}), reads=_GLUED_PART),), 0.75, PASSED),
        Call("code.sql_from_strings", (".where", ".order", "order", ".reorder", ".group", ".pluck", ".select", ".having", ".joins", ".from", "where"), "What is asked for becomes a part of a query", (Argument(0, form(r"^(?:params|request\.params)(?:\[|\.(?:fetch|dig)\b)[^{]{0,100}$")),), 0.7, "newer versions of the library refuse some of it"),
        Call("code.sql_from_strings", (".where", ".having", ".order", ".reorder", ".group", ".joins", ".from", ".pluck", ".select", "where", "order", "select"), "A part of a query is put together from strings", (Argument(0, form(r"^\"#\{[^{}\"]{1,100}\}\"$"), reads=form(r"^\0$")),), 0.6, PASSED, (Argument(None, form(r"^(?:from:|:from\b)")),), beside=_OF_RECORDS),
        Call("code.sql_from_strings", (".prepare",), "A query is put together from strings", (Argument(1, reads=VALUE_QUERY, told_apart=True),), 0.8, PASSED),
        Piece("code.sql_from_strings", "element_reference", "A query is put together from strings", form(r"^(?:[@$]{0,2}\w*(?:DB|db|database|conn|connection))\[\s*\"(?i:\s*(?:select|insert|update|delete)\b)[^\"]*#\{"), 0.8, PASSED),
        Call("code.weak_hash", tuple(f"{made}{method}" for made in ("Digest::MD5", "Digest::SHA1", "OpenSSL::Digest::MD5", "OpenSSL::Digest::SHA1", "OpenSSL::Digest::MD4", "Digest::RMD160") for method in (".hexdigest", ".digest", ".base64digest", ".new", ".file")), "A weak hash is used", (), 0.7, JUDGED, unless_before=_KEYED),
        Call("code.weak_hash", ("OpenSSL::Digest.new", "OpenSSL::Digest.digest", "OpenSSL::Digest.hexdigest", "Digest.const_get"), "A weak hash is used", (Argument(0, reads=form(r"^:?(?i:md5|md4|sha-?1)$")),), 0.7, JUDGED, unless_before=_KEYED),
        Call("code.weak_hash", _WITH_KEY, "A weak hash is used with a key", (Argument(0, reads=form(r"^:?(?i:md[245])$")),), 0.5, KEYED),
        Call("code.weak_hash", ("OpenSSL::PKCS5.pbkdf2_hmac_sha1",), "A weak hash is used", (), 0.7, JUDGED),
        Call("code.weak_hash", ("OpenSSL::PKCS5.pbkdf2_hmac", "OpenSSL::KDF.pbkdf2_hmac"), "A weak hash is used", (Argument(None, form(r"^(?:hash:\s*)?(?:['\"](?i:md5|sha-?1)['\"]|OpenSSL::Digest(?:::(?:MD5|SHA1)\.new|\.new\(\s*['\"](?i:md5|sha-?1)))")),), 0.7, JUDGED),
        Call("code.weak_hash", ("Digest",), "A weak hash is used", (Argument(0, form(r"^:(?:MD5|SHA1|RMD160)$")),), 0.7, JUDGED),
        Piece("code.weak_hash", "scope_resolution", "A weak hash is used", form(r"^(?:OpenSSL::)?Digest::(?:MD5|SHA1|MD4|RMD160)$"), 0.6, JUDGED, unless_before=re.compile(rb"(?:::|\bHMAC\.\w{1,20}[( ][^\n]{0,80}|(?:class|module|rescue|when|is_a\?\(|==)\s*)\Z"), unless_behind=re.compile(rb"\s*(?:\.|::)")),
        Call("code.weak_hash", _WITH_KEY, "A weak hash is used with a key", (Argument(0, form(r"^OpenSSL::Digest(?:::MD[45]\.new|\.new\(\s*[\"'](?i:md[45]))")),), 0.5, KEYED),
        Call("code.tls_verification_off", ("Net::SSH.start", "Net::SCP.start", "Net::SFTP.start", "Net::SCP.upload!"), "The other side's key is not checked", (Argument(None, form(r"(?:verify_host_key|paranoid):?\s*(?:=>)?\s*(?::never|false)")),), 0.95, "whether it is ever used was not followed"),
        Call("code.subprocess_unchecked", ("system", "Kernel.system"), "Nobody looks at how a child process ended", (), 0.8, DROPPED_RESULT, (Argument(None, form(r"\bexception:\s*true|^\*\*|^\*\w*(?:arg|opt)\w*$|^\.\.\.")),), dropped=True, without_near=_STATUS_ASKED),
        *temporary(("File.open", "File.new", "IO.open", "CSV.open", "Zlib::GzipWriter.open", "open"), _READ_OR_NEW),
        *temporary(("File.write", "IO.write", "FileUtils.touch", "File.binwrite", "IO.binwrite")),
        *temporary(("FileUtils.cp", "FileUtils.mv", "FileUtils.copy", "FileUtils.move", "IO.copy_stream", "File.rename"), place=1),
        Call("code.insecure_temporary_file", (".write", ".binwrite"), FIXED_NAME, (Argument(RECEIVER, reads=SHARED_FIXED),), 0.8, ONE_USER),
        Call("code.insecure_temporary_file", (".write", ".binwrite"), GUESSED_NAME, (Argument(RECEIVER, reads=SHARED_GUESSED),), 0.65, IN_PART, (Argument(RECEIVER, made_of=UNGUESSABLE),)),
        *temporary(("UNIXServer.new", "UNIXServer.open", "Socket.unix_server_socket", "Socket.unix_server_loop", "Logger.new", "SQLite3::Database.new", "SQLite3::Database.open", "PStore.new", "YAML::Store.new", "GDBM.new", "DBM.open", "pidfile", "state_path", "stdout_redirect")),
        Call("code.insecure_temporary_file", ("bind", "listen"), FIXED_NAME, (Argument(0, form(r"^['\"](?:unix://)?/(?:var/)?tmp/[^'\"#]+")),), 0.8, ONE_USER),
        handed(_RUN),
        *folder(("FileUtils.mkdir_p", "FileUtils.makedirs", "mkdir_p")),
        Call("code.no_timeout", tuple(f"{made}.{verb}" for made in ("HTTP", "Typhoeus", "Curl") for verb in ("get", "post", "put", "patch", "delete", "head")), "A request may wait without end", (), 0.65, "a limit may be set elsewhere", (Argument(RECEIVER, form(r"^(?:::)?Net::")),), without_near=re.compile(rb"(?i)timeout")),
        Call("code.no_timeout", ("Net::HTTP.start", "Net::HTTP.new", "Faraday.new", "HTTParty.get", "HTTParty.post", "RestClient::Request.execute"), "A time limit is switched off", (Argument(None, form(r"\b(?:read_|open_)?timeout:\s*(?:nil|false)\b")),), 0.9, "a limit may be set elsewhere"),
        Call("code.no_timeout", ("TCPSocket.new", "TCPSocket.open", "Socket.tcp", "UNIXSocket.tcp"), "A connection may wait without end", (), 0.6, "the system's own limit may be short enough", (Argument(None, form(r"timeout")),), without_near=re.compile(rb"Timeout\.timeout|IO\.select|_nonblock\b")),
        Call("code.subprocess_unchecked", ("Open3.capture3", "Open3.capture2", "Open3.capture2e"), OUTPUT_TAKEN, (Argument(0),), 0.7, PERHAPS_EMPTY, unlooked=_OUTPUT_ONLY),
        Call("code.subprocess_unchecked", ("Open3.capture3",), OUTPUT_TAKEN, (Argument(0),), 0.7, PERHAPS_EMPTY, unlooked=Unlooked(before=re.compile(rb"(?:\A|[\n;{|(])\s*@?\w+\s*,\s*@?\w+\s*=\s*\Z"))),
        Call("code.subprocess_unchecked", ("IO.popen",), OUTPUT_TAKEN, (Argument(0),), 0.65, PERHAPS_EMPTY, unlooked=Unlooked(behind=re.compile(rb"\s*\.(?:read|readlines|gets|each_line)\b|\s*(?:\{|do)\s*\|\s*(\w+)\s*\|\s*\1\.(?:read|readlines|each_line|gets)\b"), dropped=False), without_near=_STATUS_ASKED),
        Call("code.subprocess_unchecked", ("IO.popen",), OUTPUT_TAKEN, (Argument(0), Argument(ITSELF, form(r"(?:\{|do)\s*\|\s*(\w+)\s*\|\s*\1\.(?:read|readlines|each_line|gets)\b"))), 0.65, PERHAPS_EMPTY, without_near=_STATUS_ASKED),
        Call("code.subprocess_unchecked", ("Open3.popen3", "Open3.popen2", "Open3.popen2e"), OUTPUT_TAKEN, (Argument(0), Argument(ITSELF, form(r"(?:\{|do)\s*\|\s*(?:\w+\s*,\s*){1,3}?(\w+)\s*\|(?!.*\b\1\b)(?=.*\.(?:read|gets|each_line|readlines)\b)"))), 0.65, PERHAPS_EMPTY, without_near=_STATUS_ASKED),
        Call("code.subprocess_unchecked", ("Process.wait", "Process.waitpid", "Process.detach"), "Nobody looks at how a child process ended", (), 0.6, DROPPED_RESULT, dropped=True, without_near=_STATUS_ASKED),
        Piece("code.subprocess_unchecked", "subshell", OUTPUT_TAKEN, form(r"^`|^%x"), 0.5, PERHAPS_EMPTY, without_near=_STATUS_ASKED),
        Value("code.no_timeout", form(r"\.(?:receive_timeout|send_timeout|connect_timeout)$"), form(r"^(?:nil|0)\b(?!\.)"), "A time limit is switched off", 0.8, "a limit may be set elsewhere"),
        Value("code.unsafe_deserialization", form(r"cookies_serializer$"), form(r"^:(?:marshal|hybrid)\b"), "Data that can carry code is unpacked", 0.8, "with the key of the application kept secret nobody else writes it"),
        Call("code.unsafe_deserialization", ("serialize",), "Data that can carry code is unpacked", (Argument(None, form(r"^(?:coder:\s*)?Marshal$")),), 0.75, "where the data comes from was not followed"),
        Value("code.no_timeout", form(r"\.(?:read_timeout|open_timeout|timeout)$"), form(r"^nil\b"), "A time limit is switched off", 0.9, "a limit may be set elsewhere"),
        Value("code.tls_verification_off", form(r"(?:verify_mode|ssl_verify_mode|verify_ssl|VERIFY_PEER)\"?\]?$"), form(r"VERIFY_NONE|^:none\b|^['\"]none['\"]|^0$"), "The other side's certificate is not checked"),
        Value("code.tls_verification_off", form(r"\b(?:verify(?:_ssl)?|verify_hostname|ssl_verifypeer|ssl_verify_peer|verify_peer|tls_verify|ssl_verify|verify_certificate)\"?\]?$"), form(r"^(?:false\b|0\b)"), "The other side's certificate is not checked", 0.6, "what is verified was told by the name alone", without=re.compile(rb"(?i)\A(?!.*(?:http|faraday|excon|ssl|tls|curb|typhoeus|rest.?client|elastic|redis|mysql|socket))", re.DOTALL)),
        Piece("code.tls_verification_off", "assignment", "The other side's certificate is not checked", form(r"^[\w:.]+\[:?['\"]?ssl_verify_peer['\"]?\]\s*=\s*false"), 0.95, "whether it is ever used was not followed"),
        Value("code.tls_verification_off", form(r"verify_host_key$"), form(r"^(?::never|false)\b"), "The other side's key is not checked"),
        Handler("code.swallowed_exception", "Every exception is caught and dropped", form(r"^rescue[ \t]*(?:=>[ \t]*\w+[ \t]*)?(?:\n|;|$|then)|^rescue\s+(?:Exception|StandardError)\b"), empty=True, confidence=0.85),
        Piece("code.swallowed_exception", "rescue_modifier", "Every exception is caught and dropped", form(rf"^(?!.{{0,200}}?(?:\b(?:Integer|Float|Rational|BigDecimal|Date|Time|DateTime|URI|JSON|YAML|IPAddr|Regexp)(?:\(|\.(?:parse|new|strptime|iso8601)\b)|\.(?:parse|constantize|const_get|to_time|to_date)\b)).*?\brescue\s+(?:(?:next|break|return)(?:\s+{_CONSTANT})?|{_CONSTANT})\s*$"), 0.8, "the empty value may be what the caller expects"),
        Piece("code.swallowed_exception", "rescue_modifier", "Every exception is caught and dropped", form(r"\brescue\s+(?:nil|false|\[\]|\{\}|''|\"\"|true)\s*$"), 0.85, "the empty value may be what the caller expects"),
        Handler("code.swallowed_exception", "Every exception is caught and dropped", form(rf"^rescue[ \t]*(?:(?:Exception|StandardError)[ \t]*)?{_FIXED_VALUE}"), confidence=0.8),
        Handler("code.swallowed_exception", "Every exception is caught and dropped", form(rf"^rescue[ \t]+(?:(?:[\w:]+\s*,\s*){{1,6}}(?:Exception|StandardError)\b|(?:Exception|StandardError)\s*,\s*[\w:]+)(?:\s*,\s*[\w:]+){{0,6}}[ \t]*{_FIXED_VALUE}"), confidence=0.8),
        Handler("code.swallowed_exception", "Every exception is caught and dropped", form(r"^rescue\s+(?:[\w:]+\s*,\s*){1,6}(?:Exception|StandardError)\b"), empty=True, confidence=0.85),
        Handler("code.swallowed_exception", "Whatever is raised without a class of its own is caught and dropped", form(r"^rescue\s+RuntimeError\b"), empty=True, confidence=0.65),
        Handler("code.subprocess_unchecked", "The failure of a child process is caught and dropped", empty=True, confidence=0.65, because="it may be expected", tried=form(r"\b(?:system\([^\n]{0,300}exception:\s*true|sh\s*[(\"']|Open3\.\w+\()")),
        Call("code.swallowed_exception", ("suppress",), "Every exception is dropped (suppress)", (Argument(0, form(r"^(?:StandardError|Exception)$")),), 0.85, "what the code may raise was not followed"),
        Handler("code.broad_except", "Every ordinary exception is caught, and logged", form(r"^rescue[ \t]*(?:StandardError[ \t]*)?(?:=>[ \t]*\w+[ \t]*)?(?:\n|;|then)(?!.{0,1500}\b(?:raise|retry|exit|abort|fail)\b)(?=.{0,1500}(?:\blog|\bwarn|\bputs|\berror\b))"), confidence=0.5, because="the failure is logged", unless=_TRACED, within=_OUTERMOST),
        Handler("code.broad_except", "Every ordinary exception is caught, and made use of", form(r"^rescue[ \t]*(?:StandardError[ \t]*)?=>[ \t]*(\w+)[ \t]*(?:\n|;|then)(?!.{0,1500}\b(?:raise|retry|exit|abort|fail|throw|log\w*|warn|puts|error)\b)(?=.{0,1500}?\b\1\b)"), confidence=0.5, because="the exception itself is used, so it may be passed on"),
        Handler("code.broad_except", "Every ordinary exception is caught, and something else is done", form(rf"^rescue[ \t]*(?:StandardError[ \t]*)?(?:=>[ \t]*(\w+)[ \t]*)?(?:\n|;|then)(?!{_ONLY_DROPS})(?!.{{0,1500}}(?:\b(?:raise|retry|exit|abort|fail|throw|flunk|redo)\b|\blog|\bwarn|\bputs|\berror\b))(?!.{{0,1500}}?\b\1\b)"), confidence=0.5, because="what is done instead may be all that can be"),
        Handler("code.broad_except", "Every exception is caught by naming the widest class, and logged", form(r"^rescue\s+(?:[\w:]+\s*,\s*)*Exception\b(?!.{0,1500}\braise\b)(?=.{0,1500}(?:log|warn|puts))"), confidence=0.5, because="the failure is logged"),
        Handler("code.broad_except", "Every exception is caught by naming the widest class", form(rf"^rescue\s+Exception\b(?!{_DROPS})(?!.{{0,1500}}(?:\braise\b|log|warn|puts))"), confidence=0.85),
        Call("text.debug_leftovers", ("binding.pry", "binding.irb", "byebug", "debugger", "binding.break", "binding.b", "binding.remote_pry", "binding.pry_remote", "binding.remote_byebug", "binding.console", "save_and_open_page", "save_and_open_screenshot", "page.save_and_open_page"), "A debugging aid was left behind", (), 0.95, "a tool for debugging may call it on purpose"),
        *marked(("puts", "p", "pp", "print", "$stdout.puts", "$stderr.puts", "STDERR.puts", "STDOUT.puts", "warn")),
        Call("text.debug_leftovers", ("p", "pp", "ap", "jj"), AS_IT_IS, (Argument(0, form(r"^[@\w:.\[\]?!]+$|^(?:\w+:|\{|\[)")),), 0.6, READ_BY_SOMEBODY, (Argument(RECEIVER),), without=_TALKS, in_function=True),
        Call("text.debug_leftovers", ("puts", "print", "$stdout.puts", "$stderr.puts", "warn"), AS_IT_IS, (Argument(0, form(r"^[@\w.]+\.(?:inspect|to_yaml|to_json|pretty_inspect|class|methods|backtrace)$|^\"(?:\w+\s*[:=]+>?\s*)?#\{[@\w.]+\.inspect\}\"$|^caller\b|^JSON\.pretty_generate\(\s*@?\w+\s*\)$")),), 0.6, READ_BY_SOMEBODY, (Argument(RECEIVER, form(r"^(?!\$std)")),), without=_TALKS, in_function=True),
        Call("text.debug_leftovers", ("puts", "print", "$stdout.puts", "$stderr.puts"), "A variable is printed by its name", (Argument(0, form(r"^\"(\w+)\s*(?:[:=]+>?|->)\s*#\{@{0,2}(?:\w+\.)*\1\}\"$")),), 0.6, READ_BY_SOMEBODY, (Argument(RECEIVER, form(r"^(?!\$std)")),), without=_TALKS, in_function=True),
        Call("text.debug_leftovers", ("puts",), "Values are printed behind a word", (Argument(0, form(r"^\"[a-z]\w{0,20}\s*[:=]?\s*#\{[@\w.]+\}(?:[\s,;:=/-]{1,4}#\{[@\w.]+(?:\[[\w:]+\])?\}){1,5}\"$")),), 0.5, READ_BY_SOMEBODY, (Argument(RECEIVER),), without=_TALKS, in_function=True),
        Call("text.debug_leftovers", ("puts",), AS_IT_IS, (Argument(ALL, reads=form(r"^[^\x1f]*$")), Argument(0, form(rf"^{_PLAIN}$"))), 0.5, READ_BY_SOMEBODY, (Argument(RECEIVER),), without=_TALKS, in_function=True),
        Piece("text.debug_leftovers", "identifier", "A debugging aid was left behind", form(r"^(?:byebug|debugger|remote_byebug|save_and_open_page|save_and_open_screenshot)$"), 0.9, "a tool for debugging may call it on purpose", alone=True),
    ),
)  # fmt: skip
