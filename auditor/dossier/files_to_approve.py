"""Which files of a change can do harm, by their kind: all that are no prose, picture, sound or font.

Nothing is read of them: what no rule knows looks harmless, so only the kind of a file can say that it is. Tests are no such
kind: they run with what the project gives them, and a test that cannot fail hides anything.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from auditor.domain import CodeLocation, EntryKind, FileChange, FilesToApprove, Side, TreeEntry
from auditor.forensics.source_text.file_kinds import FileKind, file_names, file_suffixes
from auditor.report.secret_redaction import redact

MAX_PLACES = 40
"""Files that are named."""


def files_to_approve(changes: Iterable[FileChange]) -> FilesToApprove:
    """The files of a change that may do harm. One that was moved counts if it may at either place."""
    places = [_first_place(each) for each in changes if _may_do_harm(each)]
    places.sort(key=lambda each: (each.path, each.side))
    return FilesToApprove(places=tuple(places[:MAX_PLACES]), left_out=max(0, len(places) - MAX_PLACES))


def _may_do_harm(change: FileChange) -> bool:
    entries = [each for each in (change.base, change.head) if each is not None]
    is_plain = all(each.kind is EntryKind.FILE for each in entries)
    return not is_plain or _becomes_executable(change) or not all(map(_is_harmless, entries))


def _becomes_executable(change: FileChange) -> bool:
    was = change.base is not None and change.base.executable
    return change.head is not None and change.head.executable and not was


def _is_harmless(entry: TreeEntry) -> bool:
    name = posixpath.basename(entry.path).lower()
    stem, _, suffix = name.rpartition(".")
    return suffix in file_suffixes(FileKind.INERT) or (stem or name) in file_names(FileKind.DOCUMENT)


def _first_place(change: FileChange) -> CodeLocation:
    """The first line that is added, else the first that is removed, else the file."""
    for side, starts in (
        (Side.HEAD, [each.head_start for each in change.hunks if each.head_count]),
        (Side.BASE, [each.base_start for each in change.hunks if each.base_count]),
    ):
        entry = change.head if side is Side.HEAD else change.base
        if entry is not None and starts:
            return CodeLocation(path=redact(entry.path), start=starts[0], end=starts[0], side=side)
    return CodeLocation(path=redact(change.path), side=Side.BASE if change.head is None else Side.HEAD)
