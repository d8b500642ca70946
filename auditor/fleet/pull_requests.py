"""Pull requests of a repository as changes: read through the GitHub API, with the commits as they were at the merge."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from auditor.domain import UserError
from auditor.fleet.targets import Pulls, PullState
from auditor.github import GitHub, GitHubError

_DEADLINE_SECONDS = 300.0


@dataclass(frozen=True)
class PullChange:
    """A pull request and the names of the commits between which its change lies."""

    number: int
    head: str
    base: str
    """A commit id, or `<merge commit>^1`: the base branch just before the merge."""
    description: str


def list_pulls(url: str, wanted: Pulls, token: str | None) -> tuple[PullChange, ...]:
    """The pull requests of a repository that are wanted, those changed last first. Raises UserError."""
    if not token:
        raise UserError(
            "pull requests are read through the API of GitHub: name a variable with a token by --token-env."
        )
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"}:
        raise UserError("pulls need the https URL of a repository on GitHub.")
    repository = parts.path.strip("/").removesuffix(".git")
    try:
        github = GitHub.connect(_api_url(parts.hostname or ""), token, repository, deadline=_DEADLINE_SECONDS)
        try:
            found = github.list_pull_requests(
                wanted.state is PullState.OPEN, wanted.last, merged={"merged": True, "closed": False}.get(wanted.state)
            )
        finally:
            github.close()
    except GitHubError as error:
        raise UserError(f"pull requests cannot be read: {error.sentence}") from error
    return tuple(
        PullChange(
            each.number,
            each.head_sha,
            f"{each.merge_commit_sha}^1" if each.merged and each.merge_commit_sha else each.base_sha,
            f"{each.title}\n\n{each.body}",
        )
        for each in found
    )


def _api_url(host: str) -> str:
    """The API of a host: `GITHUB_API_URL` where that is set, as on a runner of an own server."""
    given = os.environ.get("GITHUB_API_URL")
    if given:
        return given
    return "https://api.github.com" if host == "github.com" else f"https://{host}/api/v3"
