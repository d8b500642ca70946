"""Where objections lie: which speak of one defect, and which repeat what a probe has reported."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.domain import CodeLocation, Evidence, Expect, Outcome, RaisedObjection, Rubric


def overlaps(one: RaisedObjection, other: RaisedObjection) -> bool:
    """Do both point at the same lines of the same definition?"""
    return (
        (one.path, one.side, one.definition) == (other.path, other.side, other.definition)
        and one.start <= other.end
        and other.start <= one.end
    )


def reported_by(objection: RaisedObjection, rubric: Rubric, evidence: Iterable[Evidence]) -> str:
    """Id of the evidence that breaks an expectation at the lines of the objection; empty when there is none."""
    broken = {
        (each.probe, Outcome.FOUND if each.expect is Expect.NOT_FOUND else Outcome.NOT_FOUND)
        for criterion in rubric.criteria
        for each in criterion.evidence
    }
    for each in evidence:
        if (each.probe, each.outcome) in broken and any(_covers(place, objection) for place in each.locations):
            return each.id
    return ""


def _covers(place: object, objection: RaisedObjection) -> bool:
    return (
        isinstance(place, CodeLocation)
        and (place.path, place.side) == (objection.path, objection.side)
        and place.start is not None
        and place.start <= objection.end
        and objection.start <= (place.end or place.start)
    )
