"""Whether the gate is passed only because a judge gave no vote: with it an objection might be standing.

An author can make a model refuse the second round as well as the first, so a vote that is missing must not open the gate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from auditor.domain import Conclusion, Gate, GateReason, Objection, ObjectionState, Rubric, VoteKind
from auditor.domain.english_lists import enumerated
from auditor.synthesis.decision_case import Case
from auditor.synthesis.decision_rules import rule_on
from auditor.synthesis.gate import make_gate
from auditor.synthesis.mean_score import mean_score


@dataclass(frozen=True)
class _PossibleCap:
    """The lowest cap that missing votes could have put on a criterion."""

    criterion: str
    score: float
    objection: str
    silent: tuple[str, ...]


def apply_missing_votes(rubric: Rubric, gate: Gate, cases: Mapping[str, Case]) -> Gate:
    """The gate in which every demand that passes only for want of a vote is inconclusive."""
    possible = {name: found for name, case in cases.items() if (found := _possible_cap(case)) is not None}
    if not possible:
        return gate
    scores = {name: rule_on(case).score for name, case in cases.items()}
    worst = mean_score(rubric, {**scores, **{name: each.score for name, each in possible.items()}})
    return make_gate(tuple(_apply(rubric, each, possible, worst) for each in gate.reasons))


def _possible_cap(case: Case) -> _PossibleCap | None:
    score = rule_on(case).score
    if case.reading is None or score is None:
        return None
    caps = case.rubric.rules.objections.caps
    found = [
        _PossibleCap(case.criterion.id, min(score, caps[each.severity]), each.id, silent)
        for each in case.reading.objections
        if each.state is ObjectionState.CONTESTED
        and each.severity in caps
        and (silent := silent_judges(each, case.rubric))
        and could_stand(each, silent, case.rubric)
    ]
    return min(found, key=lambda each: each.score, default=None)


def silent_judges(objection: Objection, rubric: Rubric) -> tuple[str, ...]:
    """Judges that neither raised an objection nor voted on it, in the rubric's order."""
    spoke = {*objection.raised_by, *(each.judge for each in objection.votes)}
    return tuple(each.id for each in rubric.personas if each.id not in spoke)


def could_stand(objection: Objection, silent: tuple[str, ...], rubric: Rubric) -> bool:
    """Would it be standing if every silent judge had sustained it?"""
    rules = rubric.rules.objections
    overruled = {each.judge for each in objection.votes if each.counted is VoteKind.OVERRULE}
    sustained = {each.judge for each in objection.votes if each.counted is VoteKind.SUSTAIN}
    voices = ({*objection.raised_by, *silent} | sustained) - overruled
    return (
        len(voices) >= rules.voices and len(overruled) <= rules.overruled_at_most and overruled != {rubric.arbiter.id}
    )


def _apply(
    rubric: Rubric, reason: GateReason, possible: Mapping[str, _PossibleCap], overall: float | None
) -> GateReason:
    if reason.conclusion is not Conclusion.PASSED or not isinstance(reason.threshold, float):
        return reason
    if reason.demand == "overall":
        cap = min(possible.values(), key=lambda each: each.score)
        score = overall
    else:
        found = possible.get(reason.demand.removeprefix("criteria."))
        if found is None:
            return reason
        cap, score = found, found.score
    if score is None or score >= reason.threshold or not isinstance(reason.actual, float):
        return reason
    titles = {each.id: each.title for each in rubric.personas}
    who = enumerated([f"the {titles[each]}" for each in cap.silent])
    sentence = (
        f"{who[:1].upper()}{who[1:]} gave no vote on {cap.objection}: if it stood, there would be {score:.1f} "
        f"in place of {reason.actual:.1f}, below {reason.threshold:.1f}."
    )
    return reason.model_copy(update={"conclusion": Conclusion.INCONCLUSIVE, "sentence": sentence, "silent": cap.silent})
