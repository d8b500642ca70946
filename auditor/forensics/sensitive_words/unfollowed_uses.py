"""Lines that start programs, run code, load data or build queries from something that is no constant, by their words alone.

A rule that follows values cannot follow all of them. Where it has no answer about such a line, its question stays open.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.domain.glob_patterns import matches_any
from auditor.forensics.library_models.named_patterns import expand_pattern
from auditor.forensics.sensitive_words.line_words import has_own_words, windows, words_of
from auditor.forensics.sensitive_words.shell_arithmetic import ScriptVariables
from auditor.forensics.source_text.file_roles import language
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import KeyRow, NameSet, Row, SortedNames, Source, read_table

_INPUT_AREAS = frozenset({"endpoints", "input"})
_MAX_STATEMENT = 2_000
"""Characters of a call that are read: of a longer one it is not known that it is given constants."""
_MAX_LINES, _MAX_TABLE_LINES = 12, 80
"""Lines of a call that are read, and of a table of constants."""
_IMPORT = re.compile(
    r"(?:import|from|use|using)\b(?!.*\bas\b)[^;()=]*;?"
    r"|(?:const|let|var)\s[^;=:]*=\s*require\([^)]*\);?"
    r"|(?:require|require_relative)\s*\(?[\"'][^\"']*[\"']\)?;?"
    r"|\"[\w./-]+\"|(?:\w+\s+)?\"[\w.-]+/[\w./-]+\""
)
"""An import without another name for what it brings in, a line of a list of imports of Go included."""
_LITERAL = re.compile(r"""(?P<prefix>[A-Za-z$@]{0,2})(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)""")
_JOINT = re.compile(r"""(?P<quote>["'`])\s*[+.~]\s*(?P=quote)""")
"""Between two texts that are put together."""
_FILLED = re.compile(r"\$\{|#\{|\$\(|\$\w|%[sdv]")
_OF_NO_VALUE = re.compile(
    r"[^\W\d]\w*(?=\s*(?:=(?![=>])|:(?!:)|=>))|\b(?:true|false|True|False|None|null|nil|undefined|new|await|async|vec)\b"
)
"""Names of keywords and keys, and words for constants."""
_NAME = re.compile(r"[^\W\d]\w*")
_SHELL_OPTION = re.compile(r"-\w*c|/[cCkK]|-(?i:command|encodedcommand)")
_CONSTANT = re.compile(r"(?:[\w<>\[\]&']+\s+){0,5}(?P<name>[A-Z][A-Z0-9_]+)\b[^=()]{0,60}=\s*(?P<value>[^=].*)")
_TABLE = re.compile(r"(?:(?:export|const|final|static|var)\s+){0,4}(?P<name>[A-Z][A-Z0-9_]+)\b[^=()]{0,60}=\s*[\[{(]")
_ENTRY = re.compile(r"(?P<table>[A-Z][A-Z0-9_]+)\[[^\[\]]{1,200}\]")
_ASSIGNMENT = re.compile(r"(?<![\w$])(?P<name>\$?\w+)\s*+[.+]?=(?![=>])\s*")
_TEXT = r"""(?:"[^"$#{}\\]*"|'[^'\\]*')"""
_CHOICE = re.compile(rf"(?:.*[^?]\?(?![?>.:])\s*{_TEXT}\s*:\s*)?{_TEXT}\s*;?")
"""A text, or one of two by a condition."""
_LONG_TEXT = ('"""', "'''")
_DEFINITION_END = re.compile(r"\s*\{")
_PIPED = re.compile(r"\|>\s*$")
_KEY_END = re.compile(r"\s*(?::(?!:)|=>)")
_FILLING = re.compile(r"[$#]?\{[^{}]*\}|\$\w+")
_MAX_WORD = 60
"""Characters of a word that are shown."""
_OPENING, _CLOSING = "([{", ")]}"


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
        return {found[0]: found.start() for found in reversed(list(_NAME.finditer(_without_texts(self.text))))}


@dataclass(frozen=True)
class _File:
    """The lines of a file."""

    lines: Sequence[str]

    @cached_property
    def arithmetic(self) -> ScriptVariables:
        """What is known of the variables of a shell script."""
        return ScriptVariables(self.lines)

    def is_choice_of_constants(self, name: str) -> bool:
        """Is a variable given constant texts alone, or one of two of them on a condition?"""
        given = self._given.get(name, ())
        return bool(given) and all(map(_CHOICE.fullmatch, given))

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
        whole = {
            name: _statement(self.lines[number - 1], self.lines, number, _MAX_TABLE_LINES) for name, number in names
        }
        return frozenset(
            name
            for name, text in whole.items()
            if _depth(text) == 0
            and not _NAME.search(_mask(text.partition("=")[2])[0])
            and sum(each == name for each, _ in names) == 1
            and not any(_changes(name).search(line[:_MAX_STATEMENT]) for line in self.lines)
        )

    @cached_property
    def _given(self) -> Mapping[str, Sequence[str]]:
        """What each variable is given, line by line."""
        given = defaultdict[str, list[str]](list)
        for line in self.lines:
            for found in _ASSIGNMENT.finditer(line[:_MAX_STATEMENT]):
                given[found["name"]].append(line[found.end() : _MAX_STATEMENT])
        return given

    @cached_property
    def constants(self) -> frozenset[str]:
        """Names in capital letters that are assigned once, a text or number."""
        assigned: dict[str, list[bool]] = {}
        for text in self.lines:
            if (found := _CONSTANT.match(text)) is not None:
                value = found["value"]
                is_fixed = value.startswith(_LONG_TEXT) or not _NAME.search(_mask(value)[0])
                assigned.setdefault(found["name"], []).append(is_fixed)
        return frozenset(name for name, fixed in assigned.items() if fixed == [True])


@cache
def open_questions() -> Mapping[str, OpenQuestion]:
    """The questions by their rules."""
    return {row.question: row for row in _table().questions}


def unfollowed_uses(path: str, lines: Sequence[str], numbers: Iterable[int]) -> Iterator[UnfollowedUse]:
    """The uses on those lines, numbered from 1; the lines have no comments. Each line once for a question."""
    rules = _rules_of(path)
    file = _File(lines)
    for number in sorted(numbers):
        text = lines[number - 1] if number <= len(lines) else ""
        if not text or _IMPORT.fullmatch(text):
            continue
        asked = set[str]()
        for part in dict.fromkeys(each for whole in windows(text) for each in (whole, _JOINT.sub("", whole))):
            line = _Line(part)
            for rule in rules:
                word = None if rule.question in asked else _unfollowed_word(rule, line, file, number)
                if word is not None:
                    asked.add(rule.question)
                    yield UnfollowedUse(rule.question, number, word)


def _unfollowed_word(rule: _Rule, line: _Line, file: _File, number: int) -> str | None:
    """The first word of the rule in the line that is not given constants alone."""
    if rule.operands is not None:
        return _evaluated_operand(rule, line, file)
    for start, end, value in rule.spans(line):
        if value and (file.is_choice_of_constants(value) or file.is_from_table(value)):
            continue
        if rule.alone or not _is_given_constants(_statement(line.text, file.lines, number), start, end, file):
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
    words = words_of(path, only=_INPUT_AREAS)
    return next((number for number, text in enumerate(lines, start=1) if text and words.hits(text)), None)


def _statement(text: str, lines: Sequence[str], number: int, most: int = _MAX_LINES) -> str:
    """The line and those after it, as long as brackets are open."""
    for line in lines[number : number + most]:
        if len(text) > _MAX_STATEMENT or _depth(text) <= 0:
            break
        text = f"{text} {line}"
    return text


@lru_cache(maxsize=128)
def _changes(name: str) -> re.Pattern[str]:
    """What may change the entries of a table: everything but reading one of them, or asking which there are."""
    return re.compile(
        rf"(?<![\w.]){name}(?:\[[^\[\]]*\]\s*(?:[-+|]|\?\?|\|\|)?=(?!=)|\s*[-+|]=|\.(?!get\b|items\b|keys\b|values\b|has\b)\w)|\bdel\s+{name}\b|\b{name}\s*[,)]"
    )


def _depth(text: str) -> int:
    masked = _LITERAL.sub("", text)
    return sum(masked.count(each) for each in _OPENING) - sum(masked.count(each) for each in _CLOSING)


def _is_given_constants(text: str, start: int, end: int, file: _File) -> bool:
    """Is what the word is called with, or what is beside it in the same brackets, known from the text alone?

    A shell and its option without the command are no constants, nor is a call without arguments: what is run comes later.
    """
    masked, literals = _mask(text)
    if _PIPED.search(masked[:start]):
        return False
    called = _arguments(masked, end)
    inside = called if called is not None else _brackets_around(masked, start, end)
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


def _mask(text: str) -> tuple[str, Mapping[int, int]]:
    """The text with blanks for its constant texts, and where those begin and end. A filled one becomes a name."""
    literals: dict[int, int] = {}

    def blank(found: re.Match[str]) -> str:
        prefix, body = found["prefix"], found["text"]
        filled = _FILLED.search(body) or ("{" in body and ("f" in prefix.lower() or "$" in prefix))
        if not filled:
            literals[found.start("text")] = found.end("text")
        return ("x" if filled else " ") * len(found[0])

    return _LITERAL.sub(blank, text), literals


def _without_texts(line: str) -> str:
    """The line with blanks for its texts; what is filled into them stays."""

    def blank(found: re.Match[str]) -> str:
        filled = _FILLED.search(found["text"])
        if not filled:
            return " " * len(found[0])
        kept = {at for each in _FILLING.finditer(found[0]) for at in range(*each.span())}
        return "".join(character if at in kept else " " for at, character in enumerate(found[0]))

    return _LITERAL.sub(blank, line)


def _arguments(masked: str, end: int) -> tuple[int, int] | None:
    """The inside of the brackets that open right behind the word, or with its last character."""
    opening = end - 1 if masked[end - 1 : end] == "(" else end
    while opening < len(masked) and masked[opening] in " !?":
        opening += 1
    if masked[opening : opening + 1] != "(":
        return None
    closing = _closing(masked, opening)
    return None if closing is None else (opening + 1, closing)


def _brackets_around(masked: str, start: int, end: int) -> tuple[int, int] | None:
    """The inside of the innermost brackets around the word."""
    depth = 0
    for index in range(start - 1, -1, -1):
        if masked[index] in _CLOSING:
            depth += 1
        elif masked[index] in _OPENING:
            if depth == 0:
                closing = _closing(masked, index)
                return None if closing is None or closing < end else (index + 1, closing)
            depth -= 1
    return None


def _closing(masked: str, opening: int) -> int | None:
    """Where the brackets close that open there."""
    depth = 0
    for index in range(opening, len(masked)):
        if masked[index] in _OPENING:
            depth += 1
        elif masked[index] in _CLOSING:
            depth -= 1
            if depth == 0:
                return index
    return None


def _rules_of(path: str) -> tuple[_Rule, ...]:
    rows = _table().words
    fitting = tuple(number for number, row in enumerate(rows) if row.files and matches_any(path, row.files))
    return _rules_for(language(path), fitting)


@lru_cache(maxsize=512)
def _rules_for(language_name: str, fitting: tuple[int, ...]) -> tuple[_Rule, ...]:
    return tuple(
        _Rule(
            row.question,
            row.names,
            lazy_compile(expand_pattern(row.pattern)) if row.pattern else None,
            row.operands,
            row.alone,
        )
        for number, row in enumerate(_table().words)
        if number in fitting or (not row.files and not row.languages) or language_name in row.languages
    )


@cache
def _table() -> _Table:
    return read_table(Path(__file__).with_name("unfollowed_uses.yaml"), _Table)
