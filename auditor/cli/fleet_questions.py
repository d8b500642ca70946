"""The commands that ask questions over a store: derived tables, SQL, another policy, and a site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from auditor.cli.audit_output import say, warn
from auditor.cli.exit_codes import PASSED
from auditor.cli.platform_support import require_unix

if TYPE_CHECKING:
    from auditor.fleet.table_index import TableIndex

_MAX_WARNINGS = 5

STORE = click.option(
    "--store", type=click.Path(path_type=Path), metavar="DIR", required=True, help="Folder of the records."
)
PROCESSES = click.option(
    "--processes",
    type=click.IntRange(1, 32),
    metavar="N",
    help="Processes that read records. Default: one per processor.",
)
SQL_FORMATS = ("table", "csv", "json", "markdown")


@click.command(short_help="Derive tables from the records of a store.")
@STORE
@PROCESSES
def index(store: Path, processes: int | None) -> int:
    """Derive the tables audits, rulings, facts, objections and costs from the records, as Parquet files.

    They are written to DIR/tables, by month, and can be deleted: `auditor fleet sql` and `auditor fleet report` derive
    them again when they are missing, damaged, or when the store has other records.

    \b
    Example:
      auditor fleet index --store audits
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    require_unix()
    from auditor.fleet.store import Store
    from auditor.fleet.table_index import build_index

    built = build_index(Store.open(store), processes)
    warn_left_out(built.content.not_read)
    for name, count in built.content.rows.items():
        say(f"{name}: {count:,} {'row' if count == 1 else 'rows'}")
    return PASSED


@click.command(short_help="Ask a question in SQL over the records of a store.")
@click.argument("question", metavar="SQL")
@STORE
@PROCESSES
@click.option(
    "--format",
    "chosen",
    type=click.Choice(SQL_FORMATS),
    default="table",
    show_default=True,
    help="How to print the answer.",
)
def sql(question: str, store: Path, processes: int | None, chosen: str) -> int:
    """Answer one SELECT statement over the tables of a store.

    The tables are loaded into memory. A question can read nothing else: no files, no network, no settings.

    \b
    Example:
      auditor fleet sql "SELECT conclusion, count(*) FROM audits GROUP BY ALL" --store audits
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    require_unix()
    from auditor.fleet.table_queries import open_tables
    from auditor.report.query_output import csv_text, json_text, markdown_text, terminal_table

    with open_tables(fresh_index(store, processes)) as tables:
        answer = tables.question(question)
    writers = {"table": terminal_table, "csv": csv_text, "json": json_text, "markdown": markdown_text}
    say(writers[chosen](answer.columns, answer.rows).removesuffix("\n"))
    return PASSED


def fresh_index(store: Path, processes: int | None) -> TableIndex:
    """The tables of a store, with a sentence when they had to be made."""
    from auditor.fleet.store import Store
    from auditor.fleet.table_index import current_index

    found = current_index(Store.open(store), processes)
    if found.rebuilt_because:
        warn(f"Tables were derived from the records again: {found.rebuilt_because}.")
    warn_left_out(found.content.not_read)
    return found


def warn_left_out(not_read: dict[str, str]) -> None:
    """Say which records were left out, and why."""
    for key, reason in list(not_read.items())[:_MAX_WARNINGS]:
        warn(f"Record {key[:12]} is left out: {reason}.")
    if len(not_read) > _MAX_WARNINGS:
        warn(f"... and {len(not_read) - _MAX_WARNINGS:,} more records.")
