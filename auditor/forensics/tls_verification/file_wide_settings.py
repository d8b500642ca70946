"""Settings of a file that make connections trust any server: pairs of a name and a value, and texts.

`{"ssl_cert_reqs": ssl.CERT_NONE}` is no call, and whoever reads those settings stands in a library. Names and texts are
listed here that have no other meaning; a file without any of them is told by a search of its text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.library_models.tls_verification import tls_verification
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scope_bindings import last_name, text_constant
from auditor.forensics.python.scoped_nodes import ScopedNode, child_nodes, walk_nodes
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.row_tables import by_name, names_of

_CERT_NONE = "CERT_NONE"
_ROWS = tls_verification()
INSECURE_SETTINGS = {name: row.values for name, row in by_name(_ROWS.settings).items()}
"""Names of settings that have no other meaning, and the values that disable a check."""
_SETTING_KEYWORDS = register_keywords(*INSECURE_SETTINGS)
_TEXT_MARKERS = names_of(_ROWS.text_markers)
_TEXT_KEYWORDS = register_keywords(*_TEXT_MARKERS, *map(str.lower, _TEXT_MARKERS), *map(str.upper, _TEXT_MARKERS))
_POLICY_KEYWORDS = register_keywords("missing_host_key", "validate_host_public_key")
_INSECURE_TEXT = re.compile(
    r"(?:^|[\s'\"=,-])-?o?StrictHostKeyChecking[= ]?(?:no|off)(?=$|[\s'\",])"
    r"|://[^\s?]{0,300}\?(?:[^\s&]{0,200}&){0,20}(?:ssl_cert_reqs=(?:CERT_)?none|(?:tlsInsecure|tlsAllowInvalidCertificates|tlsAllowInvalidHostnames)=true|sslmode=(?:disable|allow|prefer))(?=$|[&\s'\"])"
    r"|(?:^|;)\s{0,4}TrustServerCertificate\s{0,4}=\s{0,4}(?:yes|true|1)(?=$|[;\s])"
    r"|^(?:bolt|neo4j)\+ssc://"
    r"|(?:^|[\s'\"])(?:--ignore-certificate-errors|--insecure-skip-tls-verify(?:=true)?|--no-check-certificate|--no-verify-ssl|--trusted-host(?:=\S{1,200})?)(?=$|[\s'\"])"
    r"|(?:^|[\s'\"])http\.sslverify=(?:false|0)(?=$|[\s'\"])"
    r"|\bset\s{1,4}ssl:verify-certificate\s{1,4}(?:no|false|off)\b",
    re.IGNORECASE,
)
"""Options of programs, and addresses, that disable verification and have no other meaning."""
_LOCAL_ADDRESS = re.compile(r"localhost|127\.0\.0\.1|\[::1\]|@/|:///", re.IGNORECASE)
_SINGLE_LABEL_HOST = re.compile(r"://(?:[^/@\s]{0,200}@)?[\w-]{1,100}(?::\d{1,5})?/")
"""An address whose host is a single label, which is only reachable in the same network."""
_NON_USING_CALLS = names_of(_ROWS.non_using_calls)
"""Calls that print such a text, search for it or define an option, and do not use it."""
_DESCRIPTIVE_ARGUMENTS = names_of(_ROWS.descriptive_arguments)
_MAX_SITES = 200
"""Sites of one file that are reported."""


def find_insecure_settings(module: Module) -> list[ScopedNode]:
    """Dictionaries, texts and host-key policies of a file that disable verification."""
    found = [each for each in module.nodes.get(ast.Dict, ()) if _has_insecure_setting(each[0])]
    if module.says(_POLICY_KEYWORDS):
        found += [(scope.node, scope) for scope in module.scopes if _accepts_any_host_key(scope.node)]
    if module.says(_TEXT_KEYWORDS):
        found += [(each, module.scopes[0]) for each in _insecure_texts(module.tree)]
    return found[:_MAX_SITES]


INSECURE_VARIABLES = {name: row.value for name, row in by_name(_ROWS.variables).items()}
"""Environment variables that disable verification for a program and its children, with the value that does."""
_SETTING_NAMES = frozenset({*INSECURE_SETTINGS, *INSECURE_VARIABLES, "sslmode"})


def mentions_verification(module: Module) -> bool:
    """Does one of the names occur in a file?"""
    return module.says(_SETTING_KEYWORDS)


def _has_insecure_setting(dictionary: ast.Dict) -> bool:
    """Does it give one of the settings? One that holds nearly all variables there are is a list of them, and sets none."""
    named = [key.value for key in dictionary.keys if type(key) is ast.Constant and key.value in _SETTING_NAMES]
    return bool(named) and len(INSECURE_VARIABLES.keys() & named) <= _MAX_VARIABLES


_MAX_VARIABLES = 4


def disables_verification(name: object, value: object, qualified_name: str) -> bool:
    """Does a setting of that name and value, or with the qualified name of its value, disable verification?"""
    off = INSECURE_SETTINGS.get(name) if isinstance(name, str) else None
    if off is None:
        return False
    if _CERT_NONE in off and qualified_name.rpartition(".")[2] == _CERT_NONE:
        return True
    said = value.lower() if isinstance(value, str) and value != _CERT_NONE else value
    return any(said is each or (isinstance(each, str) and said == each) for each in off)


def _accepts_any_host_key(node: ast.AST) -> bool:
    """Is it a policy's method for unknown hosts that accepts them all?"""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    if node.name == "missing_host_key":
        return not any(
            isinstance(each, (ast.Raise, ast.If, ast.Assert)) or _delegates_decision(each)
            for each in walk_nodes(*node.body)
        )
    if node.name == "validate_host_public_key":
        given = [each for each in walk_nodes(*node.body) if isinstance(each, ast.Return)]
        return len(node.body) <= _MAX_POLICY_STATEMENTS and len(given) == 1 and _is_true(given[0].value)
    return False


_MAX_POLICY_STATEMENTS = 3


def _is_true(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and value.value is True


def _delegates_decision(each: ast.AST) -> bool:
    """Is the decision left to another policy, or to a function that may refuse?"""
    name = last_name(each.func) if isinstance(each, ast.Call) else ""
    return name == "missing_host_key" or any(word in name.lower() for word in ("reject", "refuse", "verify", "check"))


def _insecure_texts(tree: ast.Module) -> Iterator[ast.expr]:
    """Texts that disable verification where they are used, not only mentioned."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and is_insecure_text(node.value):
                yield node
        elif isinstance(node, ast.JoinedStr):
            if is_insecure_text("".join(_literal_text(each) for each in node.values)):
                yield node
        elif isinstance(node, ast.Call):
            waiting += _used_arguments(node)
        elif not isinstance(node, (ast.Raise, ast.Assert, ast.Compare, ast.Set)) and not (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            waiting += child_nodes(node)


def _literal_text(part: ast.expr) -> str:
    return "x" if (text := text_constant(part)) is None else text


def _used_arguments(call: ast.Call) -> list[ast.AST]:
    """The arguments of a call that the called function may use."""
    name = last_name(call.func)
    if name in _NON_USING_CALLS or (name == "add_argument" and (len(call.args) != 1 or call.keywords)):
        return [call.func]
    return [call.func, *call.args, *(each.value for each in call.keywords if each.arg not in _DESCRIPTIVE_ARGUMENTS)]


def is_insecure_text(text: str) -> bool:
    """Does a text, an option, a command line or an address, disable verification?"""
    found = _INSECURE_TEXT.search(text[:_MAX_TEXT_LENGTH])
    if found is None:
        return False
    if "sslmode=" in found[0].lower() and _SINGLE_LABEL_HOST.search(text):
        return False
    return not (("://" in found[0] or "TrustServer" in found[0]) and _LOCAL_ADDRESS.search(text))


_MAX_TEXT_LENGTH = 5_000
INSECURE_OPTIONS = {name: frozenset(row.options) for name, row in by_name(_ROWS.program_options).items()}
"""Programs, and their options that disable verification."""
_INSECURE_COMMAND_OPTIONS = {name: INSECURE_OPTIONS[name] for name in ("curl", "wget")}
"""Those of them that are looked for in a command line."""
CURL_INSECURE_FLAGS = re.compile(r"-[sSfLvigIN#]{0,9}k[sSfLvigIN#]{0,9}[oOHduX]?")
"""Combined short options of curl that include `-k`."""


def is_insecure_command_line(command: str) -> bool:
    """Does a command line start a program with verification disabled?"""
    words = re.split(r"\s+", command[:_MAX_TEXT_LENGTH].replace("'", " ").replace('"', " "))
    program = ""
    for each in words:
        name = each.rpartition("/")[2]
        if name in _INSECURE_COMMAND_OPTIONS:
            program = name
        elif each in {"|", "&&", "||", ";"}:
            program = ""
        elif program and (
            each in _INSECURE_COMMAND_OPTIONS[program] or (program == "curl" and CURL_INSECURE_FLAGS.fullmatch(each))
        ):
            return True
    return False
