"""Which files ask for packages and which are lock files: rows of `manifest_formats.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import NameSet, Row, Source, read_table

_DATA = Path(__file__).with_name("manifest_formats.yaml")


class Reader(NamedTuple):
    """The registry that a file is about, and who reads it: module and function."""

    registry: str
    function: str


class _Format(Row):
    registry: str
    reader: str = Field(pattern=r"^\w+\.\w+$")
    source: Source

    def sort_key(self) -> str:
        """Registry and reader."""
        return f"{self.registry} {self.reader}"

    @property
    def made(self) -> Reader:
        """What is said of the files of the row."""
        return Reader(self.registry, self.reader)


class _Named(_Format):
    names: NameSet = frozenset()
    suffixes: NameSet = frozenset()
    unlocked: bool = False

    def owned(self) -> Iterable[str]:
        """Names, and suffixes with their dot."""
        return (*self.names, *(f".{each}" for each in self.suffixes))


class _ByPattern(_Format):
    pattern: str

    def sort_key(self) -> str:
        """Nothing: of these rows the first that fits is taken."""
        return ""


class _Table(Frozen):
    manifests: tuple[_Named, ...]
    manifests_by_pattern: tuple[_ByPattern, ...]
    locks: tuple[_Named, ...]
    locks_by_pattern: tuple[_ByPattern, ...]


def _table() -> _Table:
    return read_table(_DATA, _Table)


class _Lookup(NamedTuple):
    by_name: Mapping[str, Reader]
    by_pattern: tuple[tuple[re.Pattern[str], Reader], ...]
    by_suffix: Mapping[str, Reader]

    def find(self, path: str) -> Reader | None:
        known = self.by_name.get(path.rpartition("/")[2].lower())
        if known is None:
            known = next((reader for pattern, reader in self.by_pattern if pattern.search(path)), None)
        return known or self.by_suffix.get(path.rpartition(".")[2].lower())


def _lookup(named: Iterable[_Named], by_pattern: Iterable[_ByPattern]) -> _Lookup:
    rows = tuple(named)
    return _Lookup(
        {name: row.made for row in rows for name in row.names},
        tuple((re.compile(row.pattern), row.made) for row in by_pattern),
        {suffix: row.made for row in rows for suffix in row.suffixes},
    )


@cache
def _manifests() -> _Lookup:
    return _lookup(_table().manifests, _table().manifests_by_pattern)


@cache
def _locks() -> _Lookup:
    return _lookup(_table().locks, _table().locks_by_pattern)


def manifest_reader(path: str) -> Reader | None:
    """Who reads a file that asks for packages or images, or says where they come from; None for any other file."""
    return _manifests().find(path)


def lock_reader(path: str) -> Reader | None:
    """Who reads a lock file; None for any other file."""
    return _locks().find(path.lower())


@cache
def unlocked_manifest_endings() -> tuple[str, ...]:
    """What the paths of manifests end with that no lock file is made from, lower case."""
    return tuple(sorted(name for row in _table().manifests if row.unlocked for name in row.owned()))
