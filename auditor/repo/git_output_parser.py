"""Reading git's output: NUL-terminated tokens, then lines, from one stream."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from posixpath import splitext
from typing import Protocol

from auditor.domain import EntryKind, TreeEntry
from auditor.repo.git_process import CHUNK_BYTES

MAX_TOKEN_BYTES = 1 << 24
"""Bytes of the longest token kept; nothing git prints for an honest repository comes near it."""
MAX_PATH_BYTES = 4_096
"""Bytes of a path: Linux opens none that is longer, so nobody has checked such a file out."""
_SHOWN_START_BYTES, _SHOWN_END_BYTES = 160, 80
"""Bytes that are shown of such a path: its folders, and how its file ends."""


class ByteSource(Protocol):
    """Anything that bytes can be read from."""

    def read(self, size: int, /) -> bytes:
        """Up to so many bytes; none at the end."""


class TokenReader:
    """A stream read token by token. Of a token longer than MAX_TOKEN the middle is left out."""

    def __init__(self, stream: ByteSource) -> None:
        self._stream = stream
        self._rest = b""
        self._ready: list[bytes] = []
        self._is_at_end = False

    def __iter__(self) -> Iterator[bytes]:
        while (token := self.next()) is not None:
            yield token

    def next(self) -> bytes | None:
        """The next token without its NUL, or None at the end."""
        if self._ready:
            return self._ready.pop()
        while not self._ready:
            chunk = self._stream.read(CHUNK_BYTES) if not self._is_at_end else b""
            if not chunk:
                self._is_at_end = True
                rest, self._rest = self._rest, b""
                return rest or None
            if b"\0" not in chunk:
                chunk = self._gathered(chunk)
            *whole, self._rest = (self._rest + chunk).split(b"\0")
            whole.reverse()
            self._ready = whole
        return self._ready.pop()

    def _gathered(self, chunk: bytes) -> bytes:
        """A chunk without an end of a token, and those behind it up to the one that has it: assembled once."""
        pieces = [chunk]
        length = len(self._rest) + len(chunk)
        while b"\0" not in pieces[-1]:
            following = self._stream.read(CHUNK_BYTES)
            length += len(following)
            if not following:
                break
            if length > MAX_TOKEN_BYTES + CHUNK_BYTES:
                pieces[-1] = following
            else:
                pieces.append(following)
        return b"".join(pieces)

    def take(self, count: int) -> list[bytes] | None:
        """The next so many tokens, or None when fewer are left."""
        if len(self._ready) > count:
            taken = self._ready[: -count - 1 : -1]
            del self._ready[-count:]
            return taken
        one_by_one = [token for _ in range(count) if (token := self.next()) is not None]
        return one_by_one if len(one_by_one) == count else None

    def rest(self) -> bytes:
        """What was read from the stream already and not yet given out, for a reader that continues by lines."""
        self._ready.reverse()
        taken = b"\0".join([*self._ready, self._rest])
        self._ready, self._rest = [], b""
        return taken


_KINDS = {b"120000": EntryKind.SYMLINK, b"160000": EntryKind.SUBMODULE}


def entry_kind(mode: bytes) -> EntryKind:
    """What a tree entry of that git mode is."""
    return _KINDS.get(mode, EntryKind.FILE)


def decode_path(raw: bytes) -> str:
    """A path as text: UTF-8, other bytes as backslash escapes. Of one that no system can open, start and end are shown."""
    if len(raw) <= MAX_PATH_BYTES:
        return raw.decode("utf-8", errors="backslashreplace")
    told = f"…({len(raw):,} bytes, {_digest(raw)})…"
    return (
        f"{raw[:_SHOWN_START_BYTES].decode(errors='replace')}{told}{raw[-_SHOWN_END_BYTES:].decode(errors='replace')}"
    )


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()[:12]


class TreeEntryFactory:
    """Makes tree entries, telling apart two names that read the same: one of them may be made up to hide behind the other."""

    def __init__(self) -> None:
        self._raw_path_by_text: dict[str, bytes] = {}

    def entry(self, raw: bytes, mode: bytes, blob: str) -> TreeEntry:
        """An entry by its path, git mode and id."""
        shown = decode_path(raw)
        while self._raw_path_by_text.setdefault(shown, raw) != raw:
            stem, ending = splitext(shown)  # its language is told by its ending, by which it may be read or not
            shown = f"{stem}~{_digest(raw)}{ending}"
        known = EntryKind.UNOPENABLE if len(raw) > MAX_PATH_BYTES else entry_kind(mode)
        return TreeEntry(shown, blob, known, executable=mode == b"100755")
