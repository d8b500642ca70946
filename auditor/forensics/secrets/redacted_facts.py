"""Facts without the secrets that were found: whatever a probe quotes, no value gets further than this."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from auditor.domain import Coverage, Fact

MIN_VALUE_LENGTH = 6
"""Characters of a value that is kept out of quotes; shorter ones would take words out of them."""


def redact_fact(fact: Fact, values: frozenset[str]) -> Fact:
    """The fact without those values in anything it says, quotes or carries."""
    if not values:
        return fact
    packed = fact.model_dump_json()
    secrets = _masked_values(values)
    pieces = [each for each in secrets.pieces if json.dumps(each, ensure_ascii=False)[1:-1] in packed or each in packed]
    if not pieces and "…" not in packed:
        return fact
    clean = Fact.model_validate(_redact(fact.model_dump(mode="json", exclude={"data"}), pieces, secrets))
    data = fact.data
    if data is not None:
        data = type(data).model_validate(_redact(data.model_dump(mode="json"), pieces, secrets))
    return clean.model_copy(update={"data": data})


def redact_coverage(coverage: Coverage, values: frozenset[str]) -> Coverage:
    """The coverage without those values in the names of files."""
    secrets = _masked_values(values)
    pieces = secrets.pieces
    if not any(piece in file.path for file in coverage.files for piece in pieces):
        return coverage
    files = tuple(file.model_copy(update={"path": _redact(file.path, pieces, secrets)}) for file in coverage.files)
    return coverage.model_copy(update={"files": files})


@dataclass(frozen=True)
class _MaskedValues:
    """What no quote may hold."""

    pieces: Sequence[str]
    """Values, longest first, and the longer lines of those that have several."""
    pieces_by_prefix: Mapping[str, Sequence[str]]
    """The same by their first characters."""


@lru_cache(maxsize=2)
def _masked_values(values: frozenset[str]) -> _MaskedValues:
    lines = {line.strip() for value in values for line in (value, *value.splitlines())}
    known = (each for each in lines if len(each) >= MIN_VALUE_LENGTH and not each.startswith("-----"))
    pieces = sorted(known, key=lambda each: (-len(each), each))
    begun: dict[str, list[str]] = {}
    for each in pieces:
        begun.setdefault(each[:MIN_VALUE_LENGTH], []).append(each)
    return _MaskedValues(pieces, begun)


def _redact(said: Any, pieces: Sequence[str], secrets: _MaskedValues) -> Any:
    """Plain data without the pieces that are in it. Its depth is that of our own models."""
    if isinstance(said, str):
        for piece in pieces:
            said = said.replace(piece, "[redacted secret]")
        return _redact_cut_end(said, secrets) if said.endswith("…") else said
    if isinstance(said, list):
        return [_redact(each, pieces, secrets) for each in said]
    if isinstance(said, dict):
        return {key: _redact(each, pieces, secrets) for key, each in said.items()}
    return said


def _redact_cut_end(said: str, secrets: _MaskedValues) -> str:
    """A quote cut in the middle of a secret ends with its beginning; of several that may be meant, the longest is removed."""
    body = said[:-1]
    for start in range(len(body) - MIN_VALUE_LENGTH + 1):
        some = secrets.pieces_by_prefix.get(body[start : start + MIN_VALUE_LENGTH])
        if some and any(each.startswith(body[start:]) for each in some):
            return f"{body[:start]}[redacted secret]…"
    return said
