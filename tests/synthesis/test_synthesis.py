"""Every rule, its place in the order, and what no input may bring about."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.domain import (
    Abstention,
    Cause,
    CodeLocation,
    Conclusion,
    Evidence,
    GatePolicy,
    Opinion,
    Rubric,
    Ruling,
    Scope,
    Severity,
    Verdict,
    Waiver,
)
from auditor.synthesis import synthesise
from tests.verdicts import criterion, evidence, expectation, opinions, rubric


def verdict(
    by: Rubric, seen: list[Evidence], said: list[Opinion], gate: GatePolicy | None = None, **more: Any
) -> Verdict:
    return synthesise(
        by,
        seen,
        said,
        more.pop("silent", ()),
        scope=more.pop("scope", Scope.WHOLE_TREE),
        gate=gate or GatePolicy(),
        **more,
    )


def ruling(by: Rubric, seen: list[Evidence], said: list[Opinion], **more: Any) -> Ruling:
    return verdict(by, seen, said, **more).rulings[0]


CLEAN = [evidence(outcome="not_found")]
BROKEN = [evidence()]


@pytest.mark.parametrize(
    ("by", "seen", "scores", "rule", "score"),
    [
        pytest.param(
            rubric(), [evidence(outcome="not_applicable")], (5, 5, 5), "not_applicable", None, id="nothing applies"
        ),
        pytest.param(rubric(), CLEAN, (None, None, 5), "quorum", None, id="one opinion is too few"),
        pytest.param(
            rubric(), CLEAN, (None, 4, 5), "weighted_average", 4.6, id="two opinions are enough, weights renormalised"
        ),
        pytest.param(
            rubric(criterion(expectation(severity="high"), security=True)),
            BROKEN,
            (1, 5, 5),
            "security_override",
            3.0,
            id="a confirmed violation caps",
        ),
        pytest.param(
            rubric(criterion(expectation(severity="high"), security=True)),
            BROKEN,
            (1, 5, 2),
            "security_override",
            2.0,
            id="and the arbiter may be lower",
        ),
        pytest.param(
            rubric(criterion(expectation(severity="high"), security=True)),
            [evidence(confidence=0.7)],
            (4, 4, 4),
            "weighted_average",
            4.0,
            id="doubt does not override",
        ),
        pytest.param(
            rubric(criterion(expectation(severity="low"), security=True)),
            BROKEN,
            (4, 4, 4),
            "weighted_average",
            4.0,
            id="a light violation does not override",
        ),
        pytest.param(
            rubric(criterion(expectation(severity="high"))),
            BROKEN,
            (4, 4, 4),
            "weighted_average",
            4.0,
            id="only security criteria override",
        ),
        pytest.param(
            rubric(criterion(expectation(severity="high"), security=True)),
            BROKEN,
            (4, 5, None),
            "security_override",
            None,
            id="override without arbiter is open",
        ),
        pytest.param(
            rubric(), [evidence(agrees=True)], (1, 5, 2), "fact_supremacy", 1.6, id="praise against facts is set aside"
        ),
        pytest.param(
            rubric(), BROKEN, (1, 3, 2), "weighted_average", 2.0, id="without a second look facts do not set aside"
        ),
        pytest.param(
            rubric(criterion(architecture=True)),
            CLEAN,
            (2, 4, 4),
            "functionality_weight",
            3.5,
            id="working architecture weighs the arbiter double",
        ),
        pytest.param(
            rubric(criterion(architecture=True)), CLEAN, (2, 3, 3), "weighted_average", 2.7, id="only from four up"
        ),
        pytest.param(rubric(), CLEAN, (1, 5, 3), "variance_re_evaluation", 3.0, id="a wide spread is arbitrated"),
        pytest.param(rubric(), CLEAN, (1, 5, None), "variance_re_evaluation", None, id="without arbiter it stays open"),
        pytest.param(rubric(), CLEAN, (2, 4, 3), "weighted_average", 3.0, id="a spread of two is averaged"),
        pytest.param(
            rubric(criterion(expectation(severity="high"), security=True, architecture=True)),
            [evidence(agrees=True)],
            (1, 5, 5),
            "security_override",
            3.0,
            id="security comes before facts, architecture and variance",
        ),
        pytest.param(
            rubric(criterion(architecture=True)),
            [evidence(agrees=True)],
            (1, 5, 4),
            "fact_supremacy",
            1.0,
            id="facts come before architecture",
        ),
        pytest.param(
            rubric(criterion(architecture=True)),
            CLEAN,
            (1, 5, 4),
            "functionality_weight",
            3.5,
            id="architecture comes before variance",
        ),
    ],
)
def test_the_first_rule_that_applies_decides(
    by: Rubric, seen: list[Evidence], scores: tuple[int | None, ...], rule: str, score: float | None
) -> None:
    found = ruling(by, seen, opinions(*scores))
    assert (found.rule.value, found.score) == (rule, score)
    assert found.sentence


def test_a_waiver_of_the_base_side_leaves_the_criterion_unjudged() -> None:
    found = ruling(
        rubric(), BROKEN, opinions(1, 1, 1), waivers=[Waiver(criterion="c", reason="Known.", until="2999-01-01")]
    )
    assert (found.status.value, found.score) == ("waived", None)
    assert "Known." in found.sentence


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (opinions(5, 5, 5, cites="code.x#9"), "there is no evidence code.x#9"),
        (opinions(5, 5, 5, quote="invented words"), "its quote was not found in code.x#1"),
        (opinions(5, 5, 5, quote=" "), "it quotes nothing"),
        ([each.model_copy(update={"citations": ()}) for each in opinions(5, 5, 5)], "it cites no evidence"),
    ],
)
def test_an_opinion_that_leans_on_nothing_is_set_aside(said: list[Opinion], reason: str) -> None:
    found = ruling(rubric(), CLEAN, said)
    assert found.rule.value == "quorum"
    assert all(reason in each.reason for each in found.set_aside)
    assert len(found.set_aside) == 3


def test_a_judge_speaks_once() -> None:
    found = ruling(rubric(), CLEAN, [*opinions(4, 4, 4), *opinions(None, None, 1)])
    assert found.score == 4.0
    assert found.set_aside[0].reason == "the judge had spoken already"


def test_every_wide_spread_ends_with_a_dissent_that_tells_both_sides() -> None:
    found = ruling(rubric(), CLEAN, opinions(1, 5, 4))
    for part in (
        "By the rule “variance re-evaluation” the score is",
        "Prosecutor gave 1",
        "Defense gave 5",
        "Point of prosecutor",
        "Point of defense",
        "prevailed",
    ):
        assert part in found.dissent
    assert ruling(rubric(), CLEAN, opinions(3, 5, 4)).dissent == ""


def test_a_cap_holds_while_its_expectation_is_confirmed_broken() -> None:
    by = rubric(criterion(expectation(cap=2.5)))
    assert ruling(by, BROKEN, opinions(4, 4, 4)).score == 2.5
    assert ruling(by, [evidence(confidence=0.7)], opinions(4, 4, 4)).score == 4.0
    assert ruling(by, CLEAN, opinions(4, 4, 4)).score == 4.0


@pytest.mark.parametrize(
    ("seen", "score"),
    [
        ([evidence(measure=0.5)], 2.0),
        ([evidence(measure=0.25)], 3.5),
        ([evidence(measure=0.25), evidence(number=2, measure=0.5, confidence=0.5)], 3.5),
        ([evidence(measure=0.25), evidence(number=2)], 2.0),
    ],
)
def test_a_cap_rises_with_what_is_sure_not_to_be_broken(seen: list[Evidence], score: float) -> None:
    by = rubric(criterion(expectation(cap=2, worst=0.5)))
    assert ruling(by, seen, opinions(4, 4, 4)).score == score


def test_old_violations_count_only_when_the_whole_tree_does() -> None:
    by = rubric(criterion(expectation(cap=2)))
    old = [evidence(introduced=False)]
    assert ruling(by, old, opinions(4, 4, 4), scope=Scope.INTRODUCED).score == 4.0
    assert ruling(by, old, opinions(4, 4, 4), scope=Scope.WHOLE_TREE).score == 2.0


def gate(
    policy: GatePolicy, seen: list[Evidence], scores: tuple[int | None, ...], by: Rubric | None = None, **more: Any
) -> Conclusion:
    return verdict(by or rubric(), seen, opinions(*scores), gate=policy, **more).conclusion


@pytest.mark.parametrize(
    ("policy", "seen", "scores", "conclusion"),
    [
        (GatePolicy(overall=4), CLEAN, (4, 4, 4), "passed"),
        (GatePolicy(overall=4.1), CLEAN, (4, 4, 4), "failed"),
        (GatePolicy(criteria={"c": 4}), CLEAN, (3, 4, 4), "failed"),
        (GatePolicy(criteria={"c": 4}), CLEAN, (None, None, 5), "inconclusive"),
        (GatePolicy(overall=1), CLEAN, (None, None, None), "inconclusive"),
        (GatePolicy(), CLEAN, (None, None, 5), "inconclusive"),
        (GatePolicy(), [evidence(outcome="not_applicable")], (None, None, None), "inconclusive"),
        (GatePolicy(no_new=Severity.MEDIUM), BROKEN, (5, 5, 5), "failed"),
        (GatePolicy(no_new=Severity.HIGH), BROKEN, (5, 5, 5), "passed"),
        (GatePolicy(no_new=Severity.MEDIUM), [evidence(confidence=0.79)], (5, 5, 5), "passed"),
        (GatePolicy(criteria={"c": 4}, no_new=Severity.MEDIUM), BROKEN, (None, None, 5), "failed"),
    ],
)
def test_failed_outranks_inconclusive_outranks_passed(
    policy: GatePolicy, seen: list[Evidence], scores: tuple[int | None, ...], conclusion: str
) -> None:
    assert gate(policy, seen, scores) == conclusion


def test_what_is_shown_is_what_is_gated() -> None:
    by = rubric(criterion(name="c"))
    found = verdict(by, CLEAN, opinions(3, 4, 4), gate=GatePolicy(overall=3.7))
    assert (found.overall, found.conclusion) == (3.7, "passed")


def test_a_lost_judge_is_named_with_its_cause() -> None:
    silent = [
        Abstention(judge=judge, criterion="c", cause=Cause.REFUSED, reason="It would not.")
        for judge in ("prosecutor", "defense")
    ]
    found = ruling(rubric(), CLEAN, opinions(None, None, 5), silent=silent)
    assert "Prosecutor gave none (refused: It would not)" in found.sentence


scores = st.one_of(st.none(), st.integers(1, 5))


@given(st.tuples(scores, scores, scores), st.booleans(), st.booleans(), st.sampled_from([0.3, 0.8, 1.0]), st.booleans())
def test_no_score_leaves_its_bounds_and_shares_sum_to_one(
    said: tuple[int | None, ...], security: bool, architecture: bool, confidence: float, agrees: bool
) -> None:
    by = rubric(criterion(expectation(severity="high", cap=4), security=security, architecture=architecture))
    found = ruling(by, [evidence(confidence=confidence, agrees=agrees)], opinions(*said))
    if found.score is None:
        assert found.status.value == "inconclusive"
        return
    assert 1 <= found.score <= 5
    assert sum(each.weight for each in found.kept) == pytest.approx(1, abs=0.001)


@given(st.permutations(opinions(2, 5, 4)))
def test_the_order_of_opinions_changes_nothing(said: list[Opinion]) -> None:
    assert ruling(rubric(), CLEAN, said) == ruling(rubric(), CLEAN, opinions(2, 5, 4))


@given(st.tuples(st.integers(1, 5), st.integers(1, 5), st.integers(1, 5)), st.booleans())
def test_a_confirmed_violation_never_raises_a_security_score(said: tuple[int, ...], agrees: bool) -> None:
    by = rubric(criterion(expectation(severity="critical", cap=3), security=True))
    clean = ruling(by, CLEAN, opinions(*said)).score
    broken = ruling(by, [evidence(agrees=agrees)], opinions(*said)).score
    assert broken is not None
    assert broken <= 3
    assert clean is not None


def test_evidence_of_another_criterion_and_a_letter_that_stands_everywhere_prove_nothing() -> None:
    seen = [*CLEAN, evidence("code.other")]
    assert ruling(rubric(), seen, opinions(5, 5, 5, cites="code.other#1")).rule == "quorum"
    assert ruling(rubric(), seen, opinions(5, 5, 5, quote="s")).rule == "quorum"


def test_a_severe_question_without_an_answer_makes_no_new_inconclusive() -> None:
    by = rubric(criterion(expectation(severity="critical"), expectation("code.y")))
    seen = [evidence(outcome="unavailable"), evidence("code.y", outcome="not_found")]
    said = opinions(5, 5, 5, cites="code.y#1")
    assert verdict(by, seen, said, gate=GatePolicy(no_new=Severity.CRITICAL)).conclusion == "inconclusive"


def test_what_leaves_a_severe_question_open_is_named_by_its_files() -> None:
    by = rubric(criterion(expectation(severity="critical"), expectation("code.y")))
    dark = evidence(outcome="unavailable", locations=(CodeLocation(path="dist/index.js"),))
    seen = [dark, evidence("code.y", outcome="not_found")]
    found = verdict(by, seen, opinions(5, 5, 5, cites="code.y#1"), gate=GatePolicy(no_new=Severity.CRITICAL))
    (reason,) = (each for each in found.gate.reasons if each.demand == "no_new")
    assert reason.sentence == (
        "Whether there is anything of critical severity could not be determined, as dist/index.js could not be looked into in full (code.x)."
    )
    assert reason.evidence == (dark.id,)


def test_what_leaves_a_severe_question_open_is_named_by_its_lines_and_what_somebody_must_read() -> None:
    by = rubric(criterion(expectation(severity="critical"), expectation("code.y")))
    places = (CodeLocation(path="shop/tools.py", start=7), CodeLocation(path="shop/tools.py", start=9))
    statement = "`ash` can run a command, and no rule could follow what it is given. Outsiders reach `shop/views.py:8`."
    dark = evidence(outcome="unavailable", statement=statement, locations=places)
    seen = [evidence(number=2, outcome="not_found"), dark, evidence("code.y", outcome="not_found")]
    found = verdict(by, seen, opinions(5, 5, 5, cites="code.y#1"), gate=GatePolicy(no_new=Severity.CRITICAL))
    (reason,) = (each for each in found.gate.reasons if each.demand == "no_new")
    assert (reason.conclusion, reason.sentence) == (
        "inconclusive",
        "Somebody must read shop/tools.py:7 and 1 more line: `ash` can run a command, and no rule could follow what it is given (code.x).",
    )


@pytest.mark.parametrize(
    ("confidence", "outcome", "ended"),
    [(0.6, "unavailable", "inconclusive"), (0.6, "not_found", "passed"), (0.9, "unavailable", "failed")],
)
def test_a_finding_in_doubt_does_not_answer_for_what_could_not_be_looked_into(
    confidence: float, outcome: str, ended: str
) -> None:
    by = rubric(criterion(expectation(severity="critical")))
    seen = [evidence(confidence=confidence), evidence(number=2, outcome=outcome)]
    found = verdict(by, seen, opinions(4, 4, 4), gate=GatePolicy(no_new=Severity.CRITICAL))
    (reason,) = (each for each in found.gate.reasons if each.demand == "no_new")
    assert reason.conclusion == ended


def test_sentences_speak_of_rules_and_causes_as_people_do_and_the_fields_keep_the_ids() -> None:
    security = rubric(criterion(expectation(severity="critical"), security=True))
    overridden = ruling(security, BROKEN, opinions(1, 5, 4))
    assert overridden.rule == "security_override"
    assert BROKEN[0].statement.rstrip(".") in overridden.sentence
    assert BROKEN[0].probe not in overridden.sentence
    silent = Abstention(judge="defense", criterion="c", cause=Cause.TIMED_OUT, reason="No answer came.")
    (alone,) = verdict(rubric(), CLEAN, opinions(4, None, None), silent=[silent]).rulings
    assert alone.rule == "quorum"
    assert alone.sentence.startswith("Only 1 opinion counts, and 2 are needed. The Defense gave none (timed out: ")
    (none,) = verdict(rubric(), CLEAN, []).rulings
    assert none.sentence == "No opinion counts, and 2 are needed."
    for told in (overridden, alone, none):
        assert not re.search("[a-z]_[a-z]", f"{told.sentence} {told.dissent}")


def test_places_behind_a_reason_are_those_of_what_it_names_and_the_rest_is_counted() -> None:
    by = rubric(criterion(expectation(severity="critical")))
    first = evidence(locations=(CodeLocation(path="a.py", start=1), CodeLocation(path="b.py", start=2)))
    other = evidence(number=2, locations=(CodeLocation(path="c.py", start=3),))
    doubtful = evidence(number=3, confidence=0.5, locations=(CodeLocation(path="d.py", start=4),))
    for seen, ending in (
        ([first], "and 1 other place, severity critical (code.x)."),
        ([first, doubtful], "and 1 other place, severity critical (code.x)."),
        ([first, other], "and 1 other place, severity critical, and 1 more finding of critical severity (code.x)."),
    ):
        found = verdict(by, seen, opinions(2, 2, 2), gate=GatePolicy(no_new=Severity.CRITICAL))
        (reason,) = (each for each in found.gate.reasons if each.demand == "no_new")
        assert reason.sentence.endswith(f" in a.py:1 {ending}")


def test_certainty_is_not_borrowed_from_a_fact_within_tolerance() -> None:
    by = rubric(criterion(expectation(severity="critical", tolerance=0.1, cap=2), security=True))
    seen = [evidence(measure=0.01), evidence(number=2, measure=0.5, confidence=0.3)]
    assert ruling(by, seen, opinions(4, 4, 4)).rule == "weighted_average"


def test_a_dispute_that_nobody_can_arbitrate_is_told_with_both_sides() -> None:
    found = ruling(rubric(), CLEAN, opinions(1, 5, None))
    assert (found.status, found.rule) == ("inconclusive", "variance_re_evaluation")
    for part in ("Prosecutor gave 1", "Defense gave 5", "Neither view prevailed", "there is no score"):
        assert part in found.dissent


def test_on_an_exact_tie_no_side_is_said_to_have_prevailed() -> None:
    found = ruling(rubric(), CLEAN, opinions(1, 5, 3))
    assert found.score == 3.0
    assert "neither view prevailed" in found.dissent
    assert "prevailed because" not in found.dissent


@pytest.mark.parametrize(
    ("more", "score"),
    [({}, 4.9), ({"severity": "low"}, 5.0), ({"cap": 4.5}, 4.5)],
)
def test_a_full_score_does_not_stand_beside_a_confirmed_finding_of_weight(more: dict[str, Any], score: float) -> None:
    assert ruling(rubric(criterion(expectation(**more))), BROKEN, opinions(5, 5, 5)).score == score


def test_a_doubtful_finding_leaves_a_full_score_alone() -> None:
    assert ruling(rubric(), [evidence(confidence=0.6)], opinions(5, 5, 5)).score == 5.0


def test_rounding_never_makes_the_overall_score_a_full_one() -> None:
    by = rubric(criterion(name="a", weight=10), criterion(expectation("code.y"), name="b", weight=0.1))
    seen = [*CLEAN, evidence("code.y", outcome="not_found")]
    said = [*opinions(5, 5, 5, on="a"), *opinions(4, 4, 4, on="b", cites="code.y#1")]
    assert verdict(by, seen, said).overall == 4.9
    assert verdict(by, seen, [*said[:3], *opinions(5, 5, 5, on="b", cites="code.y#1")]).overall == 5.0


def test_lesser_findings_of_a_security_criterion_do_not_override() -> None:
    by = rubric(criterion(expectation(severity="medium"), security=True))
    assert ruling(by, BROKEN, opinions(4, 4, 4)).rule == "weighted_average"
