"""Publishing from the best place down: check run, comment, workflow commands, job summary, files.

Each rung stands alone: what one cannot do, the next may. Trouble is a warning in the result and never an error, for
the gate does not depend on what was posted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from auditor.domain import CheckConclusion, CheckOutput, CheckRun, Delivery
from auditor.github import GitHub, GitHubTrouble
from auditor.publishers import (
    bot_login,
    check_run_publisher,
    comment_publisher,
    job_summary_publisher,
    report_file_publisher,
    workflow_command_publisher,
)
from auditor.publishers.head_freshness import About

CHECK_SECONDS = 25.0
COMMENT_SECONDS = 15.0
"""Together with what begins the run, less than the minute in which every failure has to be over."""


@dataclass(frozen=True)
class Publication:
    """The verdict, ready to be shown in each place. What is None or empty is not wanted there."""

    conclusion: CheckConclusion | None
    check: CheckOutput
    comment: str | None = None
    summary: str = ""
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Desk:
    """Where a verdict can be left. `run` is the check run that was begun, or why there is none."""

    about: About
    stdout: IO[str]
    github: GitHub | None = None
    run: CheckRun | GitHubTrouble | None = None
    step_summary: Path | None = None
    workspace: Path | None = None
    folder: str = "auditor-report"


def publish(publication: Publication, desk: Desk) -> tuple[Delivery, ...]:
    """Leave the verdict in every place that takes it; one Delivery for each that was wanted. Raises nothing."""
    check = _attempt("check", lambda: _check(publication, desk))
    posted = _attempt("comment", lambda: _comment(publication, desk))
    superseded = any(each is not None and each.superseded for each in (check, posted))
    shown_on_lines = superseded or (check is not None and check.delivered and not check.reason)
    deliveries = (
        check,
        posted,
        None if shown_on_lines else _attempt("annotations", lambda: _commands(publication, desk)),
        _attempt("summary", lambda: _summary(publication, desk)),
        _attempt("files", lambda: _files(publication, desk)),
    )
    return tuple(each for each in deliveries if each is not None)


def _attempt(destination: str, deliver: Callable[[], Delivery | None]) -> Delivery | None:
    try:
        return deliver()
    except GitHubTrouble as trouble:
        return Delivery(destination=destination, delivered=False, reason=trouble.sentence)
    except OSError as error:
        reason = f"It cannot be written ({error.strerror or type(error).__name__})."
        return Delivery(destination=destination, delivered=False, reason=reason)
    except Exception as error:  # noqa: BLE001 - one publisher's bug must not cost the verdict
        reason = f"A bug of this tool kept it from being written ({type(error).__name__})."
        return Delivery(destination=destination, delivered=False, reason=reason)


def _check(publication: Publication, desk: Desk) -> Delivery | None:
    if publication.conclusion is None or desk.run is None or desk.github is None:
        return None
    if isinstance(desk.run, GitHubTrouble):
        raise desk.run
    github = desk.github.within(CHECK_SECONDS)
    try:
        done = check_run_publisher.conclude(github, desk.about, desk.run, publication.conclusion, publication.check)
    except check_run_publisher.Overtaken:
        return _held_back("check", desk.run.url)
    return Delivery(destination="check", delivered=True, url=done.run.url, reason=done.reason)


def _comment(publication: Publication, desk: Desk) -> Delivery | None:
    if publication.comment is None or desk.github is None or desk.about.pull_request is None:
        return None
    github = desk.github.within(COMMENT_SECONDS)
    run = desk.run if isinstance(desk.run, CheckRun) else None
    posted = comment_publisher.post(github, desk.about, publication.comment, bot_login.login(github, run))
    if posted is None:
        return _held_back("comment", None)
    reason = f"{posted.left} older copies of the comment could not be taken away." if posted.left else ""
    return Delivery(destination="comment", delivered=True, url=posted.comment.url, reason=reason)


def _held_back(destination: str, url: str | None) -> Delivery:
    reason = "The pull request has a newer head or another base by now, and the run on that decides."
    return Delivery(destination=destination, delivered=False, url=url, reason=reason, superseded=True)


def _commands(publication: Publication, desk: Desk) -> Delivery | None:
    if not publication.check.annotations:
        return None
    left = workflow_command_publisher.write(desk.stdout, publication.check.annotations)
    reason = f"{left} more annotations are in the reports: a step shows ten a level." if left else ""
    return Delivery(destination="annotations", delivered=True, reason=reason)


def _summary(publication: Publication, desk: Desk) -> Delivery | None:
    if not publication.summary:
        return None
    if desk.step_summary is None:
        return Delivery(destination="summary", delivered=False, reason="GITHUB_STEP_SUMMARY is not set.")
    try:
        job_summary_publisher.write(desk.step_summary, publication.summary)
    except job_summary_publisher.TooLong:
        return Delivery(destination="summary", delivered=False, reason="It is larger than GitHub takes (1 MiB a step).")
    return Delivery(destination="summary", delivered=True)


def _files(publication: Publication, desk: Desk) -> Delivery | None:
    if not publication.files or desk.workspace is None:
        return None
    report_file_publisher.write(desk.workspace, desk.folder, publication.files)
    return Delivery(destination="files", delivered=True)
