"""The step's outputs: appended to the file that the runner names, each value between delimiters nobody can guess."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from pathlib import Path

_NAME = re.compile(r"\A[a-z][a-z0-9-]{0,60}\Z")
_MAX_LENGTH = 256 * 1024
"""Characters of all values: GitHub takes 1 MB a job, counted as UTF-16."""


def write(file: Path, values: Mapping[str, str]) -> None:
    """Append the outputs. Raises OSError, and ValueError for names and sizes that no runner takes."""
    if any(not _NAME.match(name) for name in values) or sum(map(len, values.values())) > _MAX_LENGTH:
        raise ValueError("outputs have short lower-case names and fit into a runner's limit")
    lines = "".join(_entry(name, value) for name, value in values.items())
    with file.open("ab") as stream:
        stream.write(lines.encode("utf-8", errors="backslashreplace"))


def _entry(name: str, value: str) -> str:
    delimiter = f"end_{secrets.token_hex(16)}"
    while delimiter in value:
        delimiter = f"end_{secrets.token_hex(16)}"
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"
