"""The code at a place as the record holds it: from excerpts, from what judges read, or the quote alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from auditor.domain import AuditReport, CodeLocation, ExhibitLine, LineMark, Location, Side
from auditor.report.code_highlighting import Piece, highlight

CONTEXT = 3
"""Lines before and after those of a place."""
MAX_PLACE_LINES = 12
"""Lines of a place that are shown; of a longer one its beginning."""
_KINDS = {LineMark.ADDED: "added", LineMark.REMOVED: "removed", LineMark.KEPT: "kept"}


@dataclass(frozen=True)
class CodeLine:
    """One line: its number, what the change does to it, and whether it is one of the place itself."""

    number: int | None
    kind: str
    pieces: tuple[Piece, ...]
    pointed: bool

    @property
    def mark(self) -> str:
        """The sign of a unified diff."""
        return {"added": "+", "removed": "-"}.get(self.kind, " ")


@dataclass(frozen=True)
class _Block:
    """Consecutive lines of a file."""

    side: Side
    lines: Sequence[ExhibitLine]


class CodeFinder:
    """Finds the lines around places of one record."""

    def __init__(self, report: AuditReport) -> None:
        self._blocks: dict[str, list[_Block]] = defaultdict(list)
        for source in (report.excerpts, report.exhibits):
            for each in source:
                self._blocks[each.path].append(_Block(each.side, each.lines))

    def around(self, place: Location | None) -> tuple[CodeLine, ...]:
        """The lines of a place with a few before and after; its quote where the record has no more; else nothing."""
        if not isinstance(place, CodeLocation):
            return tuple(_quoted(place.quote, None, "")) if place is not None else ()
        if found := self._find(place):
            block, pointed = found
            return tuple(_window(block.lines, pointed, place.path))
        return tuple(_quoted(place.quote, place.start, place.path))

    def has_lines(self, place: Location | None) -> bool:
        """Has the record more of a place than its quote?"""
        return isinstance(place, CodeLocation) and self._find(place) is not None

    def lines_from(self, place: CodeLocation) -> tuple[str, ...]:
        """The first line of a place and those that follow it on its side, as text; empty where the record has none."""
        found = self._find(place)
        if found is None:
            return ()
        block, pointed = found
        return tuple(
            each.text
            for each in block.lines[pointed[0] : pointed[0] + MAX_PLACE_LINES]
            if _is_on(each, block.side, place.side)
        )

    def _find(self, place: CodeLocation) -> tuple[_Block, list[int]] | None:
        """The block with the first line of a place, and the indexes of its lines there."""
        if place.start is None:
            return None
        last = min(place.end or place.start, place.start + MAX_PLACE_LINES - 1)
        for block in self._blocks.get(place.path, ()):
            pointed = [
                index
                for index, line in enumerate(block.lines)
                if _is_on(line, block.side, place.side) and place.start <= line.number <= last
            ]
            if pointed and block.lines[pointed[0]].number == place.start:
                return block, pointed
        return None


def _is_on(line: ExhibitLine, side: Side, wanted: Side) -> bool:
    """Has the line the numbers of the wanted side?"""
    if side is Side.BASE:
        return wanted is Side.BASE
    return (line.mark is LineMark.REMOVED) is (wanted is Side.BASE)


def _window(lines: Sequence[ExhibitLine], pointed: Sequence[int], path: str) -> Iterator[CodeLine]:
    own = set(pointed)
    last = min(pointed[-1], pointed[0] + 2 * MAX_PLACE_LINES)
    for index in range(_reach(lines, pointed[0], -1), _reach(lines, last, 1) + 1):
        line = lines[index]
        yield CodeLine(line.number, _KINDS[line.mark], highlight(line.text, path), index in own)


def _reach(lines: Sequence[ExhibitLine], index: int, step: int) -> int:
    """The index so many lines away that stay; removed ones between are shown beside them, but not without end."""
    stop = min(len(lines) - 1, max(0, index + step * (CONTEXT + MAX_PLACE_LINES)))
    left = CONTEXT
    while index != stop and left:
        index += step
        left -= lines[index].mark is not LineMark.REMOVED
    return index


def _quoted(quote: str, start: int | None, path: str) -> Iterable[CodeLine]:
    if quote:
        for offset, text in enumerate(quote.split("\n")[:MAX_PLACE_LINES]):
            yield CodeLine(None if start is None else start + offset, "kept", highlight(text, path), pointed=True)
