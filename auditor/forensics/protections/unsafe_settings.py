"""Settings, calls and commands on the lines that a change writes: rows of `unsafe_settings.yaml` and `automatic_commands.yaml`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.named_patterns import expand_pattern
from auditor.forensics.probe_kit.fact_outcomes import code_excerpt
from auditor.forensics.protections.changed_lines import ChangedFile
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import KeyRow, Source, read_table

_PROTECTIONS = Path(__file__).with_name("unsafe_settings.yaml")
_COMMANDS = Path(__file__).with_name("automatic_commands.yaml")
_SETTING = lazy_compile(
    r"(?<!\w)(?P<key>[A-Za-z_$][\w.-]{1,80})"
    r"(?:[\"'`\])]{0,3}\s{0,4}(?::\s{0,2}[A-Za-z][\w.\[\]| ]{0,60}?\s{0,2}=(?![=>])|:=|=>|\+=|[:=](?![:=]))|(?<=Credentials)[\"'`]\s{0,2},)\s{0,4}"
)
"""A name and what gives it a value, up to that value: an assignment, a pair, a keyword argument; or a header and its value."""
_MAX_LINE = 1_000
_MAX_NEAR = 400
"""Characters of a line beside the one that is looked at; some expressions take longer than the length of what they read."""
_WINDOW = 8
"""Lines before and behind a line that its neighbourhood has."""


class SettingRow(KeyRow):
    """A setting with a value, or a line, that switches a protection off; the YAML file says what each field means."""

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    says: str = Field(min_length=10, max_length=160)
    names: str = ""
    value: str = ""
    line: str = ""
    least: Annotated[int, Field(gt=0)] | None = None
    paths: str = ""
    beside: str = ""
    unless: str = ""
    unless_in_text: str = ""
    anywhere: str = ""
    confidence: Annotated[float, Field(gt=0, le=1)] = 0.8
    in_tests: bool = False
    """Is the row about files of tests as well?"""
    source: Source


_LineRow = tuple[SettingRow, Callable[[str], re.Match[str] | None] | None]
"""A row and the search for its expression: most rows are tried on every line that a change adds."""


class _Table(Frozen):
    settings: tuple[SettingRow, ...]


@dataclass(frozen=True)
class UnsafeSetting:
    """A line that switches a protection off."""

    path: str
    line: int
    quote: str
    says: str
    confidence: float


def setting_rows() -> tuple[SettingRow, ...]:
    """All rows about protections."""
    return read_table(_PROTECTIONS, _Table).settings


def rows_about_tests() -> tuple[SettingRow, ...]:
    """The rows about protections that speak of files of tests as well."""
    return tuple(row for row in setting_rows() if row.in_tests)


def command_rows() -> tuple[SettingRow, ...]:
    """All rows about commands that run unasked."""
    return read_table(_COMMANDS, _Table).settings


_BLANKS = re.compile(r"\s{2,}")


@cache
def _pattern(expression: str) -> re.Pattern[str]:
    return re.compile(expand_pattern(expression))


def find_settings(
    files: Sequence[ChangedFile], moved: Counter[str], rows_of: Sequence[SettingRow]
) -> Iterator[UnsafeSetting]:
    """What the rows see on lines that a change adds, in their order.

    A line that was elsewhere before has moved, and one that says what a removed line of the file said was only edited.
    """
    left = moved.copy()
    for file in files:
        found = list(_on_added_lines(file, left, rows_of))
        was = Counter(each.says for each in _on_added_lines(_undone(file), Counter(), rows_of)) if found else Counter()
        for each in found:
            if was[each.says] > 0:
                was[each.says] -= 1
            else:
                yield each


def _undone(file: ChangedFile) -> ChangedFile:
    """The edit of the file taken back."""
    return ChangedFile(file.path, file.after, file.before, file.deleted, file.added)


def _on_added_lines(file: ChangedFile, left: Counter[str], rows_of: Sequence[SettingRow]) -> Iterator[UnsafeSetting]:
    rows = _rows_about(file, rows_of)
    known: dict[str, list[tuple[SettingRow, str]]] = {}
    for number in sorted(file.added):
        written = file.after[number - 1] if number <= len(file.after) else ""
        if left[written] > 0:
            left[written] -= 1
            continue
        line = _BLANKS.sub(" ", written)
        if not line or len(line) > _MAX_LINE:
            continue
        if line not in known:  # much of what is written is written more than once
            known[line] = list(_statements_on(line, rows))
        yield from _left_by_neighbours(file, number, line, known[line])


def _rows_about(file: ChangedFile, rows_of: Sequence[SettingRow]) -> list[_LineRow]:
    """The rows that speak of the file's path and of something that is in it."""
    return [(row, _pattern(row.line).search if row.line else None) for row in _fitting_rows(file, rows_of)]


def _fitting_rows(file: ChangedFile, rows_of: Sequence[SettingRow]) -> list[SettingRow]:
    rows = [row for row in rows_of if not row.paths or _pattern(row.paths).search(file.path)]
    if not any(row.anywhere for row in rows):
        return rows
    whole = "\n".join(each[:_MAX_NEAR] for each in file.after)
    return [row for row in rows if not row.anywhere or _pattern(row.anywhere).search(whole)]


def _statements_on(line: str, rows: Sequence[_LineRow]) -> Iterator[tuple[SettingRow, str]]:
    """The rows that fit a line, whatever is on the lines around it, each with its statement."""
    given = _settings_of(line)
    for row, search in rows:
        if search is None:
            says = _setting_statement(row, given) if given else None
        else:
            says = _expression_statement(row, found) if (found := search(line)) else None
        if says is not None:
            yield row, says


def _left_by_neighbours(
    file: ChangedFile, number: int, line: str, fitting: Sequence[tuple[SettingRow, str]]
) -> Iterator[UnsafeSetting]:
    """Of the rows that fit a line, those that fit the lines around it, too."""
    for row, says in fitting:
        around = "\n".join(
            _BLANKS.sub(" ", each[:_MAX_NEAR]) for each in file.after[max(0, number - 1 - _WINDOW) : number + _WINDOW]
        )
        if row.beside and _pattern(row.beside).search(around) is None:
            continue
        if row.unless and _pattern(row.unless).search(around) is not None:
            continue
        if row.unless_in_text and _is_excused_by_itself(row, file, number, line):
            continue
        yield UnsafeSetting(file.path, number, line, says, row.confidence)


def _is_excused_by_itself(row: SettingRow, file: ChangedFile, number: int, line: str) -> bool:
    """Does every script on a line that a row fits hold what excuses it?"""
    unless = _pattern(row.unless_in_text)
    if _JSON.search(file.path):
        search = _pattern(row.line).search
        texts = [each for each in _QUOTED.findall(line) if search(each)] or [line]
    else:
        texts = [_recipe_around(file, number)]
    return all(unless.search(each) for each in texts)


_JSON = lazy_compile(r"\.jsonc?$")
_QUOTED = lazy_compile(r'"(?:[^"\\]|\\.)*"?')


def _recipe_around(file: ChangedFile, number: int) -> str:
    """The lines that one shell is given with a line: those that a backslash joins, or all of a recipe that is run as a whole."""
    rows = file.after
    is_whole = file.path.endswith("justfile") or any(_ONE_SHELL.match(each) for each in rows)
    first = last = number - 1
    while first > max(0, number - 1 - _WINDOW) and _is_joined(rows[first - 1], rows[first], is_whole=is_whole):
        first -= 1
    while last + 1 < min(len(rows), number + _WINDOW) and _is_joined(rows[last], rows[last + 1], is_whole=is_whole):
        last += 1
    return "\n".join(each[:_MAX_LINE] for each in rows[first : last + 1])


def _is_joined(above: str, below: str, *, is_whole: bool) -> bool:
    """Is a line given to the same shell as the one above it? A target begins a new recipe."""
    return above.endswith("\\") or (is_whole and _TARGET.match(below) is None)


_ONE_SHELL = lazy_compile(r"\.ONESHELL\s*:")
_TARGET = lazy_compile(r"[\w.%/$()@-][^=:;|&\"']{0,200}:(?:[^=]|$)")


def _settings_of(line: str) -> list[tuple[str, str]]:
    """The names of a line, each with the rest of the line from its value on."""
    return [(found["key"], line[found.end() :]) for found in _SETTING.finditer(line)]


def _expression_statement(row: SettingRow, found: re.Match[str]) -> str | None:
    """The statement about words that fit a row's expression; None where the number among them is none that the row is about."""
    if row.least is not None and not 0 < _number(found["number"]) < row.least:
        return None
    says = row.says.replace("{check}", code_excerpt(found["check"])) if "{check}" in row.says else row.says
    return says.replace("{seen}", code_excerpt(found[0]))


def _setting_statement(row: SettingRow, given: Sequence[tuple[str, str]]) -> str | None:
    """The statement about the setting that a row is about; None where there is none."""
    for key, value in given:
        if _is_named(row, key) and (fits := _pattern(row.value).match(value)) is not None:
            return row.says.replace("{seen}", code_excerpt(f"{key} = {fits[0]}"))
    return None


def _is_named(row: SettingRow, key: str) -> bool:
    named = _pattern(row.names)
    return named.fullmatch(key) is not None or named.fullmatch(key.rpartition(".")[2]) is not None


def _number(text: str) -> int:
    digits = text.replace("_", "")
    return int(digits) if digits.isdecimal() and len(digits) < _MAX_DIGITS else _NO_NUMBER


_MAX_DIGITS = 12
_NO_NUMBER = 0
