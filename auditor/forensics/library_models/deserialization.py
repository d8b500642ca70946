"""Calls that load data in a format that can run code: rows of `deserialization.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import ArgumentRow, NameRow, NameRows


class LoaderRow(NameRow):
    """Calls that load a format, and what the finding calls it."""

    format: str


class UnsafeArgumentRow(ArgumentRow):
    """Calls with an argument that allows code to run, the value that does, and what the finding says."""

    value: bool | str
    statement: str


class Deserialization(Frozen):
    """Loaders by what makes them run code."""

    code_calls: NameRows
    keyword_calls: NameRows
    loaders: tuple[LoaderRow, ...]
    modules: NameRows
    tag_methods: NameRows
    unsafe_arguments: tuple[UnsafeArgumentRow, ...]
    unsafe_calls: NameRows
    unsafe_keywords: NameRows
    yaml_calls: NameRows
    yaml_safe_loaders: NameRows
    yaml_unsafe_calls: NameRows
    yaml_unsafe_loaders: NameRows


deserialization = python_reader("deserialization", Deserialization)
