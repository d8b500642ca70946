"""How the opinions were heard: what judges were shown, what each was asked, and how far their answers agree."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from auditor.domain.exhibit import Omission
from auditor.domain.frozen_model import Frozen
from auditor.domain.objection import RaisedObjection
from auditor.domain.opinion import Cause, Opinion


class LeftOut(Frozen):
    """Places of one piece of evidence that the budget kept out of the prompt. Its statement was shown."""

    evidence: str
    places: int = Field(ge=1)


class Packing(Frozen):
    """What the judges were shown of the evidence, and the choice that was made when not all fitted."""

    budget: int = Field(description="Tokens there were for evidence.")
    tokens: int = Field(description="Tokens that were used, as estimated before asking.")
    places: int = Field(description="Places there are in all the evidence of the criteria asked about.")
    shown: int = Field(description="Places the judges saw; each file keeps at least its most severe one.")
    left_out: tuple[LeftOut, ...] = ()

    @property
    def whole(self) -> bool:
        """Was everything shown?"""
        return not self.left_out


class PictureKind(StrEnum):
    """What a picture in a document is."""

    GRAPH = "graph"
    ARCHITECTURE = "architecture"
    SEQUENCE = "sequence"
    CHART = "chart"
    SCREENSHOT = "screenshot"
    OTHER = "other"


class Sureness(StrEnum):
    """How sure a model says it is of a picture."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class SeenPicture(Frozen):
    """What a model reads in one picture: numbers and words of ours, none of its own."""

    source: str = Field(description="Document and page, or file.")
    kind: PictureKind
    parallel_stages: int = Field(ge=0, le=9, description="Places where branches start together and meet again.")
    branches: int = Field(ge=0, le=20, description="Branches of the widest of them.")
    stages: int = Field(ge=0, le=20, description="Steps from start to end.")
    ordered: bool = Field(description="Do arrows or numbers show the order?")
    sure: Sureness


class Answer(Frozen):
    """One question to one judge: what identifies it, and how the answer ended.

    `key` is the SHA-256 over model, effort, schema, prompt and persona; the four digests are SHA-256 too. `digest` is
    taken over the opinions that came of it (or over the cause of the abstention), so that an edited record shows.
    """

    judge: str
    round: int = Field(ge=1, le=2, description="1 for the hearing, 2 for the re-hearing.")
    key: str
    model: str
    effort: str = ""
    schema_digest: str
    prompt_digest: str
    persona_digest: str
    criteria: tuple[str, ...] = Field(description="Criteria it was asked about.")
    cause: Cause | None = Field(default=None, description="Why there is no usable answer; null when there is one.")
    reason: str = ""
    seen: tuple[SeenPicture, ...] = Field(default=(), description="What was read in pictures, when asked about them.")
    digest: str


class Unconfirmed(Frozen):
    """A judge asked once more about a criterion that gave no usable answer: its first opinion stays, unconfirmed."""

    judge: str
    criterion: str


class Agreement(Frozen):
    """How alike the judges answered. Information only: no score depends on it."""

    criteria: int = Field(description="Criteria on which every judge gave an opinion.")
    equal: float | None = Field(description="Share of them with the same score from all.")
    convergent: bool = Field(description="Did all give the same scores on all of them, at least three?")
    effective_votes: float | None = Field(
        description="Kish's effective number of votes, from the mean correlation of the judges' scores; null when it cannot be computed."
    )


class HearingRecord(Frozen):
    """How the opinions were heard. Empty but for `note` when no model was asked."""

    note: str = Field(default="", description="Why this bench and no other, in one sentence.")
    instructions_digest: str | None = Field(default=None, description="SHA-256 of the base side's extra instructions.")
    packing: Packing | None = None
    answers: tuple[Answer, ...] = ()
    superseded: tuple[Opinion, ...] = Field(
        default=(),
        description="First opinions that a re-hearing replaced, and those of a re-hearing that replaced none because no citation was found.",
    )
    unconfirmed: tuple[Unconfirmed, ...] = Field(
        default=(), description="Opinions that stay only because their judge gave no usable answer in the re-hearing."
    )
    agreement: Agreement | None = None
    omissions: tuple[Omission, ...] = Field(
        default=(), description="Changed lines that are in no exhibit. Since schema version 1.2."
    )
    product_lines: int = Field(
        default=0, ge=0, description="Changed lines of product code, shown or not. Since schema version 1.2."
    )
    raised: tuple[RaisedObjection, ...] = Field(
        default=(),
        description="Objections as each judge raised them, set aside ones included. Since schema version 1.2.",
    )
