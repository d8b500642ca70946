"""What a probe saw: facts, where they are, and the evidence record made of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny, model_validator

from auditor.domain.frozen_model import Frozen


class Side(StrEnum):
    """Which end of a change a place belongs to. Without a base there is only the head."""

    BASE = "base"
    HEAD = "head"


class Outcome(StrEnum):
    """The answer to a probe's question. Only the first two say anything about the code."""

    FOUND = "found"
    NOT_FOUND = "not_found"
    NOT_APPLICABLE = "not_applicable"
    UNAVAILABLE = "unavailable"


class SecondLook(StrEnum):
    """What another way of searching said about the same place."""

    AGREES = "agrees"
    DISAGREES = "disagrees"


class CodeLocation(Frozen):
    """Lines of a file. `start` and `end` count from 1 and are absent when the whole file is meant."""

    kind: Literal["code"] = "code"
    path: str
    start: int | None = Field(default=None, ge=1)
    end: int | None = Field(default=None, ge=1)
    quote: str = Field(default="", description="The text there, word for word (secrets redacted).")
    side: Side = Side.HEAD
    definition: str | None = Field(
        default=None,
        description="Name of the innermost function or class around `start`, qualified in Python. Since schema version 1.1.",
    )

    @property
    def spoken(self) -> str:
        """The place as people write it: `path:line`, or the path."""
        return self.path if self.start is None else f"{self.path}:{self.start}"


class CommitLocation(Frozen):
    """One commit of the audited history."""

    kind: Literal["commit"] = "commit"
    sha: str
    quote: str = ""

    @property
    def spoken(self) -> str:
        """The commit by the beginning of its id."""
        return f"commit {self.sha[:10]}"


class DocumentLocation(Frozen):
    """A page of a document, counted from 1."""

    kind: Literal["document"] = "document"
    path: str
    page: int = Field(ge=1)
    quote: str = ""

    @property
    def spoken(self) -> str:
        """The document and its page."""
        return f"{self.path}, page {self.page}"


Location = Annotated[CodeLocation | CommitLocation | DocumentLocation, Field(discriminator="kind")]


class ProbeData(BaseModel):
    """Base of what a probe attaches to a fact beside its sentence.

    A probe declares its own closed subclass. This base stays open so that a record
    can be read back without the probe that wrote it.
    """

    model_config = ConfigDict(frozen=True, extra="allow", defer_build=True)


class Fact(Frozen):
    """What a probe saw. It carries no score and no recommendation."""

    outcome: Outcome
    statement: str = Field(description="One sentence.")
    locations: tuple[Location, ...] = ()
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)
    confidence_reason: str = Field(default="", description="Why the confidence is below 1.")
    measure: float | None = Field(
        default=None,
        ge=0.0,
        le=1.0,
        description="Share of the examined places for which the statement holds, of new ones among those that the change brought; shares of one probe add up.",
    )
    introduced: bool | None = Field(
        default=None, description="Did the change bring it in? Null when there is no base or no place."
    )
    in_tests: bool = Field(default=False, description="Is it about test code only?")
    second_look: SecondLook | None = None
    data: SerializeAsAny[ProbeData] | None = None

    @model_validator(mode="after")
    def _require_confidence_reason(self) -> Self:
        if self.confidence < 1.0 and not self.confidence_reason:
            raise ValueError("a confidence below 1 needs its reason")
        return self


class Evidence(Fact):
    """A fact on the record, with an id that stays the same for the same tree."""

    id: str = Field(pattern=r"^[a-z_]+\.[a-z_]+#[0-9]+$", description="`probe#n`, n counted from 1.")
    probe: str
    waived: tuple[str, ...] = Field(
        default=(), description="Criteria for which it does not count, by a waiver of the trusted configuration."
    )


def secret_lines(evidence: Iterable[Evidence]) -> Mapping[str, set[int]]:
    """Lines by file at which a probe has seen a secret, of whatever form."""
    found: dict[str, set[int]] = {}
    for each in evidence:
        if each.probe.startswith("secrets."):
            for place in each.locations:
                if isinstance(place, CodeLocation) and place.start is not None:
                    found.setdefault(place.path, set()).update(range(place.start, (place.end or place.start) + 1))
    return found
