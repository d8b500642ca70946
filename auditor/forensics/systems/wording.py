"""How many of how many, in words that fit one as well as several."""

from __future__ import annotations


def of_all(part: int, whole: int, one: str, many: str) -> str:
    """`The clone takes`, or `2 of 3 clones take`: `one` and `many` are the noun with its verb."""
    return f"The {one}" if whole == 1 else f"{part} of {whole} {many}"
