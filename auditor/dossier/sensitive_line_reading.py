"""The sensitive lines of a change, its files read within limits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from auditor.domain import CodeLocation, Evidence, FileChange, OmissionReason, SensitiveLines, Side
from auditor.dossier.builder import ChangeView
from auditor.dossier.changed_file import ChangedFile, changed_files
from auditor.dossier.sensitive_lines import Reported, SensitiveLineFinder, is_searched
from auditor.forensics.sensitive_words.line_words import MAX_LINE

MAX_BYTES = 64 << 20
"""Bytes of all files that are read, both sides counted."""
MAX_CHANGED = 4 << 20
"""Characters of all changed lines that are searched."""
_BATCH = 64
"""Files that are in memory at a time."""
_MAX_SPAN = 5
"""Lines of a finding that names a line; a longer one is about a function or a file, and hides nothing in it."""


def sensitive_lines(
    findings: Iterable[Evidence],
    view: ChangeView,
    secret_lines: Mapping[str, Collection[int]],
    withheld: Sequence[str] = (),
) -> SensitiveLines:
    """The sensitive lines of a change on which no finding is. `withheld` are globs of files that are not shown.

    Files with few changed lines are read first, so that a large one keeps none of them out.
    """
    finder = SensitiveLineFinder()
    waiting = sorted((each for each in view.changes if _may_be_searched(each)), key=_size)
    room, changed = MAX_BYTES, MAX_CHANGED
    unread = 0
    while waiting and room > 0 and changed > 0:
        batch, waiting = waiting[:_BATCH], waiting[_BATCH:]
        read = changed_files(batch, view.read, {OmissionReason.EXCLUDED: tuple(withheld)}, with_locks=True)
        for file in sorted(read, key=lambda each: _size(each.change)):
            if room <= 0 or changed <= 0:
                unread += 1
                continue
            room -= sum(map(len, file.content.values()))
            changed -= _changed_characters(file)
            finder.add(file)
    return finder.found(_reported(findings), secret_lines, unread=unread + len(waiting))


def _changed_characters(file: ChangedFile) -> int:
    """Characters of the changed lines that are looked at."""
    sides = ((file.after, file.change.added_lines), (file.before, file.change.deleted_lines))
    return sum(
        min(MAX_LINE, len(lines[each - 1])) for lines, numbers in sides for each in numbers if each <= len(lines)
    )


def _may_be_searched(change: FileChange) -> bool:
    return not change.binary and is_searched(change.path)


def _size(change: FileChange) -> tuple[int, str]:
    return change.added + change.deleted, change.path


def _reported(findings: Iterable[Evidence]) -> Reported:
    found: dict[tuple[str, Side], list[tuple[int, int]]] = defaultdict(list)
    for finding in findings:
        for place in finding.locations:
            if isinstance(place, CodeLocation) and place.start is not None:
                last = place.end or place.start
                if last - place.start < _MAX_SPAN:
                    found[place.path, place.side].append((place.start, last))
    return found
