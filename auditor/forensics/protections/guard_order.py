"""Lines that a change moves out of the reach of a guard: rows of `guard_order.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Literal

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.forensics.probe_kit.fact_outcomes import code_excerpt
from auditor.forensics.protections.changed_lines import ChangedFile
from auditor.forensics.protections.unsafe_settings import UnsafeSetting
from auditor.row_tables import KeyRow, Source, read_table

_DATA = Path(__file__).with_name("guard_order.yaml")
_CONFIDENCE = 0.75
_MAX_LINE = 500
_REACH = 80
"""Lines in which a guard is looked for."""
_MAX_MOVED = 100


class OrderRow(KeyRow):
    """A guard, and what it protects; the YAML file says what each field means."""

    id: str = Field(pattern=r"^[a-z][a-z_]*$")
    guard: str
    guarded: str
    protects: Literal["above", "below"]
    stops: str
    paths: str
    source: Source


class _Table(Frozen):
    orders: tuple[OrderRow, ...]


@dataclass(frozen=True)
class _Order:
    """A row with its expressions compiled."""

    guard: re.Pattern[str]
    guarded: re.Pattern[str]
    stops: re.Pattern[str]
    step: int
    """The direction in which the guard of a line is."""

    def is_protected(self, lines: Sequence[str], number: int) -> bool:
        """Is a guard that reaches the line, counted from 1, beside it?"""
        at = number - 1 + self.step
        for _ in range(_REACH):
            if not 0 <= at < len(lines):
                return False
            line = lines[at][:_MAX_LINE]
            if self.guard.search(line):
                return True
            if self.stops.search(line):
                return False
            at += self.step
        return False


def order_rows() -> tuple[OrderRow, ...]:
    """All rows."""
    return read_table(_DATA, _Table).orders


@cache
def _orders(path: str) -> tuple[_Order, ...]:
    return tuple(
        _Order(
            re.compile(row.guard),
            re.compile(row.guarded),
            re.compile(row.stops),
            1 if row.protects == "above" else -1,
        )
        for row in order_rows()
        if re.search(row.paths, path)
    )


def find_lines_without_guard(files: Sequence[ChangedFile]) -> Iterator[UnsafeSetting]:
    """Lines that a guard protected, and that it reaches no longer where they are now, in the order of the files."""
    for file in files:
        for order in _orders(file.path) if file.before else ():
            for old, new in islice(_moved(file, order), _MAX_MOVED):
                line = file.after[new - 1]
                if order.is_protected(file.before, old) and not order.is_protected(file.after, new):
                    says = f"Code is no longer behind the check that guarded it: `{code_excerpt(line)}`"
                    yield UnsafeSetting(file.path, new, line, says, _CONFIDENCE)


def _moved(file: ChangedFile, order: _Order) -> Iterator[tuple[int, int]]:
    """Line numbers of the same text before and after, of lines that may be protected."""
    waiting: dict[str, list[int]] = {}
    for number in sorted(file.deleted, reverse=True):
        line = file.before[number - 1] if number <= len(file.before) else ""
        if line and len(line) <= _MAX_LINE and order.guarded.search(line):
            waiting.setdefault(line, []).append(number)
    for number in sorted(file.added):
        line = file.after[number - 1] if number <= len(file.after) else ""
        if waiting.get(line):
            yield waiting[line].pop(), number
