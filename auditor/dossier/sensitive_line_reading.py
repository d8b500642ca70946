"""The sensitive lines of a change, its files read within limits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from auditor.domain import CodeLocation, Evidence, FileChange, OmissionReason, SensitiveLines, Side
from auditor.dossier.builder import ChangeView
from auditor.dossier.changed_file import changed_files
from auditor.dossier.sensitive_lines import Reported, SensitiveLineFinder, is_searched

MAX_BYTES = 64 << 20
"""Bytes of all files that are searched, both sides counted."""
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
    room = MAX_BYTES
    while waiting and room > 0:
        batch, waiting = waiting[:_BATCH], waiting[_BATCH:]
        for file in changed_files(batch, view.read, {OmissionReason.EXCLUDED: tuple(withheld)}, with_locks=True):
            room -= sum(map(len, file.content.values()))
            finder.add(file)
    return finder.found(_reported(findings), secret_lines, unread=len(waiting))


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
