"""What settled objections do to the opinions on a criterion: those that rest only on dismissed ones are set aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from auditor.domain import Dossier, Evidence, Objection, ObjectionState, Opinion, Outcome, Rubric, SetAside
from auditor.synthesis.decision_case import Case, Reading

_DOUBTFUL_BELOW = 4
"""An opinion below this score says that something is wrong."""


def with_objections(
    case: Case, dossier: Dossier, objections: Sequence[Objection], evidence: Sequence[Evidence] = ()
) -> Case:
    """The case with what judges read. Opinions without ground are set aside while the quorum holds."""
    reading = Reading(
        has_exhibits=bool(dossier.exhibits),
        omitted_share=dossier.omitted_share,
        omissions=dossier.omissions,
        objections=tuple(objections),
        voided_by=tuple(each for each in evidence if dossier.exhibits and _voids(each, case.rubric)),
    )
    groundless = [each for each in case.opinions if _rests_on_dismissed(each, objections)]
    left = tuple(each for each in case.opinions if each not in groundless)
    if not groundless or len(left) < min(case.rubric.rules.quorum, len(case.rubric.personas)):
        return replace(case, reading=reading)
    aside = tuple(
        SetAside(judge=each.judge, score=each.score, reason="it rests on objections that the other judges dismissed")
        for each in groundless
    )
    return replace(case, reading=reading, opinions=left, set_aside=(*case.set_aside, *aside))


def _voids(evidence: Evidence, rubric: Rubric) -> bool:
    """Does it confirm that what the change brings speaks to its judges?"""
    return (
        evidence.probe == rubric.rules.objections.voided_by
        and evidence.outcome is Outcome.FOUND
        and evidence.introduced is not False
        and evidence.confidence >= rubric.rules.confirmed
    )


def _rests_on_dismissed(opinion: Opinion, objections: Sequence[Objection]) -> bool:
    """Is the opinion low, and was every objection of its judge dismissed?"""
    own = [each.state for each in objections if opinion.judge in each.raised_by]
    return opinion.score < _DOUBTFUL_BELOW and bool(own) and set(own) == {ObjectionState.DISMISSED}
