"""Who wrote a pull request and who approved its head, asked of GitHub: texts and commits of the change have no say."""

from __future__ import annotations

from auditor.domain import ApprovalStatus, PullRequest, Review
from auditor.github import GitHub, GitHubError

MAX_LOOKED_UP = 20
"""People whose right to write is looked up. Those with a tie to the repository are first, so that no crowd keeps them out."""


def look_up_approval(github: GitHub | None, pull: PullRequest) -> ApprovalStatus:
    """Whether the author can write to the repository, and who that can has approved the head.

    A branch of the repository itself was pushed by somebody who can write. A fork counts as that of an outsider, unless it
    belongs to the author and the author can write. What GitHub does not answer counts as no.
    """
    if github is None:
        return unanswered(pull, "Without a token, approvals could not be read.")
    unheard = ""
    try:
        author_can_write = not pull.fork or (_is_own_fork(pull) and github.can_write(pull.author))
    except GitHubError as trouble:
        author_can_write, unheard = False, f"GitHub did not say whether the author can write: {trouble.sentence}"
    try:
        approved_by = _approvers(github, pull)
    except GitHubError as trouble:
        approved_by, unheard = (), f"Approvals could not be read: {trouble.sentence}"
    return ApprovalStatus(author_can_write=author_can_write, approved_by=approved_by, unanswered=unheard)


def unanswered(pull: PullRequest, why: str) -> ApprovalStatus:
    """What is known without GitHub: a branch of the repository was pushed by somebody who can write, and nobody approved."""
    return ApprovalStatus(author_can_write=not pull.fork, unanswered=why)


def is_decision_of_writer(github: GitHub, pull: PullRequest, reviewer: str) -> bool:
    """Can a review of this person change whether the pull request is approved? Raises GitHubError."""
    return reviewer.lower() != pull.author.lower() and github.can_write(reviewer)


def _is_own_fork(pull: PullRequest) -> bool:
    """Does the fork belong to the author? In that of another person, others push."""
    owner = (pull.head_repository or "").partition("/")[0]
    return owner.lower() == pull.author.lower()


def _approvers(github: GitHub, pull: PullRequest) -> tuple[str, ...]:
    """Somebody who can write and whose last decision is an approval of the head; never the author."""
    last: dict[str, Review] = {}
    for review in github.reviews(pull.number):
        if review.is_decision and review.by_person:
            last.pop(review.author, None)
            last[review.author] = review
    approving = [
        each
        for each in last.values()
        if each.approves and each.commit == pull.head_sha and each.author.lower() != pull.author.lower()
    ]
    approving.sort(key=lambda each: not each.by_member)
    writer = next((each.author for each in approving[:MAX_LOOKED_UP] if github.can_write(each.author)), None)
    return () if writer is None else (writer,)
