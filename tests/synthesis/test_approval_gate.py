"""Who has to approve a change, and what counts as an approval."""

from __future__ import annotations

import pytest

from auditor.domain import (
    ApprovalFor,
    ApprovalStatus,
    CodeLocation,
    Conclusion,
    GatePolicy,
    GateReason,
    Scope,
    SensitiveArea,
    SensitiveLines,
    Severity,
    Verdict,
)
from auditor.synthesis import ApprovalCase, BesideOpinions, synthesise
from tests.verdicts import criterion, evidence, expectation, opinions, rubric

OUTSIDER, WRITER = ApprovalStatus(author_can_write=False), ApprovalStatus(author_can_write=True)
NOTHING = SensitiveLines()
LINE = CodeLocation(path="shop/tools.py", start=7, end=7, quote="run(name)")


def sensitive(left_out: int = 0) -> SensitiveLines:
    return SensitiveLines(
        areas=(SensitiveArea(area="programs", does="starts programs", places=(LINE,), left_out=left_out),)
    )


def verdict(
    status: ApprovalStatus,
    lines: SensitiveLines = NOTHING,
    asked: ApprovalFor | None = ApprovalFor.OUTSIDERS,
    *,
    seen: str = "not_found",
) -> Verdict:
    return synthesise(
        rubric(criterion(expectation(severity=Severity.CRITICAL))),
        [evidence(outcome=seen, introduced=True)],
        opinions(5, 5, 5),
        [],
        scope=Scope.INTRODUCED,
        gate=GatePolicy(approval_for=asked, no_new=Severity.HIGH),
        beside=BesideOpinions(approval=ApprovalCase(status, lines)),
    )


def demand(found: Verdict) -> GateReason | None:
    return next((each for each in found.gate.reasons if each.demand == "approval"), None)


def sentence(found: Verdict) -> str:
    reason = demand(found)
    assert reason is not None
    return reason.sentence


def test_a_change_of_an_outsider_waits_for_an_approval_whatever_it_is() -> None:
    found = verdict(OUTSIDER)
    assert found.conclusion is Conclusion.INCONCLUSIVE
    assert (
        sentence(found) == "The author cannot write to this repository, so somebody who can must approve this commit."
    )


@pytest.mark.parametrize(
    ("left_out", "more"), [(0, ""), (1, ", and then 1 more sensitive line"), (4, ", and then 4 more sensitive lines")]
)
def test_the_sentence_names_the_sensitive_line_to_read_first(left_out: int, more: str) -> None:
    found = verdict(OUTSIDER, sensitive(left_out))
    assert sentence(found).endswith(f" Read shop/tools.py:7 first, which starts programs{more}.")


def test_an_approval_of_the_commit_lets_it_pass_and_names_who_gave_it() -> None:
    found = verdict(ApprovalStatus(author_can_write=False, approved_by=("ada",)), sensitive())
    assert found.conclusion is Conclusion.PASSED
    assert sentence(found) == "ada approved this commit."


def test_an_approval_does_not_let_a_finding_pass() -> None:
    found = verdict(ApprovalStatus(author_can_write=False, approved_by=("ada",)), seen="found")
    assert found.conclusion is Conclusion.FAILED


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


def test_where_everybody_needs_one_it_is_that_of_another_person() -> None:
    found = verdict(WRITER, asked=ApprovalFor.EVERYBODY)
    assert sentence(found) == (
        "Somebody who can write to this repository and is not the author must approve this commit."
    )


def test_what_github_did_not_answer_is_said_and_approves_nothing() -> None:
    found = verdict(ApprovalStatus(author_can_write=False, unanswered="GitHub was not asked."))
    assert found.conclusion is Conclusion.INCONCLUSIVE
    assert sentence(found) == (
        "Somebody who can write to this repository must approve this commit. GitHub was not asked."
    )
