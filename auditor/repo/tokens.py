"""Reading git's output: NUL-terminated tokens, then lines, from one stream."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from auditor.domain import EntryKind
from auditor.repo.process import CHUNK

MAX_TOKEN = 1 << 24
"""Bytes of the longest token kept; nothing git prints for an honest repository comes near it."""


class Readable(Protocol):
    """What bytes can be read from."""

    def read(self, size: int, /) -> bytes:
        """Up to so many bytes; none at the end."""


class Tokens:
    """A stream read token by token. A token longer than MAX_TOKEN raises ValueError."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._rest = b""
        self._ready: list[bytes] = []
        self._ended = False

    def __iter__(self) -> Iterator[bytes]:
        while (token := self.next()) is not None:
            yield token

    def next(self) -> bytes | None:
        """The next token without its NUL, or None at the end."""
        if self._ready:
            return self._ready.pop()
        while not self._ready:
            chunk = self._stream.read(CHUNK) if not self._ended else b""
            if not chunk:
                self._ended = True
                rest, self._rest = self._rest, b""
                return rest or None
            if b"\0" not in chunk:
                chunk = self._gathered(chunk)
            *whole, self._rest = (self._rest + chunk).split(b"\0")
            whole.reverse()
            self._ready = whole
        return self._ready.pop()

    def _gathered(self, chunk: bytes) -> bytes:
        """A chunk without an end of a token, and those behind it up to the one that has it: put together once."""
        pieces = [chunk]
        length = len(self._rest) + len(chunk)
        while b"\0" not in pieces[-1]:
            pieces.append(self._stream.read(CHUNK))
            length += len(pieces[-1])
            if not pieces[-1]:
                break
            if length > MAX_TOKEN + CHUNK:
                raise ValueError("git printed a token that is too long")
        return b"".join(pieces)

    def several(self, count: int) -> list[bytes] | None:
        """The next so many tokens, or None when fewer are left."""
        if len(self._ready) > count:
            taken = self._ready[: -count - 1 : -1]
            del self._ready[-count:]
            return taken
        one_by_one = [token for _ in range(count) if (token := self.next()) is not None]
        return one_by_one if len(one_by_one) == count else None

    def rest(self) -> bytes:
        """What was read from the stream already and not yet given out, for a reader that goes on by lines."""
        self._ready.reverse()
        taken = b"\0".join([*self._ready, self._rest])
        self._ready, self._rest = [], b""
        return taken


_KINDS = {b"120000": EntryKind.SYMLINK, b"160000": EntryKind.SUBMODULE}


def kind(mode: bytes) -> EntryKind:
    """What a tree entry of that git mode is."""
    return _KINDS.get(mode, EntryKind.FILE)


def path(raw: bytes) -> str:
    """A path as text: UTF-8, other bytes as backslash escapes."""
    return raw.decode("utf-8", errors="backslashreplace")
