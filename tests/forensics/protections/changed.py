"""A changed file from two texts, as the probe is given it."""

from __future__ import annotations

from difflib import SequenceMatcher

from auditor.forensics.protections.changed_lines import ChangedFile, lines_of


def changed(path: str, before: str, after: str) -> ChangedFile:
    """The file on both sides, with the lines that were written and taken away."""
    old, new = (list(lines_of(each, path)) for each in (before, after))
    added: set[int] = set()
    deleted: set[int] = set()
    for kind, start, end, now, until in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            deleted.update(range(start + 1, end + 1))
            added.update(range(now + 1, until + 1))
    return ChangedFile(path, tuple(old) if before else (), tuple(new), frozenset(added), frozenset(deleted))
