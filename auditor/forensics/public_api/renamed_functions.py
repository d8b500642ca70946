"""Which function of the base one of the head was, by the lines that it kept: for those that have another name now, or none."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter

from auditor.domain import FileChange
from auditor.forensics.probe_kit.probe_inputs import Change
from auditor.forensics.source_text.file_outline import Function, Outline

_MIN_KEPT_SHARE = 0.5
"""Share of its lines that a function has to keep to count as the same one."""
_MAX_CANDIDATES = 200
"""Functions before a position that are checked for enclosing it."""


@dataclass(frozen=True)
class _ChangedFile:
    """A changed file: the base positions of its unchanged lines, and the functions of the base by first line."""

    file: FileChange
    functions: tuple[Function, ...]
    stretch_ends: list[int] = field(default_factory=list)
    moved: list[int] = field(default_factory=list)
    """The offset to the base of the lines after each changed stretch, in the order of `ends`."""
    written: list[int] = field(default_factory=list)

    def base_line(self, line: int) -> int:
        """The base line of an unchanged line."""
        at = bisect_left(self.stretch_ends, line)
        return line + (self.moved[at - 1] if at else 0)

    def kept(self, function: Function) -> tuple[int, int] | None:
        """The first and last base line that a function kept, where it kept enough of them."""
        written = self.file.added_lines
        length = function.end - function.line + 1
        new = bisect_right(self.written, function.end) - bisect_left(self.written, function.line)
        if new > length * (1 - _MIN_KEPT_SHARE) or new == length:
            return None
        first, last = function.line, function.end
        while first in written:
            first += 1
        while last in written:
            last -= 1
        return self.base_line(first), self.base_line(last)


@dataclass(frozen=True)
class BaseFunctions:
    """The functions of the base, found by the unchanged lines of the head."""

    change: Change
    outlines: Mapping[str, Outline]
    known: dict[str, _ChangedFile | None] = field(default_factory=dict)

    def function(self, path: str, function: Function) -> Function | None:
        """The innermost function of the base that held all lines which this one kept; None where that is less than half of it."""
        side = self._side(path)
        kept = None if side is None else side.kept(function)
        if side is None or kept is None:
            return None
        first, last = kept
        at = bisect_right(side.functions, first, key=attrgetter("line"))
        around = reversed(side.functions[max(0, at - _MAX_CANDIDATES) : at])
        return next((each for each in around if each.end >= last), None)

    def _side(self, path: str) -> _ChangedFile | None:
        if path not in self.known:
            file = self.change.by_path.get(path)
            shape = None if file is None or file.base is None else self.outlines.get(file.base.path)
            self.known[path] = None if file is None or shape is None else _compare_file(file, shape)
        return self.known[path]


def _compare_file(file: FileChange, outline: Outline) -> _ChangedFile:
    functions = tuple(sorted(outline.functions, key=lambda each: (each.line, -each.end)))
    side = _ChangedFile(file, functions, written=sorted(file.added_lines))
    total = 0
    for hunk in sorted(file.hunks, key=attrgetter("head_start")):
        total += hunk.base_count - hunk.head_count
        side.stretch_ends.append(hunk.head_start + max(hunk.head_count, 1) - 1)
        side.moved.append(total)
    return side
