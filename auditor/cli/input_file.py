"""Reading a file that a command was given."""

from __future__ import annotations

from pathlib import Path

from auditor.user_error import UserError


def read_file(file: Path, expected: str) -> bytes:
    """The bytes of a file. A UserError names the file, the system's reason and what was expected."""
    try:
        return file.read_bytes()
    except OSError as error:
        raise UserError(f"{file} cannot be read ({error.strerror}): give {expected}.") from error
