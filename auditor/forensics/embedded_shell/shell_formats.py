"""Formats of files that hold shell commands: rows of `shell_formats.yaml`, found by path."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import Source, TopicRow, read_table

_DATA = Path(__file__).with_name("shell_formats.yaml")
Reader = Literal[
    "yaml",
    "json",
    "toml",
    "xml",
    "literals",
    "dockerfile",
    "makefile",
    "procfile",
    "unit",
    "crontab",
    "terraform",
    "tox",
    "dotenv",
    "shell",
]


class ShellFormat(TopicRow):
    """How one format holds commands; the YAML file says what each field means."""

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    paths: tuple[str, ...] = Field(min_length=1)
    reader: Reader
    keys: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    argv: bool = False
    arguments: Mapping[str, str] = Field(default_factory=dict)
    dollars: bool = False
    interpolates: bool = False
    outsiders: str = ""
    starters: str = ""
    parameters: str = ""
    variables: tuple[str, ...] = ()
    pairs: bool = False
    nested: bool = False
    environment: str = ""
    shell: str = ""
    placeholders: str = ""
    holding: Mapping[str, str] = Field(default_factory=dict)
    holds: str = ""
    beside: tuple[str, ...] = ()
    source: Source

    def owned(self) -> Iterable[str]:
        """Its id."""
        return (self.id,)


class _Table(Frozen):
    glance: str
    questions: tuple[str, ...]
    formats: tuple[ShellFormat, ...]


def _table() -> _Table:
    return read_table(_DATA, _Table)


@cache
def shell_formats() -> Mapping[str, ShellFormat]:
    """All formats by id."""
    return {each.id: each for each in _table().formats}


@cache
def embedded_questions() -> frozenset[str]:
    """Ids of the probes whose rules for shell scripts are applied to embedded commands."""
    return frozenset(_table().questions)


@cache
def _glance() -> re.Pattern[str]:
    return re.compile(_table().glance)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (each.id, re.compile("|".join(f"(?:{_scoped(path)})" for path in each.paths))) for each in _table().formats
    )


def _scoped(pattern: str) -> str:
    """A pattern whose flag holds for itself alone."""
    return f"(?i:{pattern.removeprefix('(?i)')})" if pattern.startswith("(?i)") else pattern


def formats_of_text(format_id: str, text: str) -> tuple[ShellFormat, ...]:
    """The formats of a text whose path is of that format, by what it holds; none where it holds no commands."""
    return tuple(
        each
        for each in shell_formats().values()
        if (each.id == format_id or format_id in each.beside) and (not each.holds or re.search(each.holds, text))
    )


@lru_cache(maxsize=200_000)
def format_of(path: str) -> str:
    """The id of the format of a file; empty where it holds no shell commands."""
    name = path[path.rfind("/") + 1 :]
    if _glance().search(name) is None:
        return ""
    return next((each for each, pattern in _patterns() if pattern.search(path)), "")
