"""No failure of a model becomes a pass, and none takes longer than its deadline."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest

from auditor.action.action_inputs import CheckPolicy, FailStep
from auditor.action.run_conclusions import Outcome, check_conclusion, exit_code
from auditor.cli.exit_codes import BY_CONCLUSION, INCONCLUSIVE, PASSED
from auditor.domain import Cause, CheckConclusion, Conclusion, GatePolicy, Scope, Verdict
from auditor.judges.bench_interface import Hearing
from auditor.judges.judge_panel import Timeouts
from auditor.settings import Inconclusive
from auditor.synthesis import synthesise
from tests.documentation import page
from tests.judges.cases import SEEN, SMALL, heard
from tests.judges.failures import FAILURES, Failure, table
from tests.judges.model_stand_in import Answers, Body, Says, Standin, good, judge
from tests.verdicts import criterion, evidence, expectation, rubric

PACE = Timeouts(deadline=2.0, leader_timeout=0.5, counting=0.5)


def ruled(hearing: Hearing, gate: GatePolicy | None = None) -> Verdict:
    return synthesise(
        SMALL, SEEN, hearing.opinions, hearing.abstentions, scope=Scope.WHOLE_TREE, gate=gate or GatePolicy(overall=1)
    )


@pytest.mark.parametrize("failure", FAILURES, ids=lambda each: each.name)
def test_a_model_that_fails_is_an_abstention_with_its_cause(failure: Failure) -> None:
    model = Standin(failure.answers)
    started = time.monotonic()
    hearing = heard(model.connect(), pace=PACE)
    assert time.monotonic() - started < failure.seconds
    assert hearing.opinions == ()
    assert {each.cause for each in hearing.abstentions} == {failure.cause}
    assert all(failure.told in each.reason for each in hearing.abstentions)
    assert len(hearing.abstentions) == 6
    assert len(model.asked) == 3 * failure.requests
    verdict = ruled(hearing)
    assert verdict.conclusion is Conclusion.INCONCLUSIVE
    assert BY_CONCLUSION[verdict.conclusion] == INCONCLUSIVE


@pytest.mark.parametrize("inconclusive", [Inconclusive.ACTION_REQUIRED, Inconclusive.FAILURE])
def test_a_verdict_that_no_judge_gave_blocks_the_check_and_fails_the_step(inconclusive: Inconclusive) -> None:
    ended = Outcome.of(ruled(heard(Standin(FAILURES[0].answers).connect())).conclusion)
    assert check_conclusion(ended, CheckPolicy.GATE, inconclusive) is CheckConclusion(inconclusive.value)
    assert exit_code(ended, FailStep.GATE, inconclusive) == INCONCLUSIVE


def failing(who: tuple[str, ...], how: Answers) -> Answers:
    return lambda body: how(body) if judge(body) in who else Says(good(body, 4))


@pytest.mark.parametrize("failure", [FAILURES[0], FAILURES[6], FAILURES[18]], ids=lambda each: each.name)
@pytest.mark.parametrize(
    ("down", "concluded"),
    [
        (("prosecutor",), Conclusion.PASSED),
        (("tech_lead",), Conclusion.PASSED),
        (("prosecutor", "defense"), Conclusion.INCONCLUSIVE),
        (("prosecutor", "defense", "tech_lead"), Conclusion.INCONCLUSIVE),
    ],
)
def test_two_judges_can_do_without_the_third_and_one_cannot(
    failure: Failure, down: tuple[str, ...], concluded: Conclusion
) -> None:
    hearing = heard(Standin(failing(down, failure.answers)).connect(), pace=Timeouts(deadline=1.0, leader_timeout=0.2))
    assert {each.judge for each in hearing.abstentions} == set(down)
    assert ruled(hearing).conclusion is concluded


TRIPLES = tuple((p, d, t) for p in (1, 3, 5) for d in (2, 5) for t in (1, 3, 4, 5))
"""What the Prosecutor, the Defense and the Tech Lead would say."""
LETTERS = tuple(f"{first}{second}" for first in "abcd" for second in "abcdef")
NAMES = ("prosecutor", "defense", "tech_lead")
WIDE = rubric(
    *(
        criterion(expectation(f"code.{letter}"), name=letter, architecture=number % 2 == 1)
        for number, letter in enumerate(LETTERS)
    )
)
WIDELY = tuple(evidence(each.evidence[0].probe, outcome="not_found") for each in WIDE.criteria)


def by_triples(body: Body) -> Says:
    """An answer that scores every criterion by its triple, each with its own evidence."""
    mine = NAMES.index(judge(body))
    said = json.loads(good(body, {each.id: TRIPLES[number][mine] for number, each in enumerate(WIDE.criteria)}))
    for each in said["opinions"]:
        each["citations"] = [cited for cited in each["citations"] if cited["evidence"] == f"code.{each['criterion']}#1"]
    return Says(json.dumps(said))


@pytest.fixture(scope="module")
def all_heard() -> Hearing:
    hearing = heard(Standin(by_triples).connect(), by=WIDE, seen=WIDELY)
    assert len(hearing.opinions) == 3 * len(TRIPLES)
    return hearing


Ended = Callable[[GatePolicy], dict[str, Conclusion]]


@pytest.fixture(scope="module")
def with_all_heard(all_heard: Hearing) -> Ended:
    """How each demand of a gate ends with all judges heard: worked out once for each gate, however a judge is silenced."""
    known: dict[str, dict[str, Conclusion]] = {}

    def ended(gate: GatePolicy) -> dict[str, Conclusion]:
        key = gate.model_dump_json()
        if key not in known:
            known[key] = demands(widely(all_heard, gate))
        return known[key]

    return ended


@pytest.mark.parametrize("down", NAMES)
@pytest.mark.parametrize("failure", FAILURES, ids=lambda each: each.name)
def test_whichever_judge_is_made_to_fail_however_the_gate_passes_only_if_it_does_with_that_judge_heard(
    failure: Failure, down: str, with_all_heard: Ended
) -> None:
    def answers(body: Body) -> Says:
        return failure.answers(body) if judge(body) == down else by_triples(body)

    hangs = failure.cause is Cause.TIMED_OUT and failure.requests == 1
    pace = Timeouts(deadline=0.5 if hangs else 5.0, leader_timeout=0.1, counting=0.1)
    hearing = heard(Standin(answers).connect(), by=WIDE, seen=WIDELY, pace=pace)
    assert {each.judge for each in hearing.opinions} == set(NAMES) - {down}
    scores = {each.criterion: each.score for each in widely(hearing, GatePolicy()).rulings if each.score is not None}
    assert len(scores) >= len(TRIPLES) / 2
    passed = bought = 0
    for less in (0.0, 0.7):
        asked = GatePolicy(criteria={name: max(1.0, score - less) for name, score in scores.items()})
        without, with_all = demands(widely(hearing, asked)), with_all_heard(asked)
        for name, ended in without.items():
            assert ended is not Conclusion.PASSED or with_all[name] is Conclusion.PASSED, (name, asked)
            passed += ended is Conclusion.PASSED
            bought += ended is Conclusion.INCONCLUSIVE and with_all[name] is Conclusion.FAILED
    assert passed  # silence alone fails nothing ...
    assert bought  # ... and would have bought so many passes


def widely(hearing: Hearing, gate: GatePolicy) -> Verdict:
    return synthesise(WIDE, WIDELY, hearing.opinions, hearing.abstentions, scope=Scope.WHOLE_TREE, gate=gate)


def demands(verdict: Verdict) -> dict[str, Conclusion]:
    return {each.demand: each.conclusion for each in verdict.gate.reasons if each.demand != "judged"}


def test_a_judge_that_hangs_costs_the_others_nothing() -> None:
    model = Standin(failing(("prosecutor",), lambda _body: Says(before=60.0)))
    hearing = heard(model.connect(), pace=Timeouts(deadline=1.0, leader_timeout=0.2))
    assert {each.judge for each in hearing.opinions} == {"defense", "tech_lead"}


@pytest.mark.parametrize(
    "first",
    [each for each in FAILURES if each.requests > 1],
    ids=lambda each: each.name,
)
def test_what_may_pass_is_asked_again_and_the_failed_request_stays_on_the_bill(first: Failure) -> None:
    tried: set[str] = set()

    def once(body: Body) -> Says:
        if judge(body) in tried:
            return Says(good(body, 4))
        tried.add(judge(body))
        return first.answers(body)

    hearing = heard(Standin(once).connect(), pace=PACE)
    assert hearing.abstentions == ()
    assert len(hearing.opinions) == 6
    assert ruled(hearing).conclusion is Conclusion.PASSED
    if first.requests == 2:  # ours; those of the SDK end before an answer begins
        assert [each.outcome for each in hearing.cost.attempts].count(first.cause.value) == 3


def test_an_answer_that_did_not_fit_is_asked_for_with_more_room() -> None:
    model = Standin(FAILURES[1].answers)
    heard(model.connect(), answer_tokens=4_000)
    assert sorted(each["max_tokens"] for each in model.asked) == [4_000] * 3 + [8_000] * 3


def test_a_short_wait_is_waited() -> None:
    waits = iter([True])

    def limited(body: Body) -> Says:
        if next(waits, False):
            return Says(
                status=429,
                headers={"retry-after": "0.3"},
                error={"type": "error", "error": {"type": "rate_limit_error", "message": "slow"}},
            )
        return Says(good(body))

    started = time.monotonic()
    hearing = heard(Standin(limited).connect())
    assert time.monotonic() - started >= 0.3
    assert len(hearing.opinions) == 6


def test_the_page_on_the_claude_bench_has_the_table_of_failures() -> None:
    assert table() in page("claude-bench.md")


def test_a_verdict_by_two_of_three_is_a_pass_only_by_their_scores() -> None:
    hearing = heard(Standin(failing(("prosecutor",), FAILURES[0].answers)).connect())
    assert ruled(hearing, GatePolicy(overall=4.5)).conclusion is Conclusion.FAILED
    assert BY_CONCLUSION[ruled(hearing).conclusion] == PASSED


def test_an_error_of_a_platforms_own_library_is_an_abstention_too() -> None:
    class NoCredentials(Exception):
        """As google.auth and botocore raise them: no relation to the SDK's errors."""

    async def failing_login(_request: object, _next: object) -> None:
        raise NoCredentials("none were found")

    model = Standin(lambda body: Says(good(body)))
    hearing = heard(model.connect(middleware=[failing_login]), pace=PACE)
    assert {each.cause.value for each in hearing.abstentions} == {"unavailable"}
    assert "NoCredentials" in hearing.abstentions[0].reason
    assert ruled(hearing).conclusion is Conclusion.INCONCLUSIVE


def test_what_the_server_turned_away_costs_nothing_whatever_the_price() -> None:
    refused = next(each for each in FAILURES if "401" in each.name)
    assert heard(Standin(refused.answers).connect(), model="claude-unheard-of").cost.usd == 0
