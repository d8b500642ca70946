"""How a number and what it counts read in a sentence, the same in every layer."""

from __future__ import annotations


def count_of(part: int, whole: int, thing: str) -> str:
    """`3 of 7 things`, or `1 thing` where there is no other."""
    return f"{part:,} {thing}" if whole == 1 else f"{part:,} of {whole:,} {thing}s"


def part_of(part: int, whole: int, thing: str) -> str:
    """`3 of 7 things`, or `The only thing` where there is no other."""
    return f"The only {thing}" if whole == 1 else f"{part:,} of {whole:,} {thing}s"


def pluralize(count: int, thing: str) -> str:
    """`1 thing`, `1,200 things`."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def by_count(count: int, one: str, many: str) -> str:
    """The form of a by_count that agrees with a number."""
    return one if count == 1 else many


def each_of(whole: int, thing: str) -> str:
    """`Each of 7 things`, or `The only thing` where there is no other."""
    return f"The only {thing}" if whole == 1 else f"Each of {whole:,} {thing}s"
