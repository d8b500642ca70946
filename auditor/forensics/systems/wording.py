"""How many of how many, in words that fit one as well as several."""

from __future__ import annotations

from typing import NamedTuple


class Wording(NamedTuple):
    """A noun with its verb, for one and for several: `("clone", "goes")`, `("clones", "go")`."""

    one: tuple[str, str]
    many: tuple[str, str]


def of_all(part: int, whole: int, told: Wording) -> str:
    """`The clone goes`, `All 3 clones go`, `One of 3 clones goes` or `2 of 3 clones go`."""
    if whole == 1:
        return f"The {' '.join(told.one)}"
    if part == 1:
        return f"One of {whole} {told.many[0]} {told.one[1]}"
    return f"{f'All {whole}' if part == whole else f'{part} of {whole}'} {' '.join(told.many)}"


def with_article(kind: str) -> str:
    """`a TypedDict`, `an interface`."""
    return f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind}"
