"""Calls that are given a query: rows of `sql_queries.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.forensics.library_models.team_rows import TeamMethodRow, TeamRow, team_rows
from auditor.row_tables import NameRows

TOPIC = "sql_queries"


class SqlQueries(Frozen):
    """Methods, wrappers and pieces of queries."""

    composing_calls: NameRows
    dialect_owners: NameRows
    fragments: NameRows
    piece_arguments: NameRows
    query_arguments: NameRows
    query_methods: NameRows
    query_wrappers: NameRows
    text_calls: NameRows


class TeamSqlQueries(Frozen):
    """What a team may add: its own functions and methods that are given a query."""

    fragments: tuple[TeamRow, ...] = ()
    query_methods: tuple[TeamMethodRow, ...] = ()


sql_queries = python_reader(TOPIC, SqlQueries)


def sql_queries_with_team_rows() -> SqlQueries:
    """The rows, and those of the team that are in force."""
    return team_rows().extend(TOPIC, sql_queries())
