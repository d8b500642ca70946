"""Questions in SQL over the tables of a store. A question can read the tables and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from auditor.domain import UserError
from auditor.fleet.duckdb_library import glob_escaped, load_duckdb, quoted
from auditor.fleet.table_index import TableIndex
from auditor.fleet.table_schema import TABLES, Table

MAX_ROWS = 1_000_000
_MAX_MEMORY = "4GB"
_SEALS = (
    "SET python_enable_replacements = false",
    "SET temp_directory = ''",
    f"SET memory_limit = '{_MAX_MEMORY}'",
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET allow_community_extensions = false",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)
"""After them no statement reads or writes a file, reaches the network, loads code or changes a setting. In this order."""


@dataclass(frozen=True)
class QueryResult:
    """Names of columns, and rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


class TableConnection:
    """The tables in memory, in a database that knows nothing outside of itself."""

    def __init__(self, duckdb: Any, connection: Any) -> None:
        self._duckdb = duckdb
        self.connection = connection

    def question(self, sql: str) -> QueryResult:
        """The answer to one SELECT. Raises UserError for anything else and for mistakes."""
        try:
            statements = self.connection.extract_statements(sql)
        except self._duckdb.Error as error:
            raise UserError(f"the question is not SQL: {_spoken(error)}") from error
        if len(statements) != 1 or statements[0].type.name not in {"SELECT", "EXPLAIN"}:
            raise UserError('a question is one SELECT statement: for example "SELECT count(*) FROM audits".')
        try:
            return self.ask(statements[0])
        except self._duckdb.Error as error:
            raise UserError(f"the question cannot be answered: {_spoken(error)}") from error

    def ask(self, statement: Any, values: tuple[Any, ...] = ()) -> QueryResult:
        """The answer to a statement. Raises UserError when there are too many rows."""
        cursor = self.connection.execute(statement, values) if values else self.connection.execute(statement)
        columns = tuple(each[0] for each in cursor.description)
        rows = tuple(cursor.fetchmany(MAX_ROWS + 1))
        if len(rows) > MAX_ROWS:
            raise UserError(f"the answer has more than {MAX_ROWS:,} rows: add a LIMIT.")
        return QueryResult(columns, rows)


@contextmanager
def open_tables(index: TableIndex) -> Iterator[TableConnection]:
    """Load the tables into memory and lock the door. Raises UserError when a file cannot be read."""
    duckdb = load_duckdb()
    with duckdb.connect(":memory:") as connection:
        try:
            for table in TABLES:
                connection.execute(_load_statement(table, index.files(table.name)))
        except duckdb.Error as error:
            raise UserError(
                f"the tables in {index.folder} cannot be read ({_spoken(error)}): run `auditor fleet index`."
            ) from error
        for each in _SEALS:
            connection.execute(each)
        yield TableConnection(duckdb, connection)


def _load_statement(table: Table, files: list[str]) -> str:
    columns = ", ".join(f"{each.name} {each.type}" for each in table.columns)
    if not files:
        return f"CREATE TABLE {table.name} ({columns})"
    names = ", ".join(quoted(glob_escaped(each)) for each in files)
    chosen = ", ".join(f"CAST({each.name} AS {each.type}) AS {each.name}" for each in table.columns)
    return f"CREATE TABLE {table.name} AS SELECT {chosen} FROM read_parquet([{names}], hive_partitioning = false)"  # noqa: S608 - names of ours


def _spoken(error: Exception) -> str:
    return " ".join(str(error).split())[:400]
