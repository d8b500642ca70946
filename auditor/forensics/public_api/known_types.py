"""Types of Python, TypeScript and Java that mean the same everywhere: rows of `known_types.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import KeyRow, NameRows, NameSet, Source, name_reader, read_table

_DATA = Path(__file__).with_name("known_types.yaml")


class _Accepting(KeyRow):
    written: str
    accepted_by: NameSet
    source: Source


class _Alias(KeyRow):
    written: str
    means: str
    source: Source


class _Types(Frozen):
    accepting: tuple[_Accepting, ...]
    aliases: tuple[_Alias, ...]
    alias_suffixes: NameRows
    plain_bases: NameRows
    standard_names: NameRows
    unchecked_exceptions: NameRows
    unit_types: NameRows


known_types = name_reader(_DATA, _Types)
"""The names of a section."""


@cache
def supertypes() -> Mapping[str, frozenset[str]]:
    """Type constructors, and those that accept all of their values, in Python, TypeScript and Java."""
    return {row.written: row.accepted_by for row in read_table(_DATA, _Types).accepting}


@cache
def type_aliases() -> Mapping[str, str]:
    """Other ways of writing a type, and the type."""
    return {row.written: row.means for row in read_table(_DATA, _Types).aliases}


@cache
def unit_types() -> frozenset[str]:
    """Types of functions that give nothing back; the empty one is not written at all."""
    return known_types("unit_types") | {""}


@cache
def alias_suffixes() -> tuple[str, ...]:
    """Suffixes of type names that are aliases, or dictionaries with known keys, rather than classes."""
    return tuple(sorted(known_types("alias_suffixes")))


@cache
def standard_names() -> frozenset[str]:
    """All names of the table that mean the same everywhere."""
    wider = frozenset[str]().union(*supertypes().values())
    return frozenset(supertypes()) | wider | unit_types() | known_types("standard_names")
