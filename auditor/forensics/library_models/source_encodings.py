"""Declared encodings in which Python files are read: rows of `source_encodings.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import NameRow


class EncodingRow(NameRow):
    """What a file declares, and the codec that reads it."""

    codec: str


class SourceEncodings(Frozen):
    """Encodings by their codec."""

    encodings: tuple[EncodingRow, ...]


source_encodings = python_reader("source_encodings", SourceEncodings)
