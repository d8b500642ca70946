"""Names that nobody writes in pieces for an honest reason, and the calls that look names up, run text or decode it.

They are rows of `hidden_names.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import FreeSet, Source, TopicRow, read_table

_DATA = Path(__file__).with_name("hidden_names.yaml")


class _Row(TopicRow):
    names: FreeSet = Field(min_length=1)
    source: Source


class _Lookup(_Row):
    argument: int = Field(ge=0, le=3)


class _Runner(_Row):
    takes_function: bool = False


class _Decoder(_Row):
    how: str


class _Tables(Frozen):
    sensitive: tuple[_Row, ...]
    lookups: tuple[_Lookup, ...]
    tables: tuple[_Row, ...]
    runners: tuple[_Runner, ...]
    decoders: tuple[_Decoder, ...]
    commands: tuple[_Row, ...]


class Names(NamedTuple):
    """The rows, by name."""

    sensitive: frozenset[str]
    words: re.Pattern[str]
    """Sensitive names as words of a longer text."""
    lookups: Mapping[str, int]
    """Calls that look a name up -> which argument is the name."""
    tables: frozenset[str]
    runners: frozenset[str]
    function_runners: frozenset[str]
    """Runners that may be given a function in place of a text."""
    decoders: Mapping[str, str]
    """Calls that decode a text -> how it is encoded."""
    commands: frozenset[str]


@cache
def hidden_names() -> Names:
    """The rows of the table."""
    read = read_table(_DATA, _Tables)
    sensitive = _names(read.sensitive)
    words = "|".join(sorted(map(re.escape, (each for each in sensitive if each.isidentifier()))))
    return Names(
        sensitive,
        re.compile(rf"(?<!\w)(?:{words})(?!\w)"),
        {name: row.argument for row in read.lookups for name in row.names},
        _names(read.tables),
        _names(read.runners),
        _names(tuple(each for each in read.runners if each.takes_function)),
        {name: row.how for row in read.decoders for name in row.names},
        _names(read.commands),
    )


def _names(rows: tuple[_Row, ...]) -> frozenset[str]:
    return frozenset(name for row in rows for name in row.names)


def named_in(name: str, names: Mapping[str, object] | frozenset[str]) -> str:
    """The row for a call, by its whole name or its last part; empty where there is none."""
    plain = name.replace("?.", ".").replace("::", ".")
    last = plain.rpartition(".")[2]
    return plain if plain in names else last if last in names else ""
