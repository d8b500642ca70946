"""Checks that an edit makes looser: rows of `loosened_checks.yaml`, a line as it was beside the line that takes its place.

Code that was always loose is no matter of a change, and code that is new has nothing to be compared with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.forensics.probe_kit.fact_outcomes import code_excerpt
from auditor.forensics.protections.changed_lines import ChangedFile, edits_of
from auditor.forensics.protections.unsafe_settings import UnsafeSetting
from auditor.row_tables import KeyRow, Source, read_table

_DATA = Path(__file__).with_name("loosened_checks.yaml")
_MAX_LINE = 500
_MAX_LINES = 4_000
"""Lines of a file that are compared; the time grows with their square."""
_MAX_EDIT_LINES = 14
"""Lines of an edit; a longer one writes the code anew, and which line took the place of which cannot be told."""
_ALIKE = 0.25
_WINDOW = 8


class LoosenedRow(KeyRow):
    """A check and a looser one; the YAML file says what each field means."""

    id: str = Field(pattern=r"^[a-z][a-z_]*$")
    says: str = Field(min_length=10, max_length=160)
    strict: str
    loose: str
    paths: str = ""
    beside: str = ""
    unless: str = ""
    confidence: Annotated[float, Field(gt=0, le=1)] = 0.7
    source: Source


class _Table(Frozen):
    checks: tuple[LoosenedRow, ...]


@dataclass(frozen=True)
class _Pattern:
    """A row with its expressions compiled."""

    row: LoosenedRow
    strict: re.Pattern[str]
    loose: re.Pattern[str]
    paths: re.Pattern[str]


def loosened_rows() -> tuple[LoosenedRow, ...]:
    """All rows."""
    return read_table(_DATA, _Table).checks


@cache
def _patterns() -> tuple[_Pattern, ...]:
    return tuple(
        _Pattern(row, re.compile(row.strict), re.compile(row.loose), re.compile(row.paths)) for row in loosened_rows()
    )


def find_loosened_checks(files: Sequence[ChangedFile]) -> Iterator[UnsafeSetting]:
    """Lines that took the place of a stricter one, in the order of the files."""
    for file in files:
        if file.before and file.after and len(file.before) <= _MAX_LINES and len(file.after) <= _MAX_LINES:
            patterns = [each for each in _patterns() if _may_fit(each, file)]
            if patterns:
                yield from _loosened_in(file, patterns)


def _may_fit(pattern: _Pattern, file: ChangedFile) -> bool:
    """Does the row fit a line that the change took away, and one that it wrote?"""
    return (
        pattern.paths.search(file.path) is not None
        and any(_fits(pattern.strict, file.before, number) for number in file.deleted)
        and any(_fits(pattern.loose, file.after, number) for number in file.added)
    )


def _fits(expression: re.Pattern[str], lines: Sequence[str], number: int) -> bool:
    return (
        number <= len(lines)
        and len(lines[number - 1]) <= _MAX_LINE
        and expression.search(lines[number - 1]) is not None
    )


def _loosened_in(file: ChangedFile, patterns: Sequence[_Pattern]) -> Iterator[UnsafeSetting]:
    seen = set[int]()
    for edit in edits_of(file):
        if not (edit.old and edit.new) or max(len(edit.old), len(edit.new)) > _MAX_EDIT_LINES:
            continue
        written = [(number, line) for number, line in _whole_calls(edit.new) if len(line) <= _MAX_LINE]
        for pattern in patterns:
            for number, line, says in _pairs(edit.old, written, pattern):
                if number not in seen and _is_said(file, number, pattern.row):
                    seen.add(number)
                    yield UnsafeSetting(file.path, number, line, says, pattern.row.confidence)


def _pairs(
    removed: Sequence[str], written: Sequence[tuple[int, str]], pattern: _Pattern
) -> Iterator[tuple[int, str, str]]:
    """The looser lines among those that an edit wrote, each with its number and the statement about it."""
    old = [(line, found) for line in removed if len(line) <= _MAX_LINE and (found := pattern.strict.search(line))]
    new = list(written)
    if pattern.row.strict != pattern.row.loose:
        kept = sum(1 for _, line in new if pattern.strict.search(line))
        new = [each for each in new if not pattern.strict.search(each[1])]
        old = old if kept < len(old) else []
    for number, line in new:
        loose = pattern.loose.search(line)
        strict = next(
            (found for before, found in old if loose and _is_same(found, loose) and _is_alike(before, line)), None
        )
        if loose is not None and strict is not None:
            yield number, line, _statement(pattern.row, strict, loose)


def _whole_calls(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The lines, each with those behind it until its brackets close: a call that is only written over more lines is as it was."""
    for at, (number, line) in enumerate(lines):
        text, behind = line, at + 1
        while behind < len(lines) and len(text) <= _MAX_LINE and _is_open(text):
            text += f" {lines[behind][1]}"
            behind += 1
        yield number, text


def _is_open(text: str) -> bool:
    return sum(text.count(each) for each in "([{") > sum(text.count(each) for each in ")]}")


def _is_same(strict: re.Match[str], loose: re.Match[str]) -> bool:
    """Are the groups that both expressions have the same text?"""
    old, new = strict.groupdict(), loose.groupdict()
    return all(
        "".join((old[name] or "").split()) == "".join((new[name] or "").split()) for name in old.keys() & new.keys()
    )


def _is_alike(before: str, line: str) -> bool:
    return SequenceMatcher(None, before, line, autojunk=False).ratio() >= _ALIKE


def _statement(row: LoosenedRow, strict: re.Match[str], loose: re.Match[str]) -> str:
    return row.says.replace("{seen}", code_excerpt(loose[0])).replace("{was}", code_excerpt(strict[0]))


def _is_said(file: ChangedFile, number: int, row: LoosenedRow) -> bool:
    """Do the path and the lines around it have what the row asks for, and not what it rules out?"""
    if not row.beside and not row.unless:
        return True
    around = "\n".join(each[:_MAX_LINE] for each in file.after[max(0, number - 1 - _WINDOW) : number + _WINDOW])
    if row.beside and re.search(row.beside, f"{file.path}\n{around}") is None:
        return False
    return not row.unless or re.search(row.unless, around) is None
