"""The truth table, cell by cell where a mistake would open the gate."""

from __future__ import annotations

from itertools import product

import pytest

from auditor.action.action_inputs import CheckPolicy, FailStep
from auditor.action.run_conclusions import Outcome, check_conclusion, exit_code, outcome_table
from auditor.domain import CheckConclusion
from auditor.settings import Inconclusive
from tests.documentation import page

SATISFIES = {CheckConclusion.SUCCESS, CheckConclusion.NEUTRAL, CheckConclusion.SKIPPED}
"""What GitHub counts as passed where a check is required."""


@pytest.mark.parametrize(
    ("outcome", "check", "step"),
    [
        (Outcome.PASSED, "success", 0),
        (Outcome.FAILED, "failure", 1),
        (Outcome.INCONCLUSIVE, "action_required", 4),
        (Outcome.NOTHING_TO_JUDGE, "neutral", 0),
        (Outcome.ERROR, "failure", 2),
        (Outcome.BUG, "failure", 3),
        (Outcome.TIMED_OUT, "timed_out", 2),
        (Outcome.STOPPED, "cancelled", 143),
        (Outcome.SUPERSEDED, "cancelled", 0),
        (Outcome.SKIPPED, None, 0),
    ],
)
def test_what_is_not_passed_does_not_pass_by_default(outcome: Outcome, check: str | None, step: int) -> None:
    assert check_conclusion(outcome, CheckPolicy.GATE, Inconclusive.ACTION_REQUIRED) == check
    assert exit_code(outcome, FailStep.GATE, Inconclusive.ACTION_REQUIRED) == step


def test_only_a_passed_gate_an_empty_change_or_a_stated_policy_satisfies_a_required_check() -> None:
    for outcome, policy in product(Outcome, Inconclusive):
        satisfied = check_conclusion(outcome, CheckPolicy.GATE, policy) in SATISFIES
        chosen = outcome is Outcome.INCONCLUSIVE and policy is Inconclusive.NEUTRAL
        harmless = outcome in {Outcome.PASSED, Outcome.NOTHING_TO_JUDGE}
        assert satisfied is (harmless or chosen), (outcome, policy)


def test_a_report_never_blocks_and_never_claims_success() -> None:
    for outcome, policy in product(Outcome, Inconclusive):
        found = check_conclusion(outcome, CheckPolicy.REPORT, policy)
        assert found in {None, CheckConclusion.NEUTRAL, CheckConclusion.CANCELLED, CheckConclusion.SUCCESS}
        assert (found is CheckConclusion.SUCCESS) is (outcome is Outcome.PASSED)


def test_the_two_inputs_do_not_know_each_other() -> None:
    for outcome, policy in product(Outcome, Inconclusive):
        assert exit_code(outcome, FailStep.NEVER, policy) == (143 if outcome is Outcome.STOPPED else 0)
        undone = outcome in {Outcome.ERROR, Outcome.BUG, Outcome.TIMED_OUT, Outcome.STOPPED}
        assert (exit_code(outcome, FailStep.ERROR, policy) != 0) is undone


def test_the_page_on_the_action_has_the_table_of_conclusions() -> None:
    assert outcome_table() in page("action.md")
