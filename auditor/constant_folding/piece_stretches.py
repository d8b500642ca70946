"""Where the pieces of a hidden text are written, line by line: what has to be covered so that nobody can put it together."""

from __future__ import annotations

from auditor.constant_folding.folded_values import FoldedExpression


def piece_stretches(source: str, expression: FoldedExpression, start: int, end: int) -> list[tuple[int, int]]:
    """Stretches of the source, each within a line, that hold the pieces of a part of the text, in order.

    Pieces on one line are covered together with what is between them.
    """
    by_line: dict[int, tuple[int, int]] = {}
    for first, last in expression.pieces(start, end):
        at = first
        while at < last:
            line = source.rfind("\n", 0, at) + 1
            stop = source.find("\n", at, last)
            stop = last if stop < 0 else stop
            known = by_line.get(line)
            by_line[line] = (at, stop) if known is None else (min(at, known[0]), max(stop, known[1]))
            at = stop + 1
    return [by_line[line] for line in sorted(by_line)]
