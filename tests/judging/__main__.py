"""`python -m tests.judging list | figures | hear | kept | planted | scores | separate`: how well judges can read changes of real repositories, and do.

The cases are fixes taken back and other changes of like size, drawn by a rule from the repositories of `repositories.yaml`;
with `--cases introduced`, changes whose lines a later fix removes take the place of fixes taken back. With `--cases merged`
they are the newest changes of the repositories of `merged_repositories.yaml`, as they were merged, and with `--cases hostile`
changes of hostile authors and harmless twins of them, which need no clones.
`figures` prints what of each change reaches a prompt; it needs no model. `hear` audits the cases with answers from files,
writes the prompts that are not answered yet, and keeps what the judges said of those that are as an experiment. `kept` tells
how many answers the next audit of the same change would not ask for again. `planted` hears changes in which a message to
judges was planted, and counts true objections that were lost and false ones that stand. `scores`
settles the objections of an experiment again and prints how well bugs are told from other changes. `separate` audits the
cases with the embedded bench and prints which rules and scores tell bugs from other changes; it needs no model.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from auditor.report.answers_kept_on_check_run import MAX_LENGTH
from auditor.rubric_loader import built_in
from auditor.settings import named_rubric
from tests.judging import audited_cases, planted, separation
from tests.judging.answers import heard, kept
from tests.judging.cases import Case, cases_of_merged_changes, draw
from tests.judging.experiments import Experiment, heard_case, read, write
from tests.judging.figures import shown, table
from tests.judging.hostile_changes import draw_hostile
from tests.judging.introduced_bugs import draw_introduced
from tests.judging.repositories import OF_MERGED_CHANGES, listed
from tests.judging.scores import summary

DRAWN = {"taken-back": draw, "introduced": draw_introduced}
"""Ways to draw changes that bring a bug, and others, from public repositories."""
MERGED, HOSTILE = "merged", "hostile"
"""Merged changes as they are, and changes that need no public repository."""


def main(arguments: list[str] | None = None) -> int:
    """Run one of the commands."""
    options = _parser().parse_args(arguments)
    if options.command == "scores":
        print(summary(read(options.experiment), built_in("pull-request")))  # noqa: T201 - a command that prints
        return 0
    commands: dict[str, Callable[[Sequence[Case], argparse.Namespace], int]] = {
        "list": _list,
        "figures": _figures,
        "hear": _hear,
        "kept": _kept,
        "planted": _planted,
        "separate": _separate,
    }
    with tempfile.TemporaryDirectory() as temporary:
        # A store knows a repository by its path, so `separate` keeps its clones beside its store.
        scratch = options.folder / "clones" if options.command == "separate" else Path(temporary)
        drawn = _drawn(options, scratch)
        return commands[options.command](drawn, options)


def _drawn(options: argparse.Namespace, scratch: Path) -> list[Case]:
    if options.cases == HOSTILE:
        return draw_hostile(scratch)
    if options.clones is None:
        raise SystemExit("--clones is needed: a folder with clones OWNER+NAME.git, or one to put them in.")
    if options.cases == MERGED:
        return cases_of_merged_changes(listed(options.clones, scratch, OF_MERGED_CHANGES), options.fixes)
    return DRAWN[options.cases](listed(options.clones, scratch), options.fixes)


def _list(cases: Sequence[Case], _: argparse.Namespace) -> int:
    for each in cases:
        half = "held out" if each.held_out else "open"
        print(f"{each.name}  {each.kind.value}  {half}  {each.date}  {each.product_lines} product lines")  # noqa: T201
    return 0


def _figures(cases: Sequence[Case], _: argparse.Namespace) -> int:
    print(table([shown(each) for each in cases]))  # noqa: T201
    return 0


def _hear(cases: Sequence[Case], options: argparse.Namespace) -> int:
    """0 when every case is answered in full, 1 while answers are missing."""
    complete, missing = [], 0
    for each in cases:
        report, unanswered = heard(each, options.folder, options.criterion, is_blanked=options.blanked)
        print(f"{each.name}: {'answers are missing: ' + ', '.join(unanswered) if unanswered else 'complete'}")  # noqa: T201
        if unanswered:
            missing += 1
        else:
            complete.append(heard_case(each, report))
    if options.experiment is not None:
        arm = "Comments and docstrings were blanked" if options.blanked else ""
        write(options.experiment, Experiment(model=options.model, arm=arm, cases=tuple(complete)))
    return int(bool(missing))


def _kept(cases: Sequence[Case], options: argparse.Namespace) -> int:
    """0 when every answer of every case is kept for the next audit."""
    found = []
    for each in cases:
        if not heard(each, options.folder, options.criterion)[1]:
            found.append(kept(each, options.folder, options.criterion))
            print(f"{each.name}: {found[-1].reused} of {found[-1].answers} kept, {found[-1].length:,} characters")  # noqa: T201
    reused, answers = sum(each.reused for each in found), sum(each.answers for each in found)
    print(f"{reused} of {answers} answers of {len(found)} audits are kept in {MAX_LENGTH:,} characters each")  # noqa: T201
    return int(reused < answers)


def _planted(cases: Sequence[Case], options: argparse.Namespace) -> int:
    chosen = sorted(
        (each for each in cases if each.name in options.only), key=lambda each: options.only.index(each.name)
    )
    print(planted.table(planted.effects(chosen or cases, options.folder, options.criterion)))  # noqa: T201
    return 0


def _separate(cases: Sequence[Case], options: argparse.Namespace) -> int:
    """0 when every case has a record."""
    ended = audited_cases.audit(cases, options.folder, options.workers)
    for name in options.rubric:
        rubric = audited_cases.rubric_without(named_rubric(name)[0], options.without)
        found = audited_cases.read(cases, options.folder, rubric)
        print(f"Rubric {name}: {len(found)} of {len(cases)} cases have a score.")  # noqa: T201
        for half in options.half:
            chosen = [each for each in found if half == "all" or each.held_out is (half == "held-out")]
            title = "All cases" if half == "all" else f"{half} half".capitalize()
            print(f"\n{separation.summary(title, chosen)}\n")  # noqa: T201
    return ended


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.judging", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("list", "figures", "hear", "kept", "planted", "separate"):
        command = commands.add_parser(name)
        command.add_argument("--clones", type=Path, help="where clones OWNER+NAME.git are, or are put")
        command.add_argument(
            "--fixes",
            type=int,
            default=20,
            help="changes that bring a bug, and as many others; merged changes of each repository (default 20)",
        )
        command.add_argument(
            "--cases",
            choices=(*DRAWN, MERGED, HOSTILE),
            default="taken-back",
            help="which changes (default taken-back)",
        )
        if name in ("hear", "kept", "planted"):
            command.add_argument("folder", type=Path, metavar="FOLDER", help="where prompts and answers lie")
            command.add_argument("--criterion", default="", help="ask about one criterion alone, such as correctness")
        if name == "separate":
            command.add_argument("folder", type=Path, metavar="FOLDER", help="where clones, targets and store lie")
            command.add_argument("--workers", type=int, default=1, help="audits at a time (default 1)")
            command.add_argument(
                "--rubric",
                nargs="+",
                default=["pull-request"],
                metavar="NAME|FILE",
                help="rubrics to judge the records by, in this order",
            )
            command.add_argument("--without", nargs="+", default=[], metavar="RULE", help="rules to leave out of them")
            command.add_argument(
                "--half",
                nargs="+",
                default=["open"],
                choices=("open", "held-out", "all"),
                help="halves to print: look at the held-out one when nothing is tuned any more (default open)",
            )
        if name == "planted":
            command.add_argument("--only", nargs="+", default=[], metavar="CASE", help="these cases, in this order")
        if name == "hear":
            command.add_argument("--blanked", action="store_true", help="show code without comments and docstrings")
            command.add_argument("--experiment", type=Path, help="file to keep the complete cases in")
            command.add_argument("--model", default="a model that answered by hand", help="who answered")
    commands.add_parser("scores").add_argument("experiment", type=Path, metavar="FILE", help="an experiment")
    return parser


if __name__ == "__main__":
    sys.exit(main())
