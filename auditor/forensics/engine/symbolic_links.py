"""Symbolic links that stand for code, scripts or workflows, read as the file of the tree that they lead to, never one outside.

A link is a change of its own where the file behind it changes: what a link stands for may be of another kind than the file's
own name says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from auditor.domain import EntryKind, FileChange, FileCoverage, FileStatus, Hunk, TreeEntry
from auditor.forensics.engine.file_selection import Selection
from auditor.forensics.source_text.file_roles import Role, is_code, is_test, language, role

MAX_LINKS = 1_000
_MAX_HOPS = 10
_MAX_PATH_PARTS = 100
_MAX_LINK_BYTES = 4_096
_MAX_COUNTED_BYTES = 8_000_000
_OUTSIDE_REASON = "a symbolic link that leads out of the tree, or nowhere"
_FOLDER_REASON = "a symbolic link to a folder, whose files are read under their own names"
_READ_REASON = "a symbolic link to a file that is read under its own name"
_Read = Callable[..., Iterable[tuple[str, object]]]


@dataclass(frozen=True)
class Followed:
    """The selection with the files behind links, and the change with what it does to those links."""

    selection: Selection
    changes: tuple[FileChange, ...] | None


def links_to_read(
    selection: Selection, head: Mapping[str, TreeEntry], changes: Iterable[FileChange] | None
) -> dict[str, TreeEntry]:
    """Links of the head whose targets decide what is read; none where no link in scope or in the tree stands for code."""
    links = {path: entry for path, entry in head.items() if entry.kind is EntryKind.SYMLINK}
    if not links:
        return {}
    touched = {each.path for each in selection.known_coverage} | {each.path for each in changes or ()}
    asked = [path for path in links if stands_for_code(path) or path in touched]
    return dict(islice(links.items(), MAX_LINKS)) if asked else {}


def follow_links(
    selection: Selection,
    head: Mapping[str, TreeEntry],
    changes: tuple[FileChange, ...] | None,
    links: Mapping[str, TreeEntry],
    read: _Read,
) -> Followed:
    """What is read and what has changed once links are followed. The reader must be free."""
    if not links:
        return Followed(selection, changes)
    tree = LinkedTree(head, _targets(links, read))
    ends: dict[str, TreeEntry] = {}
    settled = [_settle(each, selection, tree, ends) for each in selection.known_coverage]
    moved = dict(_links_to_changed_files(changes or (), links, selection, tree))
    base = {path: TreeEntry(path, change.base.blob) for path, change in moved.items() if change.base is not None}
    entries = {path: TreeEntry(path, end.blob, executable=end.executable) for path, end in ends.items()}
    entries |= {path: TreeEntry(path, change.head.blob) for path, change in moved.items() if change.head is not None}
    known = tuple(each for each in settled if each is not None and each.path not in moved)
    followed = replace(
        selection, head={**selection.head, **entries}, base={**selection.base, **base}, known_coverage=known
    )
    if changes is None:
        return Followed(followed, None)
    lines = _line_counts({path: entry for path, entry in entries.items() if path in ends}, read)
    return Followed(followed, (*(_as_read(each, entries, lines) for each in changes), *moved.values()))


def stands_for_code(path: str) -> bool:
    """Is it named like code, a workflow, or a script without a suffix?"""
    name = path.rpartition("/")[2]
    bare = "." not in name and role(path) in (Role.DATA, Role.CONFIGURATION, Role.TEST)
    return is_code(path) or role(path) is Role.WORKFLOW or bare


@dataclass(frozen=True)
class LinkedTree:
    """A tree with the targets of its links, as written."""

    head: Mapping[str, TreeEntry]
    targets: Mapping[str, str]

    def end(self, path: str) -> TreeEntry | None:
        """The file that a path leads to, links among its folders included; None where that lies outside, or nowhere."""
        final = self.resolve(path)
        entry = None if final is None else self.head.get(final)
        return entry if entry is not None and entry.kind is EntryKind.FILE else None

    def is_folder(self, path: str) -> bool:
        """Does a link lead to a folder of the tree?"""
        final = self.resolve(path)
        return final is not None and any(each.startswith(f"{final}/") for each in self.head)

    def resolve(self, path: str) -> str | None:
        """The path without links; None where it leaves the tree, or follows too many."""
        waiting = list(reversed(path.split("/")))
        done: list[str] = []
        hops = 0
        while waiting:
            part = waiting.pop()
            if part == "..":
                if not done:
                    return None
                done.pop()
                continue
            if part in ("", "."):
                continue
            done.append(part)
            target = self.targets.get("/".join(done))
            if target is None:
                continue
            hops += 1
            if hops > _MAX_HOPS or not target or target.startswith("/") or "\0" in target:
                return None
            done.pop()
            waiting += reversed(target.split("/")[:_MAX_PATH_PARTS])
        return "/".join(done)


def _settle(
    coverage: FileCoverage, selection: Selection, tree: LinkedTree, ends: dict[str, TreeEntry]
) -> FileCoverage | None:
    """The coverage of a file that is known without reading it; None, and its end noted, for a link that is read."""
    path = coverage.path
    entry = tree.head.get(path)
    if entry is None or entry.kind is not EntryKind.SYMLINK or coverage.status is FileStatus.EXCLUDED:
        return coverage
    end = tree.end(path)
    if end is None and tree.is_folder(path):
        return FileCoverage(path=path, status=FileStatus.NOT_APPLICABLE, reason=_FOLDER_REASON)
    if not stands_for_code(path):
        return coverage
    if end is None:
        return FileCoverage(path=path, status=FileStatus.UNAVAILABLE, reason=_OUTSIDE_REASON)
    if end.path in selection.head and _same_kind(path, end.path):
        return FileCoverage(path=path, status=FileStatus.NOT_APPLICABLE, reason=_READ_REASON)
    ends[path] = end
    return None


def _same_kind(link: str, target: str) -> bool:
    workflow = Role.WORKFLOW
    return (
        language(link) == language(target)
        and is_test(link) == is_test(target)
        and (role(link) is workflow) == (role(target) is workflow)
    )


def _links_to_changed_files(
    changes: Iterable[FileChange], links: Mapping[str, TreeEntry], selection: Selection, tree: LinkedTree
) -> Iterator[tuple[str, FileChange]]:
    """Links that the change leaves alone and whose files it edits, where the link stands for something else than the file's name says."""
    by_path = {each.path: each for each in changes if each.head is not None}
    for path in links if by_path else ():
        if path in by_path or path in selection.head or not stands_for_code(path):
            continue
        end = tree.end(path)
        change = by_path.get(end.path) if end is not None else None
        if change is None or change.head is None or _same_kind(path, change.path):
            continue
        base = change.base and change.base._replace(path=path)
        yield path, replace(change, base=base, head=change.head._replace(path=path))


def _as_read(change: FileChange, entries: Mapping[str, TreeEntry], lines: Mapping[str, int]) -> FileChange:
    """A link that the change writes, as the file that it stands for: all of its lines are new."""
    entry = entries.get(change.path)
    if entry is None or change.head is None or change.path not in lines:
        return change
    base = change.base if change.base is not None and change.base.kind is EntryKind.FILE else None
    count = lines[change.path]
    return replace(change, base=base, head=entry, hunks=(Hunk(0, 0, 1, count),), added=count, deleted=0, binary=False)


def _targets(links: Mapping[str, TreeEntry], read: _Read) -> dict[str, str]:
    contents = dict(read({entry.blob for entry in links.values()}, limit=_MAX_LINK_BYTES))
    return {
        path: content.decode("utf-8", errors="backslashreplace")
        for path, entry in links.items()
        if isinstance(content := contents[entry.blob], bytes)
    }


def _line_counts(entries: Mapping[str, TreeEntry], read: _Read) -> dict[str, int]:
    if not entries:
        return {}
    contents = dict(read({entry.blob for entry in entries.values()}, limit=_MAX_COUNTED_BYTES))
    return {
        path: content.count(b"\n") + (not content.endswith(b"\n"))
        for path, entry in entries.items()
        if isinstance(content := contents[entry.blob], bytes) and content
    }
