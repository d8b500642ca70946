"""Who wrote a pull request and who approved its head, asked of GitHub: texts and commits of the change have no say."""

from __future__ import annotations

from auditor.domain import Authorship, PullRequest
from auditor.github import GitHub, GitHubError

MAX_REVIEWERS = 20
"""People whose right to write is looked up, the last to review first."""


def ask_authorship(github: GitHub | None, pull: PullRequest) -> Authorship:
    """Whether the author can write to the repository, and who that can has approved the head.

    A branch of the repository itself was pushed by somebody who can write. A fork counts as that of an outsider, unless it
    belongs to the author and the author can write. What GitHub does not answer counts as no.
    """
    if github is None:
        return Authorship(can_write=not pull.fork, unanswered="Without a token, GitHub was not asked for approvals.")
    try:
        return Authorship(
            can_write=not pull.fork or (_is_own_fork(pull) and github.can_write(pull.author)),
            approved_by=_approvers(github, pull),
        )
    except GitHubError as trouble:
        return Authorship(
            can_write=not pull.fork, unanswered=f"GitHub could not be asked for approvals: {trouble.sentence}"
        )


def _is_own_fork(pull: PullRequest) -> bool:
    """Does the fork belong to the author? In that of another person, others push."""
    owner = (pull.head_repository or "").partition("/")[0]
    return owner.lower() == pull.author.lower()


def _approvers(github: GitHub, pull: PullRequest) -> tuple[str, ...]:
    """People who can write and whose last word on the head is an approval; never the author."""
    last: dict[str, str | None] = {}
    for review in github.reviews(pull.number):
        if review.is_decision and review.by_person:
            last.pop(review.author, None)
            last[review.author] = review.commit if review.approves else None
    approving = [
        name for name, commit in last.items() if commit == pull.head_sha and name.lower() != pull.author.lower()
    ]
    return tuple(sorted(name for name in approving[-MAX_REVIEWERS:] if github.can_write(name)))
