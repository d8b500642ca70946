"""The commands that ask questions over a store: derived tables, SQL, another policy, and a site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor.cli.audit_command import Score, parse_minimum
from auditor.cli.audit_output import drawn_text, print_drawn, say, terminal_text, warn, write_file
from auditor.cli.exit_codes import PASSED
from auditor.cli.platform_support import require_unix
from auditor.user_error import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from auditor.fleet.policy_simulation import Policy
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
SIMULATION_FORMATS = ("terminal", "markdown", "json")
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


@click.command(short_help="Show what another policy would have decided.")
@STORE
@PROCESSES
@click.option("--rubric", metavar="NAME|FILE", help="Judge every record by this built-in rubric or rubric file.")
@click.option("--min-overall", type=Score(1, 5), metavar="N", help="Lowest overall score that passes.")
@click.option(
    "--min",
    "minimum",
    multiple=True,
    callback=parse_minimum,
    metavar="CRITERION=N",
    help="Lowest score of one criterion that passes. Can be repeated.",
)
@click.option(
    "--no-new",
    type=click.Choice(["low", "medium", "high", "critical"]),
    help="Fail on a confirmed new finding of this severity or above.",
)
@click.option(
    "--format",
    "chosen",
    type=click.Choice(SIMULATION_FORMATS),
    default="terminal",
    show_default=True,
    help="How to write the result. json lists every record.",
)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write to this file and print nothing.")
def simulate(store: Path, processes: int | None, chosen: str, out: Path | None, **options: Any) -> int:
    """Show which records would end otherwise under another rubric or gate, and why. What you do not give stays as it was.

    Nothing is cloned and no model is asked. The embedded bench judges the recorded evidence again under another rubric, as an
    audit would. Opinions of a model are kept; such records are marked as counterfactual. Records that lack what the
    policy asks, such as a rule that was not run, are counted apart.

    \b
    Examples:
      auditor fleet simulate --store audits --min-overall 4 --no-new high
      auditor fleet simulate --store audits --rubric my-rubric.yaml --format markdown --out effect.md
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    require_unix()
    from auditor.fleet.store import Store
    from auditor.fleet.store_simulation import simulate_store
    from auditor.report import simulation_text

    found = simulate_store(Store.open(store), _policy(options), processes)
    warn_left_out(found.not_read)
    if chosen == "terminal":

        def draw(console: Console) -> None:
            simulation_text.print_simulation(found, console)

        if out is None:
            print_drawn(draw)
        else:
            write_file(drawn_text(draw), out)
        return PASSED
    text = simulation_text.markdown(found) if chosen == "markdown" else simulation_text.to_json(found)
    if out is None:
        say(text.removesuffix("\n"))
    else:
        write_file(text, out)
    return PASSED


def _policy(options: dict[str, Any]) -> Policy:
    """The policy of the options. Raises UserError when nothing is asked, or for a criterion that the rubric lacks."""
    from auditor import rubric_loader, settings
    from auditor.domain import Severity
    from auditor.fleet.policy_simulation import Policy

    name, criteria, severity = options["rubric"], options["minimum"], options["no_new"]
    if name is None and options["min_overall"] is None and not criteria and severity is None:
        raise UserError("no policy is given: add --rubric, --min-overall, --min or --no-new.")
    bad = [each for each, score in criteria.items() if not 1 <= score <= 5]
    if bad:
        raise UserError(f"the lowest score for {bad[0]} must lie between 1 and 5, not {criteria[bad[0]]:g}.")
    rubric = settings.named_rubric(name)[0] if name is not None else None
    if rubric is not None:
        known = [each.id for each in rubric.criteria]
        unknown = [each for each in criteria if each not in known]
        if unknown:
            raise UserError(f"{unknown[0]!r} is no criterion of the rubric {rubric.id}: there are {', '.join(known)}.")
    return Policy(
        rubric=rubric,
        rubric_digest=rubric_loader.digest(rubric) if rubric is not None else "",
        overall=options["min_overall"],
        criteria=criteria,
        no_new=Severity(severity) if severity is not None else None,
    )


@click.command(short_help="Write a site about a store.")
@click.argument("store", type=click.Path(path_type=Path), metavar="DIR")
@PROCESSES
@click.option("-o", "--out", type=click.Path(path_type=Path), metavar="DIR", required=True, help="Folder of the site.")
@click.option("--records", is_flag=True, help="Write the page of every record, too.")
def report(store: Path, processes: int | None, out: Path, records: bool) -> int:
    """Write a folder of HTML pages about a store: an overview, a page for each repository and for each rule with findings.

    The pages need no scripts and load nothing. A site that was written before is replaced.

    \b
    Example:
      auditor fleet report audits -o site
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    require_unix()
    from auditor.fleet.site_writer import write_site
    from auditor.fleet.store import Store

    found = fresh_index(store, processes)
    written = write_site(Store.open(store), found, out, _rule_texts, records=records, processes=processes)
    say(f"{written.pages:,} pages, {written.bytes:,} bytes: {terminal_text(str(out / 'index.html'))}")
    return PASSED


def _rule_texts(rule: str) -> tuple[str, str]:
    """Question and advice of a rule."""
    from auditor.forensics.engine.probe_discovery import discover_probes

    probe = discover_probes().get(rule)
    return (probe.question, probe.advice) if probe is not None else ("", "")
