"""`python -m tests.judging figures REPO...` or `hear FOLDER REPO...`: how well judges can read changes of real repositories.

`figures` prints what of each change reaches a prompt; it needs no model. `hear` audits fixes that were taken back and other
changes with answers from files, writes the prompts that are not answered yet, and prints scores and objections of those that are.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from auditor.report.report_json import to_json
from tests.judging.answers import heard
from tests.judging.cases import Case, fixes_taken_back, other_changes, scratch_clone
from tests.judging.figures import shown, table


def main(arguments: list[str] | None = None) -> int:
    """Print figures, or hear cases."""
    options = _parser().parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        cases = [each for path in options.repositories for each in _cases(scratch_clone(path, Path(folder)), options)]
        if options.command == "figures":
            print(table([shown(each) for each in cases]))  # noqa: T201 - a command that prints
            return 0
        return max([_hear(each, options.folder) for each in cases], default=0)


def _cases(path: Path, options: argparse.Namespace) -> list[Case]:
    return [
        *fixes_taken_back(path, options.fixes, options.skip),
        *other_changes(path, options.others, options.skip),
    ]


def _hear(case: Case, folder: Path) -> int:
    """Audit one case; 1 while answers are missing."""
    report, missing = heard(case, folder)
    (folder / case.name).mkdir(parents=True, exist_ok=True)
    (folder / case.name / "report.json").write_text(to_json(report), encoding="utf-8")
    score = next((each.score for each in report.verdict.rulings if each.criterion == "correctness"), None)
    states = ", ".join(f"{each.state.value} {each.path}:{each.start} {each.claim}" for each in report.objections)
    kind = "bug" if case.brings_bug else "other"
    print(f"{case.name} [{kind}] overall {report.verdict.overall} correctness {score} {states} missing {missing}")  # noqa: T201
    return int(bool(missing))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.judging", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    figures, hear = commands.add_parser("figures"), commands.add_parser("hear")
    hear.add_argument("folder", type=Path, metavar="FOLDER", help="where prompts and answers lie")
    for each in (figures, hear):
        each.add_argument("repositories", nargs="+", type=Path, metavar="REPO")
        each.add_argument("--fixes", type=int, default=5, help="fixes taken back a repository (default 5)")
        each.add_argument("--others", type=int, default=5, help="other changes a repository (default 5)")
        each.add_argument("--skip", type=int, default=0, help="leave out so many of the newest of each kind")
    return parser


if __name__ == "__main__":
    sys.exit(main())
