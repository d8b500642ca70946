"""Which files are read as documents, by suffix: rows of `document_formats.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import NameRows, NameSet, Row, Source, names_of, read_table

_DATA = Path(__file__).with_name("document_formats.yaml")


class _Format(Row):
    format: str
    suffixes: NameSet
    source: Source

    def owned(self) -> Iterable[str]:
        """Suffixes."""
        return self.suffixes


class _Table(Frozen):
    formats: tuple[_Format, ...]
    pictures: NameRows


@cache
def document_formats() -> Mapping[str, str]:
    """How a document is read, by its suffix."""
    return {suffix: row.format for row in read_table(_DATA, _Table).formats for suffix in row.suffixes}


def document_format(name: str) -> str | None:
    """How a file of that name is read; None when it is not."""
    return document_formats().get(name.rpartition(".")[2].lower()) if "." in name.rpartition("/")[2] else None


@cache
def picture_endings() -> tuple[str, ...]:
    """What the names of pictures in a Word document end with, lower case."""
    return tuple(f".{suffix}" for suffix in sorted(names_of(read_table(_DATA, _Table).pictures)))
