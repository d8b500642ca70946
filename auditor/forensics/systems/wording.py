"""How many of how many, in words that fit one as well as several."""

from __future__ import annotations


def of_all(part: int, whole: int, one: str, many: str) -> str:
    """`The clone takes`, `All 3 clones take`, `One of 3 clones takes` or `2 of 3 clones take`: `one` and `many` are the noun with its verb."""
    if whole == 1:
        return f"The {one}"
    if part == 1:
        return f"One of {whole} {many.rpartition(' ')[0]} {one.rpartition(' ')[2]}"
    return f"{f'All {whole}' if part == whole else f'{part} of {whole}'} {many}"


def with_article(kind: str) -> str:
    """`a TypedDict`, `an interface`."""
    return f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind}"
