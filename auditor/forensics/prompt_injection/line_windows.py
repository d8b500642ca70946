"""Lines of a text that may hold a message to a reviewer: those near a word for one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import NamedTuple

import ahocorasick_rs

from auditor.forensics.prompt_injection import vocabulary

WINDOW = 3
"""Lines with words that a message may run over."""
_MAX_WINDOWS = 3_000
"""Windows of a text that are read; where there are more, those with a word of a verdict come first."""
_MAX_LINE = 400
_PIECE = 300
"""Letters of the pieces that a longer line is cut into."""


class Piece(NamedTuple):
    """A line that is not blank, or a part of a long one."""

    line: int
    text: str


def split_pieces(content: str) -> list[Piece]:
    """The lines of a text, counted from 1."""
    return list(_pieces(content))


def _pieces(content: str) -> Iterator[Piece]:
    for number, line in enumerate(content.split("\n"), start=1):
        if len(line) > _MAX_LINE:
            yield from (Piece(number, line[start : start + _PIECE]) for start in range(0, len(line), _PIECE))
        elif line and not line.isspace():
            yield Piece(number, line)


def find_windows(pieces: Sequence[Piece]) -> list[int]:
    """Where windows begin, counted from 0, that hold a word for a reviewer.

    A word that may as well mean something else counts only beside a word of a verdict in the same language.
    """
    lowered = "\n".join(each.text for each in pieces).lower()
    ends = list(accumulate(len(line) + 1 for line in lowered.split("\n")))
    clear, vague, verdict = _stem_searches()
    starts = {first for each, _ in clear.lines(lowered, ends) for first in _windows_around(each)}
    unclear = vague.lines(lowered, ends)
    is_long = len(starts) > _MAX_WINDOWS
    verdicts = verdict.lines(lowered, ends) if unclear or is_long else set()
    for each, language in unclear:
        for first in _windows_around(each):
            if first not in starts and any((first + step, language) in verdicts for step in range(WINDOW)):
                starts.add(first)
    if len(starts) > _MAX_WINDOWS:
        said = {line for line, _ in verdicts}
        return sorted(sorted(starts, key=lambda first: said.isdisjoint(range(first, first + WINDOW)))[:_MAX_WINDOWS])
    return sorted(starts)


def _windows_around(ordinal: int) -> range:
    """Where the windows begin that hold a line."""
    return range(max(0, ordinal - WINDOW + 1), ordinal + 1)


@dataclass(frozen=True, slots=True)
class _StemSearch:
    """A search for parts of words that belong to languages."""

    search: ahocorasick_rs.AhoCorasick
    languages: Sequence[frozenset[str]]

    def lines(self, lowered: str, ends: Sequence[int]) -> set[tuple[int, str]]:
        """The lines, from 0, in which parts of words are, with their languages."""
        found = self.search.find_matches_as_indexes(lowered, overlapping=True)
        return {(bisect_right(ends, start), name) for stem, start, _ in found for name in self.languages[stem]}


@cache
def _stem_searches() -> tuple[_StemSearch, ...]:
    """The searches for a reviewer, for what may be one, and for a verdict."""
    return tuple(
        _StemSearch(ahocorasick_rs.AhoCorasick(list(each)), tuple(each.values())) for each in vocabulary.stems()
    )
