"""The gate's demand for an approval: what an author who cannot write changes, somebody who can must have approved.

No rule and no model sees all that a hostile author can hide. Only the kind of a file says that it can do no harm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from auditor.domain import (
    APPROVAL_DEMAND,
    ApprovalFor,
    ApprovalStatus,
    Conclusion,
    Expect,
    FilesToApprove,
    Gate,
    GatePolicy,
    GateReason,
    Rubric,
    Ruling,
    RulingStatus,
    SensitiveLines,
    Severity,
    Standing,
    State,
)
from auditor.domain.english_lists import enumerated, first_few
from auditor.english_counts import pluralize
from auditor.synthesis.gate import make_gate

_MAX_NAMES = 3


@dataclass(frozen=True)
class ApprovalCase:
    """What the demand looks at beside findings."""

    approval_status: ApprovalStatus = field(default_factory=ApprovalStatus)
    files: FilesToApprove = field(default_factory=FilesToApprove)
    sensitive_lines: SensitiveLines = field(default_factory=SensitiveLines)


def add_approval_demand(
    rubric: Rubric,
    gate: Gate,
    policy: GatePolicy,
    case: ApprovalCase,
    rulings: Mapping[str, Ruling],
    standings: Mapping[str, tuple[Standing, ...]],
) -> Gate:
    """The gate with the demand, where this author needs an approval. It is placed before the demand that all was judged."""
    asked = policy.approval_for
    if asked is None or not asks_approval(asked, case.approval_status):
        return gate
    findings = tuple(_risky_findings(rubric, policy, rulings, standings))
    reason = _reason(asked, case, findings)
    *others, last = gate.reasons
    return make_gate((*others, reason, last) if last.demand == "judged" else (*gate.reasons, reason))


def asks_approval(asked: ApprovalFor | None, approval_status: ApprovalStatus) -> bool:
    """Does the policy ask for an approval of this author's change? Where nobody was asked who the author is, it does not."""
    if approval_status.author_can_write is None or asked in (None, ApprovalFor.NOBODY):
        return False
    return asked is ApprovalFor.EVERYBODY or not approval_status.author_can_write


def _risky_findings(
    rubric: Rubric, policy: GatePolicy, rulings: Mapping[str, Ruling], standings: Mapping[str, tuple[Standing, ...]]
) -> Iterator[Standing]:
    """Findings, likely ones too, of high severity, or of medium severity about what the gate asks a lowest score of."""
    for criterion in rubric.criteria:
        if rulings[criterion.id].status is RulingStatus.WAIVED:
            continue
        lowest = Severity.MEDIUM if criterion.security or criterion.id in policy.criteria else Severity.HIGH
        yield from (
            each
            for each in standings[criterion.id]
            if each.state is State.UNMET
            and each.expectation.expect is Expect.NOT_FOUND
            and each.expectation.severity.rank >= lowest.rank
        )


def _reason(asked: ApprovalFor, case: ApprovalCase, findings: tuple[Standing, ...]) -> GateReason:
    content = _content(case, findings)
    evidence = tuple(dict.fromkeys(each.id for standing in findings for each in standing.evidence))
    if not content:
        sentence = "The change has only prose, pictures or similar files, so it needs no approval."
        return _ended(Conclusion.PASSED, asked, sentence)
    approved = case.approval_status.approved_by
    if approved:
        names = first_few(list(approved), _MAX_NAMES)
        return _ended(Conclusion.PASSED, asked, f"{names} approved this commit.", actual=names)
    return _ended(Conclusion.INCONCLUSIVE, asked, _open_sentence(case.approval_status, content), evidence=evidence)


def _open_sentence(status: ApprovalStatus, content: str) -> str:
    """Who has to approve, why, and what there is to review."""
    if status.author_can_write:
        who = "Somebody who can write to this repository and is not the author must approve this commit."
    elif status.unanswered:
        who = "Somebody who can write to this repository must approve this commit."
    else:
        who = "The author cannot write to this repository, so somebody who can must approve this commit."
    return f"{who} To review: {content}. {status.unanswered}".strip()


def _content(case: ApprovalCase, findings: tuple[Standing, ...]) -> str:
    """What of the change a person has to read, with the first place; empty for nothing."""
    areas = case.sensitive_lines.areas
    parts = []
    if case.files.count:
        many = pluralize(case.files.count, "file")
        parts.append(f"{many} of code or settings (first: {case.files.places[0].spoken})")
    if areas:
        count = sum(len(area.places) + area.left_out for area in areas)
        first = f"{areas[0].places[0].spoken} {areas[0].does}" if areas[0].places else areas[0].does
        parts.append(f"{pluralize(count, 'sensitive line')} (first: {first})")
    if findings:
        parts.append(pluralize(len([each for one in findings for each in one.evidence]), "finding"))
    if case.sensitive_lines.unread_files:
        parts.append(f"{pluralize(case.sensitive_lines.unread_files, 'file')} too large to search")
    return enumerated(parts)


def _ended(
    conclusion: Conclusion,
    asked: ApprovalFor,
    sentence: str,
    *,
    actual: str | None = None,
    evidence: tuple[str, ...] = (),
) -> GateReason:
    return GateReason(
        demand=APPROVAL_DEMAND,
        conclusion=conclusion,
        threshold=asked.value,
        actual=actual,
        sentence=sentence,
        evidence=evidence,
    )
