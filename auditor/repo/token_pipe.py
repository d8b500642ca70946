"""Passes a token to git through a pipe, so that it is in no file, argument or environment variable."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

_MAX_REQUESTS = 16
"""How often git may ask for the token while it runs. Each time it reads one line of the pipe, which holds them all."""
_MAX_TOKEN_BYTES = 2_000
"""So that all lines fit into the smallest pipe there is and writing them never waits."""


@contextmanager
def token_pipe(token: str | None, url: str) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Settings for git that make it ask us for the token, for the host of this URL alone, and the pipe to pass on."""
    parts = urlsplit(url)
    if not token or parts.scheme not in {"http", "https"}:
        yield (), ()
        return
    line = f"{token}\n".encode()
    if len(line) > _MAX_TOKEN_BYTES or b"\n" in line[:-1]:
        raise ValueError("a token is one short line")
    reading, writing = os.pipe()
    try:
        os.write(writing, line * _MAX_REQUESTS)
        os.close(writing)
        yield (_helper(parts.scheme, parts.netloc, reading),), (reading,)
    finally:
        os.close(reading)


def _helper(scheme: str, netloc: str, descriptor: int) -> str:
    """A credential helper that reads one line of the pipe. Git runs it by `sh` and adds `get`, `store` or `erase`."""
    script = (
        '!f() { test "$1" = get || exit 0; read -r token < /dev/fd/%d || exit 0; '
        'echo username=x-access-token; echo "password=$token"; }; f'
    )
    return f"credential.{scheme}://{netloc}.helper={script % descriptor}"
