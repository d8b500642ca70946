"""Commands about what an audit is asked: rubrics, probes, and the schemas of what is written and read."""

from __future__ import annotations

import json
from pathlib import Path

import click

from auditor.cli.audit_output import say, terminal_text
from auditor.cli.input_file import read_file


@click.group(short_help="List, print and check rubrics, and list the probes they can use.")
def rubric() -> None:
    """List, print and check rubrics, and list the probes they can use.

    \b
    Examples:
      auditor rubric show pull-request > my-rubric.yaml  start a rubric of your own
      auditor rubric check my-rubric.yaml                check it
      auditor rubric check .github/auditor/rows          check a folder of rows of your own
    """  # noqa: D301 - click reads the backspace as "do not wrap"


@rubric.command("list")
def rubric_list() -> None:
    """List the built-in rubrics."""
    from auditor import rubric_loader as rubrics

    for name in rubrics.names():
        found = rubrics.built_in(name)
        say(f"{name}  {len(found.criteria)} criteria, {len(found.probes())} probes. {found.about}")


@rubric.command("show")
@click.argument("name")
def rubric_show(name: str) -> None:
    """Print a built-in rubric as YAML, to copy and edit."""
    from auditor import rubric_loader as rubrics

    rubrics.built_in(name, or_file=False)
    say(rubrics.source(name).removesuffix("\n"))


@rubric.command("check")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE|FOLDER")
def rubric_check(file: Path) -> None:
    """Check a rubric file, or a folder of rows of your own, and list every mistake with its line."""
    if file.is_dir():
        _check_rows(file)
        return
    from auditor import rubric_loader as rubrics
    from auditor.forensics.engine.probe_discovery import discover_probes

    found = rubrics.load(read_file(file, "the path of a rubric"), str(file), discover_probes())
    say(terminal_text(f"{file}: fine: {len(found.criteria)} criteria, {len(found.probes())} probes."))


def _check_rows(folder: Path) -> None:
    from auditor.domain import UserError
    from auditor.english_counts import pluralize
    from auditor.forensics.engine.team_row_files import describe_team_rows, read_team_rows
    from auditor.settings import local_row_files

    files = local_row_files(folder)
    found = describe_team_rows(read_team_rows(files), [path for path, _ in files])
    if found is None:
        raise UserError(
            f"{folder} holds no file of rows: add one that is named after a topic, such as sql_queries.yaml."
        )
    counts = (
        pluralize(len(found.files), "file"),
        pluralize(found.rows, "row"),
    )
    say(terminal_text(f"{folder}: fine: {', '.join(counts)}."))


@click.command(short_help="Print the JSON Schema of a report, a rubric or the configuration.")
@click.argument("what", type=click.Choice(["report", "rubric", "config"]), default="report")
def schema(what: str) -> None:
    """Print the JSON Schema of a report.json, a rubric file or .github/auditor.yml."""
    from auditor import rubric_loader as rubrics
    from auditor import settings
    from auditor.report import report_json

    made = {"report": report_json.schema, "rubric": rubrics.schema, "config": settings.schema}[what]()
    say(json.dumps(made, indent=2))
