"""Which places of the evidence fit a prompt: the gravest first, and for every file at least its gravest.

Nothing is cut in the middle. A place is shown whole or left out, and what was left out is on the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from auditor.domain import Criterion, Evidence, Expect, LeftOut, Outcome, Packing
from auditor.report.prompt_text import tokens


@dataclass(frozen=True)
class Place:
    """One place of a piece of evidence, written for a prompt."""

    evidence: str
    number: int
    path: str
    text: str


@dataclass(frozen=True)
class Piece:
    """A piece of evidence, written for a prompt: what is always shown, and its places."""

    evidence: Evidence
    head: str
    places: tuple[Place, ...]


@dataclass(frozen=True)
class Packed:
    """The text of the evidence, and the choice behind it."""

    text: str
    packing: Packing
    too_small: str = ""
    """Why nothing can be asked: not even the gravest place of each file fits."""


def pack(pieces: Sequence[Piece], criteria: Iterable[Criterion], budget: int) -> Packed:
    """Choose places until the budget of tokens is used up. The same pieces give the same text."""
    gravity = _gravities(criteria)
    about = {piece.evidence.id: piece.evidence for piece in pieces}
    ranked = sorted(
        (place for piece in pieces for place in piece.places),
        key=lambda place: (
            _repeats(place, about[place.evidence]),
            *_rank(about[place.evidence], gravity),
            place.evidence,
            place.number,
        ),
    )
    used = sum(tokens(piece.head) for piece in pieces)
    floor, others = _floor(ranked)
    used += sum(tokens(place.text) for place in floor)
    chosen = {(place.evidence, place.number) for place in floor}
    too_small = (
        f"the statements and the gravest place of each of {len(floor):,} files take about {used:,} tokens, "
        f"more than the {budget:,} there are for evidence"
        if used > budget
        else ""
    )
    for place in others:
        size = tokens(place.text)
        if used + size <= budget:
            chosen.add((place.evidence, place.number))
            used += size
    return Packed(_written(pieces, chosen), _record(pieces, chosen, budget, used), too_small)


def _gravities(criteria: Iterable[Criterion]) -> Mapping[tuple[str, Outcome], int]:
    """How grave an answer of a probe is: the severity of the expectation it breaks, from 1; 0 when it breaks none."""
    found: dict[tuple[str, Outcome], int] = {}
    for criterion in criteria:
        for each in criterion.evidence:
            broken = Outcome.FOUND if each.expect is Expect.NOT_FOUND else Outcome.NOT_FOUND
            key = (each.probe, broken)
            found[key] = max(found.get(key, 0), each.severity.rank + 1)
    return found


def _repeats(place: Place, about: Evidence) -> bool:
    """Is it data beside places? It mostly lists the same places again, and with many of them is as long as all together."""
    return 0 < len(about.locations) < place.number


def _rank(about: Evidence, gravity: Mapping[tuple[str, Outcome], int]) -> tuple[int, bool, bool, float]:
    """Sorts the gravest first: severity, then what the change brought in, product code, certainty."""
    return (-gravity.get((about.probe, about.outcome), 0), about.introduced is False, about.in_tests, -about.confidence)


def _floor(ranked: Sequence[Place]) -> tuple[list[Place], list[Place]]:
    """The gravest place of every file, and the rest."""
    seen: set[str] = set()
    floor: list[Place] = []
    others: list[Place] = []
    for place in ranked:
        first = bool(place.path) and place.path not in seen
        seen.add(place.path)
        (floor if first else others).append(place)
    return floor, others


def _written(pieces: Sequence[Piece], chosen: set[tuple[str, int]]) -> str:
    return "\n".join(
        part
        for piece in pieces
        for part in (
            piece.head,
            *(place.text for place in piece.places if (place.evidence, place.number) in chosen),
        )
    )


def _record(pieces: Sequence[Piece], chosen: set[tuple[str, int]], budget: int, used: int) -> Packing:
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
