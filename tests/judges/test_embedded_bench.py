"""The embedded bench: three visibly different readings of the same evidence, never by chance."""

from __future__ import annotations

import pytest

from auditor.domain import Evidence, Expectation, Opinion, Rubric, Scope, assess_rubric
from auditor.judges.bench_interface import Hearing
from auditor.judges.embedded_bench import EmbeddedBench, hear_scores
from auditor.synthesis import synthesise
from tests.verdicts import criterion, evidence, expectation, rubric

ADVICE = {"code.x": "Do not.", "code.y": "Do."}


def heard(by: Rubric, seen: list[Evidence]) -> Hearing:
    return EmbeddedBench().hear(by, tuple(seen), Scope.WHOLE_TREE, ADVICE)


def scores(*expectations: Expectation, seen: list[Evidence]) -> tuple[int, ...]:
    return tuple(each.score for each in heard(rubric(criterion(*expectations)), seen).opinions)


def without_words(opinion: Opinion) -> Opinion:
    return opinion.model_copy(update={"argument": "", "remediation": ()})


@pytest.mark.parametrize(
    ("expectations", "seen", "given"),
    [
        ([expectation()], [evidence(outcome="not_found")], (5, 5, 5)),
        ([expectation()], [evidence()], (1, 1, 1)),
        ([expectation()], [evidence(confidence=0.6)], (1, 5, 3)),
        ([expectation()], [evidence(confidence=0.75)], (1, 1, 2)),
        ([expectation()], [evidence(confidence=0.8)], (1, 1, 1)),
        ([expectation(expect="found")], [evidence(outcome="not_found", confidence=0.6)], (1, 5, 1)),
        (
            [expectation(), expectation("code.y", weight=4)],
            [evidence(confidence=0.6), evidence("code.y", outcome="not_found")],
            (4, 5, 4),
        ),
        ([expectation(worst=1.0)], [evidence(measure=0.5)], (1, 3, 3)),
        ([expectation(), expectation("code.y")], [evidence(), evidence("code.y", outcome="not_found")], (3, 3, 3)),
        (
            [expectation(severity="high"), expectation("code.y")],
            [evidence(), evidence("code.y", outcome="not_found")],
            (2, 3, 3),
        ),
        (
            [expectation(), expectation("code.y")],
            [evidence(outcome="not_found"), evidence("code.y", outcome="unavailable")],
            (3, 5, 5),
        ),
        (
            [expectation(), expectation("code.y")],
            [evidence(outcome="not_found"), evidence("code.y", outcome="not_applicable")],
            (5, 5, 5),
        ),
        (
            [expectation(weight=9), expectation("code.y")],
            [evidence(), evidence("code.y", outcome="not_found")],
            (1, 2, 1),
        ),
    ],
)
def test_each_persona_scores_by_its_policy(
    expectations: list[Expectation], seen: list[Evidence], given: tuple[int, ...]
) -> None:
    assert scores(*expectations, seen=seen) == given
    by = rubric(criterion(*expectations))
    said, bare = heard(by, seen), hear_scores(by, assess_rubric(by, seen, Scope.WHOLE_TREE))
    assert bare.opinions == tuple(without_words(each) for each in said.opinions)
    assert bare.abstentions == said.abstentions


@pytest.mark.parametrize(
    ("severity", "other", "given"),
    [("low", "not_found", (3, 3, 3)), ("medium", "not_found", (1, 2, 1)), ("low", "unavailable", (1, 3, 3))],
)
def test_what_is_slight_brings_nobody_below_the_floor_of_a_policy_unless_more_is_in_the_dark(
    severity: str, other: str, given: tuple[int, ...]
) -> None:
    by = rubric(criterion(expectation(severity=severity, weight=9), expectation("code.y", weight=0.5)))
    policies = [each.policy.model_copy(update={"slight_floor": 3}) for each in by.personas]
    floored = [each.model_copy(update={"policy": own}) for each, own in zip(by.personas, policies, strict=True)]
    seen = [evidence(), evidence("code.y", outcome=other)]
    said = heard(by.model_copy(update={"personas": tuple(floored)}), seen).opinions
    assert tuple(each.score for each in said) == given


@pytest.mark.parametrize(
    ("severity", "expect", "outcome", "given"),
    [
        ("medium", "not_found", "found", 5),
        ("high", "not_found", "found", 1),
        ("critical", "not_found", "found", 1),
        ("high", "found", "not_found", 2),
    ],
)
def test_the_defense_excuses_what_is_rare_unless_it_is_severe(
    severity: str, expect: str, outcome: str, given: int
) -> None:
    asked = expectation(severity=severity, expect=expect)
    seen = evidence(outcome=outcome, measure=0.05)
    assert scores(asked, seen=[seen])[1] == given


def test_with_nothing_known_every_judge_abstains() -> None:
    hearing = heard(rubric(), [evidence(outcome="unavailable")])
    assert hearing.opinions == ()
    assert [each.judge for each in hearing.abstentions] == ["prosecutor", "defense", "tech_lead"]


def test_scores_alone_are_those_of_the_whole_hearing() -> None:
    silent = rubric(criterion(expectation(), expectation("code.y", severity="high")), criterion(name="d"))
    for seen in ([], [evidence()], [evidence(confidence=0.6), evidence("code.y")], [evidence(outcome="unavailable")]):
        said, bare = heard(silent, seen), hear_scores(silent, assess_rubric(silent, seen, Scope.WHOLE_TREE))
        assert bare.opinions == tuple(without_words(each) for each in said.opinions)
        assert bare.abstentions == said.abstentions


def test_nobody_is_heard_on_what_does_not_apply() -> None:
    assert heard(rubric(), [evidence(outcome="not_applicable")]) == Hearing((), ())


def test_each_judge_says_how_it_counts_what_is_unclear() -> None:
    seen = [evidence(confidence=0.9), evidence("code.y", outcome="unavailable")]
    told = {
        each.judge: each.argument
        for each in heard(rubric(criterion(expectation(), expectation("code.y"))), seen).opinions
    }
    assert told["prosecutor"].startswith("0 of 2 expectations met; unclear ones count as not met.")
    assert told["defense"].startswith("1 of 2 expectations met; unclear ones count as met.")
    assert told["tech_lead"].startswith("0 of 1 expectations met; unclear ones are not counted.")


def test_every_opinion_cites_what_stands_and_says_what_to_try() -> None:
    by = rubric()
    hearing = heard(by, [evidence()])
    assert {step.change for each in hearing.opinions for step in each.remediation} == {"Do not."}
    assert {step.path for each in hearing.opinions for step in each.remediation} == {"a.py"}
    found = synthesise(by, [evidence()], hearing.opinions, hearing.abstentions, scope=Scope.WHOLE_TREE, gate=by.gate)
    assert found.rulings[0].set_aside == ()


def test_braces_in_evidence_do_no_harm_to_the_words() -> None:
    hostile = evidence().model_copy(update={"statement": "{0} {score} {seen!r} %s"})
    assert all("{0} {score} {seen!r} %s" in each.argument for each in heard(rubric(), [hostile]).opinions)


def test_doubt_about_good_news_is_no_charge() -> None:
    prosecutor = heard(
        rubric(criterion(expectation(severity="critical"), expectation("code.y"))),
        [evidence(outcome="not_found", confidence=0.6), evidence("code.y", outcome="not_found")],
    ).opinions[0]
    assert prosecutor.score == 3
    assert prosecutor.remediation == ()
    assert "No reliable answer for" in prosecutor.argument
    assert "Against it" not in prosecutor.argument


def test_a_fault_that_doubt_excuses_is_not_told_as_good_news() -> None:
    by = rubric(criterion(expectation(), expectation("code.y")))
    doubted = evidence(confidence=0.6).model_copy(update={"statement": "A door is open."})
    hearing = heard(by, [doubted, evidence("code.y", outcome="not_found")])
    said = next(each for each in hearing.opinions if each.judge == "defense")
    voice = next(each.voice for each in by.personas if each.id == "defense")
    assert "A door is open" not in said.argument
    assert voice.unknown.format(question="“x”") in said.argument


def test_what_could_not_be_told_is_named_in_words_and_not_by_the_id_of_a_probe() -> None:
    by = rubric(criterion(expectation("swarm.output_retry", "found"), expectation("code.y")))
    unsure = evidence("swarm.output_retry", outcome="not_found", confidence=0.6)
    hearing = heard(by, [unsure, evidence("code.y", outcome="not_found")])
    said = next(each for each in hearing.opinions if each.judge == "defense").argument
    assert "“output retry”" in said
    assert "swarm.output" not in said
