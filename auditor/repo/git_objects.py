"""Trees and blobs by object id: one `ls-tree` a side, one `cat-file` for everything read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO

from auditor.domain import TreeEntry
from auditor.repo.git_output_parser import TokenReader, TreeEntryFactory
from auditor.repo.git_process import Git, GitProcess

MAX_ENTRIES = 1_000_000
MISSING_BLOB = "its content is missing from this clone"
_REQUESTS_PER_BATCH = 400
"""Requests sent before answers are read: 25 KB, well inside the 64 KB of a pipe, so neither side can block."""


@dataclass(frozen=True)
class Listing:
    """The files of one commit."""

    entries: tuple[TreeEntry, ...]
    complete: bool = True
    limit_reason: str = ""
    sizes: Mapping[str, int] = field(default_factory=dict)
    """Bytes of blobs, where git was asked for them too."""


@dataclass(frozen=True)
class SkippedBlob:
    """A blob that was not read, and why."""

    reason: str
    size: int | None = None


def read_listing(stream: IO[bytes], limit: int = MAX_ENTRIES) -> Listing:
    """The entries of `ls-tree -r -z` output, with or without `-l`, up to a limit. Two names that read the same are distinguished."""
    entries: list[TreeEntry] = []
    sizes: dict[str, int] = {}
    names = TreeEntryFactory()
    for token in TokenReader(stream):
        if len(entries) >= limit:
            reason = f"only the first {limit:,} files were listed"
            return Listing(tuple(entries), complete=False, limit_reason=reason, sizes=sizes)
        meta, _, name = token.partition(b"\t")
        mode, _, object_id, *size = meta.split()
        blob = object_id.decode("ascii")
        if size and size[0].isdigit():  # a submodule has none, nor has what is missing
            sizes[blob] = int(size[0])
        entries.append(names.entry(name, mode, blob))
    return Listing(tuple(entries), sizes=sizes)


class BlobReader:
    """Reads blobs of one repository through one git process. It is asked for sizes that are not known."""

    def __init__(self, running: GitProcess, known_sizes: Mapping[str, int]) -> None:
        self._running = running
        self._known: dict[str, int | None] = dict(known_sizes)

    def sizes(self, ids: Iterable[str]) -> dict[str, int | None]:
        """Bytes of each blob; None when it is missing or no blob."""
        wanted = list(dict.fromkeys(ids))
        for some in _batches([each for each in wanted if self._known.get(each) is None]):
            self._send(b"info %b\n", some)
            self._known.update([(each, _parse_size(self._read_header())) for each in some])
        return {each: self._known[each] for each in wanted}

    def read(self, ids: Iterable[str], *, limit: int) -> Iterator[tuple[str, bytes | SkippedBlob]]:
        """The content of each blob in turn, or why it was not read: missing, or more than `limit` bytes."""
        for some in _batches(list(dict.fromkeys(ids))):
            sizes = self.sizes(some)
            small = [each for each in some if (size := sizes[each]) is not None and size <= limit]
            yield from ((each, _skipped_blob(sizes[each], limit)) for each in some if each not in set(small))
            self._send(b"contents %b\n", small)
            for each in small:
                yield each, self._content()

    def _send(self, form: bytes, ids: Iterable[str]) -> None:
        assert self._running.stdin is not None
        requests = b"".join(form % each.encode("ascii") for each in ids)
        if requests:
            self._running.stdin.write(requests + b"flush\n")
            self._running.stdin.flush()

    def _read_header(self) -> bytes:
        header = self._running.stdout.readline()
        if not header:
            raise EOFError("git stopped answering")
        return header

    def _content(self) -> bytes | SkippedBlob:
        size = _parse_size(self._read_header())
        if size is None:
            return SkippedBlob(MISSING_BLOB)
        content = self._running.stdout.read(size + 1)
        if len(content) != size + 1:
            raise EOFError("git stopped in the middle of an object")
        return content[:-1]


@contextmanager
def open_blob_reader(git: Git, known_sizes: Mapping[str, int]) -> Iterator[BlobReader]:
    """A reader with a git process of its own, ended on leaving; `known_sizes` need not be asked for."""
    with git.start("cat-file", "--batch-command", "--buffer", fed=True, timeout=3600) as running:
        assert running.stdin is not None
        yield BlobReader(running, known_sizes)
        running.stdin.close()


def _batches(ids: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for start in range(0, len(ids), _REQUESTS_PER_BATCH):
        yield tuple(ids[start : start + _REQUESTS_PER_BATCH])


def _parse_size(header: bytes) -> int | None:
    parts = header.split()
    return int(parts[2]) if len(parts) == 3 and parts[1] == b"blob" else None


def _skipped_blob(size: int | None, limit: int) -> SkippedBlob:
    if size is None:
        return SkippedBlob(MISSING_BLOB)
    return SkippedBlob(f"larger than {limit:,} bytes", size)
