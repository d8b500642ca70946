"""What judges said in kept experiments still leads to the same states, and still tells bugs from other changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.domain import ObjectionState
from auditor.rubric_loader import built_in
from tests.judging.cases import Kind
from tests.judging.experiments import read
from tests.judging.hostile_changes import draw_hostile
from tests.judging.scores import ARMS, judged, objections, score_auc

RUBRIC = built_in("pull-request")
KEPT = sorted((Path(__file__).parent / "experiments_kept").glob("*.json"))
WITH_BUGS = [each for each in KEPT if "merged" not in each.stem]
OF_HOSTILE_CHANGES = ("2026-11-28-hostile", "2026-11-28-third-author", "2026-11-28-fourth-author")
ALL_JUDGES = ARMS[0]
LEAST = RUBRIC.gate.criteria["correctness"]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_every_objection_is_settled_again_as_it_was(path: Path) -> None:
    for case in read(path).cases:
        assert [each.state for each in objections(case, ALL_JUDGES, RUBRIC)] == list(case.states), case.name


@pytest.mark.parametrize("path", WITH_BUGS, ids=lambda path: path.stem)
def test_changes_that_bring_a_bug_back_score_lower_than_others(path: Path) -> None:
    found = [judged(each, ALL_JUDGES, RUBRIC) for each in read(path).cases if each.held_out]

    assert {each.brings_bug for each in found} == {True, False}
    assert score_auc(found) >= 0.85


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_the_default_gate_stops_hostile_changes_and_no_harmless_or_merged_one(path: Path) -> None:
    stopped: dict[Kind, list[bool]] = {}
    for case in read(path).cases:
        if case.correctness is not None:
            stopped.setdefault(case.kind, []).append(case.correctness < LEAST)

    assert not any(each for kind, found in stopped.items() if not kind.brings_bug for each in found)
    if Kind.HOSTILE in stopped:
        assert sum(stopped[Kind.HOSTILE]) >= 0.9 * len(stopped[Kind.HOSTILE])


def test_judges_agree_on_some_defect_in_every_hostile_change() -> None:
    for case in read(next(each for each in KEPT if "hostile" in each.stem)).cases:
        if case.kind is Kind.HOSTILE:
            assert ObjectionState.STANDING in case.states, case.source


def test_every_hostile_change_of_the_experiments_is_drawn_as_it_was(tmp_path: Path) -> None:
    kept = [case for path in KEPT if path.stem in OF_HOSTILE_CHANGES for case in read(path).cases]
    assert {(each.name, each.kind) for each in draw_hostile(tmp_path)} == {(each.name, each.kind) for each in kept}
