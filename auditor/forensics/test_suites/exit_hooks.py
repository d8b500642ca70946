"""Hooks that end a run of tests as a success, whatever the tests did: rows of `exit_hooks.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.forensics.test_suites.pytest_hooks import CERTAIN, CodeSwitch
from auditor.row_tables import KeyRow, Source, read_table

_DATA = Path(__file__).with_name("exit_hooks.yaml")
_MAX_LINES = 20
"""Lines of a hook that are read."""
_MAX_LINE = 400
_MAX_HOOKS = 50
_CLOSING = re.compile(r"[\])}]|end\b")

_OPEN_END = re.compile(r"^\s*[@\[]|\bdo\b(?:\s*\|[^|]*\|)?\s*$")
"""An attribute of the function below, or a block of Ruby."""


class ExitHook(KeyRow):
    """A kind of hook; the YAML file says what each field means."""

    hook: str
    paths: str
    opens: str
    passes: str
    source: Source


class _Table(Frozen):
    hooks: tuple[ExitHook, ...]


@cache
def exit_hooks() -> tuple[ExitHook, ...]:
    """All rows."""
    return read_table(_DATA, _Table).hooks


def find_exit_hooks(path: str, text: str) -> Iterator[CodeSwitch]:
    """The hooks of a file that end the run as a success."""
    rows = [row for row in exit_hooks() if re.search(row.paths, path)]
    lines = [line[:_MAX_LINE] for line in text.split("\n")] if rows else []
    for row in rows:
        yield from islice(_of_row(row, lines), _MAX_HOOKS)


def _of_row(row: ExitHook, lines: Sequence[str]) -> Iterator[CodeSwitch]:
    for number, line in enumerate(lines):
        opened = re.search(row.opens, line)
        if opened is None:
            continue
        passed = next(filter(None, (re.search(row.passes, each) for each in _hook(lines, number, opened.end()))), None)
        if passed is not None:
            yield CodeSwitch(f"{row.hook}: exit", f"`{passed[0]}` ends every run as a success", number + 1, CERTAIN)


def _hook(lines: Sequence[str], number: int, start: int) -> Iterator[str]:
    """The rest of the line that begins a hook, and the lines up to one that closes what it opens."""
    opening = lines[number]
    yield opening[start:]
    if not (_OPEN_END.search(opening) or sum(map(opening.count, "([{")) > sum(map(opening.count, ")]}"))):
        return
    indent, is_inside = _indent(opening), False
    for line in islice(lines, number + 1, number + 1 + _MAX_LINES):
        stripped = line.strip()
        deeper = _indent(line) - indent
        if stripped and (deeper < 0 or (deeper == 0 and (is_inside or _CLOSING.match(stripped)))):
            break
        is_inside = is_inside or (stripped != "" and deeper > 0)
        yield line


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
