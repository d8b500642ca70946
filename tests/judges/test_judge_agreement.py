"""How alike the judges are: a figure for readers."""

from __future__ import annotations

import pytest

from auditor.domain import Opinion
from auditor.judges.judge_agreement import agreement

JUDGES = ("a", "b", "c")


def opinions(*rows: str) -> list[Opinion]:
    """One row a judge, one digit a criterion, a dot where there is no opinion."""
    return [
        Opinion(judge=judge, criterion=f"c{number}", score=int(digit), argument="x")
        for judge, row in zip(JUDGES, rows, strict=False)
        for number, digit in enumerate(row)
        if digit != "."
    ]


@pytest.mark.parametrize(
    ("rows", "equal", "convergent", "votes"),
    [
        (("12345", "12345", "12345"), 1.0, True, 1.0),
        (("33333", "33333", "33333"), 1.0, True, 1.0),
        (("12345", "23451", "54321"), 0.0, False, 3.0),
        (("12345", "12345", "54321"), 0.2, False, 3.0),
        (("1245", "1245", "1254"), 0.5, False, 1.05),
        (("333", "123", "321"), 0.0, False, None),
        (("12", "12", "12"), 1.0, False, None),
        (("12345", "12345", "....."), None, False, None),
    ],
)
def test_votes_are_counted_by_kish(
    rows: tuple[str, ...], equal: float | None, convergent: bool, votes: float | None
) -> None:
    found = agreement(opinions(*rows), JUDGES)
    assert (found.equal, found.convergent) == (equal, convergent)
    assert found.effective_votes == (None if votes is None else pytest.approx(votes, abs=0.02))


def test_criteria_that_one_judge_left_out_do_not_count() -> None:
    assert agreement(opinions("1234", "1.34", "1234"), JUDGES).criteria == 3
