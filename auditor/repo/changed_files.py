"""The files that differ between two commits, with typed hunks, from one `diff-tree`.

The raw entries say which files changed; the patch behind them, asked for as text and without context,
only gives the hunks. Both come in the same order, so names are never read from the patch, where they
are quoted. Lines of content are skipped by the counts in the hunk header and so cannot pose as headers.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import islice
from typing import IO, cast

from auditor.domain import FileChange, Hunk, Status, UserError
from auditor.repo.git_output_parser import Named, Tokens

ARGUMENTS = (
    "diff-tree", "-r", "-z", "--raw", "--patch", "--unified=0", "--text", "--no-ext-diff", "--no-textconv",
    "--no-color", "--no-abbrev", "--full-index", "--find-renames=50%", "--no-commit-id", "--submodule=short",
    "--diff-algorithm=myers", "--no-indent-heuristic", "--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules=none",
)  # fmt: skip
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
MAX_FILES = 200_000
"""Changed files beyond which nobody can speak of a change."""
_BINARY_PROBE = 8000
_LINE = 1 << 16


def read_changes(stream: IO[bytes]) -> tuple[FileChange, ...]:
    """Every changed file of the output of ARGUMENTS, in git's order. Raises ValueError when it makes no sense."""
    tokens = Tokens(stream)
    entries = list(islice(_raw_entries(tokens), MAX_FILES + 1))
    if len(entries) > MAX_FILES:
        raise UserError(f"the change touches more than {MAX_FILES:,} files: choose a nearer --base.")
    patch = cast("IO[bytes]", io.BufferedReader(_Chained(tokens.rest(), stream), _LINE))
    sections = _sections(patch)
    changes = []
    names = Named()
    for entry in entries:
        wanted = 2 if _type_changed(entry) else 1
        hunks: list[Hunk] = []
        binary = False
        for _ in range(wanted if _has_patch(entry) else 0):
            section = next(sections, None)
            if section is None:
                raise ValueError("git's patch has fewer files than its list of changes")
            hunks += section[0]
            binary = binary or section[1]
        changes.append(_change(entry, hunks, names, binary=binary))
    if next(sections, None) is not None:
        raise ValueError("git's patch has more files than its list of changes")
    return tuple(changes)


class _Raw:
    """One raw entry: modes, ids, status letter, paths."""

    __slots__ = ("base_id", "base_mode", "head_id", "head_mode", "letter", "new", "old")

    def __init__(self, meta: bytes, old: bytes, new: bytes) -> None:
        self.base_mode, self.head_mode, self.base_id, self.head_id, status = meta.lstrip(b":").split(b" ")
        self.letter = status[:1]
        self.old, self.new = old, new


def _raw_entries(tokens: Tokens) -> Iterator[_Raw]:
    while True:
        meta = tokens.next()
        if meta is None or not meta:
            return
        if not meta.startswith(b":"):
            raise ValueError("git's list of changes is out of step")
        first = tokens.next()
        second = tokens.next() if meta.rpartition(b" ")[2][:1] in b"RC" else first
        if first is None or second is None:
            raise ValueError("git's list of changes ends in the middle")
        yield _Raw(meta, first, second)


def _type_changed(entry: _Raw) -> bool:
    return entry.letter == b"T"


def _has_patch(entry: _Raw) -> bool:
    """An unmerged entry has none; anything else has at least a header."""
    return entry.letter != b"U"


def _sections(patch: IO[bytes]) -> Iterator[tuple[list[Hunk], bool]]:
    """Hunks of each `diff --git` section, and whether its content looks binary."""
    hunks: list[Hunk] | None = None
    binary = False
    while line := _line(patch):
        if line.startswith(b"diff --git "):
            if hunks is not None:
                yield hunks, binary
            hunks, binary = [], False
        elif line.startswith(b"@@ ") and hunks is not None:
            hunk = _hunk(line)
            hunks.append(hunk)
            binary = _skip(patch, hunk.base_count + hunk.head_count, look=len(hunks) == 1) or binary
    if hunks is not None:
        yield hunks, binary


def _line(patch: IO[bytes]) -> bytes:
    """The start of the next line; the rest of a long one is read and dropped."""
    line = patch.readline(_LINE)
    start = line
    while line and not line.endswith(b"\n"):
        line = patch.readline(_LINE)
    return start


def _skip(patch: IO[bytes], count: int, *, look: bool) -> bool:
    """Pass over the content of a hunk; does its start hold a NUL, as in a binary file?"""
    binary, seen = False, 0
    for _ in range(count):
        line = _line(patch)
        if look and seen < _BINARY_PROBE:
            binary = binary or b"\0" in line[: _BINARY_PROBE - seen]
            seen += len(line)
    return binary


def _hunk(line: bytes) -> Hunk:
    found = _HUNK.match(line)
    if found is None:
        raise ValueError("git printed a hunk header that cannot be read")
    base, base_count, head, head_count = (1 if group is None else int(group) for group in found.groups())
    return Hunk(base, base_count, head, head_count)


_STATUS = {b"A": Status.ADDED, b"C": Status.ADDED, b"D": Status.DELETED, b"R": Status.RENAMED}


def _change(entry: _Raw, hunks: list[Hunk], names: Named, *, binary: bool) -> FileChange:
    status = _STATUS.get(entry.letter, Status.MODIFIED)
    kept = () if binary else tuple(hunks)
    return FileChange(
        status=status,
        base=None if status is Status.ADDED else names.entry(entry.old, entry.base_mode, entry.base_id.decode("ascii")),
        head=None
        if status is Status.DELETED
        else names.entry(entry.new, entry.head_mode, entry.head_id.decode("ascii")),
        hunks=kept,
        added=sum(hunk.head_count for hunk in kept),
        deleted=sum(hunk.base_count for hunk in kept),
        binary=binary,
    )


class _Chained(io.RawIOBase):
    """Bytes already read, then the rest of the stream."""

    def __init__(self, first: bytes, stream: IO[bytes]) -> None:
        self._first = first
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        chunk = self._first[: len(buffer)] or self._stream.read(len(buffer))
        self._first = self._first[len(chunk) :]
        buffer[: len(chunk)] = chunk
        return len(chunk)
