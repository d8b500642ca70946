"""The lines of a change that do something sensitive, by area and place: a reading guide that needs no rule to find a fault.

What is only moved or indented does not count, and an edited line only where it brings in a sensitive word, or a removed one
takes it away. Two things need no word of their own: a line inside a block about access, and one that is moved past another
where the order decides. Of many lines the most telling are kept: the first of each area and file, then the rarest words.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import NamedTuple

from auditor.domain import CodeLocation, ExhibitLine, FileChange, SensitiveArea, SensitiveLines, Side
from auditor.dossier.access_blocks import lines_about_access
from auditor.dossier.changed_file import ChangedFile
from auditor.dossier.comment_lines import comment_lines
from auditor.dossier.lock_packages import foreign_packages
from auditor.dossier.reordered_lines import reordered_lines
from auditor.dossier.shown_lines import shown_lines
from auditor.forensics.sensitive_words.line_words import (
    MAX_LINE,
    FileWords,
    Hit,
    Where,
    areas,
    has_own_words,
    ordered_areas,
    words_of,
)
from auditor.forensics.source_text.file_roles import Role, is_expected_output, role
from auditor.report.secret_redaction import redact

MAX_PLACES = 40
"""Places that are kept of a change."""
MAX_HITS = 20_000
"""Sensitive lines of one side of a file that are looked at one by one; more of them are only counted."""
_MAX_RUN = 8
"""Lines one after the other that are shown as one place."""
_SKIPPED = frozenset({Role.DOCUMENTATION})
_DOCUMENT_AREAS = frozenset({"documents"})
_LOCKED_AREA = "build_time"
_BLOCK_AREA = "access_control"
_IMPORT = re.compile(
    r"\s*(?:(?:import|from|use|using)\s[^;()]*|(?:const|let|var)\s[^;=]*=\s*require\(\s*[\"'][^\"']*[\"']\s*\));?\s*"
)
Reported = Mapping[tuple[str, Side], Sequence[tuple[int, int]]]
"""First and last lines of findings, by file and side."""


@dataclass(frozen=True)
class _Line:
    """A sensitive line."""

    path: str
    side: Side
    number: int
    text: str
    hits: tuple[Hit, ...]
    last: int = 0

    @property
    def squeezed(self) -> str:
        return "".join(self.text.split())


class _Changed(NamedTuple):
    """The changed lines of one side of a file."""

    path: str
    side: Side
    lines: Sequence[str]
    numbers: Collection[int]
    comments: Collection[int]
    inside: Mapping[int, str]
    """Those inside blocks about access, with the words of the block."""


class _Place(NamedTuple):
    """A line as one of an area."""

    line: _Line
    area: str
    word: str


def is_searched(path: str) -> bool:
    """May lines of this file be sensitive? Not those of what tests compare with; of documents, only those that run code."""
    return not is_expected_output(path) and (role(path) not in _SKIPPED or has_own_words(path, _DOCUMENT_AREAS))


class SensitiveLineFinder:
    """Takes the files of a change one after the other, and gives the lines that are kept at the end."""

    def __init__(self) -> None:
        self._lines: list[_Line] = []
        self._reordered: list[_Line] = []
        self._brought_in = {side: Counter[str]() for side in Side}
        self._unchanged = {side: Counter[str]() for side in Side}
        """How often each sensitive text is on either side without being brought in."""
        self._more = Counter[str]()
        self._others = set[str]()
        """Vendored and generated files: their lines are shown after all others."""

    def add(self, file: ChangedFile) -> None:
        """Search one file."""
        if file.omitted is not None or not is_searched(file.path):
            return
        if file.is_vendored_or_generated:
            self._others |= {_path(file, side) for side in Side}
        if role(file.path) is Role.LOCK:
            self._lines += islice(_lock_lines(file), MAX_HITS)
            return
        in_tests = role(file.path) is Role.TEST
        only = _DOCUMENT_AREAS if role(file.path) in _SKIPPED else frozenset()
        words = words_of(file.path, in_tests=in_tests, only=only)
        sides = _changed_sides(file, inside_blocks=not in_tests)
        added, removed = self._hits(words, sides[Side.HEAD]), self._hits(words, sides[Side.BASE])
        brought_in = _brought_in(file, added, removed)
        self._reordered += _reordered(file, words, added, removed)
        kept = {(each.side, each.number) for each in brought_in}
        for each in (*added, *removed):
            counts = self._brought_in if (each.side, each.number) in kept else self._unchanged
            counts[each.side][each.squeezed] += 1
        self._lines += brought_in

    def found(self, reported: Reported, secret_lines: Mapping[str, Collection[int]], unread: int = 0) -> SensitiveLines:
        """The lines that are kept, those of findings left out. `secret_lines` are numbers at the head by file."""
        lines = [each for each in self._kept() if not _is_reported(each, reported)]
        places = sorted(_ordered(_without_imports(_one_area_each(lines))), key=self._is_other)
        kept, left = self._spread(places)
        left += self._more
        shown: dict[str, list[CodeLocation]] = defaultdict(list)
        for each in kept:
            shown[each.area].append(_location(each.line, secret_lines))
        found = [
            SensitiveArea(area=area, does=areas()[area].does, places=tuple(shown[area]), left_out=left[area])
            for area in shown
        ]
        return SensitiveLines(areas=tuple(found), unread_files=unread)

    def _is_other(self, place: _Place) -> bool:
        return place.line.path in self._others

    def _spread(self, places: Sequence[_Place]) -> tuple[list[_Place], Counter[str]]:
        """The places that are kept, one of each area in turn, and how many of each area are not."""
        turns = Counter[str]()
        turned: list[tuple[bool, int, int, _Place]] = []
        for index, each in enumerate(places):
            turned.append((self._is_other(each), turns[each.area], index, each))
            turns[each.area] += 1
        turned.sort(key=lambda each: each[:3])
        kept = sorted(turned[:MAX_PLACES], key=lambda each: each[2])
        return [each for *_, each in kept], Counter(each.area for *_, each in turned[MAX_PLACES:])

    def _kept(self) -> Iterator[_Line]:
        seen = set[tuple[str, Side, int]]()
        for each in (*self._without_moved(), *self._reordered):
            key = (each.path, each.side, each.number)
            if key not in seen:
                seen.add(key)
                yield each

    def _without_moved(self) -> Iterator[_Line]:
        """The lines without as many as the other side of the change has of the same text, wherever."""
        left = {
            side: Counter(self._brought_in[other]) + self._unchanged[other] - self._unchanged[side]
            for side, other in ((Side.HEAD, Side.BASE), (Side.BASE, Side.HEAD))
        }
        for each in self._lines:
            if left[each.side][each.squeezed] > 0:
                left[each.side][each.squeezed] -= 1
            else:
                yield each

    def _hits(self, words: FileWords, changed: _Changed) -> list[_Line]:
        found: list[_Line] = []
        hits_of = cache(words.hits)  # much of what is written is written more than once
        for number in sorted(changed.numbers):
            text = changed.lines[number - 1] if number <= len(changed.lines) else ""
            if not text or text.isspace():
                continue
            hits = hits_of(text, is_comment=number in changed.comments)
            if number in changed.inside and number not in changed.comments:
                hits += (Hit(_BLOCK_AREA, changed.inside[number], Where.EITHER, "".join(text[:MAX_LINE].split())),)
            if hits and len(found) < MAX_HITS:
                found.append(_Line(changed.path, changed.side, number, text, hits))
            elif hits and changed.side is Side.HEAD:
                self._more[hits[0].area] += 1
        return found


def _changed_sides(file: ChangedFile, *, inside_blocks: bool) -> Mapping[Side, _Changed]:
    sides = (
        (Side.HEAD, file.after, file.change.added_lines),
        (Side.BASE, file.before, file.change.deleted_lines),
    )
    comments = {side: comment_lines(file.path, lines) for side, lines, _ in sides}
    inside = lines_about_access(file, comments) if inside_blocks else {}
    return {
        side: _Changed(_path(file, side), side, lines, numbers, comments[side], inside.get(side, {}))
        for side, lines, numbers in sides
    }


def _reordered(file: ChangedFile, words: FileWords, added: Sequence[_Line], removed: Sequence[_Line]) -> list[_Line]:
    """The added lines that were moved past another one where the order decides."""

    def is_ordered(text: str) -> bool:
        return _is_ordered(words.hits(text))

    head, base = (
        {each.number: each for each in lines if _is_ordered(each.hits) and not _is_import(each)}
        for lines in (added, removed)
    )
    if not head or not base:
        return []
    was, now = ({number: each.squeezed for number, each in lines.items()} for lines in (base, head))
    return [
        replace(head[number], hits=tuple(each for each in head[number].hits if _is_ordered([each])))
        for number in reordered_lines(file.before, file.after, was, now, is_ordered)
    ]


def _is_ordered(hits: Iterable[Hit]) -> bool:
    return any(each.area in ordered_areas() for each in hits)


def _lock_lines(file: ChangedFile) -> Iterator[_Line]:
    for number, word in foreign_packages(file):
        hit = Hit(_LOCKED_AREA, word, Where.ADDED)
        yield _Line(file.path, Side.HEAD, number, file.after[number - 1], (hit,))


def _path(file: ChangedFile, side: Side) -> str:
    entry = file.change.base if side is Side.BASE else file.change.head
    return entry.path if entry is not None else file.path


def _brought_in(file: ChangedFile, added: Sequence[_Line], removed: Sequence[_Line]) -> list[_Line]:
    """The lines with the words that occur more often in their hunk than what they took the place of.

    Of a line that was edited only what it became is shown.
    """
    hunks = _hunks_by_line(file.change)
    counts: dict[Side, Counter[tuple[int, Hit]]] = {Side.HEAD: Counter(), Side.BASE: Counter()}
    for line in (*added, *removed):
        counts[line.side].update((hunks.get((line.side, line.number), -1), hit) for hit in line.hits)
    edited = {(hunk, hit.area) for hunk, hit in counts[Side.BASE] if hit.where is Where.EDITED}
    found: list[_Line] = []
    shown = set[tuple[int, str]]()
    for line in (*added, *removed):
        here, there = counts[line.side], counts[Side.BASE if line.side is Side.HEAD else Side.HEAD]
        hunk = hunks.get((line.side, line.number), -1)
        hits = tuple(
            hit
            for hit in line.hits
            if _counts_on(hit.where, line.side)
            and (hit.where is not Where.EDITED or (hunk, hit.area) in edited)
            and here[hunk, hit] > there[hunk, hit]
            and not (line.side is Side.BASE and (hunk, hit.area) in shown)
        )
        if hits:
            found.append(replace(line, hits=hits))
            if line.side is Side.HEAD:
                shown.update((hunk, hit.area) for hit in hits)
    return found


def _hunks_by_line(change: FileChange) -> Mapping[tuple[Side, int], int]:
    found: dict[tuple[Side, int], int] = {}
    for index, hunk in enumerate(change.hunks):
        found.update(((Side.HEAD, hunk.head_start + each), index) for each in range(hunk.head_count))
        found.update(((Side.BASE, hunk.base_start + each), index) for each in range(hunk.base_count))
    return found


def _counts_on(where: Where, side: Side) -> bool:
    return where is not (Where.REMOVED if side is Side.HEAD else Where.ADDED)


def _is_reported(line: _Line, reported: Reported) -> bool:
    return any(first <= line.number <= last for first, last in reported.get((line.path, line.side), ()))


def _one_area_each(lines: Sequence[_Line]) -> list[_Place]:
    """Each line as one of the first of its areas, with its rarest word; neighbours of one area as one."""
    by_word = Counter(hit.word for line in lines for hit in line.hits)
    places: list[_Place] = []
    for line in sorted(lines, key=lambda each: (each.path, each.side, each.number)):
        hit = min(line.hits, key=lambda each: (areas()[each.area].order, by_word[each.word], each.word))
        before = places[-1] if places else None
        if before is not None and before.area == hit.area and _follows(before.line, line):
            places[-1] = before._replace(line=replace(before.line, last=line.number))
        else:
            places.append(_Place(line, hit.area, hit.word))
    return places


def _without_imports(places: Sequence[_Place]) -> list[_Place]:
    """The places without imports in files where another line of the area says more."""
    telling = {(each.line.path, each.area) for each in places if not _is_import(each.line)}
    return [each for each in places if not _is_import(each.line) or (each.line.path, each.area) not in telling]


def _is_import(line: _Line) -> bool:
    return line.last == 0 and _IMPORT.fullmatch(line.text[: 2 * MAX_LINE]) is not None


def _follows(before: _Line, line: _Line) -> bool:
    last = before.last or before.number
    same = (before.path, before.side) == (line.path, line.side)
    return same and line.number == last + 1 and line.number - before.number < _MAX_RUN


def _ordered(places: Sequence[_Place]) -> list[_Place]:
    """The places: by the order of areas, in each the first of each file, and those with the rarest word."""
    by_word = Counter(each.word for each in places)
    in_file = Counter[tuple[str, str]]()
    ranked: list[tuple[int, _Place]] = []
    for each in sorted(places, key=lambda each: (by_word[each.word], each.line.path, each.line.side, each.line.number)):
        in_file[each.area, each.line.path] += 1
        ranked.append((in_file[each.area, each.line.path], each))
    ranked.sort(
        key=lambda each: (
            areas()[each[1].area].order,
            each[0],
            by_word[each[1].word],
            each[1].line.path,
            each[1].line.number,
        )
    )
    return [each for _, each in ranked]


def _location(line: _Line, secret_lines: Mapping[str, Collection[int]]) -> CodeLocation:
    hidden = secret_lines.get(line.path, ()) if line.side is Side.HEAD else ()
    (shown,) = shown_lines([ExhibitLine(number=line.number, text=line.text.strip())], hidden)
    return CodeLocation(
        path=redact(line.path), start=line.number, end=line.last or line.number, quote=shown.text, side=line.side
    )


def searched(files: Iterable[ChangedFile]) -> SensitiveLines:
    """The sensitive lines of some files, as if no rule had found anything."""
    finder = SensitiveLineFinder()
    for each in files:
        finder.add(each)
    return finder.found({}, {})
