"""Where opinions lie too far apart, and whose they are: what a re-hearing is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from auditor.domain import Evidence, Exhibit, Opinion, Rubric, Waiver
from auditor.synthesis.citation_check import check_citations, sources_for


@dataclass(frozen=True)
class Dispute:
    """A criterion on which the opinions that count lie further apart than the rubric allows."""

    criterion: str
    spread: int
    outliers: tuple[str, ...]
    """Judges further from the middle opinion than half the spread allowed, in the rubric's order."""


def find_disputes(
    rubric: Rubric,
    evidence: Sequence[Evidence],
    opinions: Iterable[Opinion],
    waivers: Iterable[Waiver] = (),
    exhibits: Iterable[Exhibit] = (),
) -> tuple[Dispute, ...]:
    """All disputes, in the rubric's order. Citations are checked first; a criterion that is waived has none."""
    by_id = {each.id: each for each in evidence}
    shown = {each.id: each for each in exhibits}
    waived = {each.criterion for each in waivers if each.path is None}
    heard = tuple(opinions)
    found = []
    for criterion in rubric.criteria:
        sources = sources_for(criterion, by_id, shown)
        counted: dict[str, Opinion] = {}
        for each in heard:
            if each.criterion == criterion.id and not check_citations(each, sources).reason:
                counted.setdefault(each.judge, each)
        scores = [each.score for each in counted.values()]
        spread = max(scores, default=0) - min(scores, default=0)
        if criterion.id in waived or spread <= rubric.rules.spread:
            continue
        middle = median(scores)
        far = tuple(
            persona.id
            for persona in rubric.personas
            if persona.id in counted and abs(counted[persona.id].score - middle) > rubric.rules.spread / 2
        )
        found.append(Dispute(criterion.id, spread, far))
    return tuple(found)
