"""What is published about a verdict, and what came of it: plain values between reports, publishers and GitHub.

Limits named here are GitHub's; renderers keep to them, so that a publisher never has to cut.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from auditor.domain.base import Frozen


class AnnotationLevel(StrEnum):
    """How loud an annotation is, in GitHub's words."""

    NOTICE = "notice"
    WARNING = "warning"
    FAILURE = "failure"


class Annotation(Frozen):
    """A note on lines of a file at the head commit."""

    path: str
    start_line: int = Field(ge=1)
    end_line: int = Field(ge=1)
    level: AnnotationLevel
    title: str = Field(description="At most 255 characters.")
    message: str = Field(description="At most 64 KB of UTF-8.")


class CheckConclusion(StrEnum):
    """How a check run ends. GitHub counts success, neutral and skipped as passed where the check is required."""

    SUCCESS = "success"
    FAILURE = "failure"
    NEUTRAL = "neutral"
    ACTION_REQUIRED = "action_required"
    CANCELLED = "cancelled"
    SKIPPED = "skipped"
    TIMED_OUT = "timed_out"


class CheckOutput(Frozen):
    """What a check run shows. Summary and text are each at most 65,535 characters and bytes of UTF-8."""

    title: str
    summary: str
    text: str = ""
    annotations: tuple[Annotation, ...] = ()


class Delivery(Frozen):
    """What became of one destination. Trouble in reporting is a warning and never decides the gate."""

    destination: str = Field(description="`check`, `comment`, `annotations`, `summary` or `files`.")
    delivered: bool
    url: str | None = None
    reason: str = Field(default="", description="Why it was not delivered, in one sentence.")


class PullRequest(Frozen):
    """A pull request as it stands on GitHub now. Title and body are claims of its author."""

    number: int
    open: bool
    draft: bool
    merged: bool
    title: str
    body: str
    author: str
    base_ref: str
    base_sha: str
    head_ref: str
    head_sha: str
    head_repository: str | None = Field(description="`owner/name`; none when the fork was deleted.")
    fork: bool
    labels: tuple[str, ...] = ()
    mergeable: bool | None = Field(default=None, description="None while GitHub has not worked it out.")
