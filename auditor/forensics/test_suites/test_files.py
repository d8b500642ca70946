"""Files of tests by suffix, and files that configure which tests are run: rows of `test_files.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import NameRows, NameSet, Row, Source, names_of, read_table

_DATA = Path(__file__).with_name("test_files.yaml")


class _Family(Row):
    family: str
    suffixes: NameSet
    source: Source

    def owned(self) -> Iterable[str]:
        """Suffixes."""
        return self.suffixes


class _Table(Frozen):
    families: tuple[_Family, ...]
    other_suffixes: NameRows
    runner_files: NameRows
    pipeline_files: NameRows


@cache
def runner_families() -> Mapping[str, str]:
    """The family of the runners that collect tests with a suffix."""
    return {suffix: row.family for row in read_table(_DATA, _Table).families for suffix in row.suffixes}


@cache
def suffixes_of_tests() -> frozenset[str]:
    """Suffixes of files that may hold tests."""
    return frozenset(runner_families()) | names_of(read_table(_DATA, _Table).other_suffixes)


@cache
def runner_file_patterns() -> tuple[str, ...]:
    """Glob patterns of the files that configure which tests are run."""
    table = read_table(_DATA, _Table)
    anywhere = (f"{folder}{name}" for folder in ("", "**/") for name in sorted(names_of(table.runner_files)))
    return (*anywhere, *sorted(names_of(table.pipeline_files)))
