"""The gate's demand on objections: none of a severity may be standing, and somebody must have read the change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from auditor.domain import Conclusion, Gate, GateReason, Objection, ObjectionState, Rubric, Severity
from auditor.synthesis.decision_case import Case
from auditor.synthesis.gate import with_demand
from auditor.synthesis.missing_votes import could_stand, silent_judges

_DEMAND = "objections"


def add_objection_demand(
    rubric: Rubric, gate: Gate, asked: Severity | None, objections: Sequence[Objection], cases: Mapping[str, Case]
) -> Gate:
    """The gate with the demand on objections, where one is asked for."""
    if asked is None:
        return gate
    return with_demand(gate, _reason(rubric, asked, objections, cases))


def _reason(rubric: Rubric, asked: Severity, objections: Sequence[Objection], cases: Mapping[str, Case]) -> GateReason:
    grave = [each for each in objections if each.severity.rank >= asked.rank]
    standing = [each for each in grave if each.state is ObjectionState.STANDING]
    severity = "critical severity" if asked is Severity.CRITICAL else f"{asked.value} severity or above"
    if standing:
        first = max(standing, key=lambda each: each.severity.rank)
        more = f", and {len(standing) - 1} more" if len(standing) > 1 else ""
        return _ended(
            Conclusion.FAILED,
            asked,
            f"An objection of {severity} is standing: {first.claim.rstrip('.')}{more}.",
            first.id,
        )
    readings = [each.reading for each in cases.values() if each.reading is not None]
    if not any(each.has_exhibits for each in readings):
        return _ended(Conclusion.INCONCLUSIVE, asked, "No judge read the change, so no objection could be raised.")
    if any(each.voided_by for each in readings):
        return _ended(
            Conclusion.INCONCLUSIVE,
            asked,
            "The change addresses its reviewers, so it proves nothing that they raised no objection.",
        )
    open_ = [
        each
        for each in grave
        if each.state is ObjectionState.CONTESTED
        and (silent := silent_judges(each, rubric))
        and could_stand(each, silent, rubric)
    ]
    if open_:
        return _ended(
            Conclusion.INCONCLUSIVE,
            asked,
            f"A missing vote could make {open_[0].id} a standing objection.",
            open_[0].id,
        )
    return _ended(Conclusion.PASSED, asked, f"No objection of {severity} is standing.")


def _ended(conclusion: Conclusion, asked: Severity, sentence: str, actual: str | None = None) -> GateReason:
    return GateReason(demand=_DEMAND, conclusion=conclusion, threshold=asked.value, actual=actual, sentence=sentence)
