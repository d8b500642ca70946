"""Which paths a glob means, as configuration files write it."""

from __future__ import annotations

import re
from functools import lru_cache


def matches(path: str, pattern: str) -> bool:
    """Does a path fit a glob? `*` and `?` stop at a slash, `**` does not; a pattern without a slash fits any name."""
    return _compiled(pattern).fullmatch(path) is not None


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> re.Pattern[str]:
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
    return re.compile("".join(parts), re.DOTALL)
