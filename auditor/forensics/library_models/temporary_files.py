"""Calls that write files, directories and sockets: rows of `temporary_files.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Arguments, NameRow, Names, read_python


class OpeningRow(NameRow):
    """Calls that open a file: the argument that is the path, and the position of the mode."""

    argument: str
    mode: int


class TemporaryFiles(NamedTuple):
    """Calls by how they are given the path."""

    directory_calls: Names
    directory_variables: Names
    opening_calls: tuple[OpeningRow, ...]
    path_methods: Names
    programs: Names
    racy_names: Names
    writing_calls: Arguments


def temporary_files() -> TemporaryFiles:
    """The rows, read once."""
    return read_python("temporary_files", TemporaryFiles)
