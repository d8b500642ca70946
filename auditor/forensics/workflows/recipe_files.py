"""Files of recipes, and the programs that run them: rows of `recipe_files.yaml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import Row, Source, read_table

_DATA = Path(__file__).with_name("recipe_files.yaml")
_TASK_NAMES = r"((?:[\w:.@/-]{1,80}\s*){0,6})"


class _Program(Row):
    program: str
    files: tuple[str, ...]
    source: Source


class _TaskCalls(Row):
    files: str
    calls: str
    source: Source


class _Table(Frozen):
    programs: tuple[_Program, ...]
    task_calls: tuple[_TaskCalls, ...]


class TaskCalls(NamedTuple):
    """Patterns of the paths of recipe files, and of the calls by which a pipeline runs their recipes."""

    files: re.Pattern[str]
    calls: re.Pattern[str]


@cache
def recipe_files_by_program() -> Mapping[str, tuple[str, ...]]:
    """The recipe files that a program looks for at the root, the first that is there."""
    return {row.program: row.files for row in read_table(_DATA, _Table).programs}


def task_calls(path: str) -> re.Pattern[str] | None:
    """The calls by which a pipeline runs the recipes of a file; None for a file of no recipes."""
    return next((each.calls for each in _task_calls() if each.files.search(path)), None)


@cache
def _task_calls() -> tuple[TaskCalls, ...]:
    return tuple(
        TaskCalls(re.compile(row.files), re.compile(row.calls.replace("{tasks}", _TASK_NAMES)))
        for row in read_table(_DATA, _Table).task_calls
    )
