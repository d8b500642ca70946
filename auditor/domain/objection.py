"""Defects that judges see in a change, and how the other judges voted on them."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from auditor.domain.evidence import Side
from auditor.domain.frozen_model import Frozen
from auditor.domain.objection_consequence import ConsequenceKind, Reach, Severity


class Quote(Frozen):
    """Words of an exhibit."""

    exhibit: str
    quote: str
    path: str = ""
    line: int | None = Field(default=None, ge=1, description="First line of the quote; null where it is in none.")


class RaisedObjection(Frozen):
    """A defect as one judge described it, before the others voted."""

    judge: str
    exhibit: str
    path: str
    side: Side = Side.HEAD
    start: int = Field(ge=1)
    end: int = Field(ge=1)
    definition: str | None = None
    quote: str
    caused_by: Quote
    claim: str
    trigger: str = Field(description="Input, state or order of events in which it goes wrong.")
    consequence: ConsequenceKind
    effect: str = Field(description="The consequence in a sentence.")
    reach: Reach
    fix: str
    needs: str = Field(default="", description="What the judge wants the voters to see; empty for nothing.")
    fault: str = Field(default="", description="Why it does not count; empty when it does.")
    question: str = Field(default="", description="Key of the answer it comes from, in `hearing.answers`.")


class VoteKind(StrEnum):
    """What a judge says of an objection that is not its own."""

    SUSTAIN = "sustain"
    OVERRULE = "overrule"
    CANNOT_TELL = "cannot_tell"


class Vote(Frozen):
    """One judge on one objection of others. A vote whose quote does not hold counts as `cannot_tell`."""

    judge: str
    objection: str
    kind: VoteKind
    quote: Quote | None = None
    reason: str = ""
    fault: str = Field(default="", description="Why the vote does not count; empty when it does.")
    question: str = Field(default="", description="Key of the answer it comes from, in `hearing.answers`.")

    @property
    def counted(self) -> VoteKind:
        """The vote as it counts."""
        return VoteKind.CANNOT_TELL if self.fault else self.kind


class ObjectionState(StrEnum):
    """How the votes settled an objection."""

    STANDING = "standing"
    CONTESTED = "contested"
    DISMISSED = "dismissed"


class Objection(Frozen):
    """A defect that at least one judge sees in the change, and what became of it."""

    id: str = Field(pattern=r"^objection#[1-9][0-9]*$")
    fingerprint: str = Field(
        description="`v1:` and a digest of path, definition and quoted lines, without line numbers."
    )
    path: str
    side: Side = Side.HEAD
    start: int = Field(ge=1)
    end: int = Field(ge=1)
    definition: str | None = None
    quote: str
    caused_by: Quote
    claim: str
    trigger: str
    consequence: ConsequenceKind
    effect: str
    reach: Reach
    severity: Severity
    fix: str
    raised_by: tuple[str, ...] = Field(min_length=1, description="Personas, in the rubric's order.")
    votes: tuple[Vote, ...] = ()
    state: ObjectionState
    reason: str = Field(default="", description="Which votes decided, in a sentence.")
    reported_by: str = Field(default="", description="Id of the evidence that reports the same place; empty for none.")
