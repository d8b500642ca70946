"""What pytest, unittest and their neighbours call things: rows of `pytest_names.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import NameRows, NameSet, Row, Source, name_reader, read_table

_DATA = Path(__file__).with_name("pytest_names.yaml")


class _Hook(Row):
    hook: str
    says: str
    runs: NameSet = frozenset()
    source: Source


class _Names(Frozen):
    class_preparations: NameRows
    common_calls: NameRows
    common_words: NameRows
    empty_results: NameRows
    exit_calls: NameRows
    parametrizing_decorators: NameRows
    program_calls: NameRows
    replacing_hooks: tuple[_Hook, ...]
    report_hooks: NameRows
    test_functions: NameRows
    test_parameters: NameRows


pytest_names = name_reader(_DATA, _Names)
"""The names of a section."""


class ReplacingHook(NamedTuple):
    """What follows from a result of a hook, and what the hook calls if it does what pytest would have done."""

    says: str
    runs: frozenset[str]
    """Parts of calls; where there are none, only a result that says nothing counts."""


@cache
def replacing_hooks() -> Mapping[str, ReplacingHook]:
    """Hooks of which the first result replaces what pytest does."""
    rows = read_table(_DATA, _Names).replacing_hooks
    return {row.hook: ReplacingHook(row.says, row.runs) for row in rows}
