"""Who wrote a change and who approved it, as GitHub says: never what commits or texts of the change say."""

from __future__ import annotations

from pydantic import Field

from auditor.domain.frozen_model import Frozen


class ApprovalStatus(Frozen):
    """Whether the author may write to the repository, and who that may has approved the audited commit."""

    author_can_write: bool | None = Field(
        default=None,
        description="Can the author write to the repository? Null where no pull request is audited, so that nobody was asked.",
    )
    approved_by: tuple[str, ...] = Field(
        default=(),
        description="Login of somebody who can write to the repository and approved this very commit; empty for nobody.",
    )
    unanswered: str = Field(default="", description="What GitHub did not answer, in one sentence; empty for nothing.")
