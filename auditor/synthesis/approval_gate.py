"""The gate's demand for an approval: where a change touches sensitive lines, somebody who can write must have approved it.

No rule and no model sees all that a hostile author can hide. A person who approves the commit has been shown the lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from auditor.domain import (
    APPROVAL_DEMAND,
    ApprovalFor,
    Authorship,
    Conclusion,
    Expect,
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
from auditor.domain.english_lists import first_few
from auditor.english_counts import pluralize
from auditor.synthesis.gate import make_gate

_MAX_NAMES = 3


@dataclass(frozen=True)
class ApprovalCase:
    """What the demand looks at beside findings."""

    authorship: Authorship = field(default_factory=Authorship)
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
    if asked is None or not asks_approval(asked, case.authorship):
        return gate
    findings = tuple(_risky_findings(rubric, policy, rulings, standings))
    reason = _reason(asked, case, findings)
    *others, last = gate.reasons
    return make_gate((*others, reason, last) if last.demand == "judged" else (*gate.reasons, reason))


def asks_approval(asked: ApprovalFor | None, authorship: Authorship) -> bool:
    """Does the policy ask for an approval of this author's change? Where nobody was asked who the author is, it does not."""
    if authorship.can_write is None or asked in (None, ApprovalFor.NOBODY):
        return False
    return asked is ApprovalFor.EVERYBODY or not authorship.can_write


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
    touched = _touched(case.sensitive_lines, findings)
    evidence = tuple(dict.fromkeys(each.id for standing in findings for each in standing.evidence))
    if not touched:
        return _ended(Conclusion.PASSED, asked, "The change touches no sensitive line, so it needs no approval.")
    approved = case.authorship.approved_by
    if approved:
        names = first_few(list(approved), _MAX_NAMES)
        return _ended(Conclusion.PASSED, asked, f"Approved at this commit by {names}.", actual=names)
    why = "" if case.authorship.can_write else ", because its author has none"
    unanswered = f" {case.authorship.unanswered}" if case.authorship.unanswered else ""
    sentence = f"Somebody with write access must approve this commit{why}: it has {touched}.{unanswered}"
    return _ended(Conclusion.INCONCLUSIVE, asked, sentence, evidence=evidence)


def _touched(lines: SensitiveLines, findings: tuple[Standing, ...]) -> str:
    """What of the change a person has to read, with the first place; empty for nothing."""
    places = [place for area in lines.areas for place in area.places]
    count = sum(len(area.places) + area.left_out for area in lines.areas)
    seen = [each for standing in findings for each in standing.evidence]
    parts = []
    if places:
        example = "such as " if count > 1 else ""
        parts.append(f"{pluralize(count, 'sensitive place')} ({example}{places[0].spoken}, {lines.areas[0].does})")
    if seen:
        parts.append(f"{pluralize(len(seen), 'finding')} to read")
    if lines.unread_files:
        parts.append(f"{pluralize(lines.unread_files, 'file')} too large to search")
    return " and ".join(parts)


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
