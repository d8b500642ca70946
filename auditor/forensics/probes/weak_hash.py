"""Weak hash functions: called, chosen by name, or passed as values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.library_models.weak_hash import weak_hash as weak_hash_models
from auditor.forensics.probe_kit.probe_decorators import site_probe
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.parameter_values import parameter_default
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.python.scoped_nodes import ScopedNode
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.forensics.source_text.site_probe_types import Site, call_with_argument
from auditor.row_tables import names_of, positions_of

_ROWS = weak_hash_models()
_WEAK = names_of(_ROWS.weak_digests)
_DIGESTS = names_of(_ROWS.digests)
_DIGEST_NAME_ARGUMENTS = positions_of(_ROWS.digest_name_arguments)
"""Calls that take the name of a digest, and the argument."""
_KEYED = positions_of(_ROWS.keyed_calls)
"""Calls that make something of a digest and a key, and where they take it; with SHA-1 that still holds."""
_PASSWORDS = names_of(_ROWS.password_hashes)
_HASHERS = positions_of(_ROWS.password_hashers)
_WEAK_HASHER = re.compile(r"^(?:unsalted_)?(?:md5|sha1|plain)$", re.IGNORECASE)
_UNKNOWN_PURPOSE_REASON = "what the hash protects is not known"
_HARMLESS_NAME = re.compile(
    r"cache|etag|checksum|fingerprint|dedup|short|name|bucket|shard|color|colour|slug|digest_of|content_hash|file_hash",
    re.IGNORECASE,
)
_HARMLESS_NAME_REASON = "the name suggests a cache key or checksum, not protection"
_WEAK_SCHEME = re.compile(r"md5|sha1|lmhash|nthash|des_crypt|plaintext|mysql323", re.IGNORECASE)
_SCHEMES = names_of(_ROWS.password_contexts)
_CRYPT_CALLS = names_of(_ROWS.crypt_calls)
_WEAK_METHODS = names_of(_ROWS.crypt_weak_methods)
_DIGEST_FUNCTIONS = names_of(_ROWS.digest_functions)
"""Functions that make a digest, also where they are passed as values."""
_PASSWORD_HASHERS = register_keywords("PASSWORD_HASHERS")


def _filter_hasher_settings(candidates: list[ScopedNode], module: Module) -> list[ScopedNode]:
    """`PASSWORD_HASHERS = [...]`, the setting of Django."""
    if not module.says(_PASSWORD_HASHERS):
        return []
    return [each for each in candidates if last_name(each[0].targets[0]) == "PASSWORD_HASHERS"]


@site_probe(
    "code.weak_hash",
    none_statement="No MD5, SHA-1 or other weak hash is used.",
    nodes=(ast.Assign,),
    node_filter=_filter_hasher_settings,
    measured_nodes=(ast.Call,),
    calls=(
        *_DIGESTS,
        *_DIGEST_NAME_ARGUMENTS,
        *_KEYED,
        *_PASSWORDS,
        *_HASHERS,
        *_SCHEMES,
        *_CRYPT_CALLS,
    ),
    references=_DIGEST_FUNCTIONS,
    second_look=("S324",),
)
def weak_hash(match: Match) -> Iterator[Site]:
    """Is a weak hash used?

    MD5, SHA-1 and older hashes are reported, called or passed as functions, and so are passwords hashed with a weak algorithm. A call with `usedforsecurity=False` is not, nor is SHA-1 with a key (HMAC). A comment that calls the use harmless changes nothing.

    Use SHA-256, and for passwords a password hash such as Argon2 or bcrypt. If the hash protects nothing, a checksum such as CRC-32 is enough.
    """
    if not isinstance(match.node, (ast.Call, ast.Assign)):
        if not _is_keyed(match):
            yield match.site(
                "Weak hash function is passed as a value: {call}",
                confidence=0.6,
                because=_UNKNOWN_PURPOSE_REASON,
            )
    elif not match.name or match.name in _SCHEMES or match.name in _CRYPT_CALLS:
        if _prefers_weak_scheme(match):
            yield match.site(_WEAK_KEPT_DIGEST_STATEMENT)
    elif match.name in _PASSWORDS or match.name in _HASHERS:
        keyword, position = _HASHERS.get(match.name, ("", 0))
        method = match.value(match.argument(keyword, position)) if keyword else "md5"
        if isinstance(method, str) and _WEAK_HASHER.match(method):
            yield match.site(_WEAK_KEPT_DIGEST_STATEMENT)
    elif match.name in _KEYED:
        call = _call_with_digest(match, _KEYED[match.name], _WEAK - {"sha", "sha1", "ripemd160"})
        if call:
            yield match.site(_KEYED_STATEMENT, call=call, confidence=0.5, because=_KEYED_REASON)
    else:
        at = _DIGEST_NAME_ARGUMENTS.get(match.name)
        call = match.name if at is None else _call_with_digest(match, at, _WEAK)
        yield from _by_digest(match, call) if call else ()


def _by_digest(match: Match, call: str) -> Iterator[Site]:
    """What is said of a call that makes a weak digest, by what it seems to be for."""
    if match.value(match.argument("usedforsecurity")) is False:
        return
    if _HARMLESS_NAME.search(match.scope.qualname):
        yield match.site(
            "Weak hash function, probably for a checksum: {call}",
            call=call,
            confidence=0.5,
            because=_HARMLESS_NAME_REASON,
        )
    else:
        yield match.site("Weak hash function: {call}", call=call, confidence=0.75, because=_UNKNOWN_PURPOSE_REASON)


_KEYED_CALL_NAMES = names_of(_ROWS.keyed_words)


def _is_keyed(match: Match) -> bool:
    """Is a digest passed to what makes something with a key of it, or to a partial that says it is not for security?"""
    return match.node in _keyed_call_arguments(match.module)


@remembered
def _keyed_call_arguments(module: Module) -> set[ast.AST]:
    """All arguments of such calls."""
    found: set[ast.AST] = set()
    for word in _KEYED_CALL_NAMES:
        for call, scope in module.calls.get(word, ()):
            bound = {named.arg: named.value for named in call.keywords}
            if word != "partial" or module.value(bound.get("usedforsecurity"), scope) is False:
                found.update(call.args, bound.values())
    return found


_WEAK_KEPT_DIGEST_STATEMENT = "Password is hashed with a weak or too fast algorithm"


def _prefers_weak_scheme(match: Match) -> bool:
    """Is the scheme for new passwords, the first of several, a weak one? The others are for old passwords."""
    if match.name in _CRYPT_CALLS:
        return any(match.resolve(each) in _WEAK_METHODS for each in match.call.args)
    given = match.node.value if isinstance(match.node, ast.Assign) else match.argument("schemes", 0)
    first = given.elts[0] if isinstance(given, (ast.List, ast.Tuple)) and given.elts else None
    name = match.value(first)
    return isinstance(name, str) and _WEAK_SCHEME.search(name) is not None


_KEYED_REASON = "with a key it has not been broken in practice (RFC 6151)"


_KEYED_STATEMENT = "Weak hash function is used with a key: {call}"


def _call_with_digest(match: Match, at: tuple[str, int | None], weak: frozenset[str]) -> str:
    """The call with the digest that an argument names, itself or by its function; empty if it is none of these."""
    digest = match.argument(*at)
    name = match.value(parameter_default(digest, match.scope) or digest)
    if not isinstance(name, str) and digest is not None:
        name = (match.resolve(digest) or "").rpartition("hashlib.")[2]
    if not isinstance(name, str) or name.lower().replace("-", "") not in weak:
        return ""
    return call_with_argument(match.name, at[1] or 0, f'"{name}"')
