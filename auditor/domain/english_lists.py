"""How lists read in a sentence, the same in every layer."""

from __future__ import annotations

from collections.abc import Sequence


def first_few(items: Sequence[str], limit: int) -> str:
    """The first `limit` items with commas, and how many more there are: `a, b and 12 more`."""
    more = len(items) - limit
    return f"{', '.join(items[:limit])}{f' and {more:,} more' if more > 0 else ''}"


def enumerated(items: Sequence[str]) -> str:
    """The items as a sentence lists them: `a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)
