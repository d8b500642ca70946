"""The folders that files are in."""

from __future__ import annotations

from collections.abc import Iterable

_MAX_DEPTH = 40


def folders_above(path: str) -> list[str]:
    """The folders that a file is in, the outermost first: `a` and `a/b` of `a/b/c.py`."""
    parts = path.split("/")[:_MAX_DEPTH]
    return ["/".join(parts[:depth]) for depth in range(1, len(parts))]


def all_folders(paths: Iterable[str]) -> frozenset[str]:
    """Every folder that holds one of some files, without a trailing slash."""
    found: set[str] = set()
    for path in paths:
        parent = path.rpartition("/")[0]
        while parent and parent not in found:
            found.add(parent)
            parent = parent.rpartition("/")[0]
    return frozenset(found)
