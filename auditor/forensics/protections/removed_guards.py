"""Guards that a change takes away while the code behind them stays: rows of `removed_guards.yaml`.

Only an edit that is about the guard counts. Where the guarded code goes too, or is written anew, the edit is
a usual one, and a guard that is replaced by another, or added elsewhere in the change, is not removed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from pathlib import Path

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.forensics.protections.changed_lines import ChangedFile, edits_of
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import KeyRow, Source, read_table

_DATA = Path(__file__).with_name("removed_guards.yaml")
_MAX_LINE = 500
_MAX_EDIT_LINES = 14
"""Lines that an edit takes away; a longer one rewrites the code, and what it keeps cannot be told."""
_MAX_LINES = 4_000
"""Lines of a file that are compared; the time grows with their square."""
_ALIKE = 0.55
_TRIVIAL = lazy_compile(
    r"^(?:[\W_]*|(?:import|from|use|using|require)\b.*|.*\brequire\(.*\);?|(?:end|pass|return|else:?|try:?))$"
)
"""Lines that go with a guard: brackets, imports, ends of blocks."""


class GuardRow(KeyRow):
    """A guard; the YAML file says what each field means."""

    id: str = Field(pattern=r"^[a-z][a-z_]*$")
    pattern: str
    alone: bool = False
    whole: bool = False
    paths: str = ""
    source: Source


class GuardFileRow(KeyRow):
    """A file that protects by being there."""

    id: str = Field(pattern=r"^[a-z][a-z_]*$")
    pattern: str
    source: Source


class _Table(Frozen):
    guards: tuple[GuardRow, ...]
    files: tuple[GuardFileRow, ...]


@dataclass(frozen=True)
class RemovedGuard:
    """A guard that is gone, and the first line of what it guarded, as it is now."""

    path: str
    line: int
    quote: str
    name: str
    is_optional: bool = False
    """Is it still there, and another condition does as well?"""


@dataclass(frozen=True, slots=True)
class _Guard:
    name: str
    alone: bool
    whole: bool


@cache
def guard_rows() -> tuple[GuardRow, ...]:
    """All rows."""
    return read_table(_DATA, _Table).guards


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], re.Pattern[str], GuardRow], ...]:
    return tuple((re.compile(row.pattern), re.compile(row.paths), row) for row in guard_rows())


def is_guard_file(path: str) -> bool:
    """Does a file of that path protect by being there?"""
    return any(re.search(row.pattern, path) for row in read_table(_DATA, _Table).files)


def find_removed_guards(files: Sequence[ChangedFile]) -> Iterator[RemovedGuard]:
    """Guards that some edit takes away and that the change has nowhere else, in the order of the files."""
    edited = [file for file in files if file.before and file.after and len(file.before) <= _MAX_LINES]
    lost = Counter(each for file in edited for each in _named(file.path, file.before, file.deleted))
    lost.subtract(Counter(each for file in files for each in _named(file.path, file.after, file.added)))
    for file in edited:
        if any(_named(file.path, file.before, file.deleted)):
            yield from _removed_in(file, lost)


def _named(path: str, lines: Sequence[str], numbers: Collection[int]) -> Iterator[str]:
    """The names of the guards on some lines."""
    yield from (guard.name for number in numbers if number <= len(lines) for guard in _guards(lines[number - 1], path))


@lru_cache(maxsize=10_000)
def _guards(line: str, path: str) -> tuple[_Guard, ...]:
    """The guards of a line of a file."""
    if not line or len(line) > _MAX_LINE:
        return ()
    return tuple(
        _Guard(" ".join(found["name"].split()), row.alone, row.whole)
        for pattern, paths, row in _patterns()
        if (found := pattern.search(line)) is not None and paths.search(path) is not None
    )


def _removed_in(file: ChangedFile, lost: Counter[str]) -> Iterator[RemovedGuard]:
    for edit in edits_of(file):
        if not edit.old or max(len(edit.old), len(edit.new)) > _MAX_EDIT_LINES:
            continue
        widened = next((each for each in edit.new if _is_widened(each[1], edit.old, file.path)), None)
        if widened is not None:
            yield RemovedGuard(file.path, *widened, _guards(widened[1], file.path)[0].name, is_optional=True)
        elif (name := _removed_guard(edit.old, [line for _, line in edit.new], lost, file.path)) is not None:
            lost[name] -= 1
            yield RemovedGuard(file.path, *_guarded_line(edit.after, edit.start), name)


def _removed_guard(old: Sequence[str], new: Sequence[str], lost: Mapping[str, int], path: str) -> str | None:
    """The guard that an edit takes away without giving another, from code that stays; None where there is none."""
    kept = {guard.name for line in new for guard in _guards(line, path)}
    had = [guard for line in old for guard in _guards(line, path)]
    gone = [guard for guard in had if guard.name not in kept and lost.get(guard.name, 0) > 0]
    if not gone or kept - {guard.name for guard in had} or not _is_kept_behind(old, new, gone, path):
        return None
    return gone[0].name


def _guarded_line(after: Sequence[tuple[int, str]], at: int) -> tuple[int, str]:
    """Number and text of the first line from a place on that is more than a bracket."""
    at = min(at, len(after) - 1)
    return next((each for each in after[at:] if not _TRIVIAL.match(each[1])), after[at])


def _is_widened(line: str, old: Sequence[str], path: str) -> bool:
    """Does a condition with a guard have an alternative now that the line it is made from lacked?"""
    names = [guard.name for guard in _guards(line, path)]
    ways = len(_OR.findall(line))
    return bool(names and ways) and any(
        names == [guard.name for guard in _guards(each, path)]
        and ways > len(_OR.findall(each))
        and len(_AND.findall(line)) == len(_AND.findall(each))
        and not _is_negated(line, names[0])
        for each in old
    )


_OR = lazy_compile(r"\bor\b|\|\|")
_AND = lazy_compile(r"\band\b|&&")


def _is_negated(line: str, name: str) -> bool:
    """Is what follows the guard the way of the refused, so that another condition refuses more?"""
    return re.search(rf"(?:\bnot\s+|!\s*\(?)[\w.]*{re.escape(name)}", line) is not None


def _is_kept_behind(old: Sequence[str], new: Sequence[str], gone: Sequence[_Guard], path: str) -> bool:
    """Is every line that is more than a guard among the new ones, without the guard?"""
    if any(guard.whole for guard in gone):
        return True
    for line in old:
        held = [guard for guard in _guards(line, path) if guard in gone]
        if _TRIVIAL.match(line) or any(guard.alone for guard in held):
            continue
        plain = line
        for guard in held:
            plain = plain.replace(guard.name, "")
        if not any(SequenceMatcher(None, plain, each).ratio() >= _ALIKE for each in new):
            return False
    return True
