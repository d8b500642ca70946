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
from auditor.repo.git_output_parser import TokenReader, TreeEntryFactory

ARGUMENTS = (
    "diff-tree", "-r", "-z", "--raw", "--patch", "--unified=0", "--text", "--no-ext-diff", "--no-textconv",
    "--no-color", "--no-abbrev", "--full-index", "--find-renames=50%", "--no-commit-id", "--submodule=short",
    "--diff-algorithm=myers", "--no-indent-heuristic", "--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules=none",
)  # fmt: skip
_HUNK_HEADER = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
MAX_CHANGED_FILES = 200_000
"""The most changed files of one change; a larger change is refused."""
_BINARY_CHECK_BYTES = 8000
_MAX_LINE_BYTES = 1 << 16


def read_changes(stream: IO[bytes]) -> tuple[FileChange, ...]:
    """Every changed file of the output of ARGUMENTS, in git's order. Raises ValueError when it makes no sense."""
    tokens = TokenReader(stream)
    entries = list(islice(_raw_entries(tokens), MAX_CHANGED_FILES + 1))
    if len(entries) > MAX_CHANGED_FILES:
        raise UserError(f"the change touches more than {MAX_CHANGED_FILES:,} files: choose a later commit as --base.")
    patch = cast("IO[bytes]", io.BufferedReader(_ChainedStream(tokens.rest(), stream), _MAX_LINE_BYTES))
    sections = _patch_sections(patch)
    changes = []
    names = TreeEntryFactory()
    for entry in entries:
        wanted = 2 if _is_type_change(entry) else 1
        hunks: list[Hunk] = []
        binary = False
        for _ in range(wanted if _has_patch(entry) else 0):
            section = next(sections, None)
            if section is None:
                raise ValueError("git's patch has fewer files than its list of changes")
            hunks += section[0]
            binary = binary or section[1]
        changes.append(_file_change(entry, hunks, names, binary=binary))
    if next(sections, None) is not None:
        raise ValueError("git's patch has more files than its list of changes")
    return tuple(changes)


class _RawEntry:
    """One raw entry: modes, ids, status letter, paths."""

    __slots__ = ("base_id", "base_mode", "head_id", "head_mode", "new", "old", "status_letter")

    def __init__(self, meta: bytes, old: bytes, new: bytes) -> None:
        self.base_mode, self.head_mode, self.base_id, self.head_id, status = meta.lstrip(b":").split(b" ")
        self.status_letter = status[:1]
        self.old, self.new = old, new


def _raw_entries(tokens: TokenReader) -> Iterator[_RawEntry]:
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
        yield _RawEntry(meta, first, second)


def _is_type_change(entry: _RawEntry) -> bool:
    return entry.status_letter == b"T"


def _has_patch(entry: _RawEntry) -> bool:
    """An unmerged entry has none; anything else has at least a header."""
    return entry.status_letter != b"U"


def _patch_sections(patch: IO[bytes]) -> Iterator[tuple[list[Hunk], bool]]:
    """Hunks of each `diff --git` section, and whether its content looks binary."""
    hunks: list[Hunk] | None = None
    binary = False
    while line := _read_line(patch):
        if line.startswith(b"diff --git "):
            if hunks is not None:
                yield hunks, binary
            hunks, binary = [], False
        elif line.startswith(b"@@ ") and hunks is not None:
            hunk = _parse_hunk(line)
            hunks.append(hunk)
            binary = _skip_hunk(patch, hunk.base_count + hunk.head_count, check_binary=len(hunks) == 1) or binary
    if hunks is not None:
        yield hunks, binary


def _read_line(patch: IO[bytes]) -> bytes:
    """The start of the next line; the rest of a long one is read and dropped."""
    line = patch.readline(_MAX_LINE_BYTES)
    start = line
    while line and not line.endswith(b"\n"):
        line = patch.readline(_MAX_LINE_BYTES)
    return start


def _skip_hunk(patch: IO[bytes], count: int, *, check_binary: bool) -> bool:
    """Pass over the content of a hunk; does its start hold a NUL, as in a binary file?"""
    binary, seen = False, 0
    for _ in range(count):
        line = _read_line(patch)
        if check_binary and seen < _BINARY_CHECK_BYTES:
            binary = binary or b"\0" in line[: _BINARY_CHECK_BYTES - seen]
            seen += len(line)
    return binary


def _parse_hunk(line: bytes) -> Hunk:
    found = _HUNK_HEADER.match(line)
    if found is None:
        raise ValueError("git printed a hunk header that cannot be read")
    base, base_count, head, head_count = (1 if group is None else int(group) for group in found.groups())
    return Hunk(base, base_count, head, head_count)


_STATUS_BY_LETTER = {b"A": Status.ADDED, b"C": Status.ADDED, b"D": Status.DELETED, b"R": Status.RENAMED}


def _file_change(entry: _RawEntry, hunks: list[Hunk], names: TreeEntryFactory, *, binary: bool) -> FileChange:
    status = _STATUS_BY_LETTER.get(entry.status_letter, Status.MODIFIED)
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


class _ChainedStream(io.RawIOBase):
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
