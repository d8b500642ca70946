"""`python -m tests.gate_table`: each rule of the default rubric, how severe it is, whether it fails the default gate, and its precision."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from auditor import rubric_loader
from auditor.domain import Criterion, Expect, Expectation, Rubric
from auditor.rule_pages import rule_accuracy

HEAD = "| Rule | Criterion | Severity | Cap | Fails the default gate | Precision |\n|:--|:--|:--|:-:|:--|:--|"


def table(rubric: Rubric) -> str:
    """The table of the documentation, the most severe rules first."""
    rows = [
        (-each.severity.rank, number, _row(rubric, criterion, each))
        for number, (criterion, each) in enumerate(_expectations(rubric))
    ]
    return "\n".join([HEAD, *(row for _, _, row in sorted(rows))])


def _expectations(rubric: Rubric) -> Iterator[tuple[Criterion, Expectation]]:
    for criterion in rubric.criteria:
        yield from ((criterion, each) for each in criterion.evidence)


def _row(rubric: Rubric, criterion: Criterion, expectation: Expectation) -> str:
    cap = "" if expectation.cap is None else f"{expectation.cap:g}"
    cells = (
        f"`{expectation.probe}`",
        f"`{criterion.id}`",
        expectation.severity.value,
        cap,
        fails(rubric, criterion, expectation),
        _precision(expectation.probe),
    )
    return f"| {' | '.join(cells)} |"


def _precision(rule: str) -> str:
    """The share of reported cases that are right, and how many cases there were."""
    measured = rule_accuracy().get(rule)
    if measured is None or measured.precision is None:
        return "not measured"
    return f"{measured.precision:.2f} on {measured.positives + measured.negatives} cases"


def fails(rubric: Rubric, criterion: Criterion, expectation: Expectation) -> str:
    """Does one confirmed new finding of the rule fail the gate, and by which demand?"""
    gate = rubric.gate
    if (
        expectation.expect is Expect.NOT_FOUND
        and gate.no_new is not None
        and expectation.severity.rank >= gate.no_new.rank
    ):
        return "yes"
    threshold = gate.criteria.get(criterion.id)
    if threshold is not None and expectation.cap is not None and expectation.cap < threshold:
        return f"if the score falls below {threshold:g}"
    return "no"


if __name__ == "__main__":
    sys.stdout.write(f"{table(rubric_loader.built_in('pull-request'))}\n")
