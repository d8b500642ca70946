"""Commands that need no repository: replay a record, work on rubrics, print schemas."""

from __future__ import annotations

import json
from pathlib import Path

import click

from auditor.cli.audit_output import say, terminal_text
from auditor.cli.exit_codes import EXIT_CODES, FAILED, MISTAKE, PASSED, exit_code_help
from auditor.user_error import UserError


@click.command(
    epilog=exit_code_help("the same verdict", "another one", EXIT_CODES[MISTAKE]),
    short_help="Derive the verdict of a record again, offline.",
)
@click.argument("record", type=click.Path(path_type=Path), metavar="REPORT.JSON")
@click.option("--rubric", metavar="NAME|FILE", help="Derive it by another rubric and say what that would change.")
def replay(record: Path, rubric: str | None) -> int:
    """Derive the verdict of a record again, offline, from its evidence and opinions.

    Says "same", or "different" and where.
    """
    from auditor import rubric_loader as rubrics
    from auditor import settings, synthesis
    from auditor.report.report_json import from_json

    report = from_json(_read_file(record, "the report.json that an audit wrote"), str(record))
    chosen = settings.named_rubric(rubric)[0] if rubric else None
    if rubrics.digest(report.rubric.definition) != report.rubric.digest:
        say("different: the rubric on the record does not have the digest on the record, so one of them was changed")
        return FAILED
    compared = synthesis.replay(report, chosen)
    if compared.same:
        overall = compared.verdict.overall
        score = "no overall score" if overall is None else f"overall {overall}"
        say(f"same: {compared.verdict.conclusion.spoken}, {score}")
        return PASSED
    count = len(compared.differences)
    say(f"different in {count} {'place' if count == 1 else 'places'}:")
    for each in compared.differences:
        say(terminal_text(f"  {each.path}: recorded {each.recorded!r}, derived {each.derived!r}"))
    return FAILED


@click.command(short_help="List what the judges of a record cost.")
@click.argument("record", type=click.Path(path_type=Path), metavar="REPORT.JSON")
def cost(record: Path) -> None:
    """List every request to a model on a record: who was asked, what came back, tokens by kind, money and time."""
    from auditor.report.bench_description import cost_table
    from auditor.report.report_json import from_json

    report = from_json(_read_file(record, "the report.json that an audit wrote"), str(record))
    for line in cost_table(report):
        say(terminal_text(line))


def _read_file(file: Path, expected: str) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise UserError(f"{file} cannot be read ({error.strerror}): give {expected}.") from error


@click.group(short_help="List, show and check rubrics, and what they can look at.")
def rubric() -> None:
    """List, show and check rubrics, and what they can look at."""


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
    """Print a built-in rubric, ready to be copied and changed."""
    from auditor import rubric_loader as rubrics

    rubrics.built_in(name, or_file=False)
    say(rubrics.source(name).removesuffix("\n"))


@rubric.command("check")
@click.argument("file", type=click.Path(path_type=Path))
def rubric_check(file: Path) -> None:
    """Check a rubric file: all mistakes at once, each with its line."""
    from auditor import rubric_loader as rubrics
    from auditor.forensics.engine.probe_discovery import discover_probes

    found = rubrics.load(_read_file(file, "the path of a rubric"), str(file))
    strangers = rubrics.unknown_probes(found, discover_probes())
    if strangers:
        raise UserError("\n".join(f"{file}: {each}" for each in strangers))
    say(terminal_text(f"{file}: fine: {len(found.criteria)} criteria, {len(found.probes())} probes."))


@rubric.command("probes", short_help="List what a criterion can look at, or tell more of it.")
@click.argument("probes", metavar="[PROBE]...", nargs=-1)
def rubric_probes(probes: tuple[str, ...]) -> None:
    """List what a criterion can look at; of the probes named, what each counts, in which languages, and who asks."""
    from auditor.cli.probes_command import describe_probes, list_probes

    say(describe_probes(probes) if probes else list_probes())


@click.command(short_help="Print the JSON Schema of a record, a rubric or the configuration.")
@click.argument("what", type=click.Choice(["report", "rubric", "config"]), default="report")
def schema(what: str) -> None:
    """Print the JSON Schema of a record, a rubric or the configuration file."""
    from auditor import rubric_loader as rubrics
    from auditor import settings
    from auditor.report import report_json

    made = {"report": report_json.schema, "rubric": rubrics.schema, "config": settings.schema}[what]()
    say(json.dumps(made, indent=2))
