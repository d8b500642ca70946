"""Which check run of a pull request speaks for its merge group."""

from __future__ import annotations

import pytest

from auditor.action.action_inputs import Inputs
from auditor.action.merge_groups import find_verdict
from auditor.domain import CheckRun

NOTHING = Inputs()


def run(
    external_id: str, conclusion: str | None = "success", name: str = "Automaton Auditor", id_: int = 1
) -> CheckRun:
    status = "completed" if conclusion else "in_progress"
    return CheckRun(
        id=id_, name=name, head_sha="a" * 40, external_id=external_id, status=status, conclusion=conclusion,
        app="github-actions", url=None,
    )  # fmt: skip


DEFAULT, MINE = run("automaton-auditor/pull-request/7"), run("automaton-auditor/mine/7", name="Mine")


@pytest.mark.parametrize(
    ("runs", "wanted", "found"),
    [
        ((DEFAULT,), NOTHING, DEFAULT),
        ((MINE,), NOTHING, MINE),
        ((MINE, DEFAULT), NOTHING, DEFAULT),
        ((MINE, DEFAULT), Inputs(rubric="mine"), MINE),
        ((MINE, DEFAULT), Inputs(check_name="Mine"), MINE),
        ((DEFAULT,), Inputs(rubric="mine"), None),
        ((), NOTHING, None),
        ((run("automaton-auditor/mine/refs/heads/fix/7"),), NOTHING, None),
        ((run("automaton-auditor/Mine (evil)/7"),), NOTHING, None),
        ((run("automaton-auditor/pull-request/17"), run("other/pull-request/7")), NOTHING, None),
        ((run("automaton-auditor/pull-request/7/superseded", "neutral"),), NOTHING, None),
        ((run("automaton-auditor/pull-request/7", None),), NOTHING, None),
        ((run("automaton-auditor/pull-request/7", "cancelled"),), NOTHING, None),
        ((run("automaton-auditor/pull-request/7", "timed_out"),), NOTHING, None),
        ((run("automaton-auditor/pull-request/7", "skipped"),), NOTHING, None),
    ],
)
def test_only_a_verdict_of_the_rubric_asked_for_is_carried_over(
    runs: tuple[CheckRun, ...], wanted: Inputs, found: CheckRun | None
) -> None:
    assert find_verdict(7, runs, wanted) == found
