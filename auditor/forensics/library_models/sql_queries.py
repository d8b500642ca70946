"""Calls that are given a query: rows of `sql_queries.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Names, read_python
from auditor.forensics.library_models.team_rows import TeamMethodRow, TeamRow, team_rows

TOPIC = "sql_queries"


class SqlQueries(NamedTuple):
    """Methods, wrappers and pieces of queries."""

    composing_calls: Names
    dialect_owners: Names
    fragments: Names
    piece_arguments: Names
    query_arguments: Names
    query_methods: Names
    query_wrappers: Names
    text_calls: Names


class TeamSqlQueries(NamedTuple):
    """What a team may add: its own functions and methods that are given a query."""

    fragments: tuple[TeamRow, ...] = ()
    query_methods: tuple[TeamMethodRow, ...] = ()


def sql_queries() -> SqlQueries:
    """The rows, read once."""
    return read_python(TOPIC, SqlQueries)


def sql_queries_with_team_rows() -> SqlQueries:
    """The rows, and those of the team that are in force."""
    return team_rows().extend(TOPIC, sql_queries())
