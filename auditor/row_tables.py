"""Tables of rows in YAML beside the code that reads them: the one loader of what the program knows of the world.

A table is a closed schema of sections, each row or table has its source, and nothing is there twice. A set is written in order, a
tuple keeps the order that has a meaning. Rows of a section are sorted by `Row.sort_key`, and what `Row.owned` names is in one
row only. `parse_table` checks all of that and names every mistake with its line; it reads the rows of a team, and tests read every
table that ships with it. An audit builds those with `build_table`, which takes the schema at its word: checking them again in each
process took longer than reading a small change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from auditor import strict_yaml
from auditor.compiled_data import plain_data
from auditor.domain import UserError
from auditor.domain.frozen_model import Frozen
from auditor.trusted_values import builder_of
from auditor.user_error import did_you_mean

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


def _nothing_twice(value: object) -> object:
    """The list of a set whose order is free."""
    texts = [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
    if len(set(texts)) < len(texts):
        raise ValueError(f"{next(each for each in texts if texts.count(each) > 1)!r} is there twice")
    return value


FreeSet = Annotated[frozenset[Name], BeforeValidator(_nothing_twice)]
NameSet = Annotated[frozenset[Name], BeforeValidator(_in_order)]
SortedNames = Annotated[tuple[Name, ...], BeforeValidator(_in_order)]


class Row(Frozen):
    """A row of a section."""

    def sort_key(self) -> str:
        """What the rows of a section are sorted by: the first field, of a set its first name."""
        first = getattr(self, next(iter(type(self).model_fields)))
        return min(first, default="") if isinstance(first, frozenset) else str(first)

    def owned(self) -> Iterable[str]:
        """What no other row of the section has."""
        return ()


class KeyRow(Row):
    """A row that its first field names: no other row of the section has the same."""

    def owned(self) -> Iterable[str]:
        """The first field."""
        return (self.sort_key(),)


class TopicRow(Row):
    """A row that is beside others of its topic: the order of rows is free."""

    def sort_key(self) -> str:
        """Nothing to sort by."""
        return ""


class NameRow(Row):
    """Names with one source: whole ones, and each of `owners` with each of `members`."""

    names: SortedNames = ()
    owners: SortedNames = ()
    members: SortedNames = ()
    source: Source

    @property
    def expanded(self) -> tuple[str, ...]:
        """All names of the row."""
        return (*self.names, *(f"{owner}.{member}" for owner in self.owners for member in self.members))

    def sort_key(self) -> str:
        """The first name."""
        return self.expanded[0]

    def owned(self) -> Iterable[str]:
        """All names."""
        return self.expanded

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        if not self.expanded:
            raise ValueError("a row has `names`, or `owners` and `members`")
        return self


class ArgumentRow(NameRow):
    """Calls, and the argument that matters: its name, and its position where it has one."""

    argument: str
    position: Annotated[int, Field(ge=0)] | None = None


class PatternRow(KeyRow):
    """A regular expression for names or words."""

    pattern: Name
    source: Source


Table = TypeVar("Table", bound=Frozen)
AnyNameRow = TypeVar("AnyNameRow", bound=NameRow)
NameRows = tuple[NameRow, ...]
ArgumentRows = tuple[ArgumentRow, ...]
PatternRows = tuple[PatternRow, ...]


def read_table(path: Path, schema: type[Table]) -> Table:
    """The table of a file that ships with the program, read once."""
    table: Table = _read(path, schema)
    return table


@cache
def _read(path: Path, schema: Any) -> Any:
    return build_table(schema, path.read_text(encoding="utf-8"), path)


def build_table(schema: type[Table], text: str, source: Path, section: str = "", *, part: str = "") -> Table:
    """The table in the text of a file that ships with the program, or the one below a key of it. Its values are not checked.

    Where the text is but a part of the file, `part` is a name for it.
    """
    data: Any = plain_data(text, source, part)
    table: Table = builder_of(schema)(data[section] if section else data)
    return table


def parse_table(
    schema: type[Table],
    text: str | bytes,
    origin: str,
    *,
    section: str = "",
    beside: Iterable[str] = (),
    check: strict_yaml.Check = lambda _data: (),
) -> Table:
    """The table that a text describes, or the one below a key of it; `beside` are other keys that the text may have.

    `check` looks at the plain data first. Raises UserError listing every mistake as `origin:line: sentence`.
    """
    data, lines = strict_yaml.parse_plain(text, origin)
    mistakes = list(check(data))
    place: strict_yaml.KeyPath = (section,) if section else ()
    if section and not mistakes:
        mistakes += _section_mistakes(data, section, (section, *beside))
    if mistakes:
        raise _refusal(lines, mistakes)
    held: Any = data[section] if section and isinstance(data, dict) else data
    try:
        table = schema.model_validate(held)
    except ValidationError as error:
        found = [
            ((*place, *each["loc"]), strict_yaml.error_sentence(schema, each, _ROW_PARTS if _in_row(each) else 0))
            for each in error.errors()
        ]
        raise _refusal(lines, found) from error
    if among := list(_table_mistakes(table, place)):
        raise _refusal(lines, among)
    return table


_ROW_PARTS = 2
"""Parts of the path of a row: its section and its number."""


def _in_row(error: Any) -> bool:
    return len(error["loc"]) >= _ROW_PARTS and isinstance(error["loc"][1], int)


def _refusal(lines: strict_yaml.Lines, mistakes: Iterable[tuple[strict_yaml.KeyPath, str]]) -> UserError:
    told = {(lines.of(place), sentence) for place, sentence in mistakes}
    return UserError("\n".join(f"{lines.origin}:{line}: {sentence}" for line, sentence in sorted(told)))


def _section_mistakes(data: object, section: str, known: tuple[str, ...]) -> Iterator[tuple[strict_yaml.KeyPath, str]]:
    keys = data if isinstance(data, dict) else {}
    for key in keys:
        if key not in known:
            hint = did_you_mean(str(key), known, f"known keys: {', '.join(known)}.")
            yield (key,), f"unknown key {key!r}; {hint}"
    if section not in keys:
        yield (), f"{section} is missing."


def _table_mistakes(table: Frozen, place: strict_yaml.KeyPath) -> Iterator[tuple[strict_yaml.KeyPath, str]]:
    """Rows out of order, and what is in two of them, in all sections."""
    for section, info in type(table).model_fields.items():
        for number, sentence in _row_mistakes(getattr(table, section)):
            yield (*place, info.alias or section, number), sentence


def names_of(rows: Iterable[NameRow]) -> frozenset[str]:
    """The names of all rows."""
    return frozenset(name for row in rows for name in row.expanded)


def qualified_names(rows: Iterable[NameRow]) -> list[str]:
    """The qualified names of all rows, sorted: those that are no method of whatever object."""
    return sorted(name for name in names_of(rows) if not name.startswith("."))


def method_names(rows: Iterable[NameRow]) -> list[str]:
    """The methods of all rows, sorted, without the dot that marks a method of whatever object."""
    return sorted(name[1:] for name in names_of(rows) if name.startswith("."))


def by_name(rows: Iterable[AnyNameRow]) -> Mapping[str, AnyNameRow]:
    """The row of each name."""
    return {name: row for row in rows for name in row.expanded}


def arguments_of(rows: Iterable[ArgumentRow]) -> dict[str, str]:
    """The argument of each call."""
    return {name: row.argument for row in rows for name in row.expanded}


def positions_of(rows: Iterable[ArgumentRow]) -> dict[str, tuple[str, int | None]]:
    """The argument of each call and its position."""
    return {name: (row.argument, row.position) for row in rows for name in row.expanded}


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
