"""Moved lines that changed their order against others where the order decides: access control, endpoints, middleware."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

MAX_MOVED = 100
"""Moved lines of a file that are looked at."""
_NEAR = 40
"""Lines before and after in which others are looked for, at both places of a moved line."""

Numbered = Mapping[int, str]
"""Lines without their blanks, by number."""
IsOrdered = Callable[[str], bool]
"""Does the order of such a line matter?"""


def reordered_lines(
    before: Sequence[str], after: Sequence[str], removed: Numbered, added: Numbered, is_ordered: IsOrdered
) -> Iterator[int]:
    """The numbers at the head of lines that are on the other side of such a line now than they were.

    `removed` and `added` are the changed lines whose order matters.
    """
    base, head = _Side(before, is_ordered), _Side(after, is_ordered)
    for old, new in _moved(removed, added)[:MAX_MOVED]:
        was, now = base.around(old), head.around(new)
        if any(
            each in now[1] and each not in now[0] and each not in was[1] for each in was[0] if each != added[new]
        ) or any(each in now[0] and each not in now[1] and each not in was[0] for each in was[1] if each != added[new]):
            yield new


def _moved(removed: Numbered, added: Numbered) -> list[tuple[int, int]]:
    """Line numbers of the same text at the base and at the head, in order."""
    old = defaultdict[str, list[int]](list)
    for number in sorted(removed, reverse=True):
        old[removed[number]].append(number)
    return [(old[added[number]].pop(), number) for number in sorted(added) if old[added[number]]]


class _Side:
    """One side of a file."""

    def __init__(self, lines: Sequence[str], is_ordered: IsOrdered) -> None:
        self._lines = lines
        self._is_ordered = is_ordered
        self._known: dict[int, str] = {}

    def around(self, number: int) -> tuple[Collection[str], Collection[str]]:
        """The lines whose order matters, near before a line and near after it."""
        above, below = range(max(1, number - _NEAR), number), range(number + 1, number + _NEAR + 1)
        return self._texts(above), self._texts(below)

    def _texts(self, numbers: range) -> set[str]:
        return {text for each in numbers if (text := self._text(each))}

    def _text(self, number: int) -> str:
        """The line without its blanks; empty for one whose order does not matter."""
        if number not in self._known:
            line = self._lines[number - 1] if number <= len(self._lines) else ""
            self._known[number] = "".join(line.split()) if self._is_ordered(line) else ""
        return self._known[number]
