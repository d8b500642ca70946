"""Broken digests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.probe_kit.probe_decorators import site_probe
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.parameter_values import parameter_default
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.python.scoped_nodes import ScopedNode
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.forensics.source_text.site_probe_types import Site

_WEAK = frozenset({"md4", "md5", "sha", "sha1", "ripemd160"})
_DIGESTS = frozenset(
    {"md5.new", "md5.md5", "sha.new", "sha.sha", "hashlib.md5", "hashlib.sha1", "hashlib.md4", "cryptography.hazmat.primitives.hashes.MD5", "cryptography.hazmat.primitives.hashes.SHA1",
     *(f"{package}.Hash.{name}.new" for package in ("Crypto", "Cryptodome") for name in ("MD2", "MD4", "MD5", "SHA", "SHA1", "RIPEMD"))}
)  # fmt: skip
_DIGEST_NAME_ARGUMENTS = {"hashlib.new": ("name", 0), "hashlib.file_digest": ("digest", 1)}
"""Calls that take the name of a digest, and the argument."""
_KEYED = {"hmac.new": ("digestmod", 2), "hmac.digest": ("digest", 2), "hashlib.pbkdf2_hmac": ("hash_name", 0)}
"""Calls that make something of a digest and a key, and where they take it; with SHA-1 that still holds."""
_PASSWORDS = frozenset(
    f"passlib.hash.{name}.{call}"
    for name in ("md5_crypt", "apr_md5_crypt", "hex_md5", "hex_sha1", "ldap_md5", "ldap_sha1", "ldap_salted_md5", "lmhash", "nthash", "des_crypt",
                 "mysql323", "mysql41", "sha1_crypt", "postgres_md5", "plaintext")
    for call in ("hash", "encrypt", "using")
)  # fmt: skip
_HASHERS = {
    "django.contrib.auth.hashers.make_password": ("hasher", 2),
    "werkzeug.security.generate_password_hash": ("method", 1),
}
_WEAK_HASHER = re.compile(r"^(?:unsalted_)?(?:md5|sha1|plain)$", re.IGNORECASE)
_UNKNOWN_PURPOSE_REASON = "what the hash protects is not known"
_HARMLESS_NAME = re.compile(
    r"cache|etag|checksum|fingerprint|dedup|short|name|bucket|shard|color|colour|slug|digest_of|content_hash|file_hash",
    re.IGNORECASE,
)
_HARMLESS_NAME_REASON = "the name suggests a cache key or checksum, not protection"
_WEAK_SCHEME = re.compile(r"md5|sha1|lmhash|nthash|des_crypt|plaintext|mysql323", re.IGNORECASE)
_SCHEMES = frozenset({"passlib.context.CryptContext", "passlib.apps.LazyCryptContext"})
_WEAK_METHODS = frozenset({"crypt.METHOD_MD5", "crypt.METHOD_CRYPT"})
_DIGEST_FUNCTIONS = frozenset({"hashlib.md5", "hashlib.sha1", "hashlib.md4"})
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
        "crypt.crypt",
        "crypt.mksalt",
    ),
    references=_DIGEST_FUNCTIONS,
    second_look=("S324",),
)
def weak_hash(match: Match) -> Iterator[Site]:
    """Is a weak hash used?

    MD5, SHA-1 and older hashes are reported, called or passed as functions, and so are passwords hashed with a weak algorithm. A call with `usedforsecurity=False` is not, nor is SHA-1 with a key (HMAC). A comment that calls the use harmless changes nothing.

    Use SHA-256 or BLAKE2, and a password hash such as Argon2 or bcrypt for passwords. If the hash protects nothing, pass `usedforsecurity=False` in Python, or use a checksum such as CRC-32 in other languages.
    """
    if not isinstance(match.node, (ast.Call, ast.Assign)):
        if not _is_keyed(match):
            yield match.site(
                "Weak hash function is passed as a value: {call}",
                confidence=0.6,
                because=_UNKNOWN_PURPOSE_REASON,
            )
    elif not match.name or match.name in _SCHEMES or match.name.startswith("crypt."):
        if _prefers_weak_scheme(match):
            yield match.site(_WEAK_KEPT_DIGEST_STATEMENT)
    elif match.name in _PASSWORDS or match.name in _HASHERS:
        keyword, position = _HASHERS.get(match.name, ("", 0))
        method = match.value(match.argument(keyword, position)) if keyword else "md5"
        if isinstance(method, str) and _WEAK_HASHER.match(method):
            yield match.site(_WEAK_KEPT_DIGEST_STATEMENT)
    elif match.name in _KEYED:
        if _is_weak(match, match.argument(*_KEYED[match.name]), _WEAK - {"sha", "sha1", "ripemd160"}):
            yield match.site("MD5 is used with a key in {call}", confidence=0.5, because=_KEYED_REASON)
    elif match.name not in _DIGEST_NAME_ARGUMENTS or _is_weak(
        match, match.argument(*_DIGEST_NAME_ARGUMENTS[match.name]), _WEAK
    ):
        yield from _by_digest(match)


def _by_digest(match: Match) -> Iterator[Site]:
    """What is said of a digest that is broken, by what it seems to be for."""
    if match.value(match.argument("usedforsecurity")) is False:
        return
    if _HARMLESS_NAME.search(match.scope.qualname):
        yield match.site(
            "Weak hash (MD5 or SHA-1) in {call}, probably used as a checksum",
            confidence=0.5,
            because=_HARMLESS_NAME_REASON,
        )
    else:
        yield match.site("Weak hash (MD5 or SHA-1) in {call}", confidence=0.75, because=_UNKNOWN_PURPOSE_REASON)


_KEYED_CALL_NAMES = ("new", "digest", "HMAC", "pbkdf2_hmac", "partial", "hotp", "totp", "HOTP", "TOTP")


def _is_keyed(match: Match) -> bool:
    """Is a digest passed to what makes something with a key of it, or to a partial that says it is not for security?"""
    known = match.module.memory.get("weak.keyed")
    if not isinstance(known, set):
        known = match.module.memory["weak.keyed"] = set(_keyed_call_arguments(match))
    return match.node in known


def _keyed_call_arguments(match: Match) -> Iterator[ast.AST]:
    """All arguments of such calls."""
    for word in _KEYED_CALL_NAMES:
        for call, scope in match.module.calls.get(word, ()):
            bound = {named.arg: named.value for named in call.keywords}
            if word != "partial" or match.module.value(bound.get("usedforsecurity"), scope) is False:
                yield from (*call.args, *bound.values())


_WEAK_KEPT_DIGEST_STATEMENT = "Password is hashed with a weak or too fast algorithm"


def _prefers_weak_scheme(match: Match) -> bool:
    """Is the scheme for new passwords, the first of several, a weak one? The others are for old passwords."""
    if match.name.startswith("crypt."):
        return any(match.resolve(each) in _WEAK_METHODS for each in match.call.args)
    given = match.node.value if isinstance(match.node, ast.Assign) else match.argument("schemes", 0)
    first = given.elts[0] if isinstance(given, (ast.List, ast.Tuple)) and given.elts else None
    name = match.value(first)
    return isinstance(name, str) and _WEAK_SCHEME.search(name) is not None


_KEYED_REASON = "with a key it has not been broken in practice (RFC 6151)"


def _is_weak(match: Match, digest: ast.expr | None, weak: frozenset[str]) -> bool:
    """Is it the name of one of these digests, or the function that makes one?"""
    name = match.value(parameter_default(digest, match.scope) or digest)
    if not isinstance(name, str) and digest is not None:
        name = (match.resolve(digest) or "").rpartition("hashlib.")[2]
    return isinstance(name, str) and name.lower().replace("-", "") in weak
