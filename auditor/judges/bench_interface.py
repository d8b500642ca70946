"""What a bench is: something that turns a rubric and evidence into opinions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from auditor.domain import (
    NO_DOSSIER,
    Abstention,
    Cost,
    Criterion,
    Dossier,
    Evidence,
    Exhibit,
    HearingRecord,
    Opinion,
    Rubric,
    Scope,
    Side,
    State,
    Vote,
    assess_expectations,
)

if TYPE_CHECKING:
    from auditor.judges.image_classification import PictureFinder
    from auditor.synthesis import Dispute, MergedObjection

SourceReader = Callable[[str, Side], str | None]
"""The full text of a file at one side of the change; None when it cannot be read."""


@dataclass(frozen=True)
class Hearing:
    """All that the judges said, where they said nothing, and how it came about."""

    opinions: tuple[Opinion, ...]
    abstentions: tuple[Abstention, ...]
    votes: tuple[Vote, ...] = ()
    cost: Cost = field(default_factory=Cost)
    record: HearingRecord = field(default_factory=HearingRecord)


class Bench(Protocol):
    """Three personas that hear the same evidence and never each other."""

    @property
    def name(self) -> str:
        """What the report calls it."""
        ...

    def exhibit_tokens(self, rubric: Rubric) -> int | None:
        """Tokens that exhibits of the change may take in a prompt; None where the judges are not to read it.

        With 0 the change is listed as not shown, so that Correctness is inconclusive.
        """
        ...

    def hear(
        self,
        rubric: Rubric,
        evidence: tuple[Evidence, ...],
        scope: Scope,
        advice: Mapping[str, str],
        dossier: Dossier = NO_DOSSIER,
    ) -> Hearing:
        """One opinion or abstention of every persona on every criterion that applies, and what they object to.

        `advice` says for each probe what to try.
        """
        ...

    def look(self, evidence: tuple[Evidence, ...], pictures: PictureFinder) -> tuple[Evidence, ...]:
        """The evidence after somebody looked at the pictures that no program reads; unchanged where nobody can.

        Comes before the hearing, so that judges are shown what was seen.
        """
        ...

    def rehear(
        self,
        hearing: Hearing,
        disputes: tuple[Dispute, ...],
        source: SourceReader,
        objections: tuple[MergedObjection, ...] = (),
        served: tuple[Exhibit, ...] = (),
    ) -> Hearing:
        """The hearing after the second round: outliers of disputes were asked again, and the judges voted on objections.

        `source` gives the full text of what was cited, `served` is what judges asked to see before the vote. There is no
        third round.
        """
        ...


def split_criteria(
    rubric: Rubric, evidence: tuple[Evidence, ...], scope: Scope, *, has_exhibits: bool = False
) -> tuple[tuple[Criterion, ...], tuple[Criterion, ...]]:
    """The criteria that can be judged, and those that apply but of which nothing at all is known."""
    asked: list[Criterion] = []
    dark: list[Criterion] = []
    for criterion in rubric.criteria:
        states = {each.state for each in assess_expectations(criterion, evidence, scope)} - {State.NOT_APPLICABLE}
        if criterion.exhibits and has_exhibits:
            asked.append(criterion)
        elif states:
            (dark if states == {State.UNKNOWN} else asked).append(criterion)
    return tuple(asked), tuple(dark)
