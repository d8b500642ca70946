"""What the fake knows: a repository with pull requests, comments, check runs and tokens."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

JOB_TOKEN = "job-token-0123456789"
READ_ONLY_TOKEN = "read-only-token-0123456789"
PERSONAL_TOKEN = "personal-token-0123456789"

ACTIONS = "github-actions"
APPS = {ACTIONS: 15368, "other-app": 4242, "our-own-app": 7777}


@dataclass(frozen=True)
class Token:
    """Whose it is and what it may do. An app has a slug and no person."""

    name: str
    app: str | None
    login: str
    checks: bool = True
    comments: bool = True
    pulls: bool = True


TOKENS = {
    JOB_TOKEN: Token("job", ACTIONS, f"{ACTIONS}[bot]"),
    READ_ONLY_TOKEN: Token("read-only", ACTIONS, f"{ACTIONS}[bot]", checks=False, comments=False),
    PERSONAL_TOKEN: Token("personal", None, "maintainer"),
}


@dataclass
class Pull:
    """A pull request."""

    number: int
    head_sha: str
    base_sha: str = "b" * 40
    title: str = "A change"
    body: str | None = None
    author: str = "contributor"
    base_ref: str = "main"
    head_ref: str = "work"
    head_repository: str | None = "octo/shop"
    state: str = "open"
    draft: bool = False
    merged: bool = False
    labels: tuple[str, ...] = ()
    mergeable: bool | None = True
    merge_commit_sha: str | None = None


@dataclass
class StoredComment:
    """A comment."""

    id: int
    pull: int
    author: str
    body: str
    edits: int = 0


@dataclass
class StoredReview:
    """A review of a pull request at the commit that was its head."""

    id: int
    pull: int
    author: str
    state: str
    commit: str


@dataclass
class StoredRun:
    """A check run. One of a workflow's job belongs to GitHub."""

    id: int
    name: str
    head_sha: str
    app: str = ACTIONS
    external_id: str = ""
    status: str = "queued"
    conclusion: str | None = None
    started_at: str | None = None
    completed_at: str | None = None
    details_url: str | None = None
    output: dict[str, str | None] = field(default_factory=dict)
    annotations: list[dict[str, Any]] = field(default_factory=list)
    suite: int = 1
    of_a_job: bool = False


@dataclass
class World:
    """All that there is."""

    repository: str = "octo/shop"
    tokens: dict[str, Token] = field(default_factory=lambda: dict(TOKENS))
    pulls: dict[int, Pull] = field(default_factory=dict)
    comments: list[StoredComment] = field(default_factory=list)
    runs: list[StoredRun] = field(default_factory=list)
    reviews: list[StoredReview] = field(default_factory=list)
    permissions: dict[str, str] = field(default_factory=lambda: {"maintainer": "admin", "triager": "read"})
    commits: set[str] = field(default_factory=set)
    required_checks: tuple[str, ...] = ()
    required_by_rules: tuple[str, ...] = ()
    suite: int = 1
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1001))

    def new_id(self) -> int:
        """An id greater than all before."""
        return next(self._ids)

    def pull(self, number: int = 7, head_sha: str = "a" * 40, **more: Any) -> Pull:
        """Open a pull request."""
        self.pulls[number] = Pull(number, head_sha, **more)
        self.commits |= {head_sha, self.pulls[number].base_sha}
        return self.pulls[number]

    def push(self, number: int, head_sha: str) -> None:
        """The author pushes to a pull request."""
        self.pulls[number].head_sha = head_sha
        self.commits.add(head_sha)

    def comment(self, pull: int, author: str, body: str) -> StoredComment:
        """Somebody comments."""
        self.comments.append(StoredComment(self.new_id(), pull, author, body))
        return self.comments[-1]

    def review(self, pull: int, author: str, state: str = "APPROVED") -> StoredReview:
        """Somebody reviews the head of a pull request."""
        self.reviews.append(StoredReview(self.new_id(), pull, author, state, self.pulls[pull].head_sha))
        return self.reviews[-1]

    def run(self, name: str, head_sha: str, **more: Any) -> StoredRun:
        """Some app has made a check run."""
        self.commits.add(head_sha)
        self.runs.append(StoredRun(self.new_id(), name, head_sha, suite=self.suite, **more))
        return self.runs[-1]

    def bodies(self, pull: int) -> list[str]:
        """The comments of a pull request."""
        return [each.body for each in self.comments if each.pull == pull]

    def shown(self, sha: str, name: str) -> list[StoredRun]:
        """What a reader of the pull request sees under a name: the latest run of each suite."""
        latest: dict[tuple[str, int], StoredRun] = {}
        for run in self.runs:
            if run.head_sha == sha and run.name == name:
                latest[run.app, run.suite] = run
        return list(latest.values())
