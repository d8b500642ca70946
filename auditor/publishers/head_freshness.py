"""What a verdict is about, and whether it still is: the one thing that every publisher on GitHub asks first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from auditor.domain import external_id
from auditor.github import GitHub, GitHubError

Made = TypeVar("Made")


@dataclass(frozen=True)
class PublicationSubject:
    """The rubric, the commit that was audited, and the pull request it heads; without one, the ref."""

    rubric: str
    sha: str
    pull_request: int | None = None
    ref: str = ""
    base: str = ""
    """The branch that the pull request was to go into when it was audited."""

    @property
    def external_id(self) -> str:
        """The name under which the check run is found again."""
        return external_id(self.rubric, self.ref if self.pull_request is None else self.pull_request)

    def is_outdated(self, github: GitHub) -> bool:
        """Has the pull request another head or base by now? Asked again before each place that a newer run may have written to."""
        if self.pull_request is None:
            return False
        now = github.pull_request(self.pull_request)
        return now.head_sha != self.sha or self.base not in ("", now.base_ref)


def create_once(github: GitHub, create: Callable[[], Made], find: Callable[[], Made | None]) -> Made:
    """Make something on GitHub exactly once: after an unclear failure, look for it before asking again."""
    try:
        return create()
    except GitHubError as trouble:
        if not trouble.maybe_done:
            raise
    github.pause()
    found = find()
    return create() if found is None else found
