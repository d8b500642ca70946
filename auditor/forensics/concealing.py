"""Facts without the secrets that were found: whatever a probe quotes, no value gets further than this."""

from __future__ import annotations

import json
from typing import Any

from auditor.domain import Coverage, Fact

SHORTEST = 6
"""Characters of a value that is kept out of quotes; shorter ones would take words out of them."""


def conceal(fact: Fact, values: frozenset[str]) -> Fact:
    """The fact without those values in anything it says, quotes or carries."""
    if not values:
        return fact
    packed = fact.model_dump_json()
    pieces = [
        each for each in _pieces(values) if json.dumps(each, ensure_ascii=False)[1:-1] in packed or each in packed
    ]
    cut = "…" in packed
    if not pieces and not cut:
        return fact
    plain = fact.model_dump(mode="json", exclude={"data"})
    clean = Fact.model_validate(_without(plain, pieces, values))
    data = fact.data
    if data is not None:
        data = type(data).model_validate(_without(data.model_dump(mode="json"), pieces, values))
    return clean.model_copy(update={"data": data})


def without_values(coverage: Coverage, values: frozenset[str]) -> Coverage:
    """The coverage without those values in the names of files."""
    pieces = _pieces(values)
    if not any(piece in file.path for file in coverage.files for piece in pieces):
        return coverage
    files = tuple(file.model_copy(update={"path": _without(file.path, pieces, values)}) for file in coverage.files)
    return coverage.model_copy(update={"files": files})


def _pieces(values: frozenset[str]) -> list[str]:
    """Values, longest first, and the longer lines of those that have several."""
    pieces = {
        line.strip() for value in values for line in (value, *value.splitlines()) if len(line.strip()) >= SHORTEST
    }
    return sorted((each for each in pieces if not each.startswith("-----")), key=lambda each: (-len(each), each))


def _without(said: Any, pieces: list[str], values: frozenset[str]) -> Any:
    """Plain data without the pieces. Its depth is that of our own models."""
    if isinstance(said, str):
        for piece in pieces:
            said = said.replace(piece, "[redacted secret]")
        return _uncut(said, values) if said.endswith("…") else said
    if isinstance(said, list):
        return [_without(each, pieces, values) for each in said]
    if isinstance(said, dict):
        return {key: _without(each, pieces, values) for key, each in said.items()}
    return said


def _uncut(said: str, values: frozenset[str]) -> str:
    """A quote cut in the middle of a value ends with the value's beginning."""
    body = said[:-1]
    for value in values:
        for length in range(min(len(value), len(body)), SHORTEST - 1, -1):
            if body.endswith(value[:length]):
                return f"{body[:-length]}[redacted secret]…"
    return said
