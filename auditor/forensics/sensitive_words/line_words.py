"""Which sensitive things a line does, by its words alone: no analysis has to understand it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.domain.glob_patterns import matches_any
from auditor.forensics.library_models.named_patterns import expand_pattern
from auditor.forensics.source_text.file_roles import language
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import KeyRow, NameSet, Row, SortedNames, Source, read_table

MAX_LINE = 4_000
"""Characters of a line that are looked at; blanks in a row count as one."""
_WINDOW, _OVERLAP = 400, 80
"""Characters that a pattern is tried on at a time, so that it takes linear time, and those that two stretches share."""
_MAX_WORD = 400
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_CONDITION = re.compile(
    r"\W*(?:assert|case|elif|else|elsif|except|for|guard|if|match|switch|try|unless|until|when|while|with)\b"
)
_CONSTANT = re.compile(
    r"""\b(?:true|false|True|False|None|null|nil|undefined|not|or|and|await)\b|[!|&]+|(?<![\w.@/-])\d+(?![\w.])|(?<![\w:]):[a-z]\w*|"[^"]*"|'[^']*'|`[^`]*`"""
)


class Where(StrEnum):
    """Which lines of a change a row is for."""

    ADDED = "added"
    REMOVED = "removed"
    EITHER = "either"
    EDITED = "edited"
    """Lines that are removed, and lines that are added where others of the kind were removed: what is new says nothing."""


class Area(KeyRow):
    """A sensitive thing that a line can do."""

    area: str
    does: str
    order: int = Field(ge=1)
    """A line that does several things is shown under the one of the lowest order."""
    in_tests: bool
    """Do lines of tests count?"""
    order_matters: bool = False
    """Does a line that is only moved past another one of such an area count?"""
    source: Source


class _Words(Row):
    area: str
    names: NameSet = frozenset()
    parts: NameSet = frozenset()
    pattern: str = ""
    where: Where = Where.ADDED
    files: SortedNames = ()
    languages: NameSet = frozenset()
    comments: bool = False
    source: Source


class _BlockWords(Row):
    """Words of the first line of a block that is about access."""

    kind: Literal["condition", "definition", "either"]
    names: NameSet = frozenset()
    parts: NameSet = frozenset()
    source: Source


class _Table(Frozen):
    areas: tuple[Area, ...] = Field(min_length=1)
    blocks: tuple[_BlockWords, ...]
    words: tuple[_Words, ...]


class Hit(NamedTuple):
    """A word of a line that makes it sensitive."""

    area: str
    word: str
    where: Where
    constants: str = ""
    """Values and texts beside it: `verify=True` is not `verify=False`, while another variable makes no difference."""


@dataclass(frozen=True)
class _Rule:
    """A row, its pattern compiled."""

    area: str
    where: Where
    pattern: re.Pattern[str] | None

    def hit(self, line: str, word: str) -> Hit | None:
        if self.pattern is None:
            return Hit(self.area, word, self.where)
        found = self.pattern.search(line)
        return None if found is None else Hit(self.area, "".join(found[0].split())[:_MAX_WORD], self.where)


@dataclass(frozen=True)
class _Rules:
    """The rows for one kind of text: by the word that a line must hold, and those that are tried on every line."""

    by_name: Mapping[str, Sequence[_Rule]]
    by_part: Mapping[str, Sequence[_Rule]]
    always: Sequence[_Rule]

    def hits(self, line: str) -> Iterator[Hit]:
        tried = set[int]()
        for rule, word in self._candidates(line):
            if id(rule) not in tried or rule.pattern is None:
                tried.add(id(rule))
                if (hit := rule.hit(line, word)) is not None:
                    yield hit

    def _candidates(self, line: str) -> Iterator[tuple[_Rule, str]]:
        for name in dict.fromkeys(_IDENTIFIER.findall(line)):
            for rule in self.by_name.get(name, ()):
                yield rule, name
        if self.by_part:
            for part in dict.fromkeys(each.lower() for each in _PART.findall(line)):
                for rule in self.by_part.get(part, ()):
                    yield rule, part
        for rule in self.always:
            yield rule, ""


@dataclass(frozen=True)
class FileWords:
    """What is sensitive in lines of one file."""

    code: _Rules
    comments: _Rules

    def hits(self, line: str, *, is_comment: bool = False) -> tuple[Hit, ...]:
        """The sensitive words of a line."""
        found: dict[Hit, None] = {}
        for text in windows(line):
            hits = [*([] if is_comment else self.code.hits(text)), *self.comments.hits(text)]
            constants = " ".join(_CONSTANT.findall(text)) if hits else ""
            found.update(dict.fromkeys(each._replace(constants=constants) for each in hits))
        return tuple(found)


def windows(line: str) -> Iterator[str]:
    """The line in pieces that a pattern is tried on, blanks in a row as one; a tab before it stays, as recipes have one."""
    text = " ".join(line[: 2 * MAX_LINE].split())[:MAX_LINE]
    yield f"\t{text[:_WINDOW]}" if line.startswith("\t") else text[:_WINDOW]
    for start in range(_WINDOW - _OVERLAP, len(text) - _OVERLAP, _WINDOW - _OVERLAP):
        yield text[start : start + _WINDOW]


@cache
def areas() -> Mapping[str, Area]:
    """The areas by name."""
    return {row.area: row for row in _table().areas}


@cache
def _table() -> _Table:
    return read_table(Path(__file__).with_name("sensitive_areas.yaml"), _Table)


@cache
def ordered_areas() -> frozenset[str]:
    """The areas of lines whose order matters."""
    return frozenset(row.area for row in _table().areas if row.order_matters)


def block_words(text: str) -> tuple[str, ...]:
    """The words of access in the first line of a block, with its decorators; none where it is about something else."""
    names, parts = _block_words("condition" if _CONDITION.match(text) else "definition")
    return tuple(
        name
        for name in dict.fromkeys(_IDENTIFIER.findall(text))
        if name in names or any(part.lower() in parts for part in _PART.findall(name))
    )


@cache
def _block_words(kind: str) -> tuple[frozenset[str], frozenset[str]]:
    rows = [row for row in _table().blocks if row.kind in (kind, "either")]
    return frozenset().union(*(row.names for row in rows)), frozenset().union(*(row.parts for row in rows))


def has_own_words(path: str, only: frozenset[str]) -> bool:
    """Are there rows of some areas for files of this name, whatever their language?"""
    return any(row.area in only and row.files and matches_any(path, row.files) for row in _table().words)


def words_of(
    path: str, *, in_tests: bool = False, only: frozenset[str] = frozenset(), written_in: str = ""
) -> FileWords:
    """What is sensitive in a file of this path, of some areas only where they are named.

    `written_in` is the language where the path does not say it.
    """
    rows = _table().words
    fitting = tuple(number for number, row in enumerate(rows) if row.files and matches_any(path, row.files))
    return _file_words(language(path) or written_in, fitting, in_tests, only)


@lru_cache(maxsize=512)
def _file_words(language_name: str, fitting: tuple[int, ...], in_tests: bool, only: frozenset[str]) -> FileWords:
    chosen = [
        (number, row)
        for number, row in enumerate(_table().words)
        if (number in fitting if row.files else not row.languages or language_name in row.languages)
        and (areas()[row.area].in_tests or not in_tests)
        and (not only or row.area in only)
    ]
    return FileWords(
        _rules((number, row) for number, row in chosen if not row.comments),
        _rules((number, row) for number, row in chosen if row.comments),
    )


def _rules(rows: Iterable[tuple[int, _Words]]) -> _Rules:
    by_name, by_part = defaultdict[str, list[_Rule]](list), defaultdict[str, list[_Rule]](list)
    always: list[_Rule] = []
    for number, row in rows:
        rule = _rule(number)
        for name in sorted(row.names):
            by_name[name].append(rule)
        for part in sorted(row.parts):
            by_part[part].append(rule)
        if not row.names and not row.parts:
            always.append(rule)
    return _Rules(dict(by_name), dict(by_part), tuple(always))


@cache
def _rule(number: int) -> _Rule:
    row = _table().words[number]
    return _Rule(row.area, row.where, lazy_compile(expand_pattern(row.pattern)) if row.pattern else None)
