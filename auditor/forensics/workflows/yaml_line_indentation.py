"""Rows of a YAML file by how far they are indented, for what is reported by a few rows and must hold on any text."""

from __future__ import annotations

from collections.abc import Sequence


def indentation(row: str) -> int:
    """How many columns a row is indented."""
    return len(row) - len(row.lstrip())


def parent_rows(rows: Sequence[str]) -> dict[int, int]:
    """For each row its parent by indentation; -1 at the top level. Empty rows and comments have none."""
    above: dict[int, int] = {}
    around: list[tuple[int, int]] = []
    for number, row in enumerate(rows):
        if not row.strip() or row.lstrip().startswith("#"):
            continue
        while around and around[-1][0] >= indentation(row):
            around.pop()
        above[number] = around[-1][1] if around else -1
        around.append((indentation(row), number))
    return above
