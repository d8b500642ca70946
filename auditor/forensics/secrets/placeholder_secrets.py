"""What has the form of a secret and is none: placeholders, examples, passwords of a database on one's own machine."""

from __future__ import annotations

import base64
import re
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.domain.text_entropy import ENTROPY_THRESHOLD, entropy
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import NameRows, name_reader


class _Placeholders(Frozen):
    generic_kinds: NameRows
    example_values: NameRows


_names = name_reader(Path(__file__).with_name("placeholder_secrets.yaml"), _Placeholders)
KINDS_WITHOUT_FORMAT = frozenset(
    {"assigned-secret", "plain-secret", "header-secret", "argument-secret", "element-secret", "connection-secret"}
)
"""Kinds that are told by what they are called, and have no form of their own."""
NOT_VERIFIED_REASON = "matched by its format; whether it is still valid was not tested"
_PLACEHOLDER_WORDS = lazy_compile(
    r"example|sample|dummy|fake|placeholder|changeme|change[-_]me|change[-_]?this|replace|insert|redacted|your[-_]?|my[-_]?(?:secret|token|key|pass)|"
    r"not[-_ ]?(?:a[-_ ]?)?(?:real|secret|valid)|todo|lorem|foobar|\bfoo\b|\bbar\b|hunter2|letmein|deadbeef|notasecret|invalid|"
    r"x{4,}|\*{3,}|\.{3,}|0{6,}|1234567|7654321|abcdefg|qwerty|<[^>]*>|\$\{|\{\{|%\(|\$\(",
    re.IGNORECASE,
)
_SHELL_VARIABLE = lazy_compile(r"\$_?(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?![A-Za-z0-9_])")
"""A variable whose value a shell puts in, by a name of several words."""
_COMMON_WORDS = lazy_compile(
    r"^(?:test(?:ing|er)?|passw(?:or)?d|pass|secret|token|key|admin|root|user(?:name)?|guest|postgres|mysql|mongo|redis|rabbit(?:mq)?|scott|tiger|default|"
    r"local|dev(?:elopment)?|prod(?:uction)?|staging|demo|api|access|private|public|client|server|auth|login|super|my|the|some|and|or|is|a|an|new|old|for|of|in|to|"
    r"db|database|app|service|value|string|none|null|true|false|undefined|enter|type|here|[0-9]{0,4}|[\W_])+$",
    re.IGNORECASE,
)
_NAME_PATTERN = lazy_compile(r"^[A-Za-z]+\d{0,2}(?:[._:/-](?:[A-Za-z]+\d{0,2}|\d{1,3}))*$")
_TEMPLATE = lazy_compile(r"^(?:[$%{<@#&\[(].*|.*[}>\])]|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|.*\s.*)$", re.DOTALL)
_LOCAL_HOST = lazy_compile(
    r"^(?:localhost|127\.|0\.0\.0\.0|192\.168\.|\[?::1|[a-z0-9_-]+(?:[:/?\s\"'`,;)]|$)|(?:[\w.-]*\.)?(?:local|test|invalid|localhost)(?![\w-]|\.\w)|(?:[\w-]+\.)?example(?![\w-])|host\.docker\.internal\b|host\.containers\.internal\b|(?:[\w-]+\.)*example\.(?:com|org|net)|foo\b|bar\b|[$%{<])",
    re.IGNORECASE,
)
_TEST_MODE = lazy_compile(r"^(?:[spr]k_test_|whsec_test|sk_sandbox|test_)", re.IGNORECASE)
_URI_KINDS = frozenset(
    {
        "generic-credential-uri",
        "mongodb-connection-string",
        "mongodb-atlas-connection-string",
        "postgresql-connection-string",
    }
)
_URI_HOST = lazy_compile(r"@([^@\s\"'`]{1,255})")
_AZURE_EMULATOR_KEY = "Eby8vdM02xNOcqFl" + "qUwJPLlmEtlCDXJ1"
"""How the key begins that the storage emulator of Azure has everywhere."""
_ANONYMOUS_ROLE = lazy_compile(r'"role"\s*:\s*"anon"')
"""A key that is handed to every browser; what it may do is decided row by row."""
_REFERENCE_ASSIGNMENT = lazy_compile(
    r"(?:key_?id|keyId|_arn|Arn|_name|Name|_url|Url|_uri|_path|Path|_file|_label|_header|_field|_param|_prefix|_algorithm|_type)[\"']?\s{0,3}(?:=|:|=>|:=)\s{0,3}[\"']$"
)
"""What the value is assigned to says that it tells where the secret is, or how it is called."""
_LOCAL_DATABASE = lazy_compile(
    r"(?:server|host|data source|address|addr)\s{0,3}=\s{0,3}(?:tcp:)?(?:localhost|127\.|\.|\(local|host\.docker|[\w-]+(?:[;,:]|$))",
    re.IGNORECASE,
)
"""The part of a connection string that names a database on one's own machine or network."""


def is_generic_kind(kind: str) -> bool:
    """Can anybody make up a secret of that kind, so that in tests, examples and documents it is material?"""
    return kind in _names("generic_kinds")


def is_placeholder(kind: str, value: str, after: str, before: str = "") -> bool:
    """Is a value of that form no secret, by itself or by what is before or after it on its line?"""
    if (
        value in _names("example_values")
        or _AZURE_EMULATOR_KEY in value
        or _TEST_MODE.match(value)
        or (len(set(value)) < 5 and kind != "private-key")
    ):
        return True
    if kind == "private-key":
        return _is_empty_key(value)
    if _PLACEHOLDER_WORDS.search(value) or _SHELL_VARIABLE.search(value):
        return True
    if kind in _URI_KINDS:
        return _is_harmless_uri(value, after)
    if kind == "jwt":
        return value.endswith(".") or value.count(".") < 2 or bool(_ANONYMOUS_ROLE.search(_jwt_payload(value)))
    return kind in KINDS_WITHOUT_FORMAT and (
        _is_not_random(value)
        or _is_encoded_word(value)
        or bool(_REFERENCE_ASSIGNMENT.search(before))
        or (kind == "connection-secret" and bool(_LOCAL_DATABASE.search(before)))
    )


def _is_encoded_word(value: str) -> bool:
    """Is it base64 of a word, as examples of Kubernetes have it? Those of something random are reported."""
    try:
        plain = base64.b64decode(value, validate=True).decode("ascii").strip()
    except ValueError:
        return False
    return plain.isprintable() and (_PLACEHOLDER_WORDS.search(plain) is not None or _is_not_random(plain))


def _jwt_payload(token: str) -> str:
    """What a JSON web token says, as far as it can be read."""
    body = token.split(".")[1]
    try:
        return base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)).decode("utf-8", errors="replace")
    except ValueError:
        return ""


def _is_empty_key(value: str) -> bool:
    """A header with an ellipsis, a pattern or next to nothing behind it shows the place of a key."""
    body = re.sub(r"-----[^-]*-----|\\n|\s|[\"'+,\\]", "", value)
    return len(body) < 100 or "..." in body or len(set(body)) < 20 or bool(re.search(r"[\[\](){}<>*?^|]", body[:200]))


def _is_harmless_uri(value: str, after: str) -> bool:
    inside = _URI_HOST.search(value)
    host = inside[1] if inside else after.removeprefix("@")
    password = value if inside is None else value.rpartition("@")[0].rpartition(":")[2]
    return bool(_LOCAL_HOST.match(host)) or bool(set(password) & set(",:")) or _is_not_random(password)


def _is_name(value: str) -> bool:
    """Is it words with signs between them, or a place in a vault with the name of an entry? A sharp sign alone makes no place."""
    place, mark, entry = value.partition("#")
    return _NAME_PATTERN.match(place) is not None and (
        not mark or ("/" in place and _NAME_PATTERN.match(entry) is not None)
    )


def _is_not_random(value: str) -> bool:
    """Words, names, templates and addresses; and what mixes too little to have been drawn at random."""
    if (
        _TEMPLATE.match(value)
        or _COMMON_WORDS.match(value)
        or _is_name(value)
        or "://" in value
        or value.startswith(("/", "./", "--", "arn:"))
    ):
        return True
    mixed = any(each.isdigit() for each in value) and any(each.isalpha() for each in value)
    return not mixed or entropy(value) < ENTROPY_THRESHOLD


def confidence_of(kind: str, *, by_form: bool) -> float:
    """How sure it is that something of that kind is a secret; `by_form` for forms that only an issuer gives."""
    if kind in KINDS_WITHOUT_FORMAT:
        return 0.6  # its name says what it is for, its form says nothing
    return 0.95 if by_form else 0.8
