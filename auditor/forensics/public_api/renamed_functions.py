"""Which function of the base one of the head was, told by the lines that it kept: for those that have another name now, or none."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter

from auditor.domain import FileChange
from auditor.forensics.probe_kit.probe_inputs import Change
from auditor.forensics.source_text.file_outline import Function, Outline

_KEPT = 0.5
"""Share of its lines that a function has to keep to be the same one."""
_MOST_BEFORE = 200
"""Functions that begin before a place and are asked whether they hold it."""


@dataclass(frozen=True)
class _Side:
    """A changed file: where its unchanged lines stood before, and the functions that stood there, by where they begin."""

    file: FileChange
    functions: tuple[Function, ...]
    ends: list[int] = field(default_factory=list)
    moved: list[int] = field(default_factory=list)
    """The last line of each changed stretch, and by how much the lines behind it are further up at the base."""
    written: list[int] = field(default_factory=list)

    def stood(self, line: int) -> int:
        """Where a line that was left alone stood before."""
        at = bisect_left(self.ends, line)
        return line + (self.moved[at - 1] if at else 0)

    def kept(self, function: Function) -> tuple[int, int] | None:
        """The first and last line of the base that a function kept, where it kept enough of them."""
        written = self.file.added_lines
        length = function.end - function.line + 1
        new = bisect_right(self.written, function.end) - bisect_left(self.written, function.line)
        if new > length * (1 - _KEPT) or new == length:
            return None
        first, last = function.line, function.end
        while first in written:
            first += 1
        while last in written:
            last -= 1
        return self.stood(first), self.stood(last)


@dataclass(frozen=True)
class Earlier:
    """The functions of the base, by the lines of the head that were left alone."""

    change: Change
    shapes: Mapping[str, Outline]
    known: dict[str, _Side | None] = field(default_factory=dict)

    def function(self, path: str, function: Function) -> Function | None:
        """The innermost function of the base that held all lines which this one kept; None where that is less than half of it."""
        side = self._side(path)
        kept = None if side is None else side.kept(function)
        if side is None or kept is None:
            return None
        first, last = kept
        at = bisect_right(side.functions, first, key=attrgetter("line"))
        around = reversed(side.functions[max(0, at - _MOST_BEFORE) : at])
        return next((each for each in around if each.end >= last), None)

    def _side(self, path: str) -> _Side | None:
        if path not in self.known:
            file = self.change.by_path.get(path)
            shape = None if file is None or file.base is None else self.shapes.get(file.base.path)
            self.known[path] = None if file is None or shape is None else _side(file, shape)
        return self.known[path]


def _side(file: FileChange, shape: Outline) -> _Side:
    functions = tuple(sorted(shape.functions, key=lambda each: (each.line, -each.end)))
    side = _Side(file, functions, written=sorted(file.added_lines))
    total = 0
    for hunk in sorted(file.hunks, key=attrgetter("head_start")):
        total += hunk.base_count - hunk.head_count
        side.ends.append(hunk.head_start + max(hunk.head_count, 1) - 1)
        side.moved.append(total)
    return side
