"""Which paths a glob means, as configuration files write it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple


def matches(path: str, pattern: str) -> bool:
    """Does a path fit a glob? `*` and `?` stop at a slash, `**` does not; a pattern without a slash fits any name."""
    return _compile(pattern).fullmatch(path) is not None


def matches_any(path: str, patterns: Iterable[str]) -> bool:
    """Does a path match one of several globs?"""
    return _any_of(tuple(patterns)).matches(path)


@lru_cache(maxsize=512)
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(_to_regex(pattern), re.DOTALL)


class _AnyOf(NamedTuple):
    """Globs, those apart that need no regular expression: most name a file, or how its name ends."""

    names: frozenset[str]
    paths: frozenset[str]
    endings: tuple[str, ...]
    form: re.Pattern[str] | None

    def matches(self, path: str) -> bool:
        name = path[path.rfind("/") + 1 :]
        return (
            name in self.names
            or path in self.paths
            or path.endswith(self.endings)
            or (self.form is not None and self.form.fullmatch(path) is not None)
        )


@lru_cache(maxsize=128)
def _any_of(patterns: tuple[str, ...]) -> _AnyOf:
    names, paths, endings, others = set[str](), set[str](), set[str](), dict[str, None]()
    for pattern in patterns:
        rest = pattern.removeprefix("**/")
        is_name = bool(rest) and "/" not in rest
        if is_name and not _WILDCARDS.search(rest):
            names.add(rest)
        elif is_name and rest[0] == "*" and rest != "*" and not _WILDCARDS.search(rest, 1):
            endings.add(rest[1:])
        elif "/" in pattern.rstrip("/") and not pattern.endswith("/") and not _WILDCARDS.search(pattern):
            paths.add(pattern.removeprefix("/"))
        else:
            others[_to_regex(pattern)] = None
    form = re.compile("|".join(others), re.DOTALL) if others else None
    return _AnyOf(frozenset(names), frozenset(paths), tuple(endings), form)


_WILDCARDS = re.compile(r"[*?]")


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
