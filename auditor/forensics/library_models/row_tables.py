"""Tables of rows in YAML beside the code that reads them: closed, sorted, nothing twice, each row or table with its source.

A set is written in order, a tuple keeps the order that has a meaning. Rows of a section are sorted by `Row.sort_key`, and
what `Row.owned` names is in one row only. Whatever is not so is an error that names its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, Field

from auditor import strict_yaml
from auditor.domain import UserError
from auditor.domain.frozen_model import Frozen

Source = Annotated[str, Field(pattern=r"^(?:https://\S+(?:, https://\S+)*|convention: .{10,})$")]
"""Where it is documented; or `convention:` and what people mean by the names, where no page says so."""
Name = Annotated[str, Field(min_length=1, max_length=500)]


def _in_order(value: object) -> object:
    """The list of a set, which is written in order."""
    texts = [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
    for before, after in pairwise(texts):
        if after == before:
            raise ValueError(f"{after!r} is there twice")
        if after < before:
            raise ValueError(f"names are sorted: {after!r} belongs before {before!r}")
    return value


NameSet = Annotated[frozenset[Name], BeforeValidator(_in_order)]


class Row(Frozen):
    """A row of a section."""

    def sort_key(self) -> str:
        """What the rows of a section are sorted by: the first field, of a set its first name."""
        first = getattr(self, next(iter(type(self).model_fields)))
        return min(first, default="") if isinstance(first, frozenset) else str(first)

    def owned(self) -> Iterable[str]:
        """What no other row of the section has."""
        return ()


class NameRow(Row):
    """Names with one source."""

    names: NameSet = Field(min_length=1)
    source: Source

    def owned(self) -> Iterable[str]:
        """All names."""
        return self.names


class PatternRow(Row):
    """A regular expression for names or words."""

    pattern: Name
    source: Source

    def owned(self) -> Iterable[str]:
        """The expression."""
        return (self.pattern,)


Table = TypeVar("Table", bound=Frozen)
NameRows = tuple[NameRow, ...]
PatternRows = tuple[PatternRow, ...]


def read_table(path: Path, schema: type[Table]) -> Table:
    """The table of a file, read once. Raises UserError listing every mistake with its line."""
    table: Table = _read(path, schema)
    return table


@cache
def _read(path: Path, schema: Any) -> Any:
    return parse_table(schema, path.read_text(encoding="utf-8"), path.name)


def parse_table(schema: type[Table], text: str, origin: str) -> Table:
    """The table that a text describes. Raises UserError listing every mistake as `origin:line: sentence`."""
    table, lines = strict_yaml.parse_with_lines(schema, text, origin)
    mistakes = [
        lines.mistake((section, number), sentence)
        for section in type(table).model_fields
        for number, sentence in _row_mistakes(getattr(table, section))
    ]
    if mistakes:
        raise UserError("\n".join(mistakes))
    return table


def names_of(rows: Iterable[NameRow]) -> frozenset[str]:
    """The names of all rows."""
    return frozenset(name for row in rows for name in row.names)


def name_reader(path: Path, schema: type[Frozen]) -> Callable[[str], frozenset[str]]:
    """A function that gives the names of a section of a table, which is read when first asked for."""

    @cache
    def names(section: str) -> frozenset[str]:
        return names_of(getattr(read_table(path, schema), section))

    return names


def combined_pattern(rows: Iterable[PatternRow], flags: int = 0) -> re.Pattern[str]:
    """Found wherever the expression of one row is."""
    return re.compile("|".join(f"(?:{row.pattern})" for row in rows), flags)


def _row_mistakes(section: object) -> Iterator[tuple[int, str]]:
    """Rows out of order, and what is in two of them, with the number of the row."""
    last, seen = "", set[str]()
    for number, row in enumerate(section if isinstance(section, tuple) else ()):
        if not isinstance(row, Row):
            continue
        key = row.sort_key()
        if key < last:
            yield number, f"rows are sorted: {key!r} belongs before {last!r}."
        yield from ((number, f"{each!r} is in two rows.") for each in sorted(row.owned()) if each in seen)
        seen.update(row.owned())
        last = key
