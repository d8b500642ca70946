"""What files hold or are for by their names: rows of `file_kinds.yaml`."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import NameSet, Row, Source, read_table

_DATA = Path(__file__).with_name("file_kinds.yaml")


class FileKind(StrEnum):
    """What a row says of its files."""

    BINARY = "binary"
    COMMENTED = "commented"
    COMPRESSED = "compressed"
    CONFIGURATION = "configuration"
    DOCUMENT = "document"
    LOCK = "lock"
    NOT_DOCUMENT = "not_document"
    NOTICED = "noticed"
    PAGE = "page"
    PLAIN = "plain"
    QUOTING = "quoting"
    SERVED = "served"
    WORKFLOW = "workflow"


class _Row(Row):
    kind: FileKind
    names: NameSet = frozenset()
    suffixes: NameSet = frozenset()
    source: Source


class _Table(Frozen):
    kinds: tuple[_Row, ...]


def _rows() -> tuple[_Row, ...]:
    return read_table(_DATA, _Table).kinds


@cache
def file_names(kind: FileKind) -> frozenset[str]:
    """The whole names of files of a kind, in lower case."""
    return frozenset(name for row in _rows() if row.kind is kind for name in row.names)


@cache
def file_suffixes(kind: FileKind) -> frozenset[str]:
    """The suffixes of files of a kind, in lower case, without the dot."""
    return frozenset(suffix for row in _rows() if row.kind is kind for suffix in row.suffixes)


@cache
def file_patterns(*kinds: FileKind) -> tuple[str, ...]:
    """Glob patterns of the files of some kinds by their suffixes, at the root and anywhere below."""
    return tuple(
        f"{folder}*.{suffix}" for kind in kinds for suffix in sorted(file_suffixes(kind)) for folder in ("", "**/")
    )
