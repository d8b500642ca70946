"""Which languages have a description, without reading any."""

from __future__ import annotations

from functools import cache
from pathlib import Path

DESCRIPTIONS = Path(__file__).parent / "descriptions"


@cache
def described_languages() -> tuple[str, ...]:
    """The names of all languages that have a description, sorted."""
    return tuple(sorted(each.stem for each in DESCRIPTIONS.glob("*.yaml")))
