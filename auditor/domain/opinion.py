"""What the judges say, and what it means when one says nothing."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from auditor.domain.frozen_model import Frozen


class Citation(Frozen):
    """A piece of evidence and the words in it that an argument leans on.

    The quote decides whether a citation stands. A path, when given, must be exactly one of the evidence's; a line only
    tells apart places where the same words stand.
    """

    evidence: str
    quote: str
    path: str = Field(default="", description="File that contains the quote; empty when the statement is quoted.")
    line: int | None = Field(default=None, ge=1, description="Line it starts on.")


class Step(Frozen):
    """One thing to change, where, and in answer to which evidence."""

    path: str
    change: str
    evidence: str = Field(default="", description="Id of the evidence that it would fix.")


class Opinion(Frozen):
    """One judge on one criterion."""

    judge: str = Field(description="Persona id.")
    criterion: str
    score: int = Field(ge=1, le=5)
    argument: str
    citations: tuple[Citation, ...] = ()
    remediation: tuple[Step, ...] = ()
    question: str = Field(
        default="", description="Key of the answer it comes from, in `hearing.answers`; empty when no model was asked."
    )


class Cause(StrEnum):
    """Why a judge gave no usable answer."""

    REFUSED = "refused"
    TRUNCATED = "truncated"
    TIMED_OUT = "timed_out"
    INVALID = "invalid"
    OVER_BUDGET = "over_budget"
    UNAVAILABLE = "unavailable"


class Abstention(Frozen):
    """A judge that gave no usable answer on a criterion. Never a score."""

    judge: str
    criterion: str
    cause: Cause
    reason: str
