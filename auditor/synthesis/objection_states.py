"""Objections merged, and settled by the votes of the judges. Pure: every number comes from the rubric."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from auditor.domain import (
    Evidence,
    Objection,
    ObjectionState,
    RaisedObjection,
    Rubric,
    Severity,
    Vote,
    VoteKind,
)
from auditor.domain.english_lists import enumerated
from auditor.synthesis.objection_place import overlaps, reported_by

_FINGERPRINT = "v1"


@dataclass(frozen=True)
class MergedObjection:
    """One defect, however many judges raised it. What others are asked about it is the shortest that was said."""

    id: str
    raised: tuple[RaisedObjection, ...]
    """In the order of the rubric's personas; at least one."""

    @property
    def place(self) -> RaisedObjection:
        """The member with the fewest lines: where voters are asked to look."""
        return min(self.raised, key=lambda each: (each.end - each.start, each.start, each.quote))

    @property
    def trigger(self) -> str:
        """The shortest trigger."""
        return min((each.trigger for each in self.raised), key=lambda text: (len(text), text))

    @property
    def raised_by(self) -> tuple[str, ...]:
        """The judges that raised it, each once."""
        return tuple(dict.fromkeys(each.judge for each in self.raised))

    def is_own(self, judge: str) -> bool:
        """Did this judge raise it?"""
        return judge in self.raised_by


def merge(raised: Iterable[RaisedObjection], personas: Sequence[str]) -> tuple[MergedObjection, ...]:
    """The objections that count, those at one place joined: the same definition, and lines that overlap.

    Sorted by place, so that ids are the same whoever answered first.
    """
    order = {persona: number for number, persona in enumerate(personas)}
    groups: list[list[RaisedObjection]] = []
    for each in sorted(
        (one for one in raised if not one.fault),
        key=lambda one: (one.path, one.side, one.start, one.end, order[one.judge], one.quote, one.claim),
    ):
        group = next((group for group in groups if any(overlaps(each, member) for member in group)), None)
        if group is None:
            groups.append([each])
        else:
            group.append(each)
    return tuple(
        MergedObjection(f"objection#{number}", tuple(sorted(group, key=lambda one: order[one.judge])))
        for number, group in enumerate(groups, 1)
    )


def settle(
    merged: Iterable[MergedObjection], votes: Iterable[Vote], rubric: Rubric, evidence: Sequence[Evidence] = ()
) -> tuple[Objection, ...]:
    """Each objection with its votes, its state, and the severity that the rubric gives it."""
    by_objection: dict[str, list[Vote]] = {}
    for vote in votes:
        by_objection.setdefault(vote.objection, []).append(vote)
    return tuple(_settled(each, tuple(by_objection.get(each.id, ())), rubric, evidence) for each in merged)


def _settled(
    merged: MergedObjection, votes: tuple[Vote, ...], rubric: Rubric, evidence: Sequence[Evidence]
) -> Objection:
    place = merged.place
    state, reason = _state(merged, votes, rubric)
    return Objection(
        id=merged.id,
        fingerprint=fingerprint(place),
        path=place.path,
        side=place.side,
        start=place.start,
        end=place.end,
        definition=place.definition,
        quote=place.quote,
        caused_by=place.caused_by,
        claim=place.claim,
        trigger=merged.trigger,
        consequence=place.consequence,
        effect=place.effect,
        reach=place.reach,
        severity=severity(merged, rubric),
        fix=place.fix,
        raised_by=merged.raised_by,
        votes=votes,
        state=state,
        reason=reason,
        reported_by=reported_by(place, rubric, evidence),
    )


def _state(merged: MergedObjection, votes: Sequence[Vote], rubric: Rubric) -> tuple[ObjectionState, str]:
    """Silence, a failed judge and "cannot tell" never dismiss; one voice is never enough."""
    rules = rubric.rules.objections
    titles = {each.id: each.title for each in rubric.personas}
    overruled = {each.judge for each in votes if each.counted is VoteKind.OVERRULE}
    sustained = {each.judge for each in votes if each.counted is VoteKind.SUSTAIN}
    voices = (set(merged.raised_by) | sustained) - overruled
    counted = f"raised by {_named(merged.raised_by, titles)}" + "".join(
        f", {what} by {_named([each.id for each in rubric.personas if each.id in who], titles)}"
        for what, who in (("sustained", sustained), ("overruled", overruled))
        if who
    )
    if len(overruled) >= rules.dismissed_by:
        return ObjectionState.DISMISSED, f"Dismissed: {counted}."
    if len(voices) < rules.voices:
        return ObjectionState.CONTESTED, f"Contested: {counted}; {rules.voices} judges are needed."
    if len(overruled) > rules.overruled_at_most or overruled == {rubric.arbiter.id}:
        return ObjectionState.CONTESTED, f"Contested: {counted}."
    return ObjectionState.STANDING, f"Standing: {counted}."


def _named(judges: Sequence[str], titles: Mapping[str, str]) -> str:
    return enumerated([f"the {titles.get(each, each)}" for each in judges])


def severity(merged: MergedObjection, rubric: Rubric) -> Severity:
    """The lower median of what the rubric makes of each voice's consequence and reach."""
    table = rubric.rules.objections.severities
    ranked = sorted((table[each.consequence][each.reach] for each in merged.raised), key=lambda each: each.rank)
    return ranked[(len(ranked) - 1) // 2]


def fingerprint(place: RaisedObjection) -> str:
    """Stays the same while the definition and the quoted lines do, wherever they move within the file."""
    quoted = "\n".join(" ".join(line.split()) for line in place.quote.splitlines())
    parts = json.dumps([place.path, place.definition, quoted], ensure_ascii=True)
    return f"{_FINGERPRINT}:{hashlib.sha256(parts.encode('ascii')).hexdigest()[:32]}"
