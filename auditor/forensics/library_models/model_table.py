"""Rows of names with a source: `*.yaml` beside this file, one file a question, read when first asked for.

A file has the key `python`, and may have `other_languages`. Each holds sections, and a section is a list of rows. Rows
are sorted by their first name, names in a row are sorted, and no name is twice in a section; whatever is not so is an
error that names its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast, get_args, get_type_hints

from pydantic import Field, TypeAdapter, ValidationError

from auditor import strict_yaml
from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.file_sections import python_section
from auditor.forensics.library_models.row_tables import Source
from auditor.user_error import did_you_mean

FOLDER = Path(__file__).parent
Name = Annotated[str, Field(min_length=1, max_length=120)]


class NameRow(Frozen):
    """Names with one source: whole ones, and each of `owners` with each of `members`."""

    names: tuple[Name, ...] = ()
    owners: tuple[Name, ...] = ()
    members: tuple[Name, ...] = ()
    source: Source

    @property
    def expanded(self) -> tuple[str, ...]:
        """All names of the row."""
        return (*self.names, *(f"{owner}.{member}" for owner in self.owners for member in self.members))


class ArgumentRow(NameRow):
    """Calls, and the argument that matters: its name, and its position where it has one."""

    argument: str
    position: Annotated[int, Field(ge=0)] | None = None


Row = TypeVar("Row", bound=NameRow)
Schema = TypeVar("Schema")
Names = tuple[NameRow, ...]
Arguments = tuple[ArgumentRow, ...]


class ModelFile(Frozen):
    """A file: sections of rows for Python by qualified name, and rules for languages that are read by tree-sitter."""

    python: dict[str, Any]
    other_languages: Any = None


def read_python(topic: str, schema: type[Schema]) -> Schema:
    """The rows for Python of a file, read once. Raises UserError listing every mistake with its line."""
    return cast("Schema", _read_python(topic, cast("Any", schema)))


@cache
def _read_python(topic: str, schema: type[Any]) -> Any:
    path = FOLDER / f"{topic}.yaml"
    return parse_python(schema, python_section(path.read_text(encoding="utf-8")), path.name)


def parse_python(schema: type[Schema], text: str, origin: str) -> Schema:
    """The rows for Python in the text of a file: a field of the schema for each section.

    Raises UserError listing every mistake as `origin:line: sentence`.
    """
    rows: dict[str, Any] = {}
    strict_yaml.parse(ModelFile, text, origin, lambda data: _read_sections(schema, data, rows))
    make: Any = schema  # a named tuple, of which no type says how it is made
    return cast("Schema", make(**rows))


class _TeamFile(Frozen):
    """A file of a team: sections of rows for Python."""

    python: dict[str, Any]


def parse_team_python(schema: type[Schema], text: bytes, origin: str, check: strict_yaml.Check) -> Schema:
    """The rows for Python in a file of a team. Nothing is expanded where `check` finds a mistake.

    Raises UserError listing every mistake as `origin:line: sentence`.
    """
    rows: dict[str, Any] = {}

    def mistakes(data: object) -> Iterator[tuple[strict_yaml.KeyPath, str]]:
        first = list(check(data))
        yield from first or _read_sections(schema, data, rows)

    strict_yaml.parse(_TeamFile, text, origin, mistakes)
    make: Any = schema
    return cast("Schema", make(**rows))


def names_of(rows: Iterable[NameRow]) -> frozenset[str]:
    """The names of all rows."""
    return frozenset(name for row in rows for name in row.expanded)


def qualified_names(rows: Iterable[NameRow]) -> list[str]:
    """The qualified names of all rows, sorted: those that are no method of whatever object."""
    return sorted(name for name in names_of(rows) if not name.startswith("."))


def method_names(rows: Iterable[NameRow]) -> list[str]:
    """The methods of all rows, sorted, without the dot that marks a method of whatever object."""
    return sorted(name[1:] for name in names_of(rows) if name.startswith("."))


def by_name(rows: Iterable[Row]) -> Mapping[str, Row]:
    """The row of each name."""
    return {name: row for row in rows for name in row.expanded}


def arguments_of(rows: Iterable[ArgumentRow]) -> dict[str, str]:
    """The argument of each call."""
    return {name: row.argument for row in rows for name in row.expanded}


def positions_of(rows: Iterable[ArgumentRow]) -> dict[str, tuple[str, int | None]]:
    """The argument of each call and its position."""
    return {name: (row.argument, row.position) for row in rows for name in row.expanded}


def _read_sections(schema: type[Any], data: object, rows: dict[str, Any]) -> Iterator[tuple[strict_yaml.KeyPath, str]]:
    """Fill in the rows of each section, and yield what is wrong with them."""
    sections = data.get("python") if isinstance(data, dict) else None
    if not isinstance(sections, dict):
        return
    row_types = {name: get_args(hint)[0] for name, hint in get_type_hints(schema).items()}
    for name in row_types.keys() - schema._field_defaults.keys() - sections.keys():
        yield ("python",), f"the section {name!r} is missing."
    for name, written in sections.items():
        place = ("python", name)
        if name not in row_types:
            known = sorted(row_types)
            hint = did_you_mean(str(name), known, f"known keys: {', '.join(known)}.")
            yield place, f"unknown key {name!r}; {hint}"
            continue
        try:
            rows[name] = _rows_adapter(row_types[name]).validate_python(written)
        except ValidationError as error:
            yield from (
                ((*place, *each["loc"]), strict_yaml.error_sentence(row_types[name], {**each, "loc": each["loc"][1:]}))
                for each in error.errors()
            )
        if isinstance(written, list):
            yield from _section_mistakes(place, written)


@cache
def _rows_adapter(row: type[NameRow]) -> TypeAdapter[Any]:
    """What checks rows of a type: made once for all sections that have them, for making it takes longest."""
    return TypeAdapter(tuple[row, ...])  # type: ignore[valid-type]


def _section_mistakes(section: strict_yaml.KeyPath, rows: list[object]) -> Iterator[tuple[strict_yaml.KeyPath, str]]:
    seen: set[str] = set()
    last = ""
    for number, row in enumerate(rows):
        place = (*section, number)
        if not isinstance(row, dict):
            continue
        for column in ("names", "owners", "members"):
            yield from _order_mistakes((*place, column), _texts(row.get(column)))
        names = _names_of_row(row)
        yield from ((place, f"{each!r} is in {section[-1]} twice.") for each in names if each in seen)
        seen.update(names)
        if names and names[0] < last:
            yield place, f"rows are sorted by their first name: {names[0]!r} belongs before {last!r}."
        last = names[0] if names else last
        if not names:
            yield place, "a row has `names`, or `owners` and `members`."


def _order_mistakes(place: strict_yaml.KeyPath, texts: list[str]) -> Iterator[tuple[strict_yaml.KeyPath, str]]:
    for number, (before, after) in enumerate(pairwise(texts), 1):
        if after < before:
            yield (*place, number), f"names are sorted: {after!r} belongs before {before!r}."
        elif after == before:
            yield (*place, number), f"{after!r} is there twice."


def _names_of_row(row: dict[Any, object]) -> list[str]:
    owners, members = _texts(row.get("owners")), _texts(row.get("members"))
    return [*_texts(row.get("names")), *(f"{owner}.{member}" for owner in owners for member in members)]


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
