"""Declared encodings in which Python files are read: rows of `source_encodings.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import NameRow, read_python


class EncodingRow(NameRow):
    """What a file declares, and the codec that reads it."""

    codec: str


class SourceEncodings(NamedTuple):
    """Encodings by their codec."""

    encodings: tuple[EncodingRow, ...]


def source_encodings() -> SourceEncodings:
    """The rows, read once."""
    return read_python("source_encodings", SourceEncodings)
