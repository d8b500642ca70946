"""Calls that are given a query: rows of `sql_queries.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Names, read_python


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


def sql_queries() -> SqlQueries:
    """The rows, read once."""
    return read_python("sql_queries", SqlQueries)
