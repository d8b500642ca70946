"""How expectations stand against mixed and hostile evidence."""

from __future__ import annotations

import pytest

from auditor.domain import Evidence, Scope, State, assess_expectation, assess_rubric
from tests.verdicts import criterion, evidence, expectation, rubric

FOUND, ABSENT = evidence(), evidence(number=2, outcome="not_found")
DARK, OUTSIDE = evidence(number=3, outcome="unavailable"), evidence(number=4, outcome="not_applicable")


@pytest.mark.parametrize(
    ("expect", "seen", "state"),
    [
        ("not_found", [FOUND], "unmet"),
        ("not_found", [ABSENT], "met"),
        ("not_found", [FOUND, ABSENT], "unmet"),
        ("not_found", [ABSENT, DARK], "met"),
        ("not_found", [DARK], "unknown"),
        ("not_found", [DARK, OUTSIDE], "unknown"),
        ("not_found", [OUTSIDE], "not_applicable"),
        ("not_found", [], "unknown"),
        ("found", [FOUND], "met"),
        ("found", [FOUND, ABSENT], "met"),
        ("found", [ABSENT], "unmet"),
        ("found", [DARK], "unknown"),
        ("found", [OUTSIDE], "not_applicable"),
    ],
)
def test_could_not_tell_is_never_a_pass_and_never_a_fault(expect: str, seen: list[Evidence], state: str) -> None:
    assert assess_expectation(expectation(expect=expect), seen, Scope.WHOLE_TREE).state == state


def test_a_sure_small_finding_beside_a_doubtful_large_one_counts_as_sure() -> None:
    found = assess_expectation(
        expectation(), [evidence(confidence=0.4), evidence(number=2, confidence=0.9)], Scope.WHOLE_TREE
    )
    assert found.confidence == 0.9
    assert found.evidence[0].confidence == 0.9


@pytest.mark.parametrize(("measure", "credit"), [(0.05, 1.0), (0.1, 1.0), (0.3, 0.5), (0.5, 0.0), (0.9, 0.0)])
def test_credit_falls_in_a_line_between_tolerance_and_worst(measure: float, credit: float) -> None:
    found = assess_expectation(expectation(tolerance=0.1, worst=0.5), [evidence(measure=measure)], Scope.WHOLE_TREE)
    assert found.credit == pytest.approx(credit)
    assert (found.state is State.MET) == (measure <= 0.1)


def test_test_code_counts_only_where_it_is_asked_for() -> None:
    in_tests = [evidence(in_tests=True), evidence(number=2, outcome="not_found")]
    assert assess_expectation(expectation(), in_tests, Scope.WHOLE_TREE).state == "met"
    assert assess_expectation(expectation(where="tests"), in_tests, Scope.WHOLE_TREE).state == "unmet"
    assert assess_expectation(expectation(where="anywhere"), in_tests, Scope.WHOLE_TREE).state == "unmet"


def test_something_wanted_counts_even_when_it_was_there_before() -> None:
    assert (
        assess_expectation(expectation(expect="found"), [evidence(introduced=False)], Scope.INTRODUCED).state == "met"
    )


def test_a_doubtful_finding_that_does_not_count_casts_no_doubt_on_the_silence() -> None:
    old = evidence(introduced=False, confidence=0.4)
    assert assess_expectation(expectation(), [old], Scope.INTRODUCED).confidence == 1.0
    assert (
        assess_expectation(
            expectation(), [old, evidence(number=2, outcome="not_found", confidence=0.9)], Scope.INTRODUCED
        ).confidence
        == 0.9
    )
    within = evidence(measure=0.05, confidence=0.4)
    assert assess_expectation(expectation(tolerance=0.1, worst=0.5), [within], Scope.WHOLE_TREE).confidence == 1.0
    assert assess_expectation(expectation(), [old], Scope.WHOLE_TREE).confidence == 0.4


def test_silence_on_a_severe_question_does_not_count_while_a_file_could_not_be_read() -> None:
    assert assess_expectation(expectation(severity="critical"), [ABSENT, DARK], Scope.WHOLE_TREE).state == "unknown"
    assert assess_expectation(expectation(severity="critical"), [FOUND, DARK], Scope.WHOLE_TREE).state == "unmet"


def test_a_small_share_does_not_excuse_a_fact_without_a_share() -> None:
    seen = [evidence(measure=0.01), evidence(number=2)]
    found = assess_expectation(expectation(tolerance=0.02, worst=0.5), seen, Scope.WHOLE_TREE)
    assert (found.state, found.credit) == ("unmet", 0.0)


def test_ten_kinds_of_one_fault_do_not_pass_for_ten_small_ones() -> None:
    by = expectation(tolerance=0.1, worst=0.5)
    seen = [evidence(number=n, measure=0.05) for n in range(1, 11)]
    assert assess_expectation(by, seen[:2], Scope.WHOLE_TREE).state == "met"
    found = assess_expectation(by, seen, Scope.WHOLE_TREE)
    assert (found.state, found.measure, found.credit) == ("unmet", 0.5, 0.0)


def test_only_what_the_change_introduced_adds_to_its_share() -> None:
    by = expectation(worst=1.0)
    seen = [evidence(measure=0.2, introduced=True), evidence(number=2, measure=0.6, introduced=False)]
    assert assess_expectation(by, seen, Scope.INTRODUCED).measure == 0.2
    assert assess_expectation(by, seen, Scope.WHOLE_TREE).measure == 0.8


def test_shares_of_product_and_test_code_are_of_different_wholes_and_do_not_add_up() -> None:
    seen = [evidence(measure=0.2), evidence(number=2, measure=0.3, in_tests=True)]
    assert assess_expectation(expectation(where="anywhere"), seen, Scope.WHOLE_TREE).measure == 0.3


def test_the_fact_that_crosses_the_tolerance_says_how_sure_it_is() -> None:
    by = expectation(tolerance=0.1, worst=0.9)
    seen = [
        evidence(measure=0.06),
        evidence(number=2, measure=0.06, confidence=0.8),
        evidence(number=3, measure=0.4, confidence=0.3),
    ]
    found = assess_expectation(by, seen, Scope.WHOLE_TREE)
    assert (found.confidence, found.measure) == (0.8, 0.52)


def test_of_several_shares_of_something_wanted_the_least_counts() -> None:
    seen = [evidence(outcome="not_found", measure=0.8), evidence(number=2, outcome="not_found", measure=0.2)]
    found = assess_expectation(expectation(expect="found", worst=1.0), seen, Scope.WHOLE_TREE)
    assert (found.state, found.measure, found.credit) == ("unmet", 0.2, 0.2)


def test_a_doubtful_fact_without_a_share_takes_no_certainty_from_the_others() -> None:
    seen = [evidence(confidence=0.4), evidence(number=2, measure=0.5)]
    assert assess_expectation(expectation(worst=1.0), seen, Scope.WHOLE_TREE).confidence == 1.0


@pytest.mark.parametrize(("measure", "state", "credit"), [(0.6, "unmet", 0.6), (1.0, "met", 1.0), (None, "met", 1.0)])
def test_what_is_found_in_part_earns_its_part_where_the_rubric_measures_it(
    measure: float | None, state: str, credit: float
) -> None:
    measured = expectation(expect="found", worst=1.0, measured=True)
    found = assess_expectation(measured, [evidence(measure=measure)], Scope.WHOLE_TREE)
    assert found.state == state
    assert found.credit == pytest.approx(credit)
    plain = expectation(expect="found", worst=1.0)
    assert assess_expectation(plain, [evidence(measure=measure)], Scope.WHOLE_TREE).credit == 1.0


def test_only_a_wanted_thing_with_a_worst_can_be_measured() -> None:
    for fields in ({"expect": "found"}, {"expect": "not_found", "worst": 1.0}):
        with pytest.raises(ValueError, match="measured needs"):
            expectation(measured=True, **fields)


def test_shares_of_a_rule_that_a_criterion_names_twice_are_added_once() -> None:
    twice = criterion(expectation(tolerance=0.3), expectation(where="tests", severity="low"))
    small = evidence(measure=0.2)
    first, _ = assess_rubric(rubric(twice), [small], Scope.WHOLE_TREE)["c"]
    assert (first.state, first.measure, first.evidence) == (State.MET, 0.2, (small,))
