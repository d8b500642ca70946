"""What is published about a verdict, and what came of it: plain values between reports, publishers and GitHub.

Limits named here are GitHub's; renderers keep to them, so that a publisher never has to cut.
"""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from auditor.domain.frozen_model import Frozen

TOOL_ID = "automaton-auditor"
"""How GitHub is told which check runs and comments are ours."""


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


class CheckRun(Frozen):
    """A check run as GitHub has it. Names and texts are whatever its owner wrote: foreign unless it is ours."""

    id: int
    name: str
    head_sha: str
    external_id: str
    status: str = Field(description="`queued`, `in_progress`, `is_completed`, or a word that only GitHub sets.")
    conclusion: str | None = Field(description="A CheckConclusion, or a word that only GitHub sets, such as `stale`.")
    app: str = Field(description="Slug of the app that owns it; `github-actions` for jobs and for the job token.")
    url: str | None
    title: str = ""
    summary: str = ""
    text: str = ""
    annotations: int = Field(default=0, description="How many annotations it carries.")

    @property
    def is_completed(self) -> bool:
        """Has it a conclusion?"""
        return self.status == "completed"


class Comment(Frozen):
    """A comment on a pull request."""

    id: int
    author: str = Field(description="Login; that of an app ends with `[bot]`, which no person's can.")
    body: str
    url: str | None


class Delivery(Frozen):
    """What became of one destination. Trouble in reporting is a warning and never decides the gate."""

    destination: str = Field(description="`check`, `comment`, `annotations`, `summary` or `files`.")
    delivered: bool
    url: str | None = None
    reason: str = Field(default="", description="Why it was not delivered, or what of it was not, in one sentence.")
    superseded: bool = Field(default=False, description="Was it held back because a newer commit is the head now?")


def external_id(rubric: str, subject: int | str) -> str:
    """The name under which a check run of ours is found again: tool, rubric, and pull request or ref."""
    return f"{TOOL_ID}/{rubric}/{subject}"


def comment_marker(rubric: str) -> str:
    """The first line of our comment. It is found by this line and its author together, never by the line alone."""
    return f"<!-- {TOOL_ID}:comment:{rubric} -->"


class Review(Frozen):
    """What somebody said of a pull request in a review."""

    author: str
    by_person: bool = Field(description="Is the author a person, and not an app?")
    by_member: bool = Field(
        default=False,
        description="Does GitHub call the author an owner, member or collaborator? Not each of them can write.",
    )
    state: str = Field(description="`APPROVED`, `CHANGES_REQUESTED`, `DISMISSED`, `COMMENTED` or `PENDING`.")
    commit: str | None = Field(description="SHA of the head that was reviewed; none where GitHub has lost it.")

    @property
    def approves(self) -> bool:
        """Is it an approval that still holds?"""
        return self.state == "APPROVED"

    @property
    def is_decision(self) -> bool:
        """Does it replace what the author said before? A comment does not."""
        return self.state in {"APPROVED", "CHANGES_REQUESTED", "DISMISSED"}


class PullRequest(Frozen):
    """A pull request as it is on GitHub now. Title and body are claims of its author."""

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
    merge_commit_sha: str | None = Field(
        default=None, description="Of a merged one the commit on the base branch; of an open one a test merge."
    )
