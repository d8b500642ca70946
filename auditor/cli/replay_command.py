"""Commands about the record of an audit: derive its verdict again, list what its judges cost."""

from __future__ import annotations

from pathlib import Path

import click

from auditor.cli.audit_output import say, terminal_text
from auditor.cli.exit_codes import EXIT_CODES, FAILED, MISTAKE, PASSED, exit_code_help
from auditor.cli.input_file import read_file


@click.command(
    epilog=exit_code_help("the same verdict", "another verdict", EXIT_CODES[MISTAKE]),
    short_help="Derive the verdict of a report.json again, offline.",
)
@click.argument("record", type=click.Path(path_type=Path), metavar="REPORT.JSON")
@click.option("--rubric", metavar="NAME|FILE", help="Use another rubric and list what it changes.")
def replay(record: Path, rubric: str | None) -> int:
    """Derive the verdict of a report.json again, from the evidence and opinions that it records.

    Prints "same", or "different" and every difference. Needs no network, no key and no repository.

    \b
    Examples:
      auditor replay auditor-report/report.json
      auditor replay auditor-report/report.json --rubric my-rubric.yaml
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    from auditor import rubric_loader as rubrics
    from auditor import settings, synthesis
    from auditor.report.report_json import from_json

    report = from_json(read_file(record, "the report.json that an audit wrote"), str(record))
    chosen = settings.named_rubric(rubric)[0] if rubric else None
    if rubrics.recorded_digest(report.rubric.definition) != report.rubric.digest:
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


@click.command(short_help="List what the judges of a report.json cost.")
@click.argument("record", type=click.Path(path_type=Path), metavar="REPORT.JSON")
def cost(record: Path) -> None:
    """List every request to a model in a report.json: persona, model, result, tokens by kind, cost and time."""
    from auditor.report.bench_description import cost_table
    from auditor.report.report_json import from_json

    report = from_json(read_file(record, "the report.json that an audit wrote"), str(record))
    for line in cost_table(report):
        say(terminal_text(line))
