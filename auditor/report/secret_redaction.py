"""Secrets out of everything that is recorded, printed or posted.

What is found is replaced by its kind and a short fingerprint, so that two places with the same secret can be
told to hold the same one. Patterns take linear time: no nested repetition.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from auditor.domain import Coverage, Evidence, Fact
from auditor.domain.text_entropy import ENTROPY, entropy
from auditor.lazy_regex import late

_GAP = "[\u200b-\u200d\u2060\ufeff\u00ad]*"
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, late(pattern))
    for kind, pattern in (
        (
            "private key",
            r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END )[\s\S]){0,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?",
        ),
        ("GitHub token", r"\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255})"),
        ("GitLab token", r"\bgl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_-]{20,100}"),
        ("Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{20,200}"),
        ("OpenAI key", r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,200}"),
        ("Stripe key", r"\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,200}"),
        ("AWS access key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
        ("Google key", r"\bAIza[A-Za-z0-9_-]{35}\b"),
        ("Slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,250}"),
        ("Slack webhook", r"https://hooks\.slack\.com/services/[A-Za-z0-9/]{20,100}"),
        ("npm token", r"\bnpm_[A-Za-z0-9]{36}\b"),
        ("PyPI token", r"\bpypi-[A-Za-z0-9_-]{50,300}"),
        ("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,60}\b"),
        ("SendGrid key", r"\bSG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{16,60}"),
        ("DigitalOcean token", r"\bdo[opr]_v1_[a-f0-9]{32,128}"),
        ("Telegram token", r"\b\d{8,10}:[A-Za-z0-9_-]{35}\b"),
        ("JSON web token", r"\beyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,2000}"),
    )
)
_IN_URL = late(
    r"(?P<before>[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"']{0,100}:)(?P<secret>[^\s/@\"']{3,200})(?=@)", re.IGNORECASE
)
_ASSIGNED = late(
    r"(?P<before>(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|credentials?)[\w-]{0,20}[\"']?\s{0,5}(?:=|:|=>)\s{0,5}[\"'])(?P<secret>[^\"'\s]{8,200})(?=[\"'])",
    re.IGNORECASE,
)
_BARE = late(
    r"(?P<before>(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|account[_-]?key|private[_-]?key)[\w-]{0,20}\s{0,5}[=:]\s{0,5})(?P<secret>[^\s\"'(),;\[\]{}<>$]{12,200})",
    re.IGNORECASE,
)
"""Assignments without quotes, as in `.env` files; only values that look made by a machine count."""
_HEADER = late(
    r"(?P<before>\b(?:authorization\s{0,3}[:=]\s{0,3}[\"']?)?(?:bearer|basic|token)\s{1,3})(?P<secret>[A-Za-z0-9._~+/=-]{20,500})",
    re.IGNORECASE,
)
_HANDED = late(
    r"(?P<before>(?<![\w-])--?[\w.-]{0,40}(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key)[ =]{1,3}[\"']?)(?P<secret>[^\s\"'(),;\[\]{}<>$]{8,200})",
    re.IGNORECASE,
)
"""Arguments of programs."""
_PARTED = late(
    r"(?P<before><[\w.:-]{0,40}(?:passw(?:or)?d|passphrase|secret|api[_-]?key|token)>\s{0,3}|;\s{0,3}(?:password|pwd|accountkey|sharedaccesskey)\s{0,3}=\s{0,3})"
    r"(?P<secret>[^;\"'\s<>]{8,200})",
    re.IGNORECASE,
)
"""The text of elements, and parts of connection strings."""
_PLACEHOLDERS = late(
    r"^(?:x+|\*+|\.+|<.*>|\$\{?.*|\{+.*\}+|%.*|your[-_ ].*|change-?me\W*|example\W*|placeholder\W*|dummy\W*|test\W*|none|null|env[:.].*)$",
    re.IGNORECASE,
)
_GUESSABLE = frozenset({"password", "secret"})
"""Kinds that people make up: a fingerprint would let anybody try guesses."""
_LINE = 400
"""Characters up to which a text is likely to come again."""


def redact(text: str) -> str:
    """The text with every secret replaced by its kind and a fingerprint of 8 hexadecimal digits."""
    if len(text) < 8:
        return text
    return _redacted_line(text) if len(text) <= _LINE else _without_secrets(text)


def redact_lines(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines without secrets, as many as before: of a key over several lines the first says so and the rest are empty."""
    kind, key = _KINDS[0]
    whole = key.sub(lambda found: _mark(kind, found[0]) + "\n" * found[0].count("\n"), "\n".join(lines))
    return tuple(redact(each) for each in whole.split("\n"))


@lru_cache(maxsize=1 << 14)
def _redacted_line(text: str) -> str:
    """The same for what a record repeats: paths, names, sentences and keys."""
    return _without_secrets(text)


def _without_secrets(text: str) -> str:
    whole = _without_gaps(text)
    for kind, pattern in _KINDS:
        whole = pattern.sub(lambda found, kind=kind: _mark(kind, found.group()), whole)  # type: ignore[misc]
    whole = _IN_URL.sub(lambda found: found["before"] + _mark("password", found["secret"]), whole)
    whole = _HEADER.sub(lambda found: found["before"] + _mark("credential", found["secret"]), whole)
    whole = _ASSIGNED.sub(_assigned, whole)
    for pattern in (_PARTED, _HANDED, _BARE):
        whole = pattern.sub(_bare, whole)
    return whole


def _without_gaps(text: str) -> str:
    """Invisible characters may split a secret; take them out only where a secret then appears."""
    if text.isascii():
        return text
    joined = re.sub(_GAP, "", text)
    return (
        joined
        if joined != text and any(pattern.search(joined) and not pattern.search(text) for _, pattern in _KINDS)
        else text
    )


def _assigned(found: re.Match[str]) -> str:
    secret = found["secret"]
    if _PLACEHOLDERS.match(secret) or entropy(secret) < ENTROPY or secret.startswith("[redacted"):
        return found.group()
    return found["before"] + _mark("secret", secret)


def _bare(found: re.Match[str]) -> str:
    """Without quotes code looks like this too, so a value must mix letters and digits and read like none."""
    secret = found["secret"]
    mixed = any(each.isdigit() for each in secret) and any(each.isalpha() for each in secret)
    return _assigned(found) if mixed and "." not in secret and entropy(secret) >= ENTROPY else found.group()


def _mark(kind: str, secret: str) -> str:
    if secret.startswith("[redacted"):
        return secret
    if kind in _GUESSABLE:
        return f"[redacted {kind}]"
    return f"[redacted {kind} {hashlib.sha256(secret.encode(errors='surrogatepass')).hexdigest()[:8]}]"


def redact_evidence(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Evidence without secrets in statements, reasons, quotes and data."""
    return tuple(_redacted(each) for each in evidence)


def redact_coverage(coverage: Coverage) -> Coverage:
    """The list of files without secrets in their names."""
    files = tuple(
        file if (clean := redact(file.path)) == file.path else file.model_copy(update={"path": clean})
        for file in coverage.files
    )
    return coverage.model_copy(update={"files": files})


def _redacted(evidence: Evidence) -> Evidence:
    plain = evidence.model_dump(mode="json", include=set(Fact.model_fields) - {"data"})
    clean = _deep(plain)
    data = evidence.data
    changes: dict[str, Any] = {}
    if clean != plain:
        fresh = Evidence.model_validate({**clean, "id": evidence.id, "probe": evidence.probe})
        changes = {name: getattr(fresh, name) for name in ("statement", "confidence_reason", "locations")}
    if data is not None:
        packed = data.model_dump(mode="json")
        cleaned = _deep(packed)
        if cleaned != packed:
            changes["data"] = type(data).model_validate(cleaned)
    return evidence.model_copy(update=changes) if changes else evidence


def _deep(value: Any) -> Any:
    """Redact every text in plain data. Depth is that of our own models, so recursion is bounded."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        return [_deep(each) for each in value]
    if isinstance(value, dict):
        return {redact(key): _deep(each) for key, each in value.items()}
    return value
