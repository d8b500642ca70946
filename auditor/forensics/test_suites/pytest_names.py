"""What pytest, unittest and their neighbours call things: rows of `pytest_names.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import NameRows, Row, Source, name_reader, read_table

_DATA = Path(__file__).with_name("pytest_names.yaml")


class _Hook(Row):
    hook: str
    says: str
    source: Source


class _Names(Frozen):
    class_preparations: NameRows
    common_calls: NameRows
    common_words: NameRows
    empty_results: NameRows
    exit_calls: NameRows
    parametrizing_decorators: NameRows
    replacing_hooks: tuple[_Hook, ...]
    report_hooks: NameRows


pytest_names = name_reader(_DATA, _Names)
"""The names of a section."""


@cache
def replacing_hooks() -> Mapping[str, str]:
    """Hooks of which the first result replaces what pytest does, and what follows from it."""
    return {row.hook: row.says for row in read_table(_DATA, _Names).replacing_hooks}
