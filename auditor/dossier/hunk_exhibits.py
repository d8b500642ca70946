"""Hunks of a changed file with the functions around them: both sides line by line, as `git diff --function-context` has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from auditor.domain import ExhibitLine, Hunk, LineMark, Side
from auditor.dossier.changed_file import ChangedFile
from auditor.dossier.syntax import Definition, Syntax

MAX_DEFINITION = 150
"""Lines up to which the function around a hunk is shown whole."""
_CONTEXT = 3
"""Lines around a hunk outside functions."""
_WIDE_CONTEXT = 12
"""Lines around a hunk in a function that is too long to be shown whole."""
_MAX_LINES = 300
"""Lines of one exhibit; a longer stretch is several."""


@dataclass(frozen=True)
class Stretch:
    """Changed lines with what is shown around them."""

    file: ChangedFile
    lines: tuple[ExhibitLine, ...]
    definition: Definition | None = None
    """The innermost function or type around its first change, at the side that it is shown from."""
    long_function: Definition | None = None
    """The function around it, where that is too long to be shown whole."""

    @property
    def side(self) -> Side:
        """The base only where nothing of it is at the head."""
        return Side.HEAD if any(each.mark is not LineMark.REMOVED for each in self.lines) else Side.BASE

    @property
    def span(self) -> tuple[int, int]:
        """First and last line at its side."""
        gone = self.side is Side.BASE
        numbers = [each.number for each in self.lines if (each.mark is LineMark.REMOVED) is gone]
        return min(numbers), max(numbers)

    @property
    def changed(self) -> tuple[ExhibitLine, ...]:
        """Its added and removed lines."""
        return tuple(each for each in self.lines if each.mark is not LineMark.KEPT)


def stretches(file: ChangedFile, syntax: Syntax | None) -> Iterator[Stretch]:
    """The stretches of a file in their order; every changed line is in exactly one.

    `syntax` is that of the head, or of the base where the file was removed.
    """
    if file.change.head is None:
        yield from _pieces(file, [(1, len(file.before))], syntax, Side.BASE)
        return
    yield from _pieces(
        file, merged_regions(_region(file, hunk, syntax) for hunk in file.change.hunks), syntax, Side.HEAD
    )


def _region(file: ChangedFile, hunk: Hunk, syntax: Syntax | None) -> tuple[int, int]:
    """The head lines that are shown for a hunk; of a deletion the lines around the gap."""
    first = hunk.head_start if hunk.head_count else hunk.head_start + 1
    last = hunk.head_start + hunk.head_count - 1 if hunk.head_count else hunk.head_start
    around = _function(syntax, first, last)
    if around is not None and around.length <= MAX_DEFINITION:
        return max(1, min(first, around.start)), min(len(file.after), max(last, around.end))
    context = _CONTEXT if around is None else _WIDE_CONTEXT
    return max(1, first - context), min(len(file.after), last + context)


def _function(syntax: Syntax | None, first: int, last: int) -> Definition | None:
    if syntax is None:
        return None
    at = min(first, max(last, 1))
    return syntax.function_around(at, MAX_DEFINITION) or syntax.function_around(last, MAX_DEFINITION)


def merged_regions(regions: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """First and last lines, with those that overlap or are next to each other as one, in order."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(regions):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return merged


def _pieces(
    file: ChangedFile, regions: Sequence[tuple[int, int]], syntax: Syntax | None, side: Side
) -> Iterator[Stretch]:
    removed = removals(file)
    for first, last in regions:
        lines = _removed_file(file) if side is Side.BASE else head_lines(file, removed, first, last)
        for start in range(0, len(lines), _MAX_LINES):
            piece = tuple(lines[start : start + _MAX_LINES])
            changed = [each for each in piece if each.mark is not LineMark.KEPT]
            if not changed:
                continue
            numbers = [each.number for each in changed if (each.mark is LineMark.REMOVED) is (side is Side.BASE)] or [
                first
            ]
            around = syntax.function_around(numbers[0], MAX_DEFINITION) if syntax else None
            yield Stretch(
                file,
                piece,
                _innermost(syntax, numbers),
                around if around is not None and around.length > MAX_DEFINITION else None,
            )


def _innermost(syntax: Syntax | None, numbers: Sequence[int]) -> Definition | None:
    """The innermost definition around the first changed line that lies in one: comments above a function lie in none."""
    found = (syntax.enclosing(each) for each in numbers) if syntax else iter(())
    return next((each for each in found if each is not None), None)


def _removed_file(file: ChangedFile) -> list[ExhibitLine]:
    return [ExhibitLine(mark=LineMark.REMOVED, number=n, text=text) for n, text in enumerate(file.before, 1)]


@dataclass(frozen=True)
class Removals:
    """Hunks that remove lines, by the head line that they are at."""

    replaced: dict[int, Hunk]
    """By the first line that took their place."""
    deleted: dict[int, Hunk]
    """By the line before the gap that they left."""


def removals(file: ChangedFile) -> Removals:
    """The hunks of a file that remove lines."""
    removing = [each for each in file.change.hunks if each.base_count]
    return Removals(
        {each.head_start: each for each in removing if each.head_count},
        {each.head_start: each for each in removing if not each.head_count},
    )


def head_lines(file: ChangedFile, removals: Removals, first: int, last: int) -> list[ExhibitLine]:
    """Head lines from first to last, with each removed line before what took its place, or in its gap."""
    lines = _removed(file, removals.deleted.get(0)) if first <= 1 else []
    for number in range(first, min(last, len(file.after)) + 1):
        lines += _removed(file, removals.replaced.get(number))
        mark = LineMark.ADDED if number in file.change.added_lines else LineMark.KEPT
        lines.append(ExhibitLine(mark=mark, number=number, text=file.after[number - 1]))
        lines += _removed(file, removals.deleted.get(number))
    return lines


def _removed(file: ChangedFile, hunk: Hunk | None) -> list[ExhibitLine]:
    if hunk is None:
        return []
    numbers = range(hunk.base_start, min(hunk.base_start + hunk.base_count, len(file.before) + 1))
    return [ExhibitLine(mark=LineMark.REMOVED, number=each, text=file.before[each - 1]) for each in numbers]
