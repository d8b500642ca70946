"""The state of an expectation by the evidence. Judges and synthesis share this one reading of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from auditor.domain.audit_report import Scope
from auditor.domain.evidence import Evidence, Outcome, SecondLook
from auditor.domain.rubric_types import Criterion, Expect, Expectation, Rubric, Where


class State(StrEnum):
    """What became of an expectation."""

    MET = "met"
    UNMET = "unmet"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not_applicable"


@dataclass(frozen=True, slots=True)
class Standing:
    """An expectation, what became of it and the evidence that says so. It is on no record, and its parts are valid already."""

    expectation: Expectation
    state: State
    confidence: float = 1.0
    credit: float = 0.0
    measure: float | None = None
    evidence: tuple[Evidence, ...] = ()
    unanswered: tuple[Evidence, ...] = ()
    """Of a severe question, what says that a part of it could not be answered."""

    @property
    def is_corroborated(self) -> bool:
        """Did a second look agree on the surest fact, and disagree on none?"""
        looks = [each.second_look for each in self.evidence]
        return bool(looks) and looks[0] is SecondLook.AGREES and SecondLook.DISAGREES not in looks


def assess_rubric(rubric: Rubric, evidence: Iterable[Evidence], scope: Scope) -> dict[str, tuple[Standing, ...]]:
    """The state of every expectation of a rubric, by the ids of its criteria."""
    by_probe: dict[str, list[Evidence]] = {}
    for each in evidence:
        by_probe.setdefault(each.probe, []).append(each)
    return {
        criterion.id: tuple(
            assess_expectation(expectation, by_probe.get(expectation.probe, ()), scope, criterion.id)
            for expectation in criterion.evidence
        )
        for criterion in rubric.criteria
    }


def assess_expectations(criterion: Criterion, evidence: Iterable[Evidence], scope: Scope) -> tuple[Standing, ...]:
    """The state of each expectation of a criterion, in the rubric's order."""
    by_probe: dict[str, list[Evidence]] = {}
    for each in evidence:
        by_probe.setdefault(each.probe, []).append(each)
    return tuple(
        assess_expectation(expectation, by_probe.get(expectation.probe, ()), scope, criterion.id)
        for expectation in criterion.evidence
    )


def assess_expectation(
    expectation: Expectation, evidence: Sequence[Evidence], scope: Scope, criterion: str | None = None
) -> Standing:
    """The state of one expectation of a criterion, by the evidence of its probe.

    Evidence about the other kind of code (`where`) is left out. So are things that should not be found and
    are waived for the criterion, and in a change those that were there before it: the change did not bring them in. Silence on a severe
    question does not count while some file could not be read: that is where one would hide.
    """
    concerning = evidence
    if expectation.where is not Where.ANYWHERE:
        in_tests = expectation.where is Where.TESTS
        concerning = [each for each in evidence if each.in_tests is in_tests]
    waived = [each for each in concerning if criterion in each.waived]
    about = [each for each in concerning if criterion not in each.waived] if waived else concerning
    by_outcome = _group_by_outcome(about)
    found, absent = by_outcome[Outcome.FOUND], by_outcome[Outcome.NOT_FOUND]
    if expectation.expect is Expect.FOUND:
        return _assess_expected(expectation, found, absent, by_outcome)
    counted = tuple(each for each in found if scope is Scope.WHOLE_TREE or each.introduced is not False)
    return _assess_unexpected(expectation, counted, (*absent, *found, *waived), by_outcome)


def _group_by_outcome(evidence: Iterable[Evidence]) -> dict[Outcome, tuple[Evidence, ...]]:
    """The evidence by each outcome, also those that it does not have."""
    found: dict[Outcome, list[Evidence]] = {}
    for each in evidence:
        found.setdefault(each.outcome, []).append(each)
    return {**_NO_EVIDENCE, **{outcome: tuple(group) for outcome, group in found.items()}}


def _assess_expected(
    expectation: Expectation,
    found: tuple[Evidence, ...],
    absent: tuple[Evidence, ...],
    by_outcome: dict[Outcome, tuple[Evidence, ...]],
) -> Standing:
    if found:
        best = max(each.confidence for each in found)
        part = _partial_measure(expectation, found)
        if part is not None:
            return _unmet_standing(expectation, found, part, best)
        return Standing(expectation=expectation, state=State.MET, confidence=best, credit=1.0, evidence=found)
    if absent:
        measures = [each.measure for each in absent if each.measure is not None]
        least = min(measures) if len(measures) == len(absent) else None
        return _unmet_standing(expectation, absent, least, max(each.confidence for each in absent))
    return _unanswered_standing(expectation, by_outcome)


def _partial_measure(expectation: Expectation, found: tuple[Evidence, ...]) -> float | None:
    """How much of a measured thing was found, where that is less than the whole."""
    if not expectation.measured or expectation.worst is None:
        return None
    most = max((1.0 if each.measure is None else each.measure) for each in found)
    return most if most < expectation.worst - _EPSILON else None


def _assess_unexpected(
    expectation: Expectation,
    counted: tuple[Evidence, ...],
    silent: tuple[Evidence, ...],
    by_outcome: dict[Outcome, tuple[Evidence, ...]],
) -> Standing:
    extent = _worst_extent(expectation, counted) if counted else _NOTHING
    unanswered = by_outcome[Outcome.UNAVAILABLE] if expectation.severity.is_severe else ()
    if extent.beyond is not None:
        return replace(_unmet_standing(expectation, counted, extent.share, extent.beyond), unanswered=unanswered)
    if unanswered and (counted or silent):
        return _unknown_standing(expectation, unanswered)
    if counted:
        return Standing(
            expectation=expectation,
            state=State.MET,
            confidence=_absence_confidence(by_outcome),
            credit=1.0,
            measure=extent.share,
            evidence=counted,
        )
    if silent:
        return Standing(
            expectation=expectation,
            state=State.MET,
            confidence=_absence_confidence(by_outcome),
            credit=1.0,
            evidence=silent,
        )
    return _unanswered_standing(expectation, by_outcome)


def _absence_confidence(by_outcome: dict[Outcome, tuple[Evidence, ...]]) -> float:
    """How sure it is that nothing counts against the expectation.

    Only those who looked and saw nothing can be wrong about it. What was seen and does not count (it was there before,
    is waived, or lies within what is tolerated) counts just as little should it turn out to be a false alarm.
    """
    return min((each.confidence for each in by_outcome[Outcome.NOT_FOUND]), default=1.0)


class _Extent(NamedTuple):
    """How much of what was examined is broken, and how sure it is that this is more than is tolerated."""

    share: float | None
    beyond: float | None


_NOTHING = _Extent(0, None)


def _worst_extent(expectation: Expectation, counted: tuple[Evidence, ...]) -> _Extent:
    """The facts taken together, product code and test code each for itself; the worse of the two counts.

    Each fact holds a share of the same examined places, so shares add up: ten kinds of one fault do not pass for ten
    small ones. They are added from the surest fact on, and the confidence is that of the fact which crosses the
    tolerance: a doubtful large share does not borrow the certainty of a small one. A fact without a share breaks the
    expectation by itself, since a small share must not excuse what has none.
    """
    kinds = [[each for each in counted if each.in_tests is in_tests] for in_tests in (False, True)]
    extents = [_extent_of(expectation.tolerance, facts) for facts in kinds if facts]
    return max(extents, key=lambda each: (each.beyond or 0.0, each.share is None, each.share or 0.0), default=_NOTHING)


def _extent_of(tolerance: float, facts: list[Evidence]) -> _Extent:
    unmeasured = [each.confidence for each in facts if each.measure is None]
    total, crossing = 0.0, None
    for each in sorted(facts, key=lambda each: -each.confidence):
        total += each.measure or 0.0
        if crossing is None and total > tolerance + _EPSILON:
            crossing = each.confidence
    sure = [*unmeasured, *([] if crossing is None else [crossing])]
    return _Extent(None if unmeasured else min(round(total, 4), 1.0), max(sure, default=None))


_EPSILON = 1e-9
_NO_EVIDENCE: dict[Outcome, tuple[Evidence, ...]] = dict.fromkeys(Outcome, ())


def _unmet_standing(
    expectation: Expectation, evidence: tuple[Evidence, ...], measure: float | None, confidence: float
) -> Standing:
    return Standing(
        expectation=expectation,
        state=State.UNMET,
        confidence=confidence,
        credit=partial_credit(expectation, measure),
        measure=measure,
        evidence=tuple(sorted(evidence, key=lambda each: -each.confidence)),
    )


def partial_credit(expectation: Expectation, measure: float | None) -> float:
    """Credit for a broken expectation: falls in a line from `tolerance` to `worst`."""
    if measure is None or expectation.worst is None:
        return 0.0
    if expectation.expect is Expect.FOUND:
        return min(measure / expectation.worst, 1.0)
    left = (expectation.worst - measure) / (expectation.worst - expectation.tolerance)
    return min(max(left, 0.0), 1.0)


def _unanswered_standing(expectation: Expectation, by_outcome: dict[Outcome, tuple[Evidence, ...]]) -> Standing:
    unavailable = by_outcome[Outcome.UNAVAILABLE]
    inapplicable = by_outcome[Outcome.NOT_APPLICABLE]
    if inapplicable and not unavailable:
        return Standing(expectation=expectation, state=State.NOT_APPLICABLE, evidence=inapplicable)
    return _unknown_standing(expectation, unavailable)


def _unknown_standing(expectation: Expectation, unavailable: tuple[Evidence, ...]) -> Standing:
    return Standing(
        expectation=expectation,
        state=State.UNKNOWN,
        confidence=0.0,
        evidence=unavailable,
        unanswered=unavailable,
    )
