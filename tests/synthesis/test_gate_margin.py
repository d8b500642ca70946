"""A verdict near its threshold says so, and names the opinions that a point would turn it by."""

from __future__ import annotations

import pytest

from auditor.domain import GatePolicy, GateReason, Opinion, Scope
from auditor.synthesis import synthesise
from auditor.synthesis.gate_margin import _name_opinions
from tests.verdicts import criterion, evidence, expectation, opinions, rubric

SEEN = (evidence("code.x", outcome="not_found"), evidence("code.y", outcome="not_found"))
BY = rubric(criterion(expectation("code.x"), name="c", weight=3), criterion(expectation("code.y"), name="d"))


def told(gate: GatePolicy, said: list[Opinion]) -> dict[str, GateReason]:
    found = synthesise(BY, SEEN, said, (), scope=Scope.WHOLE_TREE, gate=gate)
    return {each.demand: each for each in found.gate.reasons}


def both(first: tuple[int, int, int], second: tuple[int, int, int]) -> list[Opinion]:
    return [*opinions(*first), *opinions(*second, on="d", cites="code.y#1")]


@pytest.mark.parametrize(
    ("scores", "threshold", "close"),
    [
        ((4, 4, 4), 4.0, True),
        ((4, 4, 4), 3.8, True),
        ((4, 4, 4), 4.2, True),
        ((4, 4, 4), 3.7, False),
        ((4, 4, 4), 4.3, False),
    ],
)
def test_a_fifth_of_a_point_is_close_and_more_is_not(
    scores: tuple[int, int, int], threshold: float, close: bool
) -> None:
    reason = told(GatePolicy(criteria={"c": threshold}), both(scores, (4, 4, 4)))["criteria.c"]
    assert bool(reason.close) is close


def test_it_names_each_opinion_that_a_point_would_turn_it_by() -> None:
    passed = told(GatePolicy(criteria={"c": 4.0}), both((4, 4, 4), (4, 4, 4)))["criteria.c"]
    assert passed.close == (
        "This is close (0.0 from the threshold): one point less from the Prosecutor, the Defense or the Tech Lead on C "
        "would turn it."
    )
    failed = told(GatePolicy(criteria={"c": 4.2}), both((4, 4, 4), (4, 4, 4)))["criteria.c"]
    assert ": one point more from the Prosecutor, the Defense or the Tech Lead on C would turn it." in failed.close
    assert "less" not in failed.close


def test_of_the_overall_score_only_what_weighs_enough_is_named() -> None:
    reason = told(GatePolicy(overall=3.8), both((4, 4, 4), (4, 4, 4)))["overall"]
    assert "on C" in reason.close
    assert "on D" not in reason.close


def test_opinions_on_several_criteria_are_each_told_with_theirs_and_the_rest_is_counted() -> None:
    two = [("Prosecutor", "C"), ("Tech Lead", "D")]
    assert _name_opinions(two) == "the Prosecutor on C or the Tech Lead on D"
    assert (
        _name_opinions(two * 2) == "the Prosecutor on C, the Tech Lead on D, the Prosecutor on C or the Tech Lead on D"
    )
    assert _name_opinions(two * 3) == "the Prosecutor on C, the Tech Lead on D, the Prosecutor on C or 3 others"


def test_where_no_single_point_would_do_that_is_said() -> None:
    reason = told(GatePolicy(overall=3.6), both((4, 4, 4), (3, 3, 3)))["overall"]
    assert reason.close.endswith(", the Defense or the Tech Lead on C would turn it.")
    far = told(GatePolicy(criteria={"d": 3.8}), both((4, 4, 4), (4, 4, 5)))
    assert not far["criteria.d"].close
    capped = rubric(criterion(expectation("code.x", cap=3), name="c"))
    found = synthesise(
        capped,
        [evidence("code.x")],
        opinions(4, 4, 5),
        (),
        scope=Scope.WHOLE_TREE,
        gate=GatePolicy(criteria={"c": 3.1}),
    )
    assert found.gate.reasons[0].close.endswith(": one point more in any single opinion would not turn it.")


def test_the_margin_is_the_rubrics() -> None:
    strict = BY.model_copy(update={"rules": BY.rules.model_copy(update={"margin": 0.0})})
    found = synthesise(
        strict, SEEN, both((4, 4, 4), (4, 4, 4)), (), scope=Scope.WHOLE_TREE, gate=GatePolicy(criteria={"c": 3.9})
    )
    assert not found.gate.reasons[0].close
