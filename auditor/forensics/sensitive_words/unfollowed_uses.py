"""Lines that start programs, run code, load data or build queries from something that is no constant, by their words alone.

A rule that follows values cannot follow all of them. Where it has no answer about such a line, its question stays open.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.domain.glob_patterns import matches_any
from auditor.forensics.library_models.named_patterns import expand_pattern
from auditor.forensics.sensitive_words.line_brackets import (
    MAX_LINES,
    MAX_STATEMENT,
    arguments_behind,
    bracket_depth,
    brackets_around,
    mask_texts,
    whole_call,
    without_texts,
)
from auditor.forensics.sensitive_words.line_words import has_own_words, windows, words_of
from auditor.forensics.sensitive_words.shell_arithmetic import ScriptVariables
from auditor.forensics.source_text.embedded_code import script_language
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import KeyRow, NameSet, Row, SortedNames, Source, read_table

_INPUT_AREAS = frozenset({"endpoints", "input"})
_MAX_TABLE_LINES = 80
"""Lines of a table of constants that are read."""
_IMPORT = re.compile(
    r"(?:import|from|use|using)\b(?!.*\bas\b)[^;()=]*;?"
    r"|(?:const|let|var)\s[^;=:]*=\s*require\([^)]*\);?"
    r"|(?:require|require_relative)\s*\(?[\"'][^\"']*[\"']\)?;?"
    r"|\"[\w./-]+\"|(?:\w+\s+)?\"[\w.-]+/[\w./-]+\""
)
"""An import without another name for what it brings in, a line of a list of imports of Go included."""
_MAX_TABLES = 60
"""Tables of a file that are looked into; of more, none counts as constant."""
_JOINT = re.compile(r"""(?P<quote>["'`])\s*[+.~]\s*(?P=quote)""")
"""Between two texts that are put together."""
_OF_NO_VALUE = re.compile(
    r"[^\W\d]\w*(?=\s*(?:=(?![=>])|:(?!:)|=>))|\b(?:true|false|True|False|None|null|nil|undefined|new|await|async|vec)\b"
)
"""Names of keywords and keys, and words for constants."""
_NAME = re.compile(r"[^\W\d]\w*")
_SHELL_OPTION = re.compile(r"-\w*c|/[cCkK]|-(?i:command|encodedcommand)")
_CONSTANT = re.compile(r"(?:[\w<>\[\]&']+\s+){0,5}(?P<name>[A-Z][A-Z0-9_]+)\b[^=()]{0,60}=\s*(?P<value>[^=].*)")
_TABLE = re.compile(r"(?:(?:export|const|final|static|var)\s+){0,4}(?P<name>[A-Z][A-Z0-9_]+)\b[^=()]{0,60}=\s*[\[{(]")
_ENTRY = re.compile(r"(?P<table>[A-Z][A-Z0-9_]+)\[[^\[\]]{1,200}\]")
_ASSIGNMENT = re.compile(r"(?<![\w$])(?P<name>\$?\w+)\s*+(?:[.+]?=(?![=>])|<-)\s*")
_TEXT = r"""(?:"[^"$#\\]*"|'[^'\\]*')"""
_CHOICE = re.compile(rf"(?:.*[^?]\?(?![?>.:])\s*{_TEXT}\s*:\s*)?{_TEXT}\s*;?")
"""A text, or one of two by a condition."""
_LONG_TEXT = ('"""', "'''")
_DEFINITION_END = re.compile(r"\s*\{")
_PIPED = re.compile(r"\|>\s*$")
_KEY_END = re.compile(r"\s*(?::(?!:)|=>)")
_MAX_WORD = 60
"""Characters of a word that are shown."""


class UnfollowedUse(NamedTuple):
    """A line with a word that starts, runs, loads or queries what it is given, which is no constant."""

    question: str
    """The rule that asks about such lines."""
    line: int
    word: str


class OpenQuestion(KeyRow):
    """A rule, and what its lines do with what they are given."""

    question: str
    does: str
    anywhere: bool = False
    """Does the line alone leave it open, whether or not outsiders reach the code?"""
    source: Source


class _Words(Row):
    question: str
    names: NameSet = frozenset()
    pattern: str = ""
    operands: Literal["expression", "name"] | None = None
    alone: bool = False
    anywhere: str = ""
    ends: str = ""
    languages: NameSet = frozenset()
    files: SortedNames = ()
    source: Source


class _Table(Frozen):
    questions: tuple[OpenQuestion, ...] = Field(min_length=1)
    words: tuple[_Words, ...] = Field(min_length=1)


@dataclass(frozen=True)
class _Rule:
    """A row, its pattern compiled."""

    question: str
    names: frozenset[str]
    pattern: re.Pattern[str] | None
    operands: Literal["expression", "name"] | None
    alone: bool
    anywhere: re.Pattern[str] | None
    ends: re.Pattern[str] | None

    def is_about(self, file: _File) -> bool:
        """Does the file hold what the row asks for beside the line?"""
        return self.anywhere is None or any(self.anywhere.search(line[:MAX_STATEMENT]) for line in file.lines)

    def spans(self, line: _Line) -> Iterator[tuple[int, int, str]]:
        """Where in the line the words are, and the variable whose value alone counts; empty for all that they are given."""
        named = self.names & line.names.keys()
        if self.names and not named:
            return
        if self.pattern is not None:
            yield from (
                (*found.span(), found.groupdict().get("value") or "") for found in self.pattern.finditer(line.text)
            )
            return
        yield from ((line.names[name], line.names[name] + len(name), "") for name in sorted(named))


@dataclass(frozen=True)
class _Line:
    """A line with the blanks in it as one, and where the names of its code are."""

    text: str

    @cached_property
    def names(self) -> Mapping[str, int]:
        """The first place of each name outside of texts."""
        return {found[0]: found.start() for found in reversed(list(_NAME.finditer(without_texts(self.text))))}


@dataclass(frozen=True)
class _File:
    """The lines of a file."""

    lines: Sequence[str]
    _begins: dict[re.Pattern[str], Sequence[int]] = field(default_factory=dict)

    def statement_begin(self, number: int, end: re.Pattern[str]) -> int:
        """The number of the first line of the statement that a line belongs to."""
        begins = self._begins.get(end)
        if begins is None:
            begins = self._begins[end] = tuple(_statement_begins(self.lines, end))
        return begins[number - 1]

    def statement_from(self, number: int, end: re.Pattern[str]) -> _Line:
        """The statement that begins on a line."""
        read = islice(self._begins[end], number - 1, number - 1 + MAX_LINES)
        last = number - 1 + sum(begin == number for begin in read)
        return _Line(" ".join(" ".join(self.lines[number - 1 : last]).split())[:MAX_STATEMENT])

    @cached_property
    def arithmetic(self) -> ScriptVariables:
        """What is known of the variables of a shell script."""
        return ScriptVariables(self.lines)

    @cached_property
    def choices(self) -> frozenset[str]:
        """Variables that are given constant texts alone, or one of two of them on a condition."""
        return frozenset(name for name, given in self._given.items() if all(map(_CHOICE.fullmatch, given)))

    def is_from_table(self, value: str) -> bool:
        """Is a value an entry of a table of constants, whatever the key?"""
        found = _ENTRY.fullmatch(value)
        return found is not None and found["table"] in self.tables

    @cached_property
    def tables(self) -> frozenset[str]:
        """Names in capital letters of lists and dicts of texts and numbers, whose entries nothing in the file changes."""
        names = {
            (found["name"], number)
            for number, text in enumerate(self.lines, start=1)
            if (found := _TABLE.match(text)) is not None
        }
        if len(names) > _MAX_TABLES:
            return frozenset()
        whole = {
            name: whole_call(self.lines[number - 1], self.lines, number, _MAX_TABLE_LINES) for name, number in names
        }
        return frozenset(
            name
            for name, text in whole.items()
            if bracket_depth(text) == 0
            and not _NAME.search(mask_texts(text.partition("=")[2])[0])
            and sum(each == name for each, _ in names) == 1
            and not any(_changes(name).search(line[:MAX_STATEMENT]) for line in self.lines)
        )

    @cached_property
    def _given(self) -> Mapping[str, Sequence[str]]:
        """What each variable is given, line by line."""
        given = defaultdict[str, list[str]](list)
        for line in self.lines:
            for found in _ASSIGNMENT.finditer(line[:MAX_STATEMENT]):
                given[found["name"]].append(line[found.end() : MAX_STATEMENT])
        return given

    @cached_property
    def constants(self) -> frozenset[str]:
        """Names in capital letters that are assigned once, a text or number."""
        assigned: dict[str, list[bool]] = {}
        for text in self.lines:
            if (found := _CONSTANT.match(text)) is not None:
                value = found["value"]
                is_fixed = value.startswith(_LONG_TEXT) or not _NAME.search(mask_texts(value)[0])
                assigned.setdefault(found["name"], []).append(is_fixed)
        return frozenset(name for name, fixed in assigned.items() if fixed == [True])


@cache
def open_questions() -> Mapping[str, OpenQuestion]:
    """The questions by their rules."""
    return {row.question: row for row in _table().questions}


def unfollowed_uses(path: str, lines: Sequence[str], numbers: Iterable[int]) -> Iterator[UnfollowedUse]:
    """The uses on those lines, numbered from 1; the lines have no comments. Each line once for a question."""
    file = _File(lines)
    rules = [rule for rule in _rules_of(path, lines) if rule.is_about(file)]
    seen = set[tuple[_Rule, int]]()
    for number in sorted(numbers):
        text = lines[number - 1] if number <= len(lines) else ""
        if not text or _IMPORT.fullmatch(text):
            continue
        asked = set[str]()
        for part in dict.fromkeys(each for whole in windows(text) for each in (whole, _JOINT.sub("", whole))):
            line = _Line(part)
            for rule in rules:
                if rule.question in asked:
                    continue
                read = line
                if rule.ends is not None:
                    begins = file.statement_begin(number, rule.ends)
                    if (rule, begins) in seen:
                        continue
                    seen.add((rule, begins))
                    read = file.statement_from(begins, rule.ends)
                word = _unfollowed_word(rule, read, file, number)
                if word is not None:
                    asked.add(rule.question)
                    yield UnfollowedUse(rule.question, number, word)


def _statement_begins(lines: Sequence[str], end: re.Pattern[str]) -> Iterator[int]:
    """For each line the number of the first one of its statement; a long one is read in pieces."""
    begin = 1
    for number, line in enumerate(lines, start=1):
        if number - begin >= MAX_LINES:
            begin = number
        yield begin
        if end.search(line):
            begin = number + 1


def _unfollowed_word(rule: _Rule, line: _Line, file: _File, number: int) -> str | None:
    """The first word of the rule in the line that is not given constants alone."""
    if rule.operands is not None:
        return _evaluated_operand(rule, line, file)
    for start, end, value in rule.spans(line):
        if value and (value in file.choices or file.is_from_table(value)):
            continue
        if rule.alone or not _is_given_constants(whole_call(line.text, file.lines, number), start, end, file):
            return " ".join(line.text[start:end].split()).strip("(\"'`,= ")[:_MAX_WORD]
    return None


def _evaluated_operand(rule: _Rule, line: _Line, file: _File) -> str | None:
    """The first words of the rule in a line of shell that evaluate a variable of any text."""
    shell = file.arithmetic
    for found in rule.pattern.finditer(line.text) if rule.pattern is not None else ():
        groups = found.groupdict()
        if (integer := groups.get("integer")) and not shell.is_integer(integer):
            continue
        if (table := groups.get("table")) and shell.is_associative(table):
            continue
        if shell.unproved_name(found["operands"], are_names=rule.operands == "name"):
            return " ".join(found[0].split())[:_MAX_WORD]
    return None


def may_name_endpoints(path: str) -> bool:
    """May a file of this name say which code outsiders reach, as a table of routes does?"""
    return has_own_words(path, _INPUT_AREAS)


def first_input(path: str, lines: Sequence[str]) -> int | None:
    """The number of the first line that reads input of requests, or that outsiders reach."""
    words = words_of(path, only=_INPUT_AREAS, written_in=_language_of(path, lines))
    return next((number for number, text in enumerate(lines, start=1) if text and words.hits(text)), None)


@lru_cache(maxsize=128)
def _changes(name: str) -> re.Pattern[str]:
    """What may change the entries of a table: everything but reading one of them, or asking which there are."""
    return re.compile(
        rf"(?<![\w.]){name}(?:\[[^\[\]]*\]\s*(?:[-+|]|\?\?|\|\|)?=(?!=)|\s*[-+|]=|\.(?!get\b|items\b|keys\b|values\b|has\b)\w)|\bdel\s+{name}\b|\b{name}\s*[,)]"
    )


def _is_given_constants(text: str, start: int, end: int, file: _File) -> bool:
    """Is what the word is called with, or what is beside it in the same brackets, known from the text alone?

    A shell and its option without the command are no constants, nor is a call without arguments: what is run comes later.
    """
    masked, literals = mask_texts(text)
    if _PIPED.search(masked[:start]):
        return False
    called = arguments_behind(masked, end)
    inside = called if called is not None else brackets_around(masked, start, end)
    if inside is None:
        return False
    if called is not None and _DEFINITION_END.match(masked, called[1] + 1):
        return True  # a method of that name is defined here
    first, last = inside
    given_names = _ENTRY.sub(
        lambda entry: entry["table"] if entry["table"] in file.tables else entry[0], masked[first:last]
    )
    named = _NAME.findall(_OF_NO_VALUE.sub("", given_names))
    if not (file.constants | file.tables).issuperset(named):
        return False
    values = {at: to for at, to in literals.items() if first <= at < last and not _KEY_END.match(masked, to)}
    given = [text[at:to].strip("\"'`") for at, to in values.items()]
    if given and not named and _SHELL_OPTION.fullmatch(given[-1]):
        return False
    is_beside = any(not (at <= start < to or start <= at < end) for at, to in values.items())
    return is_beside or bool(named) or (called is not None and bool(masked[first:last].strip() or values))


def _language_of(path: str, lines: Sequence[str]) -> str:
    return script_language(path, lines[0] if lines else "")


def _rules_of(path: str, lines: Sequence[str]) -> tuple[_Rule, ...]:
    rows = _table().words
    fitting = tuple(number for number, row in enumerate(rows) if row.files and matches_any(path, row.files))
    return _rules_for(_language_of(path, lines), fitting)


@lru_cache(maxsize=512)
def _rules_for(language_name: str, fitting: tuple[int, ...]) -> tuple[_Rule, ...]:
    return tuple(
        _Rule(
            row.question,
            row.names,
            lazy_compile(expand_pattern(row.pattern)) if row.pattern else None,
            row.operands,
            row.alone,
            lazy_compile(row.anywhere) if row.anywhere else None,
            lazy_compile(row.ends) if row.ends else None,
        )
        for number, row in enumerate(_table().words)
        if number in fitting or (not row.files and not row.languages) or language_name in row.languages
    )


@cache
def _table() -> _Table:
    return read_table(Path(__file__).with_name("unfollowed_uses.yaml"), _Table)
