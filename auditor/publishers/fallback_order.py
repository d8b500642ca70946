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
from auditor.github import GitHub, GitHubError
from auditor.publishers import (
    bot_login,
    check_run_publisher,
    comment_publisher,
    job_summary_publisher,
    report_file_publisher,
    workflow_command_publisher,
)
from auditor.publishers.head_freshness import PublicationSubject

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
class PublishContext:
    """Where a verdict can be published. `run` is the check run that was begun, or why there is none."""

    about: PublicationSubject
    stdout: IO[str]
    github: GitHub | None = None
    run: CheckRun | GitHubError | None = None
    step_summary: Path | None = None
    workspace: Path | None = None
    folder: str = "auditor-report"


def publish(publication: Publication, context: PublishContext) -> tuple[Delivery, ...]:
    """Leave the verdict in every place that takes it; one Delivery for each that was wanted. Raises nothing."""
    check = _attempt("check", lambda: _publish_check(publication, context))
    posted = _attempt("comment", lambda: _publish_comment(publication, context))
    superseded = any(each is not None and each.superseded for each in (check, posted))
    shown_on_lines = superseded or (check is not None and check.delivered and not check.reason)
    deliveries = (
        check,
        posted,
        None if shown_on_lines else _attempt("annotations", lambda: _publish_commands(publication, context)),
        _attempt("summary", lambda: _publish_summary(publication, context)),
        _attempt("files", lambda: _publish_files(publication, context)),
    )
    return tuple(each for each in deliveries if each is not None)


def _attempt(destination: str, deliver: Callable[[], Delivery | None]) -> Delivery | None:
    try:
        return deliver()
    except GitHubError as trouble:
        return Delivery(destination=destination, delivered=False, reason=trouble.sentence)
    except OSError as error:
        reason = f"It cannot be written ({error.strerror or type(error).__name__})."
        return Delivery(destination=destination, delivered=False, reason=reason)
    except Exception as error:  # noqa: BLE001 - one publisher's bug must not cost the verdict
        reason = f"A bug of this tool kept it from being written ({type(error).__name__})."
        return Delivery(destination=destination, delivered=False, reason=reason)


def _publish_check(publication: Publication, context: PublishContext) -> Delivery | None:
    if publication.conclusion is None or context.run is None or context.github is None:
        return None
    if isinstance(context.run, GitHubError):
        raise context.run
    github = context.github.within(CHECK_SECONDS)
    try:
        done = check_run_publisher.conclude(
            github, context.about, context.run, publication.conclusion, publication.check
        )
    except check_run_publisher.SubjectOutdated:
        return _outdated_delivery("check", context.run.url)
    return Delivery(destination="check", delivered=True, url=done.run.url, reason=done.reason)


def _publish_comment(publication: Publication, context: PublishContext) -> Delivery | None:
    if publication.comment is None or context.github is None or context.about.pull_request is None:
        return None
    github = context.github.within(COMMENT_SECONDS)
    run = context.run if isinstance(context.run, CheckRun) else None
    posted = comment_publisher.post(github, context.about, publication.comment, bot_login.login(github, run))
    if posted is None:
        return _outdated_delivery("comment", None)
    reason = f"{posted.left} older copies of the comment could not be taken away." if posted.left else ""
    return Delivery(destination="comment", delivered=True, url=posted.comment.url, reason=reason)


def _outdated_delivery(destination: str, url: str | None) -> Delivery:
    reason = "The pull request has a newer head or another base by now, and the run on that decides."
    return Delivery(destination=destination, delivered=False, url=url, reason=reason, superseded=True)


def _publish_commands(publication: Publication, context: PublishContext) -> Delivery | None:
    if not publication.check.annotations:
        return None
    left = workflow_command_publisher.write(context.stdout, publication.check.annotations)
    reason = f"{left} more annotations are in the reports: a step shows ten a level." if left else ""
    return Delivery(destination="annotations", delivered=True, reason=reason)


def _publish_summary(publication: Publication, context: PublishContext) -> Delivery | None:
    if not publication.summary:
        return None
    if context.step_summary is None:
        return Delivery(destination="summary", delivered=False, reason="GITHUB_STEP_SUMMARY is not set.")
    try:
        job_summary_publisher.write(context.step_summary, publication.summary)
    except job_summary_publisher.TooLong:
        return Delivery(destination="summary", delivered=False, reason="It is larger than GitHub takes (1 MiB a step).")
    return Delivery(destination="summary", delivered=True)


def _publish_files(publication: Publication, context: PublishContext) -> Delivery | None:
    if not publication.files or context.workspace is None:
        return None
    report_file_publisher.write(context.workspace, context.folder, publication.files)
    return Delivery(destination="files", delivered=True)
