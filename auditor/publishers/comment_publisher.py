"""The one comment on a pull request: found by author and marker, edited in place, never doubled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.domain import Comment, comment_marker
from auditor.github import GitHub, GitHubTrouble
from auditor.publishers.head_freshness import About, once

_MOST_EXTRA = 10
"""Copies of ours that are taken away in one run."""


@dataclass(frozen=True)
class Posted:
    """The comment as it stands, whether anything was written, and how many extra copies are still there."""

    comment: Comment
    written: bool
    left: int = 0


def post(github: GitHub, about: About, body: str, author: str) -> Posted | None:
    """Bring the comment to this text; None when a newer commit is the head, and then nothing is written.

    `author` is who we are taken to be; when a new comment turns out to be somebody else's, that is who we are.
    Comments by others that begin with our marker are left alone. Raises GitHubTrouble.
    """
    assert about.pull_request is not None, "comments belong to pull requests"
    number, marker = about.pull_request, comment_marker(about.rubric)
    if not _marked(body, marker):
        body = f"{marker}\n{body}"
    marked = [each for each in github.comments(number) if _marked(each.body, marker)]
    own = _by(marked, author)
    if about.overtaken(github):
        return None
    if not own:

        def look() -> Comment | None:
            found = [each for each in github.comments(number) if _marked(each.body, marker)]
            return next(iter(_by(found, author)), None)

        created = once(github, lambda: github.create_comment(number, body), look)
        own = [*_by(marked, created.author), created]
    first, *extra = own
    changed = _told(first.body) != _told(body)
    if changed:
        first = github.update_comment(first.id, body)
    left = _cleared(github, extra)
    return Posted(first, written=changed or first.id not in {each.id for each in marked}, left=left)


def _marked(body: str, marker: str) -> bool:
    return body.lstrip("\ufeff").replace("\r\n", "\n").split("\n", 1)[0].rstrip() == marker


def _by(comments: Sequence[Comment], author: str) -> list[Comment]:
    return [each for each in comments if each.author.lower() == author.lower()]


def _told(body: str) -> str:
    """The text as far as a change of it matters: GitHub may keep line ends and the last blanks its own way."""
    return body.replace("\r\n", "\n").rstrip()


def _cleared(github: GitHub, extra: Sequence[Comment]) -> int:
    """Take extra copies away; how many are left. The verdict stands already, so trouble ends it without a word."""
    for done, each in enumerate(extra[:_MOST_EXTRA]):
        try:
            github.delete_comment(each.id)
        except GitHubTrouble:
            return len(extra) - done
    return max(0, len(extra) - _MOST_EXTRA)
