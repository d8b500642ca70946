"""Which paths a glob means, as configuration files write it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache


def matches(path: str, pattern: str) -> bool:
    """Does a path fit a glob? `*` and `?` stop at a slash, `**` does not; a pattern without a slash fits any name."""
    return _compiled(pattern).fullmatch(path) is not None


def fits(path: str, patterns: Iterable[str]) -> bool:
    """Does a path fit one of several globs? All are asked at once."""
    return _together(tuple(patterns)).fullmatch(path) is not None


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(_form(pattern), re.DOTALL)


@lru_cache(maxsize=128)
def _together(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """One form for all of them; without any, one that no path has."""
    return re.compile("|".join(map(_form, dict.fromkeys(patterns))) or r"(?!)", re.DOTALL)


def _form(pattern: str) -> str:
    parts = ["(?:.*/)?"] if "/" not in pattern.rstrip("/") else []
    position = 0
    pattern = pattern.removeprefix("/")
    while position < len(pattern):
        if pattern.startswith("**/", position):
            parts.append("(?:.*/)?")
            position += 3
        elif pattern.startswith("**", position):
            parts.append(".*")
            position += 2
        else:
            character = pattern[position]
            parts.append({"*": "[^/]*", "?": "[^/]"}.get(character, re.escape(character)))
            position += 1
    if pattern.endswith("/"):
        parts.append(".*")
    return "".join(parts)
