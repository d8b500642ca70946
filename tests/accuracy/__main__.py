"""`python -m tests.accuracy [FILE or FOLDER...]`: precision and recall per probe, with the misses."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.accuracy.labelled import NoCases, files, given, read
from tests.accuracy.measuring import Checked, figures, run
from tests.small_process import in_this_process
from tests.warm import prepare_forks


def main(arguments: list[str]) -> int:
    """Print the tables. 1 when an answer is wrong, 2 when there is none: no cases, or nobody who listens; else 0."""
    try:
        return _measured(arguments)
    except NoCases as mistake:
        sys.stderr.write(f"{mistake}\n")
    except BrokenPipeError:  # `head` has seen enough; what is still held must raise no second error when Python ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 2


def _measured(arguments: list[str]) -> int:
    groups = (
        {"given": [file for each in arguments for file in given(Path(each))]}
        if arguments
        else {"cases": files("cases"), "independent cases": files("independent_cases")}
    )
    wrong = 0
    for title, paths in groups.items():
        cases = [case for path in paths for case in read(path)]
        checked = [each for case in cases for each in run(case)]
        wrong += sum(not each.hit for each in checked)
        _print(title, checked)
        sys.stdout.flush()
    return 1 if wrong else 0


def _print(title: str, checked: list[Checked]) -> None:
    cases = len({each.case for each in checked})
    out = sys.stdout.write
    out(f"\n{title}: {cases} cases, {len(checked)} answers, {sum(each.hit for each in checked)} right\n")
    if not checked:
        return
    out(f"{'probe':<40} {'there':>6} {'not':>5} {'precision':>10} {'recall':>8}\n")
    for figure in figures(checked):
        precision = "-" if figure.precision is None else f"{figure.precision:.3f}"
        recall = "-" if figure.recall is None else f"{figure.recall:.3f}"
        out(f"{figure.probe:<40} {figure.positives:>6} {figure.negatives:>5} {precision:>10} {recall:>8}\n")
    for each in checked:
        if not each.hit:
            out(f"  miss  {each.probe}: {each.case}\n        expected {each.expected}, {each.wrong}\n")


if __name__ == "__main__":
    prepare_forks()
    with in_this_process():
        sys.exit(main(sys.argv[1:]))
