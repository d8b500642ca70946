"""All that a ruling on one criterion may look at."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.domain import (
    Abstention,
    Criterion,
    DroppedCitation,
    Evidence,
    Objection,
    Omission,
    Opinion,
    Persona,
    Rubric,
    SetAside,
    Standing,
    State,
    Waiver,
)


@dataclass(frozen=True)
class Reading:
    """What judges were shown of the change, and the objections that came of it."""

    has_exhibits: bool
    omitted_share: float
    """Share of the changed product lines that they were not shown."""
    omissions: tuple[Omission, ...] = ()
    objections: tuple[Objection, ...] = ()
    voided_by: tuple[Evidence, ...] = ()
    """Evidence that the change speaks to its judges."""


@dataclass(frozen=True)
class Case:
    """All that a ruling on one criterion may look at."""

    rubric: Rubric
    criterion: Criterion
    standings: tuple[Standing, ...]
    opinions: tuple[Opinion, ...]
    """Those that count, in the order of the rubric's personas."""
    set_aside: tuple[SetAside, ...] = ()
    abstentions: tuple[Abstention, ...] = ()
    waiver: Waiver | None = None
    dropped: tuple[DroppedCitation, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    """Judges whose opinion stays only because they gave no usable answer when heard again."""
    reading: Reading | None = None
    """What judges read of the change; only of a criterion that may rest on exhibits."""

    def persona(self, opinion: Opinion) -> Persona:
        """Whose opinion it is."""
        return next(each for each in self.rubric.personas if each.id == opinion.judge)

    @property
    def arbiter(self) -> Opinion | None:
        """The arbiter's opinion, if it counts."""
        return next((each for each in self.opinions if each.judge == self.rubric.arbiter.id), None)

    @property
    def spread(self) -> int:
        """Highest less lowest score."""
        scores = [each.score for each in self.opinions]
        return max(scores) - min(scores) if scores else 0

    @property
    def applicable(self) -> tuple[Standing, ...]:
        """Expectations that make sense for this subject."""
        return tuple(each for each in self.standings if each.state is not State.NOT_APPLICABLE)


def is_confirmed(case: Case, standing: Standing) -> bool:
    """Is an expectation broken, and the evidence sure enough to act on?"""
    return standing.state is State.UNMET and standing.confidence >= case.rubric.rules.confirmed


def persona_title(case: Case, judge: str) -> str:
    """What people call a judge."""
    return next((each.title for each in case.rubric.personas if each.id == judge), judge)
