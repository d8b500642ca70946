"""Guards that a change takes away while the code behind them stays: rows of `removed_guards.yaml`.

Only an edit that is about the guard counts. Where the guarded code goes too, or is written anew, nothing is told apart from
a usual edit, and a guard that is replaced by another, or stands elsewhere in the change, is not removed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from pathlib import Path

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.row_tables import Row, Source, read_table
from auditor.forensics.protections.changed_lines import ChangedFile
from auditor.lazy_regex import lazy_compile

_DATA = Path(__file__).with_name("removed_guards.yaml")
_MAX_LINE = 500
_MAX_EDIT_LINES = 14
"""Lines that an edit takes away; a longer one rewrites the code, and what it keeps cannot be told."""
_MAX_LINES = 4_000
"""Lines of a file that are compared; the time grows with their square."""
_ALIKE = 0.55
_TRIVIAL = lazy_compile(r"^(?:[\W_]*|(?:import|from|use|using|require)\b.*|.*\brequire\(.*\);?|(?:end|pass|return|else:?|try:?))$")
"""Lines that go with a guard: brackets, imports, ends of blocks."""


class GuardRow(Row):
    """A guard; the YAML file says what each field means."""

    id: str = Field(pattern=r"^[a-z][a-z_]*$")
    pattern: str
    alone: bool = False
    source: Source

    def owned(self) -> tuple[str, ...]:
        """The id."""
        return (self.id,)


class _Table(Frozen):
    guards: tuple[GuardRow, ...]


@dataclass(frozen=True)
class RemovedGuard:
    """A guard that is gone, and the first line of what it guarded, as it stands now."""

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


@cache
def guard_rows() -> tuple[GuardRow, ...]:
    """All rows."""
    return read_table(_DATA, _Table).guards


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], bool], ...]:
    return tuple((re.compile(row.pattern), row.alone) for row in guard_rows())


def find_removed_guards(files: Sequence[ChangedFile]) -> Iterator[RemovedGuard]:
    """Guards that some edit takes away and that the change has nowhere else, in the order of the files."""
    edited = [file for file in files if file.before and file.after and len(file.before) <= _MAX_LINES]
    lost = _counted(line for file in edited for line in _chosen(file.before, file.deleted))
    lost.subtract(_counted(line for file in files for line in _chosen(file.after, file.added)))
    for file in edited:
        if any(lost[guard.name] > 0 for line in _chosen(file.before, file.deleted) for guard in _guards(line)):
            yield from _removed_in(file, lost)


def _chosen(lines: Sequence[str], numbers: Collection[int]) -> Iterator[str]:
    return (lines[number - 1] for number in numbers if number <= len(lines))


def _counted(lines: Iterator[str]) -> Counter[str]:
    return Counter(guard.name for line in lines for guard in _guards(line))


@lru_cache(maxsize=10_000)
def _guards(line: str) -> tuple[_Guard, ...]:
    """The guards of a line."""
    if not line or len(line) > _MAX_LINE:
        return ()
    return tuple(
        _Guard(" ".join(found["name"].split()), alone)
        for pattern, alone in _patterns()
        if (found := pattern.search(line)) is not None
    )


def _removed_in(file: ChangedFile, lost: Counter[str]) -> Iterator[RemovedGuard]:
    edits = SequenceMatcher(None, file.before, file.after, autojunk=False).get_opcodes()
    for kind, start, end, now, until in edits:
        old, new = file.before[start:end], file.after[now:until]
        if kind not in {"delete", "replace"} or len(old) > _MAX_EDIT_LINES or until - now > _MAX_EDIT_LINES:
            continue
        kept = {guard.name for line in new for guard in _guards(line)}
        widened = next((each for each in new if _is_widened(each, old)), "")
        if widened:
            yield RemovedGuard(
                file.path, now + new.index(widened) + 1, widened, _guards(widened)[0].name, is_optional=True
            )
            continue
        gone = [guard for line in old for guard in _guards(line) if guard.name not in kept and lost[guard.name] > 0]
        had = {guard.name for line in old for guard in _guards(line)}
        if not gone or kept - had or not _is_kept_behind(old, new, gone):
            continue
        lost[gone[0].name] -= 1
        at = min(until if kind == "delete" else now, len(file.after) - 1)
        at = next((each for each in range(at, len(file.after)) if not _TRIVIAL.match(file.after[each])), at)
        yield RemovedGuard(file.path, at + 1, file.after[at], gone[0].name)


def _is_widened(line: str, old: Sequence[str]) -> bool:
    """Does a condition with a guard have an alternative now that the line it is made from lacked?"""
    names = [guard.name for guard in _guards(line)]
    ways = len(_OR.findall(line))
    return bool(names and ways) and any(
        names == [guard.name for guard in _guards(each)]
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


def _is_kept_behind(old: Sequence[str], new: Sequence[str], gone: Sequence[_Guard]) -> bool:
    """Does every line that is more than a guard stand among the new ones, the guard taken out?"""
    for line in old:
        held = [guard for guard in _guards(line) if guard in gone]
        if _TRIVIAL.match(line) or any(guard.alone for guard in held):
            continue
        plain = line
        for guard in held:
            plain = plain.replace(guard.name, "")
        if not any(SequenceMatcher(None, plain, each).ratio() >= _ALIKE for each in new):
            return False
    return True
