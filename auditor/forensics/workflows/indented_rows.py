"""Rows of a YAML file by how far they are indented, for what is told by a few rows and must hold on any text."""

from __future__ import annotations

from collections.abc import Sequence


def indent(row: str) -> int:
    """How far a row stands to the right."""
    return len(row) - len(row.lstrip())


def parents(rows: Sequence[str]) -> dict[int, int]:
    """For each row the one that it stands below, by how far it is indented; -1 for those at the left. Empty rows and comments have none."""
    above: dict[int, int] = {}
    around: list[tuple[int, int]] = []
    for number, row in enumerate(rows):
        if not row.strip() or row.lstrip().startswith("#"):
            continue
        while around and around[-1][0] >= indent(row):
            around.pop()
        above[number] = around[-1][1] if around else -1
        around.append((indent(row), number))
    return above
