"""Figures of an experiment follow from what was said: hits at the bug, alarms elsewhere, ties counted as half."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from auditor.domain import ObjectionState
from auditor.rubric_loader import built_in
from tests.auditing import audited_change
from tests.judges.cases import claude
from tests.judges.model_stand_in import Body, Says, Standin, good, is_vote, judge, voted_on
from tests.judging.answers import heard
from tests.judging.cases import Case, Kind
from tests.judging.experiments import Experiment, HeardCase, heard_case, read, write
from tests.judging.scores import ARMS, Judged, auc, f1, interval, judged, objections, score_auc, summary
from tests.judging.test_cases import WRONG, drawn, shop

RUBRIC = built_in("pull-request")
BY_NAME = {each.name: each for each in ARMS}
ALL_JUDGES, FIRST_ROUND = BY_NAME["three judges, both rounds"], BY_NAME["three judges, first round"]
ALONE = {each.judges[0]: each for each in ARMS if len(each.judges) == 1}
QUOTE = "return sum(prices[1:])"
OBJECTION = {
    "exhibit": "hunk#1",
    "path": "shop/cart.py",
    "first_line": 2,
    "last_line": 2,
    "quote": QUOTE,
    "caused_by": {"exhibit": "hunk#1", "quote": QUOTE},
    "claim": "The first price is left out.",
    "trigger": "any list with a price",
    "consequence": "wrong_result",
    "effect": "The total is too small.",
    "reach": "every_use",
    "fix": "Sum all prices.",
    "needs": "",
}
VOTE = {"vote": "sustain", "exhibit": "hunk#1", "quote": "def total(prices):", "reason": "Every call passes it."}


def answer(body: Body, objecting: frozenset[str]) -> Says:
    """Judges of which some object to the sum that leaves out the first price; the others vote for that."""
    if is_vote(body):
        votes = [{"objection": name, **VOTE} for name in voted_on(body)]
        return Says(json.dumps({"opinions": [], "objections": [], "votes": votes}))
    objects = judge(body) in objecting and QUOTE in body["messages"][0]["content"][0]["text"]
    opinions = [
        {**each, "score": 2 if objects else 5} if each["criterion"] == "correctness" else each
        for each in json.loads(good(body))["opinions"]
    ]
    return Says(json.dumps({"opinions": opinions, "objections": [OBJECTION] if objects else [], "votes": []}))


def said(folder: Path, *objecting: str) -> tuple[HeardCase, HeardCase]:
    """A fix taken back and an ordinary change of one repository, heard by judges of which some object."""
    bug, other = drawn(shop(folder))
    return kept(bug, *objecting), kept(other, *objecting)


def kept(case: Case, *objecting: str) -> HeardCase:
    """What is kept of the audit of a case."""
    bench = claude(Standin(lambda body: answer(body, frozenset(objecting))).connect())
    return heard_case(case, audited_change(case.path, case.base, case.head, bench, "correctness"))


def verdict(*, bug: bool, score: float, found: bool = False, false: int = 0) -> Judged:
    """What an arm made of a case."""
    return Judged(brings_bug=bug, score=score, found=found, standing=int(found) + false, false=false)


@pytest.mark.parametrize(
    ("bugs", "others", "value"),
    [([1, 2], [4, 5], 1.0), ([4, 5], [1, 2], 0.0), ([3], [3], 0.5), ([1, 5], [3], 0.5)],
)
def test_auc_is_the_share_of_pairs_in_which_the_bug_scores_lower(
    bugs: list[float], others: list[float], value: float
) -> None:
    assert auc(bugs, others) == value


def test_f1_counts_missed_bugs_and_alarms_elsewhere() -> None:
    found = [verdict(bug=True, score=2, found=True), verdict(bug=True, score=5), verdict(bug=False, score=3, false=1)]

    assert f1(found) == pytest.approx(2 / (2 + 1 + 1))


def test_f1_is_zero_where_no_bug_was_named() -> None:
    assert f1([verdict(bug=True, score=5), verdict(bug=False, score=5)]) == 0.0


def test_an_interval_of_a_sure_figure_is_a_point() -> None:
    sure = [verdict(bug=True, score=1)] * 4 + [verdict(bug=False, score=5)] * 4

    assert interval(sure, score_auc) == (1.0, 1.0)


def test_an_interval_holds_the_figure_and_is_the_same_each_time() -> None:
    mixed = [verdict(bug=True, score=score) for score in (1, 2, 5)] + [verdict(bug=False, score=4)] * 3
    low, high = interval(mixed, score_auc)

    assert low < score_auc(mixed) < high
    assert interval(mixed, score_auc) == (low, high)


def test_an_objection_that_a_vote_confirms_stands_at_the_bug(tmp_path: Path) -> None:
    bug, _ = said(tmp_path / "r", "prosecutor")

    assert [each.state for each in objections(bug, ALL_JUDGES, RUBRIC)] == [ObjectionState.STANDING]
    assert judged(bug, ALL_JUDGES, RUBRIC).found
    assert not judged(bug, FIRST_ROUND, RUBRIC).found


def test_a_judge_alone_needs_no_second_voice(tmp_path: Path) -> None:
    bug, _ = said(tmp_path / "r", "prosecutor")

    assert {name: judged(bug, arm, RUBRIC).found for name, arm in ALONE.items()} == {
        "prosecutor": True,
        "defense": False,
        "tech_lead": False,
    }


def test_two_judges_who_object_need_no_vote(tmp_path: Path) -> None:
    bug, _ = said(tmp_path / "r", "prosecutor", "tech_lead")

    assert judged(bug, FIRST_ROUND, RUBRIC).found


def test_an_objection_away_from_the_change_is_an_alarm_and_no_hit(tmp_path: Path) -> None:
    bug, _ = said(tmp_path / "r", "prosecutor", "tech_lead")
    moved = tuple(each.model_copy(update={"start": 90, "end": 90, "definition": "other"}) for each in bug.changed)

    found = judged(bug.model_copy(update={"changed": moved}), FIRST_ROUND, RUBRIC)

    assert (found.found, found.standing, found.false) == (False, 1, 1)


def test_a_standing_objection_on_another_change_is_always_an_alarm(tmp_path: Path) -> None:
    bug, _ = said(tmp_path / "r", "prosecutor", "tech_lead")

    found = judged(bug.model_copy(update={"kind": Kind.ORDINARY}), FIRST_ROUND, RUBRIC)

    assert (found.found, found.standing, found.false) == (False, 1, 1)


def test_an_experiment_comes_back_from_its_file_and_holds_no_line_of_code(tmp_path: Path) -> None:
    experiment = Experiment(model="a stand-in", cases=said(tmp_path / "r", "prosecutor"))
    write(tmp_path / "experiment.json", experiment)

    assert read(tmp_path / "experiment.json") == experiment
    text = (tmp_path / "experiment.json").read_text(encoding="utf-8")
    assert not [line for line in WRONG.splitlines() if line.strip() in text]


def test_the_summary_tells_a_bug_from_another_change(tmp_path: Path) -> None:
    printed = summary(Experiment(model="a stand-in", cases=said(tmp_path / "r", "prosecutor")), RUBRIC)

    assert "All cases: 1 bring a bug, 1 do not. AUC of the audit's scores: overall 1.00" in printed
    assert "| three judges, both rounds | 1.00 (1.00 to 1.00) | 1.00 | 0.00 | 1.00 (1.00 to 1.00) |" in printed
    assert "| Defense alone | 0.50 (0.50 to 0.50) | 0.00 | 0.00 | 0.00 (0.00 to 0.00) |" in printed


def test_a_half_without_both_kinds_has_no_table(tmp_path: Path) -> None:
    bug, _ = said(tmp_path / "r", "prosecutor")

    assert "AUC" not in summary(Experiment(model="a stand-in", cases=(bug,)), RUBRIC)


def test_prompts_without_an_answer_are_written_down_and_answers_beside_them_are_used(tmp_path: Path) -> None:
    bug, _ = drawn(shop(tmp_path / "r"))
    bodies: dict[str, Body] = {}

    def record(body: Body) -> Says:
        bodies.setdefault(judge(body), body)
        return answer(body, frozenset())

    audited_change(bug.path, bug.base, bug.head, claude(Standin(record).connect()), "correctness")
    _, missing = heard(bug, tmp_path / "answers", "correctness")
    folder = tmp_path / "answers" / bug.name

    assert sorted(missing) == ["defense-1", "prosecutor-1", "tech_lead-1"]
    prompt = (folder / "defense-1.md").read_text(encoding="utf-8")
    assert QUOTE in prompt
    assert not [word for word in ("taken back", "fix_taken_back", "Fix the total") if word in prompt]

    for name, body in bodies.items():
        (folder / f"{name}-1.json").write_text(answer(body, frozenset()).text, encoding="utf-8")
    report, missing = heard(bug, tmp_path / "answers", "correctness")

    assert missing == []
    assert len(heard_case(bug, report).opinions) == 3


def test_a_prompt_of_the_second_round_holds_the_votes_and_the_code_that_was_asked_for(tmp_path: Path) -> None:
    bug, _ = drawn(shop(tmp_path / "r"))
    asking = {**OBJECTION, "needs": "base shop/cart.py 1-1"}
    folder = tmp_path / "answers" / bug.name
    folder.mkdir(parents=True)

    def record(body: Body) -> Says:
        said = json.loads(answer(body, frozenset()).text)
        said["objections"] = [asking] if judge(body) == "prosecutor" and not is_vote(body) else []
        text = json.dumps(said)
        if not is_vote(body):
            (folder / f"{judge(body)}-1.json").write_text(text, encoding="utf-8")
        return Says(text)

    audited_change(bug.path, bug.base, bug.head, claude(Standin(record).connect()), "correctness")
    _, missing = heard(bug, tmp_path / "answers", "correctness")

    assert sorted(missing) == ["defense-2", "tech_lead-2"]
    prompt = (folder / "defense-2.md").read_text(encoding="utf-8")
    assert "# Code that reviewers asked to see" in prompt
    assert (
        prompt.index("# Votes") > prompt.index("# Role: Defense") > prompt.index("# Code that reviewers asked to see")
    )
