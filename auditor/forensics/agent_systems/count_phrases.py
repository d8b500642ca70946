"""How many of how many, in words that fit one as well as several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

_MAX_NAMES = 3
"""Names that can be read at a glance."""


class Wording(NamedTuple):
    """A noun with its verb, for one and for several: `("clone", "is")`, `("clones", "are")`."""

    one: tuple[str, str]
    many: tuple[str, str]


def share_phrase(part: int, whole: int, noun: Wording) -> str:
    """`The clone is`, `Both clones are`, `All 3 clones are`, `One of 3 clones is` or `2 of 3 clones are`."""
    if whole == 1:
        return f"The {' '.join(noun.one)}"
    if part == 1:
        return f"One of {whole} {noun.many[0]} {noun.one[1]}"
    every = "Both" if whole == 2 else f"All {whole}"
    return f"{every if part == whole else f'{part} of {whole}'} {' '.join(noun.many)}"


def name_some(names: Sequence[str]) -> str:
    """`a, b`, or `a, b, c and 2 more` where there are more than can be read at a glance."""
    rest = len(names) - _MAX_NAMES
    return ", ".join(names) if rest < 1 else f"{', '.join(names[:_MAX_NAMES])} and {rest} more"


def with_article(kind: str) -> str:
    """`a TypedDict`, `an interface`."""
    return f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind}"
