"""Python tests that go on in others: joined into one with a table of cases, or merged into another file under new names.

Such a test is known by what it calls and by the values that it writes out: whoever puts tests together keeps both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from auditor.forensics.source_text.comments import COMMENTS_AND_STRINGS, strip_comments_and_docstrings
from auditor.forensics.source_text.file_outline import Function
from auditor.forensics.test_suites.pytest_names import pytest_names
from auditor.forensics.test_suites.python_test_bodies import count_assertion_lines

_MAX_TESTS = 400
"""Tests on each side that are compared."""
_MIN_SHARED_VALUES = 0.75
"""Share of the values of a test that its successor must contain."""
_MAX_TEST_LINES = 400
"""Lines of decorators, and of a body, that are read."""
_MAX_FILE_LINES = 4_000
"""Lines of a file that are searched for tables."""
_MAX_TABLES = 50
_MAX_TEXT_LENGTH = 100_000
"""Characters of a test, or of the tables of a file, that are read."""
_CALL = re.compile(r"\b(\w+)\(")
_NUMBER = re.compile(r"(?<![\w.])\d[\d_.]*")
_WORD = re.compile(r"\w+")
_STRING_PREFIX = re.compile(r"^[rRuUbBfF]{0,2}")
_MIN_SHARED_NAMES = 3
"""Shared names by which a test without literal values is recognized."""
_TABLE_START = re.compile(
    r"\bparametrize\(|\bfor\s[^\n:]{1,200}?\sin\s|^[A-Za-z_]\w{0,80}\s*(?::[^=\n]{1,200})?=", re.MULTILINE
)
"""What precedes a table of cases: `parametrize`, a loop, or the name of the table."""


@dataclass(frozen=True, eq=False)
class TestFile:
    """The lines of a file with tests."""

    path: str
    lines: Sequence[str]

    @cached_property
    def margin(self) -> str:
        """The module-level text of the file with indented continuations, without functions: mostly tables of cases."""
        kept: list[str] = []
        inside = False
        for line in self.lines[:_MAX_FILE_LINES]:
            if line[:1] not in (" ", "\t", "", ")", "]", "}", "#"):
                inside = not line.startswith(("def ", "class ", "async ", "@", "import ", "from "))
            if inside:
                kept.append(line)
        return strip_comments_and_docstrings("\n".join(kept)[:_MAX_TEXT_LENGTH])

    @cached_property
    def values(self) -> frozenset[str]:
        """The texts and numbers in its tables."""
        return _read_literals(self.margin)

    @cached_property
    def table_sizes(self) -> tuple[tuple[str, int], ...]:
        """Its tables by name, and how many members each has."""
        return tuple(_read_tables(self.margin))


@dataclass(frozen=True, eq=False)
class TestFunction:
    """A test function, and its file."""

    file: TestFile
    function: Function

    @cached_property
    def _text(self) -> str:
        own, lines = self.function, self.file.lines
        first = own.line - 1
        while own.decorators and first > 0 and own.line - first <= _MAX_TEST_LINES and lines[first - 1].strip():
            first -= 1
        return strip_comments_and_docstrings(
            "\n".join(lines[first : min(own.end, own.line + _MAX_TEST_LINES)])[:_MAX_TEXT_LENGTH]
        )

    @cached_property
    def called(self) -> frozenset[str]:
        """The names of what it calls."""
        return frozenset(_CALL.findall(self._text)) - pytest_names("common_calls") - {self.function.name}

    @cached_property
    def values(self) -> frozenset[str]:
        """The texts and numbers in its body."""
        return _read_literals(self._text)

    @cached_property
    def reach(self) -> frozenset[str]:
        """Its literals and those in tables of its file."""
        return self.values | self.file.values

    @cached_property
    def names(self) -> frozenset[str]:
        """All names in it that are not common to tests in general."""
        told = frozenset(_WORD.findall(COMMENTS_AND_STRINGS.sub(" ", self._text.partition(":")[2])))
        return frozenset(
            each for each in told - pytest_names("common_calls") if not each.startswith("assert")
        ) - pytest_names("common_words")

    @cached_property
    def checks(self) -> int:
        """How many assertions its text has; those of a helper count once."""
        return max(1, count_assertion_lines(self.file.lines, self.function))

    @cached_property
    def weight(self) -> int:
        """How many assertions it makes, counted once for each case of a table that it passes through."""
        named = frozenset(_WORD.findall(self._text))
        tables = (*_read_tables(self._text), *(each for each in self.file.table_sizes if each[0] in named))
        return self.checks * max((count for _, count in tables), default=1)


def _read_literals(text: str) -> frozenset[str]:
    strings = {
        _STRING_PREFIX.sub("", each).strip("\"'")
        for each in COMMENTS_AND_STRINGS.findall(text)
        if not each.startswith("#")
    }
    return frozenset(strings | set(_NUMBER.findall(COMMENTS_AND_STRINGS.sub(" ", text))))


def _read_tables(text: str) -> list[tuple[str, int]]:
    """The tables in a text: the name of each, if it has one, and how many members it has."""
    plain = COMMENTS_AND_STRINGS.sub('""', text)
    brackets = _parse_brackets(plain)
    found: list[tuple[str, int]] = []
    for each in islice(_TABLE_START.finditer(plain), _MAX_TABLES):
        opens = each.end()
        if each[0].startswith("parametrize"):
            opens = brackets.get(opens - 1, _NO_CONTENT).first_comma + 1  # the names stand before it
        members = brackets.get(_BLANKS.match(plain, opens).end(), _NO_CONTENT).members  # type: ignore[union-attr]
        if members:
            name = _WORD.match(each[0])
            found.append((name[0] if name else "", members))
    return found


class _BracketContent(NamedTuple):
    """The content of a bracket: how many members, and where the first comma is."""

    members: int
    first_comma: int


_NO_CONTENT = _BracketContent(0, -1)
_BLANKS = re.compile(r"\s*")
_BRACKET_TOKEN = re.compile(r"[()\[\]{},]|[^\s()\[\]{},]+")


def _parse_brackets(text: str) -> dict[int, _BracketContent]:
    """All brackets of a text by where they open, in one pass over it."""
    found: dict[int, _BracketContent] = {}
    opened: list[list[int]] = []
    for sign in _BRACKET_TOKEN.finditer(text):
        letter = sign[0]
        if letter in _CLOSING:
            if opened:
                place, members, comma, filled = opened.pop()
                found[place] = _BracketContent(members + filled, comma)
        elif letter == "," and opened:
            inner = opened[-1]
            inner[1] += inner[3]
            inner[2] = sign.start() if inner[2] < 0 else inner[2]
            inner[3] = 0
        else:
            if opened:
                opened[-1][3] = 1
            if letter in _OPENING:
                opened.append([sign.start(), 0, -1, 0])
    return found


_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


def match_merged_tests(
    removed: Sequence[TestFunction], now: Sequence[TestFunction], before: Iterable[TestFunction]
) -> tuple[frozenset[TestFunction], frozenset[TestFunction]]:
    """The removed tests that continue in others of `now`, and the tests that continue them.

    What a test checked before, under its own name, is no room for others.
    """
    had = {(each.file.path, each.function.qualname): each for each in before} if removed else {}
    room: dict[TestFunction, int] = {}
    for each in now[:_MAX_TESTS] if removed else ():
        own = had.get((each.file.path, each.function.qualname))
        room[each] = each.weight - (own.weight if own is not None else 0)
    taken: set[TestFunction] = set()
    taking: set[TestFunction] = set()
    for each in removed[:_MAX_TESTS]:
        other = next((one for one, left in room.items() if left >= each.checks and _continues_in(each, one)), None)
        if other is not None:
            room[other] -= each.checks
            taken.add(each)
            taking.add(other)
    return frozenset(taken), frozenset(taking)


def _continues_in(removed: TestFunction, other: TestFunction) -> bool:
    """Does another test call all that this one does, with the same values available?"""
    if not removed.called or not removed.called <= other.called:
        return False
    if not removed.values:
        return len(removed.names) >= _MIN_SHARED_NAMES and removed.names <= other.names
    return len(removed.values & other.reach) >= _MIN_SHARED_VALUES * len(removed.values)
