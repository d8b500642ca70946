"""Programming languages by suffix, their titles, and what opens a comment: rows of `programming_languages.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import NameSet, Row, Source, read_table

_DATA = Path(__file__).with_name("programming_languages.yaml")


class _Language(Row):
    name: str
    title: str = ""
    suffixes: NameSet
    build_files: NameSet = frozenset()
    comments: tuple[str, ...] = ()
    letters: bool = False
    early_escapes: bool = False
    line_ends: NameSet = frozenset()

    def owned(self) -> Iterable[str]:
        """Suffixes and names of files."""
        return (*(f".{each}" for each in self.suffixes), *self.build_files)


class _Format(Row):
    name: str
    comments: tuple[str, ...]


class _Table(Frozen):
    suffix_source: Source
    line_end_source: Source
    comment_source: Source
    languages: tuple[_Language, ...]
    formats: tuple[_Format, ...]


def _table() -> _Table:
    return read_table(_DATA, _Table)


@cache
def languages_by_suffix() -> Mapping[str, str]:
    """Programming languages by the suffixes of their files, lower case, without the dot."""
    return {suffix: row.name for row in _table().languages for suffix in row.suffixes}


@cache
def languages_by_build_file() -> Mapping[str, str]:
    """Languages of files that say by their whole name, in lower case, how a project is built or put to work."""
    return {name: row.name for row in _table().languages for name in row.build_files}


@cache
def code_languages() -> frozenset[str]:
    """Every programming language that a suffix can name."""
    return frozenset(row.name for row in _table().languages)


def language_title(name: str) -> str:
    """A language as people write it: `TypeScript`, `C++`, `Go`."""
    return _titles().get(name) or name.capitalize()


@cache
def _titles() -> Mapping[str, str]:
    return {row.name: row.title for row in _table().languages}


def comment_marks(language: str) -> tuple[str, ...] | None:
    """What opens a comment in a language or format; None where it is not known."""
    return _comment_marks().get(language)


@cache
def languages_with_quoted_letters() -> frozenset[str]:
    """Languages in which single quotes hold one letter."""
    return frozenset(row.name for row in _table().languages if row.letters)


@cache
def languages_with_early_escapes() -> frozenset[str]:
    """Languages that replace escapes of characters before they read comments and texts."""
    return frozenset(row.name for row in _table().languages if row.early_escapes)


def line_ends(language: str) -> frozenset[str]:
    """Characters that end a line of a language beside the line feed."""
    return _line_ends().get(language, frozenset())


@cache
def _line_ends() -> Mapping[str, frozenset[str]]:
    return {row.name: row.line_ends for row in _table().languages}


@cache
def _comment_marks() -> Mapping[str, tuple[str, ...]]:
    languages = {row.name: row.comments for row in _table().languages if row.comments}
    return languages | {row.name: row.comments for row in _table().formats}
