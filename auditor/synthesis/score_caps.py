"""The highest scores beside broken expectations and standing objections."""

from __future__ import annotations

from auditor.domain import (
    AppliedCap,
    Expect,
    ObjectionState,
    Rubric,
    Ruling,
    Severity,
    Standing,
    partial_credit,
)
from auditor.synthesis.decision_case import Case, is_confirmed
from auditor.synthesis.mean_score import MAX_SCORE, one_decimal


def apply_caps(case: Case, ruling: Ruling) -> Ruling:
    """The rubric's caps: each holds the score down while its expectation is confirmed to be broken.

    What is broken in part, as the expectation's `worst` measures it, is capped in part: the cap rises with the credit.
    Opinions are whole numbers and may round to the highest beside something that is still open, so anything of
    medium severity or above that is confirmed leaves the criterion short of a full score.
    """
    caps = []
    score = ruling.score or 1.0
    for each in [one for one in case.standings if is_confirmed(case, one)]:
        cap = _cap_for(case.rubric, each)
        if cap is not None and (each.expectation.cap is not None or score > cap):
            caps.append(
                AppliedCap(
                    probe=each.expectation.probe,
                    cap=cap,
                    lowered=score > cap,
                    evidence=tuple(e.id for e in each.evidence),
                )
            )
    caps += objection_caps(case, score)
    lowest = min((each.cap for each in caps), default=score)
    return ruling.model_copy(update={"score": one_decimal(min(score, lowest)), "caps": tuple(caps)})


def objection_caps(case: Case, score: float) -> list[AppliedCap]:
    """The limits that standing objections put on a score, by their severity."""
    if case.reading is None:
        return []
    caps = case.rubric.rules.objections.caps
    return [
        AppliedCap(objection=each.id, cap=caps[each.severity], lowered=score > caps[each.severity])
        for each in case.reading.objections
        if each.state is ObjectionState.STANDING and each.severity in caps
    ]


def _cap_for(rubric: Rubric, standing: Standing) -> float | None:
    """The highest score beside a broken expectation; None where there is no limit."""
    named = standing.expectation.cap
    full = rubric.rules.open_cap if standing.expectation.severity.rank >= Severity.MEDIUM.rank else None
    if named is None:
        return full
    return one_decimal(min(named + (MAX_SCORE - named) * _confirmed_credit(rubric, standing), full or MAX_SCORE))


def _confirmed_credit(rubric: Rubric, standing: Standing) -> float:
    """What a broken expectation would earn by what is confirmed alone: a doubtful share lowers no cap."""
    if standing.expectation.expect is Expect.FOUND:
        return standing.credit
    sure = [each for each in standing.evidence if each.confidence >= rubric.rules.confirmed]
    if not sure or any(each.measure is None for each in sure):
        return standing.credit
    kinds = [sum(each.measure or 0.0 for each in sure if each.in_tests is in_tests) for in_tests in (False, True)]
    return max(standing.credit, partial_credit(standing.expectation, min(max(kinds), 1.0)))
