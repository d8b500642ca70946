"""Under which login we write, so that our own comment is distinguished from a forged one."""

from __future__ import annotations

from auditor.domain import CheckRun
from auditor.github import GitHub

JOB_APP = "github-actions"
"""The app of the token that every job is given."""


def login(github: GitHub, run: CheckRun | None = None) -> str:
    """The login our token writes with.

    The check run that the same token has just made names the app, and an app writes as `<slug>[bot]`: no request is
    needed. Without one, GitHub is asked; it answers for a person's token and refuses an app's, of which the token of a
    job is by far the commonest. No person can have a login with brackets. Raises GitHubTrouble.
    """
    if run is not None and run.app:
        return f"{run.app}[bot]"
    return github.login() or f"{JOB_APP}[bot]"


def app(github: GitHub, run: CheckRun | None = None) -> str | None:
    """The app whose check runs are ours; none for a person's token, which can make no check run.

    Told by the run that this token has made, where there is one. Raises GitHubTrouble.
    """
    if run is not None and run.app:
        return run.app
    return JOB_APP if github.login() is None else None
