"""Declared encodings in which Python files are read: rows of `source_encodings.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import read_python
from auditor.row_tables import NameRow


class EncodingRow(NameRow):
    """What a file declares, and the codec that reads it."""

    codec: str


class SourceEncodings(Frozen):
    """Encodings by their codec."""

    encodings: tuple[EncodingRow, ...]


def source_encodings() -> SourceEncodings:
    """The rows, read once."""
    return read_python("source_encodings", SourceEncodings)
