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
from auditor.forensics.test_suites.python_test_bodies import checks

_MOST = 400
"""Tests on each side that are compared."""
_KEPT = 0.75
"""Share of the values of a test that has to stand in the one that takes its place."""
_MOST_LINES = 400
"""Lines of decorators, and of a body, that are read."""
_MOST_READ = 4_000
"""Lines of a file that are searched for tables."""
_MOST_TABLES = 50
_LONGEST = 100_000
"""Characters of a test, or of the tables of a file, that are read."""
_CALLED = re.compile(r"\b(\w+)\(")
_NUMBER = re.compile(r"(?<![\w.])\d[\d_.]*")
_WORD = re.compile(r"\w+")
_PREFIX = re.compile(r"^[rRuUbBfF]{0,2}")
_COMMON = frozenset(
    {"assert_", "raises", "warns", "isinstance", "len", "range", "str", "int", "float", "list", "dict", "set", "tuple", "sorted", "any", "all", "zip", "enumerate", "print", "repr", "bool",
     "type", "super", "param", "parametrize", "fixture", "approx", "Mock", "MagicMock", "patch", "subTest", "assertEqual", "assertTrue", "assertFalse", "assertIsNone", "assertRaises", "assertIn"}
)  # fmt: skip
"""Calls that say nothing of what a test is about."""
_OF_TESTS = frozenset({"self", "cls", "def", "with", "for", "in", "as", "is", "not", "and", "or", "None", "True", "False", "pytest", "unittest", "import", "from", "if", "else", "return", "await", "async", "raises", "match"})  # fmt: skip
_TELLING = 3
"""Names from which a test that writes out no value is known again."""
_LOOPED = re.compile(
    r"\bparametrize\(|\bfor\s[^\n:]{1,200}?\sin\s|^[A-Za-z_]\w{0,80}\s*(?::[^=\n]{1,200})?=", re.MULTILINE
)
"""What stands before a table of cases: the mark, a loop, or the name of the table."""


@dataclass(frozen=True, eq=False)
class TestFile:
    """The lines of a file with tests."""

    path: str
    lines: Sequence[str]

    @cached_property
    def margin(self) -> str:
        """What stands at its margin, with what goes on below, where no function does: tables of cases, mostly."""
        kept: list[str] = []
        inside = False
        for line in self.lines[:_MOST_READ]:
            if line[:1] not in (" ", "\t", "", ")", "]", "}", "#"):
                inside = not line.startswith(("def ", "class ", "async ", "@", "import ", "from "))
            if inside:
                kept.append(line)
        return strip_comments_and_docstrings("\n".join(kept)[:_LONGEST])

    @cached_property
    def values(self) -> frozenset[str]:
        """The texts and numbers in its tables."""
        return _values(self.margin)

    @cached_property
    def tables(self) -> tuple[tuple[str, int], ...]:
        """Its tables by name, and how many members each has."""
        return tuple(_tables(self.margin))


@dataclass(frozen=True, eq=False)
class Test:
    """A test, and the file that it stands in."""

    file: TestFile
    function: Function

    @cached_property
    def _text(self) -> str:
        own, lines = self.function, self.file.lines
        first = own.line - 1
        while own.decorators and first > 0 and own.line - first <= _MOST_LINES and lines[first - 1].strip():
            first -= 1
        return strip_comments_and_docstrings("\n".join(lines[first : min(own.end, own.line + _MOST_LINES)])[:_LONGEST])

    @cached_property
    def called(self) -> frozenset[str]:
        """The names of what it calls."""
        return frozenset(_CALLED.findall(self._text)) - _COMMON - {self.function.name}

    @cached_property
    def values(self) -> frozenset[str]:
        """The texts and numbers that it writes out."""
        return _values(self._text)

    @cached_property
    def reach(self) -> frozenset[str]:
        """The same with those in tables of its file."""
        return self.values | self.file.values

    @cached_property
    def names(self) -> frozenset[str]:
        """All names in it that do not belong to the way in which tests are written."""
        told = frozenset(_WORD.findall(COMMENTS_AND_STRINGS.sub(" ", self._text.partition(":")[2])))
        return frozenset(each for each in told - _COMMON if not each.startswith("assert")) - _OF_TESTS

    @cached_property
    def checks(self) -> int:
        """How often it checks in its text; one that has a helper do so counts once."""
        return max(1, checks(self.file.lines, self.function))

    @cached_property
    def weight(self) -> int:
        """How often it checks, once for each case of a table that it goes through."""
        named = frozenset(_WORD.findall(self._text))
        tables = (*_tables(self._text), *(each for each in self.file.tables if each[0] in named))
        return self.checks * max((count for _, count in tables), default=1)


def _values(text: str) -> frozenset[str]:
    strings = {
        _PREFIX.sub("", each).strip("\"'") for each in COMMENTS_AND_STRINGS.findall(text) if not each.startswith("#")
    }
    return frozenset(strings | set(_NUMBER.findall(COMMENTS_AND_STRINGS.sub(" ", text))))


def _tables(text: str) -> list[tuple[str, int]]:
    """The tables in a text: the name of each, if it has one, and how many members it has."""
    plain = COMMENTS_AND_STRINGS.sub('""', text)
    brackets = _brackets(plain)
    found: list[tuple[str, int]] = []
    for each in islice(_LOOPED.finditer(plain), _MOST_TABLES):
        opens = each.end()
        if each[0].startswith("parametrize"):
            opens = brackets.get(opens - 1, _NO_BRACKET).comma + 1  # the names stand before it
        members = brackets.get(_BLANKS.match(plain, opens).end(), _NO_BRACKET).members  # type: ignore[union-attr]
        if members:
            name = _WORD.match(each[0])
            found.append((name[0] if name else "", members))
    return found


class _Bracket(NamedTuple):
    """What stands in brackets: how many members, and where the first comma is."""

    members: int
    comma: int


_NO_BRACKET = _Bracket(0, -1)
_BLANKS = re.compile(r"\s*")
_SIGNS = re.compile(r"[()\[\]{},]|[^\s()\[\]{},]+")


def _brackets(text: str) -> dict[int, _Bracket]:
    """All brackets of a text by where they open, in one pass over it."""
    found: dict[int, _Bracket] = {}
    opened: list[list[int]] = []
    for sign in _SIGNS.finditer(text):
        letter = sign[0]
        if letter in _CLOSING:
            if opened:
                place, members, comma, filled = opened.pop()
                found[place] = _Bracket(members + filled, comma)
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


def taken_over(
    gone: Sequence[Test], now: Sequence[Test], before: Iterable[Test]
) -> tuple[frozenset[Test], frozenset[Test]]:
    """The tests among those gone that go on in others of now, and the tests that took them over.

    What a test checked before, under its own name, is no room for others.
    """
    had = {(each.file.path, each.function.qualname): each for each in before} if gone else {}
    room: dict[Test, int] = {}
    for each in now[:_MOST] if gone else ():
        own = had.get((each.file.path, each.function.qualname))
        room[each] = each.weight - (own.weight if own is not None else 0)
    taken: set[Test] = set()
    taking: set[Test] = set()
    for each in gone[:_MOST]:
        other = next((one for one, left in room.items() if left >= each.checks and _goes_on_in(each, one)), None)
        if other is not None:
            room[other] -= each.checks
            taken.add(each)
            taking.add(other)
    return frozenset(taken), frozenset(taking)


def _goes_on_in(gone: Test, other: Test) -> bool:
    """Does another test call all that this one does, with the values of this one at hand?"""
    if not gone.called or not gone.called <= other.called:
        return False
    if not gone.values:
        return len(gone.names) >= _TELLING and gone.names <= other.names
    return len(gone.values & other.reach) >= _KEPT * len(gone.values)
