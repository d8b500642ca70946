"""Hooks of test runners that run a test themselves, and those that never do: rows of `wrapping_hooks.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.forensics.test_suites.pytest_hooks import BY_TEST, CodeSwitch
from auditor.row_tables import KeyRow, Source, read_table

_DATA = Path(__file__).with_name("wrapping_hooks.yaml")
_NEVER = "(?!)"
"""An expression that fits nothing: the hook has no name for the test."""
_MAX_LINES = 200
"""Lines of a hook that are read; a longer one is taken to run the test."""
_MAX_LINE = 400
_MAX_HOOKS = 50


class WrappingHook(KeyRow):
    """A kind of hook; the YAML file says what each field means."""

    hook: str
    paths: str
    opens: str
    runs: str
    ends: str
    says: str
    source: Source


class _Table(Frozen):
    hooks: tuple[WrappingHook, ...]


@cache
def wrapping_hooks() -> tuple[WrappingHook, ...]:
    """All rows."""
    return read_table(_DATA, _Table).hooks


def find_wrapping_hooks(path: str, text: str) -> Iterator[CodeSwitch]:
    """The hooks of a file in which nothing runs the test."""
    rows = [row for row in wrapping_hooks() if re.search(row.paths, path)]
    lines = text.split("\n") if rows else []
    for row in rows:
        yield from islice(_of_row(row, lines), _MAX_HOOKS)


def _of_row(row: WrappingHook, lines: Sequence[str]) -> Iterator[CodeSwitch]:
    for number, line in enumerate(lines):
        opened = re.search(row.opens, line[:_MAX_LINE])
        inside = _inside(lines, number, row.ends) if opened is not None else None
        if opened is None or inside is None:
            continue
        run = re.escape(opened.groupdict().get("run") or "")
        runs = row.runs.replace("{run}", run or _NEVER)
        rest = line[opened.end() : _MAX_LINE]
        if not any(re.search(runs, each[:_MAX_LINE]) for each in (rest, *inside)):
            shown = " ".join(opened[0].replace("`", "'").split())[:60]
            yield CodeSwitch(f"{row.hook}: run", f"`{shown}` {row.says}", number + 1, BY_TEST)


def _inside(lines: Sequence[str], number: int, ends: str) -> list[str] | None:
    """The lines inside a block that begins at a line; None where it has none, or where its end is not found."""
    indent = len(lines[number]) - len(lines[number].lstrip())
    found: list[str] = []
    for line in islice(lines, number + 1, number + 1 + _MAX_LINES):
        stripped = line.strip()
        if stripped == "{" and not found:
            continue
        if stripped and len(line) - len(line.lstrip()) <= indent:
            return found if re.match(ends, stripped) and found else None
        found.append(line)
    return found if len(lines) <= number + 1 + _MAX_LINES else None
