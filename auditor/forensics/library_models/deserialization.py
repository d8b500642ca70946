"""Calls that load data in a format that can run code: rows of `deserialization.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import ArgumentRow, NameRow, Names, read_python


class LoaderRow(NameRow):
    """Calls that load a format, and what the finding calls it."""

    format: str


class UnsafeArgumentRow(ArgumentRow):
    """Calls with an argument that allows code to run, the value that does, and what the finding says."""

    value: bool | str
    statement: str


class Deserialization(NamedTuple):
    """Loaders by what makes them run code."""

    code_calls: Names
    keyword_calls: Names
    loaders: tuple[LoaderRow, ...]
    modules: Names
    tag_methods: Names
    unsafe_arguments: tuple[UnsafeArgumentRow, ...]
    unsafe_calls: Names
    unsafe_keywords: Names
    yaml_calls: Names
    yaml_safe_loaders: Names
    yaml_unsafe_calls: Names
    yaml_unsafe_loaders: Names


def deserialization() -> Deserialization:
    """The rows, read once."""
    return read_python("deserialization", Deserialization)
