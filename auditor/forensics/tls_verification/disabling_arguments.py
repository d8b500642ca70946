"""Arguments that turn off TLS verification in a call."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.library_models.tls_verification import tls_verification
from auditor.forensics.python.default_values import default_value
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.parameter_values import function_of_parameter, parameter_default
from auditor.forensics.python.scope_bindings import keyword_argument, last_name, receiver
from auditor.forensics.python.string_building import DynamicPart, text_variants
from auditor.forensics.source_text.site_probe_types import Site
from auditor.forensics.tls_verification.database_clients import CLIENT_OPTIONS
from auditor.forensics.tls_verification.disabling_settings import (
    CONNECTION_STATEMENT,
    OPTIONS_NAME,
    is_false_value,
    is_insecure_pair,
)
from auditor.forensics.tls_verification.file_wide_settings import INSECURE_SETTINGS
from auditor.forensics.tls_verification.http_clients import CLIENT_NAME, HTTPX_CALLS, REQUESTS_CALLS
from auditor.row_tables import names_of

_INSECURE_ARGUMENT = re.compile(
    r"(?:verify_ssl|ssl_verify|verify_certs?|verify_tls|tls_verify|verify_certificates?)=False|(?:insecure_skip|skip_tls)_verify=True"
)
"""Arguments by which clients of all kinds skip verification; a quick filter for files without one."""
_TOKEN_LIBRARIES = names_of(tls_verification().token_libraries)
_OPTION_ARGUMENTS = names_of(tls_verification().option_arguments)
"""Arguments that hold further arguments, which are passed on to a client."""


def by_uncommon_argument(match: Match, name: str) -> Iterator[Site]:
    """A call known by name whose verification an argument disables that such calls rarely take."""
    own = CLIENT_OPTIONS[name].argument if name in CLIENT_OPTIONS else ""
    passed = [each for each in match.call.keywords if each.arg not in {"cert_reqs", own}]
    if any(is_insecure_pair(match, each.arg, each.value) for each in passed):
        yield match.site(CONNECTION_STATEMENT, confidence=0.9, because="the client may not know the argument")


def by_argument_name(match: Match) -> Iterator[Site]:
    """A call of any client whose verification is disabled by the name of an argument."""
    name = last_name(match.call.func)
    for each in match.call.keywords:
        if each.arg == "verify" and match.value(each.value) is False and _is_forwarded(match):
            yield match.site(CONNECTION_STATEMENT, confidence=0.9, because=_WRAPPER_REASON)
            return
        if (
            each.arg == "verify"
            and CLIENT_NAME.search(_owner_name(match.call) if name == "send" else name)
            and is_false_value(match.value(each.value))
            and not _is_token_verification(match)
        ):
            yield match.site(
                CONNECTION_STATEMENT, confidence=0.8, because="where the client was created was not analysed"
            )
            return
        loose = _INSECURE_ARGUMENT.fullmatch(f"{each.arg}={match.value(each.value)}") or is_insecure_pair(
            match, each.arg, each.value
        )
        if loose or (
            each.arg in _OPTION_ARGUMENTS
            and _disables_verification(match, match.module.behind(each.value, match.scope))
        ):
            yield match.site(
                CONNECTION_STATEMENT, confidence=0.8, because="where the client was created was not analysed"
            )
            return


def by_setdefault(match: Match) -> Iterator[Site]:
    """`options.setdefault("verify", False)`, where nobody gave it before."""
    call = match.call
    owner = receiver(call)
    if len(call.args) > 1:
        key, value = match.value(call.args[0]), call.args[1]
        off = (
            key not in INSECURE_SETTINGS
            and is_false_value(match.value(value))
            and OPTIONS_NAME.search(last_name(owner))
        )
        if off or is_insecure_pair(match, key, value):
            yield match.site(CONNECTION_STATEMENT, confidence=0.75, because="callers may turn verification on")


def _is_token_verification(match: Match) -> bool:
    """Is it the verification of a signed token, which uses an argument of the same name?"""
    return (match.resolve(match.call.func) or "").partition(".")[0] in _TOKEN_LIBRARIES


_WRAPPER_REASON = "the argument is forwarded by a function of another module"


def _is_forwarded(match: Match) -> bool:
    """Is the called function in another module of the repository, and does it pass `verify` to a client?"""
    known = match.module.imported_value(match.call.func, match.scope)
    return isinstance(known, dict) and "verify" in known.get("passes", ())


def _record_forwarding(match: Match, value: ast.expr | None) -> None:
    """Record, for importing modules, that a function passes its own `verify` to a client."""
    around = match.scope.node
    if not isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef)) or match.scope.qualname != around.name:
        return
    own = around.args
    rest = own.kwarg.arg if own.kwarg is not None else ""
    handed = any(
        each.arg is None and isinstance(each.value, ast.Name) and each.value.id == rest for each in match.call.keywords
    )
    named = (
        isinstance(value, ast.Name) and function_of_parameter(value.id, match.scope) is around and value.id == "verify"
    )
    if named or (handed and value is None):
        match.module.passing.setdefault(around.name, set()).add("verify")


def _disables_verification(match: Match, options: ast.expr) -> bool:
    if not isinstance(options, ast.Dict):
        return False
    pairs = zip(options.keys, options.values, strict=True)
    return any(
        key is not None and match.value(key) in {"verify", "verify_ssl"} and match.value(value) is False
        for key, value in pairs
    )


def by_partial(match: Match) -> Iterator[Site]:
    """`partial(requests.get, verify=False)`."""
    if match.resolve(match.argument("", 0)) in REQUESTS_CALLS | HTTPX_CALLS:
        yield from by_verify_argument(match)


def _default_values(match: Match, value: ast.expr | None) -> list[object]:
    """The values that an attribute of `self`, a setting or a parameter has by default."""
    if value is None or isinstance(value, ast.Constant):
        return []
    values = [default_value(match.module, value, match.scope)]
    if not isinstance(value, ast.Attribute):
        return values
    for pieces in text_variants(match.module, value, match.scope, match.call.lineno):
        only = pieces[0] if len(pieces) == 1 else ""
        given = parameter_default(only.expression, only.scope) if isinstance(only, DynamicPart) else None
        values.append(match.value(given) if given is not None else False if only == "False" else only)
    return values


def by_verify_argument(match: Match) -> Iterator[Site]:
    """`verify=False`, by its value or by the default of a parameter."""
    passed = match.argument("verify")
    _record_forwarding(match, passed)
    value = match.value(passed)
    if is_false_value(value) or (value == "" and match.name in REQUESTS_CALLS):
        yield match.site(CONNECTION_STATEMENT)
    elif any(is_false_value(each) for each in _default_values(match, passed)):
        yield match.site(
            "TLS certificate is not verified unless a caller asks for it",
            confidence=0.75,
            because="callers may turn verification on",
        )


def by_client_name(match: Match) -> Iterator[Site]:
    """`.get(url, verify=False)` of something that is named like a client."""
    off = any(match.value(keyword_argument(match.call, each)) is False for each in ("verify", "ssl", "verify_ssl"))
    if off and CLIENT_NAME.search(_owner_name(match.call)):
        yield match.site(CONNECTION_STATEMENT, confidence=0.9, because="where the client was created was not analysed")


def _owner_name(call: ast.Call) -> str:
    return last_name(call.func.value) if isinstance(call.func, ast.Attribute) else ""
