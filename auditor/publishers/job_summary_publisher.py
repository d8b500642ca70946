"""The job summary: appended to the file that the runner names."""

from __future__ import annotations

from pathlib import Path

MAX_BYTES = 1024 * 1024 - 4096
"""Bytes. GitHub takes 1 MiB a step; a summary a few bytes below that has been seen to vanish (actions/runner#4337)."""


class TooLong(Exception):
    """The summary is larger than GitHub takes: it would be dropped whole."""


def write(file: Path, markdown: str) -> None:
    """Append the summary to what the step has written already. Raises OSError and TooLong."""
    content = markdown.encode("utf-8", errors="backslashreplace").rstrip(b"\n") + b"\n"
    with file.open("ab") as stream:
        if stream.tell() + len(content) > MAX_BYTES:
            raise TooLong
        stream.write(content)
