"""Lines of code as judges and readers see them: no secrets, nothing invisible, no line without end."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from auditor.domain import ExhibitLine, LineMark
from auditor.report.prompt_text import indented
from auditor.report.secret_redaction import redact_lines

_MAX_UNCHANGED = 500
"""Characters of an unchanged line that are shown."""
_MAX_CHANGED = 4_000
"""Characters of a changed line that are shown: what is pushed out of sight on a long line is read as well."""
_LEAD = 80
"""Characters before the first difference that are shown."""
_HIDDEN_LINE = "[a line with a secret, not shown]"


@dataclass(frozen=True)
class ShownPart:
    """The part of a line that is shown."""

    start: int = 0
    end: int = _MAX_UNCHANGED
    is_whole_difference: bool = True
    """Is everything shown in which the line differs from the one that it replaces?"""


def shown_parts(lines: Sequence[ExhibitLine]) -> list[ShownPart]:
    """What is shown of each line. Of two long lines of which one replaces the other, it is the part in which they differ."""
    parts = [_first_part(each) for each in lines]
    long = {mark: [n for n, each in enumerate(lines) if each.mark is mark and _is_cut(each)] for mark in LineMark}
    removed, added = long[LineMark.REMOVED], long[LineMark.ADDED]
    if len(removed) == len(added):
        for before, after in zip(removed, added, strict=True):
            parts[before], parts[after] = _differing_parts(lines[before].text, lines[after].text)
    return parts


def shown_lines(lines: Sequence[ExhibitLine], secret_lines: Collection[int]) -> tuple[ExhibitLine, ...]:
    """The lines without secrets and invisible characters, cut where they are long.

    `secret_lines` are numbers at the head in which a probe has seen a secret; those lines are hidden whole.
    """
    parts = shown_parts(lines)
    texts = redact_lines(line.text[part.start : part.end] for line, part in zip(lines, parts, strict=True))
    shown = []
    for line, part, text in zip(lines, parts, texts, strict=True):
        hidden = line.mark is not LineMark.REMOVED and line.number in secret_lines
        before = f"[{part.start:,} characters as before] " if part.start else ""
        more = len(line.text) - part.end
        after = f" [{more:,} more characters]" if more > 0 else ""
        clean = _HIDDEN_LINE if hidden else indented(text)
        shown.append(line.model_copy(update={"text": f"{before}{clean}{after}"}))
    return tuple(shown)


def _first_part(line: ExhibitLine) -> ShownPart:
    changed = line.mark in (LineMark.ADDED, LineMark.REMOVED)
    return ShownPart(0, _MAX_CHANGED if changed else _MAX_UNCHANGED, not (changed and _is_cut(line)))


def _is_cut(line: ExhibitLine) -> bool:
    return len(line.text) > _MAX_CHANGED


def _differing_parts(before: str, after: str) -> tuple[ShownPart, ShownPart]:
    same = _same_start(before, after)
    rest = _same_start(before[same:][::-1], after[same:][::-1])
    start = max(0, same - _LEAD)
    end = start + _MAX_CHANGED
    first, second = (ShownPart(start, end, len(each) - rest <= end) for each in (before, after))
    return first, second


def _same_start(one: str, other: str) -> int:
    """How many first characters are the same; by halves, as a line may have millions."""
    most = min(len(one), len(other))
    return max(0, bisect_left(range(most + 1), True, key=lambda count: one[:count] != other[:count]) - 1)
