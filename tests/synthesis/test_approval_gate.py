"""Who has to approve a change of sensitive lines, and what counts as one."""

from __future__ import annotations

import pytest

from auditor.domain import (
    ApprovalFor,
    ApprovalStatus,
    CodeLocation,
    Conclusion,
    FilesToApprove,
    GatePolicy,
    GateReason,
    Scope,
    SensitiveArea,
    SensitiveLines,
    Severity,
    Verdict,
    Waiver,
)
from auditor.synthesis import ApprovalCase, BesideOpinions, synthesise
from tests.verdicts import criterion, evidence, expectation, opinions, rubric

OUTSIDER, WRITER = ApprovalStatus(author_can_write=False), ApprovalStatus(author_can_write=True)
SENSITIVE = SensitiveLines(
    areas=(
        SensitiveArea(
            area="programs",
            does="starts programs",
            places=(CodeLocation(path="shop/tools.py", start=7, end=7, quote="run(name)"),),
        ),
    )
)
NOTHING = SensitiveLines()


def verdict(
    author: ApprovalStatus,
    lines: SensitiveLines = SENSITIVE,
    files: FilesToApprove = FilesToApprove(),  # noqa: B008 - frozen
    asked: ApprovalFor | None = ApprovalFor.OUTSIDERS,
    *,
    seen: str = "not_found",
    severity: Severity = Severity.LOW,
    security: bool = False,
    confidence: float = 1.0,
    waivers: tuple[Waiver, ...] = (),
) -> Verdict:
    small = rubric(criterion(expectation(severity=severity), security=security))
    return synthesise(
        small,
        [evidence(outcome=seen, confidence=confidence, introduced=True)],
        opinions(5, 5, 5),
        [],
        scope=Scope.INTRODUCED,
        gate=GatePolicy(approval_for=asked),
        waivers=waivers,
        beside=BesideOpinions(approval=ApprovalCase(author, files, lines)),
    )


def demand(found: Verdict) -> GateReason | None:
    return next((each for each in found.gate.reasons if each.demand == "approval"), None)


def test_sensitive_lines_of_an_outsider_leave_the_verdict_open_and_the_sentence_names_the_first() -> None:
    found = verdict(OUTSIDER)
    assert found.conclusion is Conclusion.INCONCLUSIVE
    reason = demand(found)
    assert reason is not None
    assert reason.sentence == (
        "The author cannot write to this repository, so somebody who can must approve this commit. "
        "To review: 1 sensitive line (first: shop/tools.py:7 starts programs)."
    )


def test_an_approval_of_the_commit_lets_it_pass_and_names_who_gave_it() -> None:
    found = verdict(ApprovalStatus(author_can_write=False, approved_by=("ada", "grace")))
    assert found.conclusion is Conclusion.PASSED
    reason = demand(found)
    assert reason is not None
    assert reason.sentence == "ada, grace approved this commit."


@pytest.mark.parametrize(
    ("author", "asked", "conclusion"),
    [
        (WRITER, ApprovalFor.OUTSIDERS, None),
        (OUTSIDER, ApprovalFor.NOBODY, None),
        (OUTSIDER, None, None),
        (ApprovalStatus(), ApprovalFor.EVERYBODY, None),
        (WRITER, ApprovalFor.EVERYBODY, Conclusion.INCONCLUSIVE),
        (OUTSIDER, ApprovalFor.EVERYBODY, Conclusion.INCONCLUSIVE),
    ],
)
def test_who_needs_an_approval_is_what_the_policy_says(
    author: ApprovalStatus, asked: ApprovalFor | None, conclusion: Conclusion | None
) -> None:
    found = demand(verdict(author, asked=asked))
    assert (found and found.conclusion) == conclusion


def test_files_of_code_need_one_and_the_first_is_named() -> None:
    code = FilesToApprove(places=(CodeLocation(path="shop/sums.py", start=3, end=3),), left_out=4)
    reason = demand(verdict(OUTSIDER, files=code))
    assert reason is not None
    assert reason.sentence.endswith(
        ": 5 files of code or settings (first: shop/sums.py:3) and 1 sensitive line (first: shop/tools.py:7 starts programs)."
    )


def test_where_everybody_needs_one_it_is_that_of_another_person() -> None:
    reason = demand(verdict(WRITER, asked=ApprovalFor.EVERYBODY))
    assert reason is not None
    assert reason.sentence.startswith(
        "Somebody who can write to this repository and is not the author must approve this commit. "
    )


def test_a_change_without_anything_to_approve_needs_none() -> None:
    found = verdict(OUTSIDER, NOTHING)
    assert found.conclusion is Conclusion.PASSED


@pytest.mark.parametrize(
    ("severity", "security", "confidence", "conclusion"),
    [
        (Severity.HIGH, False, 0.6, Conclusion.INCONCLUSIVE),
        (Severity.MEDIUM, False, 1.0, Conclusion.PASSED),
        (Severity.MEDIUM, True, 0.6, Conclusion.INCONCLUSIVE),
        (Severity.LOW, True, 1.0, Conclusion.PASSED),
    ],
)
def test_a_finding_that_fails_nothing_needs_one_where_it_is_grave_or_about_security(
    severity: Severity, security: bool, confidence: float, conclusion: Conclusion
) -> None:
    found = verdict(OUTSIDER, NOTHING, seen="found", severity=severity, security=security, confidence=confidence)
    assert found.conclusion is conclusion


def test_so_does_one_of_medium_severity_where_the_gate_asks_for_a_score() -> None:
    small = rubric(criterion(expectation(severity=Severity.MEDIUM)))
    for criteria, conclusion in (({}, Conclusion.PASSED), ({"c": 1.0}, Conclusion.INCONCLUSIVE)):
        found = synthesise(
            small,
            [evidence(introduced=True)],
            opinions(5, 5, 5),
            [],
            scope=Scope.INTRODUCED,
            gate=GatePolicy(approval_for=ApprovalFor.OUTSIDERS, criteria=criteria),
            beside=BesideOpinions(approval=ApprovalCase(OUTSIDER)),
        )
        assert found.conclusion is conclusion


def test_a_waived_criterion_asks_for_no_approval_of_its_findings() -> None:
    waiver = Waiver(criterion="c", reason="Known.")
    found = verdict(OUTSIDER, NOTHING, seen="found", severity=Severity.HIGH, waivers=(waiver,))
    reason = demand(found)
    assert reason is not None
    assert reason.conclusion is Conclusion.PASSED


def test_files_that_nobody_searched_count_as_sensitive() -> None:
    found = verdict(OUTSIDER, SensitiveLines(unread_files=2))
    reason = demand(found)
    assert reason is not None
    assert reason.sentence.endswith(": 2 files too large to search.")


def test_what_github_did_not_answer_is_said_and_approves_nothing() -> None:
    reason = demand(verdict(ApprovalStatus(author_can_write=False, unanswered="GitHub was not asked.")))
    assert reason is not None
    assert reason.conclusion is Conclusion.INCONCLUSIVE
    assert reason.sentence.endswith(" GitHub was not asked.")
