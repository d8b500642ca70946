"""Where projects keep what, by folders and file names: rows of `path_conventions.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import NameSet, Row, Source, read_table

_DATA = Path(__file__).with_name("path_conventions.yaml")


class Convention(StrEnum):
    """What a path of a row is."""

    EXAMPLE = "example"
    EXPECTED_OUTPUT = "expected_output"
    GENERATED = "generated"
    MAIN_SOURCES = "main_sources"
    TEST_FOLDER = "test_folder"
    TEST_NAME = "test_name"
    TOOLING = "tooling"
    VENDORED = "vendored"
    WORKFLOW = "workflow"


_FORMS = {
    "folders": "(?:^|/)(?:{})/",
    "root_folders": "^(?:{})/",
    "names": "(?:^|/)(?:{})$",
    "endings": "(?:{})$",
    "patterns": "{}",
}
"""How the expressions of a field are joined."""


class _Row(Row):
    convention: Convention
    folders: NameSet = frozenset()
    root_folders: NameSet = frozenset()
    names: NameSet = frozenset()
    endings: NameSet = frozenset()
    patterns: NameSet = frozenset()
    source: Source


class _Table(Frozen):
    conventions: tuple[_Row, ...]


@cache
def path_pattern(convention: Convention) -> re.Pattern[str]:
    """Found in every path that follows a convention."""
    return re.compile("|".join(_alternatives(convention)))


def _alternatives(convention: Convention) -> Iterator[str]:
    rows = [row for row in read_table(_DATA, _Table).conventions if row.convention is convention]
    for field, form in _FORMS.items():
        told = sorted({each for row in rows for each in getattr(row, field)})
        if told:
            yield form.format("|".join(told))
