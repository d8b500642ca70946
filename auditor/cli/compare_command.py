"""The command that compares two records, or two folders of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from auditor.cli.audit_output import drawn_text, print_drawn, say, write_file
from auditor.cli.exit_codes import EXIT_CODES, FAILED, MISTAKE, PASSED, exit_code_help
from auditor.user_error import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from auditor.domain.comparison import RecordSetComparison

TERMINAL = "terminal"
FORMATS = (TERMINAL, "markdown", "json", "html")


@click.command(
    epilog=exit_code_help("nothing differs", "something differs", EXIT_CODES[MISTAKE]),
    short_help="Show what changed between two audits.",
)
@click.argument("before", metavar="A", type=click.Path(path_type=Path))
@click.argument("after", metavar="B", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "chosen",
    type=click.Choice(FORMATS),
    default=TERMINAL,
    show_default=True,
    help="How to write the comparison. json holds everything, with fingerprints.",
)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write to this file and print nothing.")
def compare(before: Path, after: Path, chosen: str, out: Path | None) -> int:
    """Show what changed from audit A to audit B.

    A and B are two records (report.json), or two folders of records. Compared are conclusion, scores, decision rules,
    the gate, findings and objections; sentences, times and costs are not. A finding that only moved to another line or
    file is the same finding: it is known by its probe, the function or class around it and the quoted text.

    Records of two folders are paired when repository, base and head are the same, and otherwise by their path below the
    folder. As with diff, the exit code is 1 for any difference, in scores or not, and for a record without a partner.

    \b
    Examples:
      auditor compare monday/report.json tuesday/report.json
      auditor compare first-submissions/ second-submissions/ --format html --out changes.html
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    comparison = _compare(before, after)
    if chosen == TERMINAL:
        _show(comparison, out)
    else:
        text = _render(comparison, chosen)
        if out is None:
            say(text.removesuffix("\n"))
        else:
            write_file(text, out)
    return FAILED if comparison.different else PASSED


def _show(comparison: RecordSetComparison, out: Path | None) -> None:
    from auditor.report.comparison_terminal import print_comparison

    def draw(console: Console) -> None:
        print_comparison(comparison, console)

    if out is None:
        print_drawn(draw)
    else:
        write_file(drawn_text(draw), out)


def _render(comparison: RecordSetComparison, chosen: str) -> str:
    from auditor.report import comparison_json, comparison_pages

    writers: dict[str, Callable[[RecordSetComparison], str]] = {
        "markdown": comparison_pages.markdown,
        "html": comparison_pages.html,
        "json": comparison_json.to_json,
    }
    return writers[chosen](comparison)


def _compare(before: Path, after: Path) -> RecordSetComparison:
    from auditor.cli.record_folder import read_record
    from auditor.domain.comparison import RecordSetComparison
    from auditor.ledger.record_comparison import compare_records

    if before.is_dir() != after.is_dir() and before.exists() and after.exists():
        folder, file = (before, after) if before.is_dir() else (after, before)
        raise UserError(f"{folder} is a folder and {file} is not: give two records or two folders of records.")
    if before.is_dir() and after.is_dir():
        return _compare_folders(before, after)
    names = str(before), str(after)
    return RecordSetComparison(pairs=(compare_records(read_record(before), read_record(after), names),))


def _compare_folders(before: Path, after: Path) -> RecordSetComparison:
    """The comparison of two folders. Only two records are in memory at a time."""
    from auditor.cli.record_folder import list_records, read_record
    from auditor.domain.comparison import RecordSetComparison
    from auditor.ledger.record_comparison import compare_records
    from auditor.ledger.record_pairing import pair_records

    first, second = list_records(before), list_records(after)
    pairing = pair_records(first.records, second.records)
    return RecordSetComparison(
        pairs=tuple(
            compare_records(read_record(before / one.path), read_record(after / two.path), (one.path, two.path))
            for one, two in pairing.pairs
        ),
        only_before=tuple(each.path for each in pairing.only_before),
        only_after=tuple(each.path for each in pairing.only_after),
        not_read=(*first.not_read, *second.not_read),
    )
