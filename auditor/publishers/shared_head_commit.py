"""Two pull requests with one head commit share its checks: none of them shows green while another one is red.

GitHub counts checks by commit and name. Without this, a pull request against a lenient base would make the same
commit pass for another one against a strict base.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from auditor.domain import CheckConclusion, CheckOutput, CheckRun
from auditor.domain.published_texts import TOOL_ID
from auditor.github import ErrorKind, GitHub, GitHubError
from auditor.publishers.head_freshness import PublicationSubject

PASSING = frozenset({CheckConclusion.SUCCESS, CheckConclusion.NEUTRAL, CheckConclusion.SKIPPED})
"""Conclusions with which a required check lets a pull request through."""
_BLOCKING = frozenset({CheckConclusion.FAILURE, CheckConclusion.ACTION_REQUIRED, CheckConclusion.TIMED_OUT})
HELD_BACK_CONCLUSION = CheckConclusion.ACTION_REQUIRED
_HELD_BACK_TITLE = "Held back by pull request "
"""How the title of a run begins that blocks only because of another pull request."""
_EXTERNAL_ID = re.compile(rf"{TOOL_ID}/[a-z][a-z0-9-]*/([0-9]{{1,11}})")
_MAX_RUNS = 20
"""Runs that are looked at, newest first."""
_MAX_SUMMARY_BYTES = 65_000
"""Bytes of a summary: GitHub takes 65,535."""


def blocking_pull_request(github: GitHub, about: PublicationSubject, runs: Iterable[CheckRun]) -> int | None:
    """The open pull request for whose sake a verdict that passes must not be shown as passed, if there is one.

    `runs` are those of our app with the same commit and name; one that is held back itself holds nobody.
    """
    for number, run in _other_runs(about, runs):
        red = run.conclusion in _BLOCKING and not run.title.startswith(_HELD_BACK_TITLE)
        if red and _has_same_head(github, number, about):
            return number
    return None


def hold_back_others(github: GitHub, about: PublicationSubject, runs: Iterable[CheckRun]) -> None:
    """After a verdict that does not pass: let no other open pull request of the same commit be shown as passed."""
    for number, run in _other_runs(about, runs):
        if run.conclusion in PASSING and _has_same_head(github, number, about) and about.pull_request is not None:
            shown = CheckOutput(title=run.title, summary=run.summary, text=run.text)
            github.update_check_run(
                run.id, conclusion=HELD_BACK_CONCLUSION, output=held_back_output(shown, about.pull_request)
            )


def _other_runs(about: PublicationSubject, runs: Iterable[CheckRun]) -> Iterator[tuple[int, CheckRun]]:
    """The runs about other pull requests, by whatever rubric their base has, each with the pull request's number."""
    if about.pull_request is None:
        return
    for run in list(runs)[:_MAX_RUNS]:
        known = _EXTERNAL_ID.fullmatch(run.external_id)
        if known and int(known[1]) != about.pull_request:
            yield int(known[1]), run


def _has_same_head(github: GitHub, number: int, about: PublicationSubject) -> bool:
    """Is it open with the same head? Where the token may not look, it is taken to be."""
    try:
        pull = github.pull_request(number)
    except GitHubError as trouble:
        if trouble.kind in (ErrorKind.NOT_FOUND, ErrorKind.DENIED):
            return trouble.kind is ErrorKind.DENIED
        raise
    return pull.open and pull.head_sha == about.sha


def held_back_output(output: CheckOutput, number: int) -> CheckOutput:
    """The output with the reason before it."""
    why = (
        f"Pull request #{number} has the same head commit and did not pass, and GitHub shows one check for both. "
        f"Run this one again when #{number} has passed or is closed."
    )
    summary = f"{why}\n\n{output.summary}"
    return output.model_copy(
        update={
            "title": f"{_HELD_BACK_TITLE}#{number}",
            "summary": summary if len(summary.encode()) <= _MAX_SUMMARY_BYTES else why,
        }
    )
