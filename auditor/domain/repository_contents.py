"""What a repository holds, as plain values: tree entries, changed files, commits.

These are named tuples and dataclasses, not pydantic models: a large repository has hundreds of thousands of
them, they never leave the process, and a tuple is made in a third of the time of a frozen dataclass.

Paths are text. Bytes that are not UTF-8 are written as backslash escapes, so a path is
something to show and to compare, never something to open: content is read by blob id.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple


class EntryKind(StrEnum):
    """What a tree entry is, by its git mode and the length of its path."""

    FILE = "file"
    SYMLINK = "symlink"
    SUBMODULE = "submodule"
    UNOPENABLE = "unopenable"
    """Its path is longer than any system opens: what is shown of it is short and made up, and it is not read."""


class TreeEntry(NamedTuple):
    """One file of a commit's tree."""

    path: str
    blob: str
    kind: EntryKind = EntryKind.FILE
    executable: bool = False


class Status(StrEnum):
    """What a change did to a file. A copy counts as added, a type change as modified."""

    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"
    RENAMED = "renamed"


class Hunk(NamedTuple):
    """One changed stretch without context lines.

    Starts count from 1. With a count of 0 the start is the line *before* the gap, as in a
    unified diff made with `-U0`.
    """

    base_start: int
    base_count: int
    head_start: int
    head_count: int


@dataclass(frozen=True)
class FileChange:
    """One file that differs between the merge base and the head."""

    status: Status
    base: TreeEntry | None
    head: TreeEntry | None
    hunks: tuple[Hunk, ...] = ()
    added: int = 0
    deleted: int = 0
    binary: bool = False

    @property
    def path(self) -> str:
        """Where the file is at the head, or was at the base when it is deleted."""
        entry = self.head or self.base
        assert entry is not None, "a change has at least one side"
        return entry.path

    @cached_property
    def added_lines(self) -> frozenset[int]:
        """Line numbers at the head that the change wrote."""
        return _line_numbers((hunk.head_start, hunk.head_count) for hunk in self.hunks)

    @cached_property
    def deleted_lines(self) -> frozenset[int]:
        """Line numbers at the base that the change took away."""
        return _line_numbers((hunk.base_start, hunk.base_count) for hunk in self.hunks)


def _line_numbers(ranges: Iterable[tuple[int, int]]) -> frozenset[int]:
    """The lines of stretches given by start and count."""
    return frozenset(line for start, count in ranges for line in range(start, start + count))


class Signature(NamedTuple):
    """Who and when, as written into a commit: claims, not facts."""

    name: str
    email: str
    time: int | None
    """Seconds since 1970, UTC; None when unreadable."""
    offset_minutes: int = 0


class CommitFile(NamedTuple):
    """One path that a commit touched; of a merge, only what it left unlike all its parents."""

    status: Status
    path: str
    blob: str | None
    kind: EntryKind = EntryKind.FILE


class Commit(NamedTuple):
    """One commit, newest first in a history."""

    sha: str
    parents: tuple[str, ...]
    author: Signature
    committer: Signature
    message: str
    files: tuple[CommitFile, ...] = ()

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.strip().split("\n", 1)[0].strip()

    @property
    def is_merge(self) -> bool:
        """Does it have two parents or more?"""
        return len(self.parents) > 1


@dataclass(frozen=True, slots=True)
class Description:
    """What the author of a pull request says about it: claims, never facts, and never shown to a judge."""

    title: str
    body: str = ""


@dataclass(frozen=True, slots=True)
class History:
    """The commits between base and head, or all of them without a base; newest first."""

    commits: tuple[Commit, ...]
    complete: bool = True
    limit_reason: str = ""
    read_at: int | None = None
    """The audit's own time in seconds since 1970, if that is known: no honest commit is younger."""
    start: Commit | None = None
    """The commit that a change starts from, without its files: none of the change's, but what its first ones build on."""
