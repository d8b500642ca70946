"""Which files an audit looks into, and what it can know of them before reading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from auditor.domain import EntryKind, FileChange, FileCoverage, FileStatus, TreeEntry
from auditor.domain.glob_patterns import matches_any
from auditor.forensics.source_text.file_kinds import FileKind, file_suffixes
from auditor.forensics.source_text.file_roles import is_code, is_compressed_by_name, language

BINARY_REASON = "binary by its name"


@dataclass(frozen=True)
class Selection:
    """The files in scope. `head` are to be read for what they hold, `base` to compare with."""

    head: Mapping[str, TreeEntry]
    base: Mapping[str, TreeEntry] = field(default_factory=dict)
    known_coverage: tuple[FileCoverage, ...] = ()
    """Coverage of files that is known without reading them."""


def select(
    head: Mapping[str, TreeEntry], changes: Iterable[FileChange] | None, exclude: Iterable[str], *, whole_tree: bool
) -> Selection:
    """The files to read: all of the head, or what the change touched of both sides.

    An exclusion speaks of what is there: a file that the change brings in is read all the same.
    """
    patterns = tuple(exclude)
    changed = tuple(changes) if changes is not None else ()
    if changes is None or whole_tree:
        wanted = dict(head)
    else:
        wanted = {change.head.path: change.head for change in changed if change.head is not None}
    settled = [
        FileCoverage(path=change.path, status=FileStatus.ANALYSED)
        for change in changed
        if change.head is None and change.base is not None and not _is_excluded(change.path, patterns)
    ]
    readable: dict[str, TreeEntry] = {}
    brought = {change.path for change in changed if change.base is None}
    for path, entry in wanted.items():
        known = _coverage_without_reading(path, entry, () if path in brought else patterns)
        if known is None:
            readable[path] = entry
        else:
            settled.append(known)
    base = {
        change.base.path: change.base
        for change in changed
        if change.base is not None and _coverage_without_reading(change.base.path, change.base, patterns) is None
    }
    return Selection(readable, base, tuple(settled))


def _coverage_without_reading(path: str, entry: TreeEntry, exclude: tuple[str, ...]) -> FileCoverage | None:
    if _is_excluded(path, exclude):
        return FileCoverage(path=path, status=FileStatus.EXCLUDED, reason="excluded by the configuration")
    if entry.kind is EntryKind.UNOPENABLE:
        return FileCoverage(path=path, status=FileStatus.UNAVAILABLE, reason="its path is too long to be opened")
    if entry.kind is EntryKind.SYMLINK:
        status = FileStatus.UNAVAILABLE if is_code(path) else FileStatus.NOT_APPLICABLE
        return FileCoverage(path=path, status=status, reason="a symbolic link, never followed")
    if entry.kind is EntryKind.SUBMODULE:
        return FileCoverage(path=path, status=FileStatus.NOT_APPLICABLE, reason="a submodule, never fetched")
    if is_binary_by_name(path):
        return FileCoverage(path=path, status=FileStatus.NOT_APPLICABLE, reason=BINARY_REASON)
    return None


def is_binary_by_name(path: str) -> bool:
    """Does the suffix say that the file is no text?"""
    return is_compressed_by_name(path) or language(path) in file_suffixes(FileKind.BINARY)


def _is_excluded(path: str, patterns: tuple[str, ...]) -> bool:
    return matches_any(path, patterns)
