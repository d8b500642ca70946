"""Secrets out of everything that is recorded, printed or posted.

What is found is replaced by its kind and a short fingerprint, so that two places with the same secret can be
told to hold the same one. Patterns take linear time: no nested repetition.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from auditor.constant_folding.decoded_literals import hidden_texts
from auditor.constant_folding.folded_values import FoldedExpression
from auditor.constant_folding.piece_stretches import piece_stretches
from auditor.domain import Coverage, Evidence, Fact
from auditor.domain.text_entropy import ENTROPY_THRESHOLD, entropy
from auditor.lazy_regex import lazy_compile

_GAP = "[\u200b-\u200d\u2060\ufeff\u00ad]*"
_SECRET_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, lazy_compile(pattern))
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
_URL_PASSWORD = lazy_compile(
    r"(?P<before>[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"']{0,100}:)(?P<secret>[^\s/@\"']{3,200})(?=@)", re.IGNORECASE
)
_QUOTED_ASSIGNMENT = lazy_compile(
    r"(?P<before>(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|credentials?)[\w-]{0,20}[\"']?\s{0,5}(?:=|:|=>)\s{0,5}[\"'])(?P<secret>[^\"'\s]{8,200})(?=[\"'])",
    re.IGNORECASE,
)
_UNQUOTED_ASSIGNMENT = lazy_compile(
    r"(?P<before>(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|account[_-]?key|private[_-]?key)[\w-]{0,20}\s{0,5}[=:]\s{0,5})(?P<secret>[^\s\"'(),;\[\]{}<>$]{12,200})",
    re.IGNORECASE,
)
"""Assignments without quotes, as in `.env` files; only values that look made by a machine count."""
_AUTHORIZATION_HEADER = lazy_compile(
    r"(?P<before>\b(?:authorization\s{0,3}[:=]\s{0,3}[\"']?)?(?:bearer|basic|token)\s{1,3})(?P<secret>[A-Za-z0-9._~+/=-]{20,500})",
    re.IGNORECASE,
)
_COMMAND_ARGUMENT = lazy_compile(
    r"(?P<before>(?<![\w-])--?[\w.-]{0,40}(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key)[ =]{1,3}[\"']?)(?P<secret>[^\s\"'(),;\[\]{}<>$]{8,200})",
    re.IGNORECASE,
)
"""Arguments of programs."""
_DELIMITED_VALUE = lazy_compile(
    r"(?P<before><[\w.:-]{0,40}(?:passw(?:or)?d|passphrase|secret|api[_-]?key|token)>\s{0,3}|;\s{0,3}(?:password|pwd|accountkey|sharedaccesskey)\s{0,3}=\s{0,3})"
    r"(?P<secret>[^;\"'\s<>]{8,200})",
    re.IGNORECASE,
)
"""The text of elements, and parts of connection strings."""
_PLACEHOLDERS = lazy_compile(
    r"^(?:x+|\*+|\.+|<.*>|\$\{?.*|\{+.*\}+|%.*|your[-_ ].*|change-?me\W*|example\W*|placeholder\W*|dummy\W*|test\W*|none|null|env[:.].*)$",
    re.IGNORECASE,
)
_GUESSABLE_KINDS = frozenset({"password", "secret"})
"""Kinds that people make up: a fingerprint would let anybody try guesses."""
_MAX_BEFORE = 120
"""Characters of a line before an expression that say what it is assigned to."""
_MAX_CACHED_LENGTH = 400
"""Characters up to which a text is likely to come again."""


def redact(text: str) -> str:
    """The text with every secret replaced by its kind and a fingerprint of 8 hexadecimal digits."""
    if len(text) < 8:
        return text
    return _replace_secrets_cached(text) if len(text) <= _MAX_CACHED_LENGTH else _replace_secrets(text)


def redact_lines(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines without secrets, as many as before: of a key over several lines the first says so and the rest are empty."""
    kind, key = _SECRET_PATTERNS[0]
    whole = key.sub(lambda found: _redaction_mark(kind, found[0]) + "\n" * found[0].count("\n"), "\n".join(lines))
    whole = _replace_hidden(whole)
    return tuple(redact(each) for each in whole.split("\n"))


@lru_cache(maxsize=1 << 14)
def _replace_secrets_cached(text: str) -> str:
    """`_replace_secrets` with a cache, for what a record repeats: paths, names, sentences and keys."""
    return _replace_secrets(text)


def _replace_secrets(text: str) -> str:
    whole = _replace_hidden(_remove_gaps(text))
    for kind, pattern in _SECRET_PATTERNS:
        whole = pattern.sub(lambda found, kind=kind: _redaction_mark(kind, found.group()), whole)  # type: ignore[misc]
    whole = _URL_PASSWORD.sub(lambda found: found["before"] + _redaction_mark("password", found["secret"]), whole)
    whole = _AUTHORIZATION_HEADER.sub(
        lambda found: found["before"] + _redaction_mark("credential", found["secret"]), whole
    )
    whole = _QUOTED_ASSIGNMENT.sub(_replace_assignment, whole)
    for pattern in (_DELIMITED_VALUE, _COMMAND_ARGUMENT, _UNQUOTED_ASSIGNMENT):
        whole = pattern.sub(_replace_unquoted, whole)
    return whole


def _replace_hidden(text: str) -> str:
    """The text without the pieces of secrets that are joined, escaped or encoded in it; with as many lines as before."""
    covered: dict[tuple[int, int], str] = {}
    for expression in hidden_texts(text):
        for kind, start, end in _hidden_secrets(text, expression):
            stretches = piece_stretches(text, expression, start, end)
            marks = [_redaction_mark(kind, expression.text[start:end]), *["[redacted]"] * len(stretches)]
            for stretch, mark in zip(stretches, marks, strict=False):
                covered.setdefault(stretch, mark)
    at = len(text)
    for (start, end), mark in sorted(covered.items(), reverse=True):
        if end <= at:
            text = text[:start] + mark + text[end:]
            at = start
    return text


def _hidden_secrets(text: str, expression: FoldedExpression) -> Iterator[tuple[str, int, int]]:
    """Secrets in a folded text that is not written as it is: their kinds and places."""
    folded = expression.text
    written = text[expression.start : expression.end]
    for kind, pattern in _SECRET_PATTERNS:
        for found in pattern.finditer(folded):
            if found[0] not in written:
                yield kind, found.start(), found.end()
    if expression.value.steps == {"joined"} and "\n" not in folded:
        before = text[max(0, expression.start - _MAX_BEFORE) : expression.start].rpartition("\n")[2].rstrip("\"'`( ")
        assignment = _QUOTED_ASSIGNMENT.search(f'{before} "{folded}"')
        if (
            assignment is not None
            and assignment.end() > len(before)
            and _replace_assignment(assignment) != assignment[0]
        ):
            yield "secret", 0, len(folded)


def _remove_gaps(text: str) -> str:
    """Invisible characters may split a secret; take them out only where a secret then appears."""
    if text.isascii():
        return text
    joined = re.sub(_GAP, "", text)
    return (
        joined
        if joined != text
        and any(pattern.search(joined) and not pattern.search(text) for _, pattern in _SECRET_PATTERNS)
        else text
    )


def _replace_assignment(found: re.Match[str]) -> str:
    secret = found["secret"]
    if _PLACEHOLDERS.match(secret) or entropy(secret) < ENTROPY_THRESHOLD or secret.startswith("[redacted"):
        return found.group()
    return found["before"] + _redaction_mark("secret", secret)


def _replace_unquoted(found: re.Match[str]) -> str:
    """Without quotes code looks like this too, so a value must mix letters and digits and read like none."""
    secret = found["secret"]
    mixed = any(each.isdigit() for each in secret) and any(each.isalpha() for each in secret)
    return (
        _replace_assignment(found)
        if mixed and "." not in secret and entropy(secret) >= ENTROPY_THRESHOLD
        else found.group()
    )


def _redaction_mark(kind: str, secret: str) -> str:
    if secret.startswith("[redacted"):
        return secret
    if kind in _GUESSABLE_KINDS:
        return f"[redacted {kind}]"
    return f"[redacted {kind} {hashlib.sha256(secret.encode(errors='surrogatepass')).hexdigest()[:8]}]"


def redact_evidence(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Evidence without secrets in statements, reasons, quotes and data."""
    return tuple(_redact_one(each) for each in evidence)


def redact_coverage(coverage: Coverage) -> Coverage:
    """The list of files without secrets in their names."""
    files = tuple(
        file if (clean := redact(file.path)) == file.path else file.model_copy(update={"path": clean})
        for file in coverage.files
    )
    return coverage.model_copy(update={"files": files})


def _redact_one(evidence: Evidence) -> Evidence:
    plain = evidence.model_dump(mode="json", include=set(Fact.model_fields) - {"data"})
    clean = _redact_values(plain)
    data = evidence.data
    changes: dict[str, Any] = {}
    if clean != plain:
        fresh = Evidence.model_validate({**clean, "id": evidence.id, "probe": evidence.probe})
        changes = {name: getattr(fresh, name) for name in ("statement", "confidence_reason", "locations")}
    if data is not None:
        packed = data.model_dump(mode="json")
        cleaned = _redact_values(packed)
        if cleaned != packed:
            changes["data"] = type(data).model_validate(cleaned)
    return evidence.model_copy(update=changes) if changes else evidence


def _redact_values(value: Any) -> Any:
    """Redact every text in plain data. Depth is that of our own models, so recursion is bounded."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        return [_redact_values(each) for each in value]
    if isinstance(value, dict):
        return {redact(key): _redact_values(each) for key, each in value.items()}
    return value
