"""What has the form of a secret and is none: placeholders, examples, passwords of a database on one's own machine."""

from __future__ import annotations

import math
import re
from collections import Counter

LOOSE = frozenset(
    {"private-key", "jwt", "generic-credential-uri", "assigned-secret", "curl-auth-header", "curl-auth-user", "mongodb-connection-string",
     "mongodb-atlas-connection-string", "postgresql-connection-string", "age-secret-key", "age-identity", "hashicorp-tf-password", "nuget-config-password",
     "kubernetes-secret-yaml", "sidekiq-secret", "algolia-api-key", "discord-client-id", "discord-client-secret"}
)  # fmt: skip
"""Kinds that anybody can make up: in tests, examples and documents they are material, not secrets."""
_SPOKEN = re.compile(
    r"example|sample|dummy|fake|placeholder|changeme|change[-_]me|change[-_]?this|replace|insert|redacted|your[-_]?|my[-_]?(?:secret|token|key|pass)|"
    r"not[-_ ]?(?:a[-_ ]?)?(?:real|secret|valid)|todo|lorem|foobar|\bfoo\b|\bbar\b|hunter2|letmein|deadbeef|notasecret|invalid|"
    r"x{4,}|\*{3,}|\.{3,}|0{6,}|1234567|7654321|abcdefg|qwerty|<[^>]*>|\$\{|\{\{|%\(|\$\(",
    re.IGNORECASE,
)
_WORDS = re.compile(
    r"^(?:test(?:ing|er)?|passw(?:or)?d|pass|secret|token|key|admin|root|user(?:name)?|guest|postgres|mysql|mongo|redis|rabbit(?:mq)?|scott|tiger|default|"
    r"local|dev(?:elopment)?|prod(?:uction)?|staging|demo|api|access|private|public|client|server|auth|login|super|my|the|some|and|or|is|a|an|new|old|for|of|in|to|"
    r"db|database|app|service|value|string|none|null|true|false|undefined|enter|type|here|[0-9]{0,4}|[\W_])+$",
    re.IGNORECASE,
)
_NAMES = re.compile(r"^[A-Za-z]+\d{0,2}(?:[._:/-](?:[A-Za-z]+\d{0,2}|\d{1,3}))*$")
_TEMPLATED = re.compile(r"^(?:[$%{<@#&\[(].*|.*[}>\])]|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|.*\s.*)$", re.DOTALL)
_LOCAL_HOST = re.compile(
    r"^(?:localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|\[?::1|[a-z0-9_-]+(?:[:/?\s\"'`,;)]|$)|[\w.-]*\.(?:local|test|example|invalid|localhost|internal)\b|(?:[\w-]+\.)*example\.(?:com|org|net)|foo\b|bar\b|[$%{<])",
    re.IGNORECASE,
)
_TEST_MODE = re.compile(r"^(?:[spr]k_test_|whsec_test|sk_sandbox|test_)", re.IGNORECASE)
_IN_URI = frozenset(
    {
        "generic-credential-uri",
        "mongodb-connection-string",
        "mongodb-atlas-connection-string",
        "postgresql-connection-string",
    }
)
_HOST_AT = re.compile(r"@([^@\s\"'`]{1,255})")
ENTROPY = 3.0
"""Bits a character from which a value that people could have typed looks made by a machine."""


def is_placeholder(kind: str, value: str, after: str) -> bool:
    """Is a value of that form no secret, by itself or by what stands `after` it on its line?"""
    if _TEST_MODE.match(value) or (len(set(value)) < 5 and kind != "private-key"):
        return True
    if kind == "private-key":
        return _is_empty_key(value)
    if _SPOKEN.search(value):
        return True
    if kind in _IN_URI:
        return _is_harmless_uri(value, after)
    if kind == "jwt":
        return value.endswith(".") or value.count(".") < 2
    return kind == "assigned-secret" and _is_typed(value)


def _is_empty_key(value: str) -> bool:
    """A header with an ellipsis, a pattern or next to nothing behind it shows where a key goes."""
    body = re.sub(r"-----[^-]*-----|\\n|\s|[\"'+,\\]", "", value)
    return len(body) < 100 or "..." in body or len(set(body)) < 20 or bool(re.search(r"[\[\](){}<>*?^|]", body[:200]))


def _is_harmless_uri(value: str, after: str) -> bool:
    inside = _HOST_AT.search(value)
    host = inside[1] if inside else after.removeprefix("@")
    password = value if inside is None else value.rpartition("@")[0].rpartition(":")[2]
    return bool(_LOCAL_HOST.match(host)) or bool(set(password) & set(",:")) or _is_typed(password)


def _is_typed(value: str) -> bool:
    """Words, names, templates and addresses; and what mixes too little to have been drawn at random."""
    if (
        _TEMPLATED.match(value)
        or _WORDS.match(value)
        or _NAMES.match(value)
        or "://" in value
        or value.startswith(("/", "./", "--"))
    ):
        return True
    mixed = any(each.isdigit() for each in value) and any(each.isalpha() for each in value)
    return not mixed or entropy(value) < ENTROPY


def entropy(text: str) -> float:
    """Bits a character."""
    counts = Counter(text)
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts.values())
