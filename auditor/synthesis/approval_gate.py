"""The gate's demand for an approval: what an author who cannot write changes, somebody who can must have approved.

No rule and no model sees all that a hostile author can hide, and there is no kind of file that no program obeys: even prose is
a prompt here, a template there, and run by a documentation tool elsewhere. So the demand does not ask what is changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from auditor.domain import (
    APPROVAL_DEMAND,
    ApprovalFor,
    ApprovalStatus,
    Conclusion,
    Gate,
    GateReason,
    SensitiveLines,
)
from auditor.english_counts import pluralize
from auditor.synthesis.gate import with_demand


@dataclass(frozen=True)
class ApprovalCase:
    """Who wrote and approved the change, and what of it is read first."""

    status: ApprovalStatus = field(default_factory=ApprovalStatus)
    sensitive_lines: SensitiveLines = field(default_factory=SensitiveLines)


def add_approval_demand(gate: Gate, asked: ApprovalFor | None, case: ApprovalCase) -> Gate:
    """The gate with the demand, where this author needs an approval."""
    if asked is None or not _needs_approval(asked, case.status):
        return gate
    return with_demand(gate, _reason(asked, case))


def _needs_approval(asked: ApprovalFor, status: ApprovalStatus) -> bool:
    """Does the policy ask for an approval of this author's change? Where nobody was asked who the author is, it does not."""
    if status.author_can_write is None or asked is ApprovalFor.NOBODY:
        return False
    return asked is ApprovalFor.EVERYBODY or not status.author_can_write


def _reason(asked: ApprovalFor, case: ApprovalCase) -> GateReason:
    approved = case.status.approved_by
    names = ", ".join(approved)
    return GateReason(
        demand=APPROVAL_DEMAND,
        conclusion=Conclusion.PASSED if approved else Conclusion.INCONCLUSIVE,
        threshold=asked.value,
        actual=names or None,
        sentence=f"{names} approved this commit." if approved else _open_sentence(case),
    )


def _open_sentence(case: ApprovalCase) -> str:
    """Who has to approve, why, and what to read first."""
    status = case.status
    if status.author_can_write:
        who = "Somebody who can write to this repository and is not the author must approve this commit."
    elif status.unanswered:
        who = "Somebody who can write to this repository must approve this commit."
    else:
        who = "The author cannot write to this repository, so somebody who can must approve this commit."
    return " ".join(filter(None, (who, _first_line(case.sensitive_lines), status.unanswered)))


def _first_line(lines: SensitiveLines) -> str:
    """The sensitive line to read first, and how many there are; empty for none."""
    count = sum(len(area.places) + area.left_out for area in lines.areas)
    first = next(((area, place) for area in lines.areas for place in area.places), None)
    if first is None:
        return ""
    area, place = first
    more = f", and then {pluralize(count - 1, 'more sensitive line')}" if count > 1 else ""
    return f"Read {place.spoken} first, which {area.does}{more}."
