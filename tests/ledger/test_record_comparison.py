"""What is said to differ between two records, and what is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from auditor.domain import (
    AuditReport,
    CodeLocation,
    Conclusion,
    Evidence,
    GatePolicy,
    ObjectionState,
    Opinion,
    Outcome,
    Rubric,
    Rule,
    Scope,
    Severity,
    TeamRowsRecord,
)
from auditor.domain.comparison import FindingField, Mismatch, ProbeComparison, RecordComparison
from auditor.ledger.record_comparison import compare_records
from tests.comparisons import objection, with_objections
from tests.reports import contested, report, typical
from tests.verdicts import criterion, evidence, expectation, opinions, rubric

SHELL = CodeLocation(path="a.py", start=3, end=3, quote="os.system(x)", definition="run")
ONE = rubric(criterion(expectation(severity=Severity.HIGH)))


def record(*facts: Evidence, said: Sequence[Opinion] = (), asked: Rubric = ONE, **more: Any) -> AuditReport:
    return report(facts, tuple(said) or judged(3, 3, 3), asked=asked, gate=GatePolicy(), **more)


def judged(*scores: int) -> tuple[Opinion, ...]:
    """Opinions of the prosecutor, the defense and the tech lead that cite the first fact."""
    return tuple(opinions(*scores, quote="X was seen."))


def only_probe(comparison: RecordComparison) -> ProbeComparison:
    (probe,) = comparison.probes
    return probe


@pytest.mark.parametrize("one", [typical(), contested()], ids=["typical", "contested"])
def test_a_record_does_not_differ_from_itself(one: AuditReport) -> None:
    comparison = compare_records(one, one)
    assert not comparison.different
    assert not comparison.verdict_different
    assert comparison.mismatches == ()
    assert len(comparison.criteria) == len(one.verdict.rulings)


def test_what_one_direction_adds_the_other_removes() -> None:
    there, back = compare_records(typical(), contested()), compare_records(contested(), typical())
    for first, second in zip(there.probes, back.probes, strict=True):
        assert {each.fingerprint for each in first.added} == {each.fingerprint for each in second.removed}
        assert (first.before, first.after) == (second.after, second.before)
    assert any(each.added for each in there.probes)


def test_texts_times_and_costs_are_not_compared() -> None:
    first = typical()
    words = tuple(each.model_copy(update={"statement": f"In other words: {each.statement}"}) for each in first.evidence)
    argued = tuple(each.model_copy(update={"argument": "In other words."}) for each in first.opinions)
    second = first.model_copy(update={"evidence": words, "opinions": argued, "timings": contested().timings})
    assert not compare_records(first, second).different


def test_a_finding_that_only_moved_is_no_difference() -> None:
    moved = SHELL.model_copy(update={"path": "b.py", "start": 90, "end": 90})
    comparison = compare_records(record(evidence(locations=(SHELL,))), record(evidence(locations=(moved,))))
    assert not comparison.different
    assert only_probe(comparison).unchanged == 1


def test_a_fixed_finding_is_removed_and_the_outcome_says_so() -> None:
    comparison = compare_records(record(evidence(locations=(SHELL,))), record(evidence(outcome="not_found")))
    probe = only_probe(comparison)
    assert (probe.before, probe.after) == ((Outcome.FOUND,), (Outcome.NOT_FOUND,))
    assert [each.place for each in probe.removed] == [SHELL]
    assert probe.added == ()


def test_one_more_finding_is_added_and_the_rest_is_unchanged() -> None:
    other = SHELL.model_copy(update={"definition": "stop"})
    comparison = compare_records(record(evidence(locations=(SHELL,))), record(evidence(locations=(other, SHELL))))
    probe = only_probe(comparison)
    assert [each.place for each in probe.added] == [other]
    assert (probe.removed, probe.changed, probe.unchanged) == ((), (), 1)


@pytest.mark.parametrize(
    ("before", "after", "field"),
    [
        ({"confidence": 0.5}, {"confidence": 0.9}, FindingField.CONFIDENCE),
        ({"outcome": "found"}, {"outcome": "unavailable"}, FindingField.OUTCOME),
        ({"introduced": False}, {"introduced": True}, FindingField.INTRODUCED),
        ({"waived": ()}, {"waived": ("c",)}, FindingField.WAIVED),
    ],
)
def test_a_finding_that_stays_and_changed_names_what_changed(
    before: dict[str, Any], after: dict[str, Any], field: FindingField
) -> None:
    comparison = compare_records(
        record(evidence(locations=(SHELL,), **before)), record(evidence(locations=(SHELL,), **after))
    )
    (change,) = only_probe(comparison).changed
    assert change.changed == (field,)
    assert comparison.different


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"confidence": 0.93}, {"confidence": 0.94}),
        ({"introduced": None}, {"introduced": True}),
    ],
    ids=["confidence by one point", "whole tree and change"],
)
def test_small_steps_of_confidence_and_another_scope_change_no_finding(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    comparison = compare_records(
        record(evidence(locations=(SHELL,), **before)), record(evidence(locations=(SHELL,), **after))
    )
    assert only_probe(comparison).changed == ()


def test_one_answer_that_nothing_was_seen_in_place_of_another_changes_the_outcome_and_no_finding() -> None:
    comparison = compare_records(record(evidence(outcome="not_applicable")), record(evidence(outcome="not_found")))
    probe = only_probe(comparison)
    assert (probe.before, probe.after) == ((Outcome.NOT_APPLICABLE,), (Outcome.NOT_FOUND,))
    assert (probe.added, probe.removed, probe.changed, probe.unchanged) == ((), (), (), 0)
    assert probe.different


def test_product_code_and_tests_are_compared_apart() -> None:
    product, tests = evidence(locations=(SHELL,)), evidence(number=2, locations=(SHELL,), in_tests=True)
    comparison = compare_records(record(product), record(tests))
    assert [(each.in_tests, len(each.removed), len(each.added)) for each in comparison.probes] == [
        (False, 1, 0),
        (True, 0, 1),
    ]


def test_scores_rules_and_judges_are_compared_by_criterion() -> None:
    fact = evidence(locations=(SHELL,))
    comparison = compare_records(record(fact, said=judged(3, 3, 3)), record(fact, said=judged(1, 5, 4)))
    (changed,) = comparison.criteria
    assert changed.before is not None
    assert changed.after is not None
    assert (changed.before.rule, changed.after.rule) == (Rule.WEIGHTED_AVERAGE, Rule.VARIANCE_RE_EVALUATION)
    assert changed.difference == pytest.approx(1.0)
    assert [(each.judge, each.before, each.after) for each in changed.opinions] == [
        ("prosecutor", 3, 1),
        ("defense", 3, 5),
        ("tech_lead", 3, 4),
    ]
    assert comparison.verdict_different


def test_a_criterion_without_a_score_has_no_difference() -> None:
    fact = evidence(locations=(SHELL,))
    (changed,) = compare_records(record(fact), record(fact, said=judged(3))).criteria
    assert changed.different
    assert changed.difference is None


def test_the_gate_is_compared_by_demand() -> None:
    fact = evidence(locations=(SHELL,))
    said = judged(3, 3, 3)
    before = report((fact,), said, asked=ONE, gate=GatePolicy(overall=2.0))
    after = report((fact,), said, asked=ONE, gate=GatePolicy(overall=4.0, criteria={"c": 2.0}))
    comparison = compare_records(before, after)
    changed = {each.demand: each for each in comparison.gate if each.different}
    assert set(changed) == {"overall", "criteria.c"}
    overall = changed["overall"]
    assert overall.before is not None
    assert overall.after is not None
    assert (overall.before.conclusion, overall.after.conclusion) == (Conclusion.PASSED, Conclusion.FAILED)
    assert changed["criteria.c"].before is None
    assert (comparison.before.conclusion, comparison.after.conclusion) == (Conclusion.PASSED, Conclusion.FAILED)


def test_objections_are_matched_by_fingerprint_whatever_their_words_and_lines() -> None:
    before = with_objections(typical(), objection(1, "aa"), objection(2, "bb"), objection(3, "cc"))
    after = with_objections(
        typical(),
        objection(1, "bb", ObjectionState.CONTESTED),
        objection(2, "dd"),
        objection(3, "aa", claim="In other words", start=40, end=40),
    )
    compared = compare_records(before, after).objections
    assert [each.fingerprint for each in compared.added] == ["v1:dd"]
    assert [each.fingerprint for each in compared.removed] == ["v1:cc"]
    assert [(each.before.state, each.after.state) for each in compared.changed] == [
        (ObjectionState.STANDING, ObjectionState.CONTESTED)
    ]
    assert compared.unchanged == 1


def test_two_objections_with_one_fingerprint_count_twice() -> None:
    twice = with_objections(typical(), objection(1, "aa"), objection(2, "aa"))
    compared = compare_records(twice, with_objections(typical(), objection(1, "aa"))).objections
    assert (len(compared.removed), compared.unchanged) == (1, 1)


def test_records_of_different_rubrics_are_compared_in_what_both_have() -> None:
    shared, old, new = criterion(), criterion(expectation("code.y"), name="old"), criterion(expectation("code.z"), name="new")  # fmt: skip
    fact = evidence(locations=(SHELL,))
    before = record(fact, asked=rubric(shared, old))
    after = record(fact, evidence("code.z"), asked=rubric(new, shared).model_copy(update={"id": "other"}))
    comparison = compare_records(before, after)
    assert comparison.mismatches == (Mismatch.RUBRIC,)
    assert [(each.criterion, each.before is None, each.after is None) for each in comparison.criteria] == [
        ("new", True, False),
        ("c", False, False),
        ("old", False, True),
    ]
    assert (comparison.only_before, comparison.only_after) == (("code.y",), ("code.z",))
    assert [each.probe for each in comparison.probes] == ["code.x"]


def test_what_else_may_explain_a_difference_is_named() -> None:
    first = typical()
    second = first.model_copy(
        update={
            "rubric": first.rubric.model_copy(
                update={
                    "digest": "6f" * 32,
                    "team_rows": TeamRowsRecord(digest="7a" * 32, files=("base:r.yaml",), rows=1),
                }
            ),
            "tool": first.tool.model_copy(update={"version": "9.9.9", "bench": "claude"}),
            "subject": first.subject.model_copy(
                update={"repository": "acme/other", "folder": "src", "scope": Scope.WHOLE_TREE}
            ),
        }
    )
    comparison = compare_records(first, second)
    assert set(comparison.mismatches) == set(Mismatch) - {Mismatch.RUBRIC}
    assert not comparison.different
