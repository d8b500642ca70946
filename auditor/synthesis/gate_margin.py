"""What a close demand of the gate hangs on: which single opinion, one point off, would have turned it.

Opinions of a model vary from run to run by about that much, so a score near its threshold says less than it seems to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from auditor.domain import Conclusion, Gate, GateReason, Opinion, Rubric
from auditor.synthesis.decision_case import Case
from auditor.synthesis.decision_rules import rule_on
from auditor.synthesis.mean_score import mean_score

_MAX_NAMED = 3
"""Opinions that a sentence names; the rest are counted."""


def add_close_calls(rubric: Rubric, gate: Gate, cases: Mapping[str, Case]) -> Gate:
    """The gate with a sentence on every demand whose score lies within the rubric's margin of the threshold."""
    return gate.model_copy(update={"reasons": tuple(_add_close_call(rubric, each, cases) for each in gate.reasons)})


def _add_close_call(rubric: Rubric, reason: GateReason, cases: Mapping[str, Case]) -> GateReason:
    if not isinstance(reason.actual, float) or not isinstance(reason.threshold, float):
        return reason
    if reason.conclusion is Conclusion.INCONCLUSIVE:
        return reason  # it hangs on opinions that are missing, and says so
    distance = round(abs(reason.actual - reason.threshold), 1)
    if distance > rubric.rules.margin:
        return reason
    point = f"one point {'less' if reason.conclusion is Conclusion.PASSED else 'more'}"
    turning = list(_decisive_opinions(rubric, reason, reason.threshold, cases))
    what = (
        f"{point} from {_name_opinions(turning)} would turn it"
        if turning
        else f"{point} in any single opinion would not turn it"
    )
    return reason.model_copy(update={"close": f"This is close ({distance:.1f} from the threshold): {what}."})


def _name_opinions(turning: Sequence[tuple[str, str]]) -> str:
    """Whose opinions on what; a criterion that all of them share is named once."""
    about = {criterion for _, criterion in turning}
    if len(about) == 1:
        return f"{_join_with_or([f'the {judge}' for judge, _ in turning])} on {turning[0][1]}"
    return _join_with_or([f"the {judge} on {criterion}" for judge, criterion in turning])


def _join_with_or(each: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`, or the first few and how many others."""
    named = [
        *each[:_MAX_NAMED],
        *([f"{len(each) - _MAX_NAMED} others"] if len(each) > _MAX_NAMED + 1 else each[_MAX_NAMED:]),
    ]
    return " or ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)


def _decisive_opinions(
    rubric: Rubric, reason: GateReason, threshold: float, cases: Mapping[str, Case]
) -> Iterator[tuple[str, str]]:
    """Judges and criteria whose opinion would have turned the demand, one point lower (or higher, where it failed)."""
    step = -1 if reason.conclusion is Conclusion.PASSED else 1
    criterion = reason.demand.removeprefix("criteria.")
    asked = cases.values() if reason.demand == "overall" else [cases[criterion]]
    scores = {name: rule_on(case).score for name, case in cases.items()} if reason.demand == "overall" else {}
    for case in asked:
        for opinion in case.opinions:
            if not 1 <= opinion.score + step <= 5:
                continue
            score = rule_on(_with_score(case, opinion, opinion.score + step)).score
            if reason.demand == "overall":
                score = mean_score(rubric, {**scores, case.criterion.id: score})
            held = score is not None and score >= threshold
            if held is not (reason.conclusion is Conclusion.PASSED):
                yield case.persona(opinion).title, case.criterion.title


def _with_score(case: Case, opinion: Opinion, score: int) -> Case:
    other = opinion.model_copy(update={"score": score})
    return replace(case, opinions=tuple(other if each is opinion else each for each in case.opinions))
