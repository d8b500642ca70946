"""Calls that write files, directories and sockets: rows of `temporary_files.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import ArgumentRows, NameRow, NameRows


class OpeningRow(NameRow):
    """Calls that open a file: the argument that is the path, and the position of the mode."""

    argument: str
    mode: int


class TemporaryFiles(Frozen):
    """Calls by how they are given the path."""

    directory_calls: NameRows
    directory_variables: NameRows
    opening_calls: tuple[OpeningRow, ...]
    path_methods: NameRows
    programs: NameRows
    racy_names: NameRows
    writing_calls: ArgumentRows


temporary_files = python_reader("temporary_files", TemporaryFiles)
