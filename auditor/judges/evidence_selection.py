"""Which places of the evidence fit a prompt: the most severe first, and for every file at least its most severe.

Nothing is cut in the middle. A place is shown whole or left out, and what was left out is on the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from auditor.domain import Criterion, Evidence, Expect, LeftOut, Outcome, Packing
from auditor.report.prompt_text import estimate_tokens


@dataclass(frozen=True)
class PromptPlace:
    """One place of a piece of evidence, written for a prompt."""

    evidence: str
    number: int
    path: str
    text: str


@dataclass(frozen=True)
class PromptEvidence:
    """A piece of evidence, written for a prompt: what is always shown, and its places."""

    evidence: Evidence
    head: str
    places: tuple[PromptPlace, ...]


@dataclass(frozen=True)
class EvidenceSelection:
    """The text of the evidence, and the choice behind it."""

    text: str
    packing: Packing
    too_small: str = ""
    """Why nothing can be asked: not even the gravest place of each file fits."""


def select_evidence(
    prompt_evidence: Sequence[PromptEvidence], criteria: Iterable[Criterion], budget: int
) -> EvidenceSelection:
    """Choose places until the budget of tokens is used up. The same pieces give the same text."""
    gravity = _severity_by_outcome(criteria)
    about = {piece.evidence.id: piece.evidence for piece in prompt_evidence}
    ranked = sorted(
        (place for piece in prompt_evidence for place in piece.places),
        key=lambda place: (
            _is_data(place, about[place.evidence]),
            *_rank(about[place.evidence], gravity),
            place.evidence,
            place.number,
        ),
    )
    used = sum(estimate_tokens(piece.head) for piece in prompt_evidence)
    floor, others = _split_by_file(ranked)
    used += sum(estimate_tokens(place.text) for place in floor)
    chosen = {(place.evidence, place.number) for place in floor}
    too_small = (
        f"the statements and the most severe place of each of {len(floor):,} files take about {used:,} tokens, "
        f"more than the {budget:,} allowed for evidence"
        if used > budget
        else ""
    )
    for place in others:
        size = estimate_tokens(place.text)
        if used + size <= budget:
            chosen.add((place.evidence, place.number))
            used += size
    return EvidenceSelection(
        _render(prompt_evidence, chosen), _make_packing(prompt_evidence, chosen, budget, used), too_small
    )


def _severity_by_outcome(criteria: Iterable[Criterion]) -> Mapping[tuple[str, Outcome], int]:
    """Severity of each probe's outcome, from 1, by the expectation it breaks; 0 when it breaks none."""
    found: dict[tuple[str, Outcome], int] = {}
    for criterion in criteria:
        for each in criterion.evidence:
            broken = Outcome.FOUND if each.expect is Expect.NOT_FOUND else Outcome.NOT_FOUND
            key = (each.probe, broken)
            found[key] = max(found.get(key, 0), each.severity.rank + 1)
    return found


def _is_data(place: PromptPlace, evidence: Evidence) -> bool:
    """Is it the probe's data? With many places it repeats them all, so it is chosen last."""
    return 0 < len(evidence.locations) < place.number


def _rank(evidence: Evidence, gravity: Mapping[tuple[str, Outcome], int]) -> tuple[int, bool, bool, float]:
    """Sorts the most severe first: severity, then what the change brought in, product code, certainty."""
    return (
        -gravity.get((evidence.probe, evidence.outcome), 0),
        evidence.introduced is False,
        evidence.in_tests,
        -evidence.confidence,
    )


def _split_by_file(ranked: Sequence[PromptPlace]) -> tuple[list[PromptPlace], list[PromptPlace]]:
    """The most severe place of every file, and the rest."""
    seen: set[str] = set()
    floor: list[PromptPlace] = []
    others: list[PromptPlace] = []
    for place in ranked:
        first = bool(place.path) and place.path not in seen
        seen.add(place.path)
        (floor if first else others).append(place)
    return floor, others


def _render(pieces: Sequence[PromptEvidence], chosen: set[tuple[str, int]]) -> str:
    return "\n".join(
        part
        for piece in pieces
        for part in (
            piece.head,
            *(place.text for place in piece.places if (place.evidence, place.number) in chosen),
        )
    )


def _make_packing(pieces: Sequence[PromptEvidence], chosen: set[tuple[str, int]], budget: int, used: int) -> Packing:
    left = {
        piece.evidence.id: sum((place.evidence, place.number) not in chosen for place in piece.places)
        for piece in pieces
    }
    return Packing(
        budget=budget,
        tokens=used,
        places=sum(len(piece.places) for piece in pieces),
        shown=len(chosen),
        left_out=tuple(LeftOut(evidence=name, places=count) for name, count in left.items() if count),
    )
