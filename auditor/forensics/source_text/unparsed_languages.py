"""Programming languages that no grammar reads, by suffix, file name, first line or beginning: rows of `unparsed_languages.yaml`.

Never says anything of a language that is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import Row, Source, read_table

_DATA = Path(__file__).with_name("unparsed_languages.yaml")
_SHEBANG_PROGRAM = re.compile(
    r"#!\s{0,10}/(?:[\w.+-]{1,30}/){0,8}(?:env\s{1,10}(?:-\S{1,20}\s{1,10}|\w{1,30}=\S{0,60}\s{1,10}){0,3})?(?P<program>[A-Za-z][\w+-]{0,30}?)(?:-?[\d.]{1,8})?(?=\s|$)"
)


class _Row(Row):
    title: str
    suffixes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    build: bool = False
    source: Source

    def sort_key(self) -> str:
        """The title, whatever the case of its letters."""
        return self.title.lower()

    def owned(self) -> Iterable[str]:
        """Suffixes, names and programs."""
        return (*(f".{each}" for each in self.suffixes), *self.names, *(f"#!{each}" for each in self.programs))


class _Table(Frozen):
    languages: tuple[_Row, ...]


@cache
def _rows() -> tuple[_Row, ...]:
    return read_table(_DATA, _Table).languages


@cache
def _rows_by_name() -> Mapping[str, _Row]:
    """Rows by suffix, with its dot, and by whole name."""
    return {
        **{f".{suffix}": row for row in _rows() for suffix in row.suffixes},
        **{name: row for row in _rows() for name in row.names},
    }


@cache
def _titles_by_program() -> Mapping[str, str]:
    return {program: row.title for row in _rows() for program in row.programs}


@cache
def _starts() -> re.Pattern[str]:
    told = "|".join(
        f"(?P<row{number}>{'|'.join(map(re.escape, row.starts))})" for number, row in enumerate(_rows()) if row.starts
    )
    return re.compile(rf"\ufeff?\s{{0,100}}(?:{told})", re.IGNORECASE)


def title_by_name(path: str) -> str:
    """The language of a file by its name; empty for one that is parsed, or in none. `Dockerfile.prod` is a Dockerfile."""
    row = _row_by_name(path)
    return "" if row is None else row.title


def is_build_script(path: str) -> bool:
    """Is it a script in such a language that says how a project is built, by its name?"""
    row = _row_by_name(path)
    return row is not None and row.build


def _row_by_name(path: str) -> _Row | None:
    name = path.rpartition("/")[2].lower()
    known = _rows_by_name()
    stem, dot, suffix = name.rpartition(".")
    found = known.get(f".{suffix}") if dot else None
    return found or known.get(name) or known.get(stem.partition(".")[0])


def title_by_content(text: str) -> str:
    """The language of a script by the program of its first line, or by how it begins; empty where they say nothing."""
    if text.startswith("#!"):
        found = _SHEBANG_PROGRAM.match(text)
        return _titles_by_program().get(found["program"], "") if found is not None else ""
    begun = _starts().match(text)
    return "" if begun is None else _rows()[int(str(begun.lastgroup).removeprefix("row"))].title
