"""Which paths a glob means, as configuration files write it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache


def matches(path: str, pattern: str) -> bool:
    """Does a path fit a glob? `*` and `?` stop at a slash, `**` does not; a pattern without a slash fits any name."""
    return _compile(pattern).fullmatch(path) is not None


def matches_any(path: str, patterns: Iterable[str]) -> bool:
    """Does a path match one of several globs?"""
    return _compile_any(tuple(patterns)).fullmatch(path) is not None


@lru_cache(maxsize=512)
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(_to_regex(pattern), re.DOTALL)


@lru_cache(maxsize=128)
def _compile_any(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """One form for all of them; without any, one that no path has."""
    return re.compile("|".join(map(_to_regex, dict.fromkeys(patterns))) or r"(?!)", re.DOTALL)


def _to_regex(pattern: str) -> str:
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
