"""Which files an audit looks into, and what it can know of them before reading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from posixpath import normpath

from auditor.domain import EntryKind, FileChange, FileCoverage, FileStatus, TreeEntry
from auditor.domain.glob_patterns import matches_any
from auditor.forensics.source_text.file_roles import COMPRESSED_SUFFIXES, is_code, is_test, language

_BINARY_SUFFIXES = COMPRESSED_SUFFIXES | {
    "ico", "bmp", "tiff", "ttf", "otf", "eot", "pyc", "so", "dll", "dylib", "exe", "o", "a", "wav", "npy", "pickle", "pkl", "sqlite", "db",
}  # fmt: skip


BINARY_REASON = "binary by its name"
MAX_LINKS = 1_000
_MAX_HOPS = 10


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


def code_symlinks(selection: Selection, head: Mapping[str, TreeEntry]) -> dict[str, TreeEntry]:
    """Symbolic links in scope that are named like code, and those of the tree that they may lead on to."""
    named = [each.path for each in selection.known_coverage if _is_link(head.get(each.path)) and is_code(each.path)]
    links = {path: entry for path, entry in head.items() if entry.kind is EntryKind.SYMLINK} if named else {}
    return dict(islice(links.items(), MAX_LINKS))


def follow_symlinks(selection: Selection, head: Mapping[str, TreeEntry], targets: Mapping[str, str]) -> Selection:
    """The selection with links that are named like code read as the file of the tree they lead to, never one outside.

    `targets` holds what the links say. A link to a file that is read as the same kind of code anyway is not read again.
    """
    entries: dict[str, TreeEntry] = {}
    settled: list[FileCoverage] = []
    for each in selection.known_coverage:
        if not _is_link(head.get(each.path)) or not is_code(each.path) or each.status is FileStatus.EXCLUDED:
            settled.append(each)
            continue
        end = _resolve_symlink(each.path, head, targets)
        if end is None:
            reason = "a symbolic link that leads out of the tree, or nowhere"
            settled.append(each.model_copy(update={"reason": reason}))
        elif end.path in selection.head and _same_kind(each.path, end.path):
            reason = "a symbolic link to a file that is read under its own name"
            settled.append(FileCoverage(path=each.path, status=FileStatus.NOT_APPLICABLE, reason=reason))
        else:
            entries[each.path] = TreeEntry(each.path, end.blob, executable=end.executable)
    return replace(selection, head={**selection.head, **entries}, known_coverage=tuple(settled))


def _is_link(entry: TreeEntry | None) -> bool:
    return entry is not None and entry.kind is EntryKind.SYMLINK


def _same_kind(link: str, target: str) -> bool:
    return language(link) == language(target) and is_test(link) == is_test(target)


def _resolve_symlink(path: str, head: Mapping[str, TreeEntry], targets: Mapping[str, str]) -> TreeEntry | None:
    """The file at the end of a chain of links, if it lies in the tree."""
    for _ in range(_MAX_HOPS):
        target = targets.get(path)
        if not target or target.startswith("/") or "\0" in target:
            return None
        path = normpath(f"{path.rpartition('/')[0] or '.'}/{target}")
        entry = head.get(path)
        if path.startswith("..") or entry is None or entry.kind is EntryKind.SUBMODULE:
            return None
        if entry.kind is EntryKind.FILE:
            return entry
    return None


def _coverage_without_reading(path: str, entry: TreeEntry, exclude: tuple[str, ...]) -> FileCoverage | None:
    if _is_excluded(path, exclude):
        return FileCoverage(path=path, status=FileStatus.EXCLUDED, reason="excluded by the configuration")
    if entry.kind is EntryKind.UNOPENABLE:
        return FileCoverage(path=path, status=FileStatus.UNAVAILABLE, reason="its path is longer than any system opens")
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
    return language(path) in _BINARY_SUFFIXES


def _is_excluded(path: str, patterns: tuple[str, ...]) -> bool:
    return matches_any(path, patterns)
