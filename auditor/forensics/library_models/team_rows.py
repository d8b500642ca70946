"""Rows that a team adds to the tables for its own repository, in force for the length of one audit.

What is known of libraries is asked for by many small functions while a file is read. The rows are settled before the
first file is read and do not change until the audit ends, so they are a context and no argument of each of them. A
module never reads them while it is imported: it is imported once, and audits with other rows follow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from typing import Annotated, Any, ParamSpec, TypeVar, cast

from pydantic import AfterValidator, Field

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import ArgumentRow, NameRow

MAX_LIST = 100
"""Names in one list of a row; `owners` with `members` stand for at most that many squared."""
_KEPT_RESULTS = 64
_QUALIFIED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
Table = TypeVar("Table", bound=Frozen)
Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")


def _is_qualified(name: str) -> str:
    """The qualified name of a function or class, written out."""
    if not _QUALIFIED.fullmatch(name):
        raise ValueError("write the qualified name, such as acme.http.fetch, without wildcards or regular expressions")
    return name


def _is_identifier(name: str) -> str:
    """One name without dots."""
    if not _IDENTIFIER.fullmatch(name):
        raise ValueError("write one name without dots, wildcards or regular expressions")
    return name


def _is_dotted(name: str) -> str:
    """A name, qualified or not."""
    return name if _IDENTIFIER.fullmatch(name) else _is_qualified(name)


QualifiedName = Annotated[str, Field(max_length=120), AfterValidator(_is_qualified)]
Identifier = Annotated[str, Field(max_length=120), AfterValidator(_is_identifier)]
DottedName = Annotated[str, Field(max_length=120), AfterValidator(_is_dotted)]


class TeamRow(NameRow):
    """A row of qualified names, written out."""

    names: Annotated[tuple[QualifiedName, ...], Field(max_length=MAX_LIST)] = ()
    owners: Annotated[tuple[DottedName, ...], Field(max_length=MAX_LIST)] = ()
    members: Annotated[tuple[Identifier, ...], Field(max_length=MAX_LIST)] = ()


class TeamArgumentRow(ArgumentRow, TeamRow):
    """Calls, and the argument that matters."""

    argument: Identifier


class TeamMethodRow(NameRow):
    """A row of methods, by their own name."""

    names: Annotated[tuple[Identifier, ...], Field(min_length=1, max_length=MAX_LIST)]
    owners: Annotated[tuple[str, ...], Field(max_length=0)] = ()
    members: Annotated[tuple[str, ...], Field(max_length=0)] = ()


@dataclass(frozen=True)
class TeamRows:
    """The rows of a team by topic, and the digest of their content."""

    digest: str = ""
    tables: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """For each topic a table of its sections."""
    names: frozenset[str] = field(default=frozenset(), compare=False)
    """All qualified names: what they name may be defined in the repository itself."""

    def extend(self, topic: str, built_in: Table) -> Table:
        """The rows of a table, and those of the team behind them in each section."""
        own = self.tables.get(topic)
        if own is None:
            return built_in
        sections = type(own).model_fields
        return built_in.model_copy(update={name: (*getattr(built_in, name), *getattr(own, name)) for name in sections})


NO_TEAM_ROWS = TeamRows()
_IN_FORCE: ContextVar[TeamRows] = ContextVar("team_rows", default=NO_TEAM_ROWS)


def team_rows() -> TeamRows:
    """The rows in force; none outside of an audit."""
    return _IN_FORCE.get()


def put_in_force(rows: TeamRows) -> None:
    """Have rows count in this process from now on: for a worker, which serves one audit."""
    _IN_FORCE.set(rows)


@contextmanager
def in_force(rows: TeamRows) -> Iterator[None]:
    """Have rows count for what is done inside."""
    token = _IN_FORCE.set(rows)
    try:
        yield
    finally:
        _IN_FORCE.reset(token)


def kept_by_team_rows(make: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """The same function, whose results are kept as long as the same rows are in force."""

    @lru_cache(maxsize=_KEPT_RESULTS)
    def kept(_rows: TeamRows, *args: Any) -> Any:
        return cast("Any", make)(*args)

    @wraps(make)
    def current(*args: Arguments.args, **_: Arguments.kwargs) -> Result:
        return cast("Result", kept(_IN_FORCE.get(), *cast("Any", args)))

    return current
