"""What a file says that makes connections trust whoever answers, wherever it is used: pairs of a name and a value, and texts.

`{"ssl_cert_reqs": ssl.CERT_NONE}` is no call, and whoever reads those settings stands in a library. Names and texts are
listed here that have no other meaning; a file without any of them is told by a search of its text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.python.parsed_module import Kept, Module, children, inside
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.source_text.keyword_index import register_keywords

_NONE = "CERT_NONE"
PAIRS: dict[str, tuple[object, ...]] = {
    "ssl_cert_reqs": (None, "none", _NONE), "cert_reqs": (_NONE,), "ssl_check_hostname": (False,), "ssl_assert_hostname": (False,), "assert_hostname": (False,),
    "verify_certs": (False,), "validate_certs": (False,), "ssl_verify_cert": (False,), "ssl_verify_identity": (False,), "hostkey_verify": (False,),
    "tlsAllowInvalidCertificates": (True,), "tlsAllowInvalidHostnames": (True,), "tlsInsecure": (True,),
    "enable.ssl.certificate.verification": (False, "false"), "disable_ssl_certificate_validation": (True,), "ignore_https_errors": (True,),
    "check_hostname": (False,), "acceptInsecureCerts": (True,), "ssh_strict": (False,), "disableSslCertValidation": (True,), "insecure_skip_verify": (True,),
    "TrustServerCertificate": (True, "yes", "true", "1"), "trustServerCertificate": (True, "yes", "true", "1"), "trust_server_certificate": (True, "yes", "true"),
}  # fmt: skip
"""Names of settings that have no other meaning, and the values that switch a check off."""
_WORDS = register_keywords(*PAIRS)
_MARKS = (
    "StrictHostKeyChecking", "cert_reqs=", "ignore-certificate-errors", "no-check-certificate", "verify-certificate", "tlsAllowInvalid", "tlsInsecure=",
    "insecure-skip-tls-verify", "sslmode=", "sslVerify=", "no-verify-ssl", "TrustServerCertificate", "trusted-host", "+ssc://",
)  # fmt: skip
_IN_TEXT = register_keywords(*_MARKS, *map(str.lower, _MARKS), *map(str.upper, _MARKS))
_OF_POLICIES = register_keywords("missing_host_key", "validate_host_public_key")
_LOOSE_TEXT = re.compile(
    r"(?:^|[\s'\"=,-])-?o?StrictHostKeyChecking[= ]?(?:no|off)(?=$|[\s'\",])"
    r"|://[^\s?]{0,300}\?(?:[^\s&]{0,200}&){0,20}(?:ssl_cert_reqs=(?:CERT_)?none|(?:tlsInsecure|tlsAllowInvalidCertificates|tlsAllowInvalidHostnames)=true|sslmode=(?:disable|allow|prefer))(?=$|[&\s'\"])"
    r"|(?:^|;)\s{0,4}TrustServerCertificate\s{0,4}=\s{0,4}(?:yes|true|1)(?=$|[;\s])"
    r"|^(?:bolt|neo4j)\+ssc://"
    r"|(?:^|[\s'\"])(?:--ignore-certificate-errors|--insecure-skip-tls-verify(?:=true)?|--no-check-certificate|--no-verify-ssl|--trusted-host(?:=\S{1,200})?)(?=$|[\s'\"])"
    r"|(?:^|[\s'\"])http\.sslverify=(?:false|0)(?=$|[\s'\"])"
    r"|\bset\s{1,4}ssl:verify-certificate\s{1,4}(?:no|false|off)\b",
    re.IGNORECASE,
)
"""Options of programs, and addresses, that have no other meaning."""
_LOCAL = re.compile(r"localhost|127\.0\.0\.1|\[::1\]|@/|:///", re.IGNORECASE)
_NEAR = re.compile(r"://(?:[^/@\s]{0,200}@)?[\w-]{1,100}(?::\d{1,5})?/")
"""An address of a machine beside this one, which only those reach who stand in the same network."""
_TELLING = frozenset(
    {"print", "echo", "secho", "debug", "info", "warning", "warn", "error", "critical", "exception", "log", "write", "replace", "index", "count", "startswith",
     "endswith", "find", "search", "match", "compile", "sub", "remove", "discard", "skip", "Argument", "Option", "option", "add_option", "add_parser", "get", "pop"}
)  # fmt: skip
"""Calls that speak of such a text, look for it or name an option of one's own, and do not use it."""
_SPEAKING = frozenset({"help", "description", "epilog", "message", "msg", "reason", "doc", "title", "usage"})
_MOST = 200
"""Places of one file that are told."""


def loose_places(module: Module) -> list[Kept]:
    """Dictionaries and texts of a file that make whoever is given them trust anybody, and methods that accept any key."""
    found = [each for each in module.nodes.get(ast.Dict, ()) if _has_word(each[0])]
    if module.says(_OF_POLICIES):
        found += [(scope.node, scope) for scope in module.scopes if _takes_any_key(scope.node)]
    if module.says(_IN_TEXT):
        found += [(each, module.scopes[0]) for each in _texts(module.tree)]
    return found[:_MOST]


VARIABLES = {
    "PYTHONHTTPSVERIFY": "0", "GIT_SSL_NO_VERIFY": "true", "NODE_TLS_REJECT_UNAUTHORIZED": "0", "CURL_CA_BUNDLE": "", "REQUESTS_CA_BUNDLE": "",
    "SSL_CERT_VERIFY": "0", "ANSIBLE_HOST_KEY_CHECKING": "false",
}  # fmt: skip
"""Variables that switch checks off for a program and all that it starts, with the value that does."""
_KEYS = frozenset({*PAIRS, *VARIABLES, "sslmode"})


def speaks_of_checks(module: Module) -> bool:
    """Does one of the names stand in a file?"""
    return module.says(_WORDS)


def _has_word(given: ast.Dict) -> bool:
    """Does it give one of the settings? One that holds nearly all variables there are is a list of them, and sets none."""
    named = [key.value for key in given.keys if type(key) is ast.Constant and key.value in _KEYS]
    return bool(named) and len(VARIABLES.keys() & named) <= _MOST_VARIABLES


_MOST_VARIABLES = 4


def switches_off(name: object, value: object, resolved: str) -> bool:
    """Does a setting of that name and value, or with the qualified name that its value stands for, switch a check off?"""
    off = PAIRS.get(name) if isinstance(name, str) else None
    if off is None:
        return False
    if _NONE in off and resolved.rpartition(".")[2] == _NONE:
        return True
    said = value.lower() if isinstance(value, str) and value != _NONE else value
    return any(said is each or (isinstance(each, str) and said == each) for each in off)


def _takes_any_key(node: ast.AST) -> bool:
    """Is it a policy's method for hosts that are not known, and lets them all pass?"""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    if node.name == "missing_host_key":
        return not any(
            isinstance(each, (ast.Raise, ast.If, ast.Assert)) or _asks_another(each) for each in inside(*node.body)
        )
    if node.name == "validate_host_public_key":
        given = [each for each in inside(*node.body) if isinstance(each, ast.Return)]
        return len(node.body) <= _FEW and len(given) == 1 and _is_true(given[0].value)
    return False


_FEW = 3


def _is_true(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and value.value is True


def _asks_another(each: ast.AST) -> bool:
    """Is the answer left to another policy, or to a function that refuses?"""
    name = last_name(each.func) if isinstance(each, ast.Call) else ""
    return name == "missing_host_key" or any(word in name.lower() for word in ("reject", "refuse", "verify", "check"))


def _texts(tree: ast.Module) -> Iterator[ast.expr]:
    """Texts that are used, and not only spoken of, and that make something trust anybody."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and is_loose(node.value):
                yield node
        elif isinstance(node, ast.JoinedStr):
            if is_loose("".join(_written(each) for each in node.values)):
                yield node
        elif isinstance(node, ast.Call):
            waiting += _used(node)
        elif not isinstance(node, (ast.Raise, ast.Assert, ast.Compare, ast.Set)) and not (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            waiting += children(node)


def _written(part: ast.expr) -> str:
    return part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "x"


def _used(call: ast.Call) -> list[ast.AST]:
    """What of a call may be used by what is called."""
    name = last_name(call.func)
    if name in _TELLING or (name == "add_argument" and (len(call.args) != 1 or call.keywords)):
        return [call.func]
    return [call.func, *call.args, *(each.value for each in call.keywords if each.arg not in _SPEAKING)]


def is_loose(text: str) -> bool:
    """Does a text, an option or a command line or an address, make whoever is given it trust anybody?"""
    found = _LOOSE_TEXT.search(text[:_LONGEST])
    if found is None:
        return False
    if "sslmode=" in found[0].lower() and _NEAR.search(text):
        return False
    return not (("://" in found[0] or "TrustServer" in found[0]) and _LOCAL.search(text))


_LONGEST = 5_000
COMMANDS = {"curl": frozenset({"-k", "--insecure"}), "wget": frozenset({"--no-check-certificate"})}
"""Programs whose words are looked for in a command line, and the words that make them trust anybody."""
WITH_K = re.compile(r"-[sSfLvigIN#]{0,9}k[sSfLvigIN#]{0,9}[oOHduX]?")
"""Options of curl written as one word, the one that trusts anybody among them."""


def runs_loosely(command: str) -> bool:
    """Does a command line start a program that is told to trust anybody?"""
    words = re.split(r"\s+", command[:_LONGEST].replace("'", " ").replace('"', " "))
    program = ""
    for each in words:
        name = each.rpartition("/")[2]
        if name in COMMANDS:
            program = name
        elif each in {"|", "&&", "||", ";"}:
            program = ""
        elif program and (each in COMMANDS[program] or (program == "curl" and WITH_K.fullmatch(each))):
            return True
    return False
