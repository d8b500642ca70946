"""The one comment on a pull request: found by author and marker, edited in place, never doubled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.domain import Comment, comment_marker
from auditor.github import GitHub, GitHubError
from auditor.publishers.head_freshness import PublicationSubject, create_once

_MAX_DELETED = 10
"""Copies of ours that are taken away in one run."""


@dataclass(frozen=True)
class PostedComment:
    """The comment as it is, whether anything was written, and how many extra copies are still there."""

    comment: Comment
    written: bool
    left: int = 0


def post(github: GitHub, about: PublicationSubject, body: str, author: str) -> PostedComment | None:
    """Bring the comment to this text; None when a newer commit is the head, and then nothing is written.

    `author` is who we are taken to be; when a new comment turns out to be somebody else's, that is who we are.
    Comments by others that begin with our marker are left alone. Raises GitHubTrouble.
    """
    assert about.pull_request is not None, "comments belong to pull requests"
    number, marker = about.pull_request, comment_marker(about.rubric)
    if not _has_marker(body, marker):
        body = f"{marker}\n{body}"
    marked = [each for each in github.comments(number) if _has_marker(each.body, marker)]
    own = _comments_of(marked, author)
    if about.is_outdated(github):
        return None
    if not own:

        def look() -> Comment | None:
            found = [each for each in github.comments(number) if _has_marker(each.body, marker)]
            return next(iter(_comments_of(found, author)), None)

        created = create_once(github, lambda: github.create_comment(number, body), look)
        own = [*_comments_of(marked, created.author), created]
    first, *extra = own
    changed = _normalize(first.body) != _normalize(body)
    if changed:
        first = github.update_comment(first.id, body)
    left = _delete_extra(github, extra)
    return PostedComment(first, written=changed or first.id not in {each.id for each in marked}, left=left)


def _has_marker(body: str, marker: str) -> bool:
    return body.lstrip("\ufeff").replace("\r\n", "\n").split("\n", 1)[0].rstrip() == marker


def _comments_of(comments: Sequence[Comment], author: str) -> list[Comment]:
    return [each for each in comments if each.author.lower() == author.lower()]


def _normalize(body: str) -> str:
    """The text as far as a change of it matters: GitHub may keep line ends and the last blanks its own way."""
    return body.replace("\r\n", "\n").rstrip()


def _delete_extra(github: GitHub, extra: Sequence[Comment]) -> int:
    """Take extra copies away; how many are left. The verdict is already written, so errors are ignored."""
    for done, each in enumerate(extra[:_MAX_DELETED]):
        try:
            github.delete_comment(each.id)
        except GitHubError:
            return len(extra) - done
    return max(0, len(extra) - _MAX_DELETED)
