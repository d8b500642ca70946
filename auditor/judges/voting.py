"""Votes of judges on objections that are not their own: what each is shown, and what of its answer counts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditor.domain import Exhibit, Frozen, Quote, Rubric, Vote, VoteKind
from auditor.judges.objection_reading import find_quote
from auditor.report.prompt_text import sanitize
from auditor.report.secret_redaction import redact
from auditor.synthesis import MergedObjection

_MAX_REASON = 500


class VoteAnswer(Frozen):
    """One vote in a judge's answer."""

    objection: str
    vote: VoteKind
    exhibit: str
    quote: str
    reason: str


def vote_schema(closed_object: Any) -> dict[str, Any]:
    """The JSON Schema of one vote."""
    text = {"type": "string"}
    schema: dict[str, Any] = closed_object(
        objection=text, vote={"enum": [each.value for each in VoteKind]}, exhibit=text, quote=text, reason=text
    )
    return schema


@dataclass(frozen=True)
class Ballot:
    """The objections that one judge votes on, under names that say nothing of who raised them or how many did."""

    judge: str
    objections: tuple[tuple[str, MergedObjection], ...]
    """Name and objection, in an order that depends on the case alone."""


def ballots(merged: Sequence[MergedObjection], rubric: Rubric, case_digest: str) -> tuple[Ballot, ...]:
    """Who votes on what: everyone on what is not their own; what all raised is put to the challenged side."""
    named = sorted((_name(each, case_digest), each) for each in merged)
    personas = [each.id for each in rubric.personas]
    found = []
    for judge in personas:
        asked = tuple(
            (name, each)
            for name, each in named
            if not each.is_own(judge) or (len(each.raised_by) == len(personas) and judge == defender(rubric))
        )
        if asked:
            found.append(Ballot(judge, asked))
    return tuple(found)


def defender(rubric: Rubric) -> str:
    """The persona that neither challenges nor arbitrates; the first one where there is none."""
    neither = [each.id for each in rubric.personas if not each.challenger and not each.arbiter]
    return (neither or [rubric.personas[0].id])[0]


def _name(objection: MergedObjection, case_digest: str) -> str:
    return "q" + hashlib.sha256(f"{case_digest}\0{objection.id}".encode()).hexdigest()[:8]


def render_ballot(ballot: Ballot) -> str:
    """The objections as one judge reads them: place, quote, trigger, kind of consequence, and nothing else."""
    return "\n".join(_rendered(name, each) for name, each in ballot.objections)


def _rendered(name: str, objection: MergedObjection) -> str:
    place = objection.place
    quoted = "\n".join(f"Q| {sanitize(line)}" for line in place.quote.split("\n"))
    lines = f"line {place.start}" if place.start == place.end else f"lines {place.start} to {place.end}"
    return "\n".join(
        [
            f"[{name}] {sanitize(place.path)}, {lines}, {sanitize(place.exhibit)}",
            quoted,
            f"T| {sanitize(objection.trigger)}",
            f"K| {place.consequence.value}",
        ]
    )


def read_votes(
    ballot: Ballot, answers: Sequence[VoteAnswer], exhibits: Mapping[str, Exhibit], question: str
) -> tuple[Vote, ...]:
    """The votes of a judge on what it was asked about; the first on each counts."""
    by_name = dict(ballot.objections)
    seen: set[str] = set()
    votes = []
    for each in answers:
        objection = by_name.get(each.objection.strip().strip("[]"))
        if objection is None or objection.id in seen:
            continue
        seen.add(objection.id)
        quote = find_quote(each.exhibit, each.quote, exhibits) if each.quote.strip() else None
        votes.append(
            Vote(
                judge=ballot.judge,
                objection=objection.id,
                kind=each.vote,
                quote=quote,
                reason=redact(" ".join(each.reason.split())[:_MAX_REASON]),
                fault=_fault(each.vote, quote, objection, exhibits),
                question=question,
            )
        )
    return tuple(sorted(votes, key=lambda vote: int(vote.objection.rpartition("#")[2])))


def _fault(kind: VoteKind, quote: Quote | None, objection: MergedObjection, exhibits: Mapping[str, Exhibit]) -> str:
    """Why a vote does not count. Only one that says something about the code needs a quote."""
    if kind is VoteKind.CANNOT_TELL:
        return ""
    if quote is None:
        return "its quote was not found in any exhibit"
    place = objection.place
    if kind is VoteKind.SUSTAIN and (quote.path, quote.quote) == (place.path, place.quote):
        return "it quotes the objection's own lines, no second place"
    return "" if _is_tied(exhibits[quote.exhibit], place.exhibit, exhibits) else "its quote has no tie to the objection"


def _is_tied(quoted: Exhibit, place: str, exhibits: Mapping[str, Exhibit]) -> bool:
    """Does the quoted code belong to the same hunk, file or definition as the objection?"""
    shown = exhibits.get(place)
    if shown is None:
        return False
    hunks = {shown.id, *shown.belongs_to}
    return (
        quoted.path == shown.path
        or not hunks.isdisjoint({quoted.id, *quoted.belongs_to})
        or any(quoted.path == exhibits[each].path for each in hunks if each in exhibits)
    )
