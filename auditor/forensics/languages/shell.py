"""Shell scripts."""

from __future__ import annotations

import re

from auditor.forensics.decoded import DECODED, DECODES, UNDECODED, UNPACK
from auditor.forensics.languages.grammars import grammar
from auditor.forensics.languages.rules import (
    GLUED_QUERY,
    IDENTIFIER,
    JUDGED,
    PASSED,
    VALUE_QUERY,
    Argument,
    Call,
    Language,
    Piece,
    Testing,
    form,
)
from auditor.forensics.languages.texts import Writing

_TEST = re.compile(rb"(?m:^@test[ \t][^\n]*\{)")


def _prepared(content: bytes) -> bytes:
    """Tests of bats as functions, which is what they are made into before they run."""
    return _TEST.sub(lambda found: b"t()".ljust(len(found[0]) - 1) + b"{", content) if b"@test" in content else content


_MAX_PIPES = 2_000


def _is_endless(content: bytes) -> bool:
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


_FETCH = r"(?:curl|wget)\b[^|\n]*"
_OWN_WORDS = Argument(
    0,
    form(
        r"^\"?(?:\$\(|`)\s*(?:[\w./~${}-]*/)?(?:ssh-agent|gpg-agent|dircolors|keychain|lesspipe(?:\.sh)?|brew\s+shellenv|(?:py|rb|nod|go|j|pl)env\s+init|(?:direnv|atuin|mise|rtx)\s+(?:hook|activate|init)|(?:starship|zoxide)\s+init|opam\s+env|fnm\s+env|minikube\b[^)]*docker-env|docker-machine\s+env|resize|tset|locale|stty)\b"
    ),
)
"""Programs that are made to print commands for the shell that asks them."""
_FOREIGN = Argument(None, form(rf"(?:\$\(|<\(|`)\s*(?:curl|wget)\b|(?:\$\(|<\(|`)[^)(`]{{0,300}}?(?:{UNPACK})"))
"""What other rules tell of: text from the network, and text that is decoded first."""
_FIXED_NAME = "A file with a fixed name is written to the shared temporary folder"
_ONE_USER = "the folder may belong to one user"
_FIXED_PATH = form(r"^/(?:var/)?tmp/+[\w./+-]+$")
"""The number of the process counts as fixed: it is one of few, and each user may list them."""
_ANY_KEY = r"StrictHostKeyChecking[= ][\"']?(?:no|off)\b|UserKnownHostsFile[= ][\"']?/dev/null|strict-host-key-checking[= ]no\b"
"""What makes ssh take whatever key it is shown."""
_TESTING = Testing(
    words=(b"@test",),
    by_lines=form(r"^@test\s+(?P<title>\"[^\"]*\"|'[^']*'|\S+)\s*\{"),
    checks=form(
        r"(?m:^[ \t]*)(?!(?:run(?![ \t]+(?:-\d|!))|load|bats_load_library|echo|printf|local|export|cd|true)\b|:|#|\}|\w+=\S*[ \t]*$)\S"
    ),
    counted=form(r"(?m:^\s*!?\s*)(?:\[\[?\s|\(\(|test\s|assert\w*|refute\w*|fail\b|diff\s|cmp\s)|\|\s*grep\b"),
    trivial=form(r"(?m:^\s*(?:true|:|\[ 1 -eq 1 \])\s*$)"),
    stops=form(r"skip\b(?!\s*\()"),
    comments=form(r"(?m:^\s*#[^\n]*)"),
    whole_files=True,
)
SHELL = Language(
    name="shell",
    grammar=lambda _content: grammar("tree_sitter_bash"),
    calls={"command": "name"},
    callee=("name",),
    commented=(b"#",),
    endless=_is_endless,
    prepared=_prepared,
    functions=frozenset({"function_definition"}),
    branches=frozenset({"if_statement", "elif_clause", "for_statement", "while_statement", "case_item", "c_style_for_statement"}),
    writing=Writing(
        literals=frozenset({"string", "raw_string", "concatenation", "word"}),
        constants=False,
        holes=frozenset({"simple_expansion", "expansion", "command_substitution"}),
        gives={"variable_assignment": ("name", "value")},
        around={"simple_expansion": ""},
        names=frozenset({"variable_name", "special_variable_name"}),
        numbers=re.compile(r"^(?:[$?#!]|PPID|BASHPID|E?UID|RANDOM|SRANDOM|SECONDS|LINENO|EPOCHSECONDS)$"),
        temporary=re.compile(rb"\$TMPDIR|\$\{TMPDIR(?::?[-=]\"?/tmp/?\"?)?\}|\$\{(?:TMP|TEMP)(?:DIR)?:?[-=]\"?/tmp/?\"?\}"),
    ),
    dialect=re.compile(rb"^(?:#compdef|#autoload|#!.{0,40}\bzsh\b)"),
    testing=_TESTING,
    rules=(
        Piece("code.dynamic_code", "pipeline", DECODES, form(DECODED), 0.95, UNDECODED),
        Piece("code.dynamic_code", "command", DECODES, form(rf"^(?:{DECODED})"), 0.95, UNDECODED),
        Piece("code.dynamic_code", "command", "What is fetched from the network is run", form(r"^(?:eval|source|\.|(?:/usr)?(?:/bin/)?(?:ba|z|da|k)?sh)\s[^;\n]{0,100}?(?:\$\(|<\(|`)\s*(?:curl|wget)\b"), 0.9, "who answers at the address was not followed"),
        Piece("code.dynamic_code", "redirected_statement", "What is fetched from the network is run", form(r"^(?:sudo\s+)?(?:/bin/)?(?:ba|z|da|k)?sh\s[^\n]{0,100}?<\(\s*(?:curl|wget)\b"), 0.9, "who answers at the address was not followed"),
        Call("code.dynamic_code", ("eval",), "Text is run as commands (eval)", (Argument(0, form(r"^(?:\"set -- |set$)")), Argument(None, form(r"\$\{?[\w@*]|\$\(|`"))), 0.5, "it looks like arguments that are put back as they were quoted", (_FOREIGN,)),
        Call("code.dynamic_code", ("eval",), "Text is run as commands (eval)", (Argument(None, form(r"\$\{?[\w@*]|\$\(|`")),), 0.7, "the text may be made by the script itself", (_FOREIGN, _OWN_WORDS)),
        Call("code.shell_execution", ("sh", "bash", "/bin/sh", "/bin/bash", "/usr/bin/bash", "zsh", "dash", "ksh"), "A command put together at run time is handed to another shell", (Argument(0, form(r"^-\w*c$")), Argument(1, form(r"^\"[^\"]*\$(?!\{?\w+@Q)|^\$"))), 0.7, PASSED, (_FOREIGN,)),
        Piece("code.dynamic_code", "pipeline", "What is fetched from the network is run", form(rf"^{_FETCH}\|\s*(?:sudo\s+)?(?:env\s+)?(?:/bin/|/usr/bin/)?(?:ba|z|da)?sh\b|^{_FETCH}\|\s*(?:sudo\s+)?(?:python[\d.]*|perl|ruby|node)\b(?!\s+-m\s+json)"), 0.9, "who answers at the address was not followed"),
        Call("code.shell_execution", ("su", "ssh", "sudo", "env", "xargs", "timeout", "nohup", "docker", "kubectl", "watch", "flock"), "A command put together at run time is handed to another shell", (Argument(None, form(r"^-\w*c$")), Argument(None, form(r"^(?:/bin/)?(?:ba|z|da)?sh$|^-c$")), Argument(None, form(r"^\"[^\"]*\$(?!\{?\w+@Q)[^\"]*[ ;|&][^\"]*\"$|^\"[^\"]*[ ;|&][^\"]*\$(?!\{?\w+@Q)"))), 0.6, PASSED, (_FOREIGN, Argument(0, form(r"^-(?:-version|V)$")))),
        Call("code.shell_execution", ("ssh",), "A command put together at run time is handed to another shell", (Argument(None, form(r"^\"[^\"]*[a-z][^\"]*(?:;|&&|\|)[^\"]*\$(?!\{?\w+@Q)[^\"]*\"$|^\"[^\"]*\$(?!\{?\w+@Q)[^\"]*(?:;|&&|\|)[^\"]*\"$")),), 0.6, PASSED, (_FOREIGN,), without=re.compile(rb"printf\s+(?:-v\s+\w+\s+)?['\"]?%q")),
        Call("code.sql_from_strings", ("psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "clickhouse-client", "duckdb", "cockroach"), "A query is put together from strings", (Argument(None, reads=VALUE_QUERY, told_apart=True),), 0.75, PASSED),
        Call("code.sql_from_strings", ("psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "clickhouse-client", "duckdb", "cockroach"), "A name is put into a query as text", (Argument(None, reads=GLUED_QUERY),), 0.6, IDENTIFIER),
        Piece("code.sql_from_strings", "redirected_statement", "A query is put together from strings", form(r"^[^\n]{0,200}\b(?:psql|mysql|mariadb|sqlite3)\b[^\n]{0,200}<<-?\s*(?P<end>\w+)\b[^\n]*\n.*?\$\{?[A-Za-z_1-9]"), 0.7, PASSED),
        Piece("code.sql_from_strings", "pipeline", "A query is put together from strings", form(r"^(?:echo|printf)\s+(?:-\w+\s+)?\"\s*(?i:select\b|insert\s|update\s|delete\s|drop\s|create\s|alter\s)[^\"]*\$\{?[A-Za-z_1-9][^|]*\|\s*(?:sudo\s+(?:-u\s+\w+\s+)?)?(?:psql|mysql|mariadb|sqlite3)\b"), 0.75, PASSED),
        Call("code.weak_hash", ("md5sum", "sha1sum", "md5"), "A weak hash is used", (), 0.5, JUDGED),
        Call("code.weak_hash", ("openssl",), "A weak hash is used", (Argument(0, form(r"^(?:md5|sha1|dgst)$")), Argument(None, form(r"^-?(?:md5|sha1)$"))), 0.65, JUDGED),
        Call("code.weak_hash", ("shasum",), "A weak hash is used", (), 0.5, JUDGED, (Argument(None, form(r"^(?:256|384|512|512256|-a(?:256|384|512)|--algorithm=(?!1$).*)$")),)),
        Call("code.tls_verification_off", ("curl",), "The other side's certificate is not checked", (Argument(None, form(r"^(?:-k|--insecure|--proxy-insecure|-[abfgijklnpqrsvBGILMNORSV0-9#]*k[abfgijklnpqrsvBGIKLMNORSV0-9#]*[odHXu]?)$")),), 0.95, "whether it is ever used was not followed"),
        Call("code.tls_verification_off", ("wget",), "The other side's certificate is not checked", (Argument(None, form(r"^--no-check-certificate$")),), 0.95, "whether it is ever used was not followed"),
        Call("code.tls_verification_off", ("git",), "The other side's certificate is not checked", (Argument(None, form(r"http\.(?:https?://[^ ]*\.)?sslVerify=(?:false|0)|^http\.sslVerify$")), Argument(None, form(r"sslVerify=(?:false|0)|^(?:false|0|\"false\")$"))), 0.95, "whether it is ever used was not followed"),
        Piece("code.tls_verification_off", "command", "The other side's key is not checked", form(rf"^(?!(?:e|f)?grep\b|rg\b|sed\b)[^\n]{{0,1500}}?(?:{_ANY_KEY})"), 0.9, "whether it is ever used was not followed"),
        Piece("code.tls_verification_off", "variable_assignment", "The other side's key is not checked", form(rf"^\w+\+?=[^\0]{{0,1500}}?(?:{_ANY_KEY})"), 0.85, "whether it is ever used was not followed"),
        Piece("code.tls_verification_off", "redirected_statement", "The other side's key is not checked", form(rf"^(?:cat|tee)\b[^\0]{{0,1500}}?(?:{_ANY_KEY})"), 0.85, "whether it is ever used was not followed"),
        Call("code.tls_verification_off", ("npm", "yarn"), "The other side's certificate is not checked", (Argument(None, form(r"^(?:--)?strict-ssl(?:=false)?$")), Argument(None, form(r"strict-ssl=false|^false$"))), 0.95, "whether it is ever used was not followed"),
        Call("code.tls_verification_off", ("pip", "pip3", "python", "python3"), "The other side's certificate is not checked", (Argument(None, form(r"^--trusted-host")),), 0.9, "whether it is ever used was not followed"),
        Call("code.tls_verification_off", ("aws", "aria2c", "kubectl", "helm", "lftp", "http", "https", "docker", "podman", "skopeo", "apt-get", "apt", "dnf", "yum", "oc", "argocd", "vault", "mc", "buildah", "crane", "etcdctl", "grpcurl", "terraform", "gh", "glab", "cf", "mosquitto_pub", "mosquitto_sub", "conda", "gem"), "The other side's certificate is not checked", (Argument(None, form(r"^-(?:insecure|tls-skip-verify)$|^--(?:insecure|tls-skip-verify|no-verify-ssl|check-certificate=false|insecure-skip-tls-verify(?:=true)?|verify=(?:no|false)|tls-verify=false|insecure-skip-tls-verify-backend|setopt=sslverify=false)$|Verify-Peer=false|ssl:verify-certificate (?:no|false)")),), 0.9, "whether it is ever used was not followed"),
        Piece("code.tls_verification_off", "variable_assignment", "Certificates are not checked in the whole process", form(r"^(?:GIT_SSL_NO_VERIFY=[\"']?(?:1|true)|NODE_TLS_REJECT_UNAUTHORIZED=[\"']?0|PYTHONHTTPSVERIFY=[\"']?0|CURL_INSECURE=1|LDAPTLS_REQCERT=[\"']?(?:never|allow)|VAULT_SKIP_VERIFY=[\"']?(?:1|true)|CONSUL_HTTP_SSL_VERIFY=[\"']?(?:0|false)|ANSIBLE_HOST_KEY_CHECKING=[\"']?(?i:false|0|no)|(?:CURL|REQUESTS)_CA_BUNDLE=(?:\"\"|''|$))"), 0.95, "whether it is ever used was not followed"),
        Piece("code.tls_verification_off", "variable_assignment", "The other side's certificate is not checked", form(r"^\w+\+?=[\"'(][^\n]*?(?:--insecure|--no-check-certificate)\b|^\w*(?i:curl)\w*\+?=[\"'(](?:[^\n]*?\s)?-[a-zA-Z]*k\b"), 0.8, "whether it is ever used was not followed"),
        Call("code.insecure_temporary_file", ("mkdir",), "A folder with a fixed name is made in the shared temporary folder, and taken if it is there already", (Argument(None, form(r"^-[a-z]*p[a-z]*$|^--parents$")), Argument(None, reads=_FIXED_PATH)), 0.5, _ONE_USER),
        Call("code.insecure_temporary_file", ("mktemp",), "A temporary name is taken without the file", (Argument(None, form(r"^(?:-u|--dry-run)$")),), 0.85, _ONE_USER),
        Call("code.insecure_temporary_file", ("tempfile",), "A temporary name is taken without the file", (), 0.6, _ONE_USER),
        Call("code.insecure_temporary_file", ("curl", "wget"), _FIXED_NAME, (Argument(None, form(r"^(?:-[a-zA-Z]*o|-O|--output|--output-document)$")), Argument(None, form(r"^\"?/tmp/[\w.$-]+\"?$"))), 0.65, _ONE_USER),
        Call("code.insecure_temporary_file", ("curl", "wget"), _FIXED_NAME, (Argument(None, form(r"^(?:-[a-zA-Z]*o|-O|--output|--output-document)$")), Argument(None, form(r"^\"?\$"), reads=_FIXED_PATH)), 0.65, _ONE_USER),
        Call("code.insecure_temporary_file", ("tee", "touch", "mkfifo"), _FIXED_NAME, (Argument(None, form(r"^\"?/tmp/[\w.$-]+\"?$")),), 0.65, _ONE_USER),
        Call("code.insecure_temporary_file", ("tee", "touch", "mkfifo"), _FIXED_NAME, (Argument(None, form(r"^\"?\$"), reads=_FIXED_PATH),), 0.65, _ONE_USER),
        Piece("code.insecure_temporary_file", "file_redirect", _FIXED_NAME, form(r"^\d?&?>{1,2}\|?\s*\"?\$"), 0.65, _ONE_USER, reads=("destination", _FIXED_PATH)),
        Piece("code.insecure_temporary_file", "file_redirect", _FIXED_NAME, form(r"^\d?>{1,2}\s*\"?/tmp/[\w.$-]+"), 0.7, _ONE_USER),
        Piece("text.debug_leftovers", "command", "A debugging aid was left behind", form(r"^set -[a-z]*x[a-z]*$"), 0.5, "tracing may be wanted", unless_before=re.compile(rb"(?:&&|\bthen)\s*\Z")),
    ),
)  # fmt: skip
