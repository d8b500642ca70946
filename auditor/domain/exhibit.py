"""What judges read of the change itself: its hunks, and the code that they touch."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from auditor.domain.evidence import Side
from auditor.domain.frozen_model import Frozen


class ExhibitKind(StrEnum):
    """What an exhibit is to the change. The value is the first part of its id."""

    HUNK = "hunk"
    DEFINITION = "definition"
    CALLER = "caller"
    CALLEE = "callee"
    TEST = "test"
    DOCUMENT = "document"
    """A part of a changed document or changelog; only criteria with `documents: true` may rest on it."""


class ExhibitMode(StrEnum):
    """How much of the change judges are shown."""

    NONE = "none"
    HUNKS = "hunks"
    CONTEXT = "context"


class LineMark(StrEnum):
    """What the change does to a line of an exhibit."""

    ADDED = "+"
    REMOVED = "-"
    KEPT = " "


class ExhibitLine(Frozen):
    """One line of an exhibit. Added and kept lines have their number at the head, removed ones that at the base."""

    mark: LineMark = LineMark.KEPT
    number: int = Field(ge=1)
    text: str = Field(description="The line without secrets; invisible characters are written out.")


class Exhibit(Frozen):
    """A piece of the change, or of the code that it touches, as judges are shown it."""

    id: str = Field(pattern=r"^(hunk|definition|caller|callee|test|document)#[1-9][0-9]*$", description="`kind#n`.")
    kind: ExhibitKind
    path: str
    side: Side = Side.HEAD
    start: int = Field(ge=1, description="First line, at `side`.")
    end: int = Field(ge=1, description="Last line, at `side`.")
    definition: str | None = Field(default=None, description="Qualified name of the enclosing definition.")
    belongs_to: tuple[str, ...] = Field(default=(), description="Ids of the hunks that it is shown for.")
    lines: tuple[ExhibitLine, ...] = ()
    cut: bool = Field(default=False, description="Were lines left out for their number?")


class Excerpt(Frozen):
    """Lines around a finding, for readers of the report. No judge reads it."""

    path: str
    side: Side = Side.HEAD
    lines: tuple[ExhibitLine, ...] = Field(
        description="Consecutive lines at `side`. At the head, each removed line is before what took its place."
    )


class OmissionReason(StrEnum):
    """Why lines of the change are in no exhibit."""

    BUDGET = "budget"
    GENERATED = "generated"
    VENDORED = "vendored"
    LOCK_FILE = "lock_file"
    BINARY = "binary"
    UNREAD = "unread"
    NEVER_SEND = "never_send"
    EXCLUDED = "excluded"
    DOCUMENT = "document"


class Omission(Frozen):
    """Changed lines that judges were not shown, and why."""

    path: str
    side: Side = Side.HEAD
    start: int | None = Field(default=None, ge=1, description="First line; null for the whole file.")
    end: int | None = Field(default=None, ge=1)
    reason: OmissionReason
    product_lines: int = Field(default=0, ge=0, description="Changed lines of product code among them.")


class Dossier(Frozen):
    """The change as exhibits, in the order in which judges read them, and what is not among them."""

    exhibits: tuple[Exhibit, ...] = ()
    """Code: hunks and what they touch."""
    documents: tuple[Exhibit, ...] = ()
    """Prose that the change touches."""
    omissions: tuple[Omission, ...] = ()
    product_lines: int = Field(default=0, ge=0, description="Changed lines of product code.")
    tokens: int = Field(default=0, ge=0, description="About how many tokens the exhibits take.")

    @property
    def all_exhibits(self) -> tuple[Exhibit, ...]:
        """Code first, then prose, as a record lists them."""
        return (*self.exhibits, *self.documents)

    @property
    def omitted_share(self) -> float:
        """Share of the changed product lines that judges were not shown, 0 to 1."""
        return sum(each.product_lines for each in self.omissions) / self.product_lines if self.product_lines else 0.0


NO_DOSSIER = Dossier()
"""What judges read where no change is shown."""
