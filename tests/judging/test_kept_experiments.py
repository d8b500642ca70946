"""What judges said in kept experiments still leads to the same states, and still tells bugs from other changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.rubric_loader import built_in
from tests.judging.experiments import read
from tests.judging.scores import ARMS, judged, objections, score_auc

RUBRIC = built_in("pull-request")
KEPT = sorted((Path(__file__).parent / "experiments_kept").glob("*.json"))
ALL_JUDGES = ARMS[0]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_every_objection_is_settled_again_as_it_was(path: Path) -> None:
    for case in read(path).cases:
        assert [each.state for each in objections(case, ALL_JUDGES, RUBRIC)] == list(case.states), case.name


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_changes_that_bring_a_bug_back_score_lower_than_others(path: Path) -> None:
    found = [judged(each, ALL_JUDGES, RUBRIC) for each in read(path).cases if each.held_out]

    assert {each.brings_bug for each in found} == {True, False}
    assert score_auc(found) >= 0.85
