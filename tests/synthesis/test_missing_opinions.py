"""Nobody can be silenced into a pass: a gate that holds only while an opinion is missing is inconclusive, and says why."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.domain import (
    Abstention,
    AuditReport,
    Cause,
    Conclusion,
    Evidence,
    GatePolicy,
    GateReason,
    Opinion,
    Rubric,
    Scope,
    Severity,
    Verdict,
)
from auditor.synthesis import replay, synthesise
from tests.auditing import audited
from tests.judges.cases import claude
from tests.judges.model_stand_in import Body, Says, Standin, good, judge
from tests.repos import Drawing
from tests.verdicts import SEVERE, criterion, evidence, expectation, opinions, rubric

JUDGES = ("prosecutor", "defense", "tech_lead")
CLEAN = (evidence("code.x", outcome="not_found"),)
PLAIN = rubric(criterion(name="c"))


def silence(judge: str, on: str = "c") -> Abstention:
    return Abstention(judge=judge, criterion=on, cause=Cause.REFUSED, reason="The model refused to answer.")


def verdict(
    said: list[Opinion],
    gate: GatePolicy,
    by: Rubric = PLAIN,
    seen: tuple[Evidence, ...] = CLEAN,
    silent: tuple[Abstention, ...] = (),
) -> Verdict:
    return synthesise(by, seen, said, silent, scope=Scope.WHOLE_TREE, gate=gate)


def demand(found: Verdict, name: str) -> GateReason:
    return next(each for each in found.gate.reasons if each.demand == name)


def test_refusing_does_not_turn_a_fail_into_a_pass() -> None:
    gate = GatePolicy(overall=4.2)
    assert verdict(opinions(3, 5, 4), gate).conclusion is Conclusion.FAILED
    silenced = verdict(opinions(None, 5, 4), gate, silent=(silence("prosecutor"),))
    assert silenced.overall == 4.4
    assert silenced.conclusion is Conclusion.INCONCLUSIVE
    assert demand(silenced, "overall").silent == ("prosecutor",)


def test_the_report_says_whose_silence_it_hangs_on_and_what_they_could_have_made_of_it() -> None:
    both = verdict(opinions(None, 4, 4), GatePolicy(overall=3.5, criteria={"c": 3.8}))
    assert demand(both, "criteria.c").sentence == (
        "The Prosecutor gave no opinion that counts: with a 2 from them C would have 3.4 in place of 4.0, below 3.8."
    )
    assert demand(both, "overall").sentence == (
        "The Prosecutor gave no opinion that counts on C: with the least favourable from them the overall score would be 3.4 "
        "in place of 4.0, below 3.5."
    )


def test_what_no_opinion_could_have_failed_passes_with_one_judge_silent() -> None:
    found = verdict(opinions(None, 5, 4), GatePolicy(overall=3.0, criteria={"c": 3.5}))
    assert found.conclusion is Conclusion.PASSED
    assert all(not each.silent for each in found.gate.reasons)


def test_the_rules_decide_what_a_missing_opinion_could_do_not_a_formula() -> None:
    """A 1 beside a 4 and a 5 makes a dispute, which the Tech Lead ends at 4; a 2 beside a 4 and a 4 lowers the mean."""
    asked = GatePolicy(criteria={"c": 3.6})
    assert verdict(opinions(None, 5, 4), asked).conclusion is Conclusion.PASSED
    assert verdict(opinions(None, 4, 4), asked).conclusion is Conclusion.INCONCLUSIVE


def test_without_the_arbiter_the_worst_is_that_it_arbitrates() -> None:
    found = verdict(opinions(5, 5, None), GatePolicy(criteria={"c": 2.0}))
    assert demand(found, "criteria.c").sentence == (
        "The Tech Lead gave no opinion that counts: with a 1 from them C would have 1.0 in place of 5.0, below 2.0."
    )


def test_an_opinion_that_cites_nothing_that_stands_is_as_missing_as_none() -> None:
    empty = [each.model_copy(update={"citations": ()}) for each in opinions(3, None, None)]
    found = verdict([*empty, *opinions(None, 5, 4)], GatePolicy(overall=4.2))
    assert found.conclusion is Conclusion.INCONCLUSIVE


def test_with_a_quorum_of_one_both_that_are_missing_are_thought_of() -> None:
    lenient = PLAIN.model_copy(update={"rules": PLAIN.rules.model_copy(update={"quorum": 1})})
    found = verdict(opinions(None, None, 4), GatePolicy(criteria={"c": 3.0}), lenient)
    assert demand(found, "criteria.c").sentence == (
        "The Prosecutor and the Defense gave no opinion that counts: with 2 and 2 from them C would have 2.8 in place of 4.0, below 3.0."
    )
    assert demand(found, "criteria.c").silent == ("prosecutor", "defense")


def test_of_more_missing_judges_than_can_be_tried_nothing_good_is_assumed() -> None:
    voice = PLAIN.personas[0]
    many = tuple(voice.model_copy(update={"id": f"judge_{number}", "title": f"Judge {number}"}) for number in range(40))
    crowd = PLAIN.model_copy(
        update={"personas": (*PLAIN.personas, *many), "rules": PLAIN.rules.model_copy(update={"quorum": 1})}
    )
    assert verdict(opinions(5, 5, 5), GatePolicy(criteria={"c": 1.1}), crowd).conclusion is Conclusion.INCONCLUSIVE
    assert verdict(opinions(5, 5, 5), GatePolicy(criteria={"c": 1.0}), crowd).conclusion is Conclusion.PASSED


def test_a_fail_stays_a_fail_whoever_is_missing() -> None:
    assert verdict(opinions(None, 3, 3), GatePolicy(overall=4.0)).conclusion is Conclusion.FAILED


def test_a_criterion_that_nothing_is_asked_of_leaves_the_gate_alone() -> None:
    assert verdict(opinions(None, 4, 4), GatePolicy()).conclusion is Conclusion.PASSED
    other = rubric(criterion(name="c"), criterion(expectation("code.y"), name="d"))
    seen = (*CLEAN, evidence("code.y", outcome="not_found"))
    said = [*opinions(4, 4, 4), *opinions(None, 4, 4, on="d", cites="code.y#1")]
    assert verdict(said, GatePolicy(criteria={"c": 4.0}), other, seen).conclusion is Conclusion.PASSED


def test_small_doubts_on_many_criteria_add_up_to_one_about_the_overall_score() -> None:
    names = ("c", "d", "e")
    wide = rubric(*(criterion(expectation(f"code.{name}"), name=name) for name in names))
    seen = tuple(evidence(f"code.{name}", outcome="not_found") for name in names)
    said = [each for name in names for each in opinions(None, 4, 4, on=name, cites=f"code.{name}#1")]
    found = verdict(said, GatePolicy(overall=3.5), wide, seen)
    assert demand(found, "overall").sentence == (
        "The Prosecutor gave no opinion that counts on 3 criteria: with the least favourable from them the overall score would be "
        "3.4 in place of 4.0, below 3.5."
    )
    one = [each for each in said if each.criterion == "c"] + [
        each for name in names[1:] for each in opinions(4, 4, 4, on=name, cites=f"code.{name}#1")
    ]
    assert verdict(one, GatePolicy(overall=3.5), wide, seen).conclusion is Conclusion.PASSED


scores = st.integers(1, 5)


@st.composite
def matters(draw: st.DrawFn) -> tuple[Rubric, tuple[Evidence, ...], GatePolicy, list[Opinion]]:
    """A rubric of up to three criteria of any kind, evidence of any outcome, a gate, and all opinions."""
    names = ("c", "d", "e")[: draw(st.integers(1, 3))]
    criteria = [
        criterion(
            expectation(
                f"code.{name}",
                severity=draw(st.sampled_from(("low", SEVERE.value))),
                cap=draw(st.sampled_from((None, 2.0, 4.0))),
            ),
            name=name,
            weight=draw(st.sampled_from((1.0, 3.0))),
            security=draw(st.booleans()),
            architecture=draw(st.booleans()),
        )
        for name in names
    ]
    seen = tuple(
        evidence(
            f"code.{name}",
            outcome=draw(st.sampled_from(("found", "not_found"))),
            confidence=draw(st.sampled_from((0.6, 1.0))),
            agrees=draw(st.booleans()),
        )
        for name in names
    )
    thresholds = st.none() | st.sampled_from((1.5, 2.0, 2.6, 3.0, 3.4, 3.7, 4.0, 4.2, 4.7))
    gated = {name: asked for name in names if (asked := draw(thresholds)) is not None}
    gate = GatePolicy(overall=draw(thresholds), criteria=gated, no_new=draw(st.sampled_from((None, Severity.CRITICAL))))
    rules = PLAIN.rules.model_copy(update={"quorum": draw(st.integers(1, 3))})
    by = rubric(*criteria).model_copy(update={"rules": rules})
    said = [
        each
        for name in names
        for each in opinions(draw(scores), draw(scores), draw(scores), on=name, cites=f"code.{name}#1")
    ]
    return by, seen, gate, said


@settings(max_examples=200, deadline=None)
@given(matters(), st.sets(st.sampled_from(JUDGES), min_size=1, max_size=2), st.sets(st.sampled_from("cde"), min_size=1))
def test_whoever_is_silenced_wherever_the_gate_passes_only_if_it_does_with_all_heard(
    matter: tuple[Rubric, tuple[Evidence, ...], GatePolicy, list[Opinion]], down: set[str], where: set[str]
) -> None:
    by, seen, gate, said = matter
    left = [each for each in said if each.judge not in down or each.criterion not in where]
    silenced = verdict(left, gate, by, seen)
    if silenced.conclusion is Conclusion.PASSED:
        assert verdict(said, gate, by, seen).conclusion is Conclusion.PASSED


@settings(max_examples=80, deadline=None)
@given(matters(), st.sampled_from(JUDGES))
def test_what_is_called_open_could_indeed_have_failed(
    matter: tuple[Rubric, tuple[Evidence, ...], GatePolicy, list[Opinion]], down: str
) -> None:
    """For a demand on one criterion: some score of the missing judge fails it."""
    by, seen, gate, said = matter
    silenced = verdict([each for each in said if each.judge != down], gate, by, seen)
    for reason in silenced.gate.reasons:
        if not reason.silent or reason.demand == "overall":
            continue
        ends = {
            demand(
                verdict(
                    [each.model_copy(update={"score": score}) if each.judge == down else each for each in said],
                    gate,
                    by,
                    seen,
                ),
                reason.demand,
            ).conclusion
            for score in range(1, 6)
        }
        assert Conclusion.FAILED in ends


def test_a_record_gives_the_same_open_gate_again(tmp_path: Path) -> None:
    def says(body: Body) -> Says:
        return Says(stop="refusal") if judge(body) == "prosecutor" else Says(good(body, 3))

    work = Drawing(tmp_path / "work")
    test = "from shop.cart import total\n\n\ndef test_nothing_costs_nothing():\n    assert total([]) == 0\n"
    work.commit({"shop/cart.py": "def total(prices):\n    return sum(prices)\n", "tests/test_cart.py": test}, "Start")
    report = audited(work.path, bench=claude(Standin(says).connect()))
    assert report.verdict.conclusion is Conclusion.INCONCLUSIVE
    assert {silent for each in report.verdict.gate.reasons for silent in each.silent} == {"prosecutor"}
    again = replay(AuditReport.model_validate_json(report.model_dump_json()))
    assert again.same
    assert again.verdict == report.verdict
