"""Arguments by which a call is told not to check who answers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.python.default_values import usual
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.parameter_values import default_of, function_with
from auditor.forensics.python.scope_bindings import keyword, last_name
from auditor.forensics.python.string_building import Foreign, versions
from auditor.forensics.source_text.site_types import Site
from auditor.forensics.tls_verification.database_clients import OPTIONS
from auditor.forensics.tls_verification.disabling_settings import HANDED_ON, OFF, is_off, pair_is_off
from auditor.forensics.tls_verification.file_wide_settings import PAIRS
from auditor.forensics.tls_verification.http_clients import CLIENT, HTTPX, REQUESTS

_LOOSE = re.compile(
    r"(?:verify_ssl|ssl_verify|verify_certs?|verify_tls|tls_verify|verify_certificates?)=False|(?:insecure_skip|skip_tls)_verify=True"
)
"""Arguments by which clients of all kinds are told to trust anybody. Files without one are told by this, and quickly."""
_GROUPED = frozenset({"options", "client_options", "client_kwargs", "session_kwargs", "request_kwargs", "requests_kwargs", "http_options", "transport_options"})  # fmt: skip
"""Arguments that hold others, which are handed on to a client."""


def by_further_argument(match: Match, name: str) -> Iterator[Site]:
    """A call that is told of by its own name, and is told to trust anybody by an argument that such calls rarely take."""
    passed = [each for each in match.call.keywords if each.arg not in {"cert_reqs", OPTIONS.get(name, ("",))[0]}]
    if any(pair_is_off(match, each.arg, each.value) for each in passed):
        yield match.site(OFF, confidence=0.9)


def by_argument(match: Match) -> Iterator[Site]:
    """A call of whatever client, told to trust anybody by the name of an argument."""
    name = last_name(match.call.func)
    for each in match.call.keywords:
        if each.arg == "verify" and match.value(each.value) is False and _passes_on(match):
            yield match.site(OFF, confidence=0.9, because=_BY_WRAPPER)
            return
        if (
            each.arg == "verify"
            and CLIENT.search(_owner_name(match.call) if name == "send" else name)
            and is_off(match.value(each.value))
            and not _is_of_tokens(match)
        ):
            yield match.site(OFF, confidence=0.8, because="what is called was not followed to where it was made")
            return
        loose = _LOOSE.fullmatch(f"{each.arg}={match.value(each.value)}") or pair_is_off(match, each.arg, each.value)
        if loose or (each.arg in _GROUPED and _switches(match, match.module.behind(each.value, match.scope))):
            yield match.site(OFF, confidence=0.8, because="what is called was not followed to where it was made")
            return


def kept_for_later(match: Match) -> Iterator[Site]:
    """`options.setdefault("verify", False)`, where nobody gave it before."""
    call = match.call
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if len(call.args) > 1:
        key, value = match.value(call.args[0]), call.args[1]
        off = key not in PAIRS and is_off(match.value(value)) and HANDED_ON.search(last_name(owner))
        if off or pair_is_off(match, key, value):
            yield match.site(OFF, confidence=0.75, because="callers may ask for them")


def _is_of_tokens(match: Match) -> bool:
    """Signed tokens are verified by a word of the same name."""
    return (match.resolve(match.call.func) or "").partition(".")[0] in {"jwt", "jose", "authlib", "itsdangerous"}


_BY_WRAPPER = "it is passed on by a function of another module"


def _passes_on(match: Match) -> bool:
    """Does the function that is called stand in another module of the repository, and hand `verify` to a client?"""
    known = match.module.known_elsewhere(match.call.func, match.scope)
    return isinstance(known, dict) and "verify" in known.get("passes", ())


def _note_passing(match: Match, passed: ast.expr | None) -> None:
    """Note, for those who import it, that a function of the module hands its own `verify` to a client, by itself or among what is left over."""
    around = match.scope.node
    if not isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef)) or match.scope.qualname != around.name:
        return
    own = around.args
    rest = own.kwarg.arg if own.kwarg is not None else ""
    handed = any(
        each.arg is None and isinstance(each.value, ast.Name) and each.value.id == rest for each in match.call.keywords
    )
    named = isinstance(passed, ast.Name) and function_with(passed.id, match.scope) is around and passed.id == "verify"
    if named or (handed and passed is None):
        match.module.passing.setdefault(around.name, set()).add("verify")


def _switches(match: Match, given: ast.expr) -> bool:
    if not isinstance(given, ast.Dict):
        return False
    pairs = zip(given.keys, given.values, strict=True)
    return any(
        key is not None and match.value(key) in {"verify", "verify_ssl"} and match.value(value) is False
        for key, value in pairs
    )


def by_partial(match: Match) -> Iterator[Site]:
    """`partial(requests.get, verify=False)`."""
    if match.resolve(match.argument("", 0)) in REQUESTS | HTTPX:
        yield from by_verify(match)


def _usual_values(match: Match, passed: ast.expr | None) -> list[object]:
    """What an attribute of `self`, a setting or a parameter stands for when nobody gives anything else."""
    if passed is None or isinstance(passed, ast.Constant):
        return []
    values = [usual(match.module, passed, match.scope)]
    if not isinstance(passed, ast.Attribute):
        return values
    for pieces in versions(match.module, passed, match.scope, match.call.lineno):
        only = pieces[0] if len(pieces) == 1 else ""
        given = default_of(only.expression, only.scope) if isinstance(only, Foreign) else None
        values.append(match.value(given) if given is not None else False if only == "False" else only)
    return values


def by_verify(match: Match) -> Iterator[Site]:
    """`verify=False`, by its value or by what a parameter stands for when nothing is passed."""
    passed = match.argument("verify")
    _note_passing(match, passed)
    if is_off(match.value(passed)):
        yield match.site(OFF)
    elif any(is_off(each) for each in _usual_values(match, passed)):
        yield match.site(
            "A connection is made with certificate checks switched off unless a caller asks for them",
            confidence=0.75,
            because="callers may ask for them",
        )


def by_unknown(match: Match) -> Iterator[Site]:
    """`.get(url, verify=False)` of something that is called like a client."""
    off = any(match.value(keyword(match.call, each)) is False for each in ("verify", "ssl", "verify_ssl"))
    if off and CLIENT.search(_owner_name(match.call)):
        yield match.site(OFF, confidence=0.9, because="what is called was not followed to where it was made")


def _owner_name(call: ast.Call) -> str:
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return owner.attr if isinstance(owner, ast.Attribute) else owner.id if isinstance(owner, ast.Name) else ""
