"""Two pull requests with one head commit share its checks: none of them shows green while another one is red.

GitHub counts checks by commit and name. Without this, a pull request against a lenient base would make the same
commit pass for another one against a strict base.
"""

from __future__ import annotations

from collections.abc import Iterable

from auditor.domain import CheckConclusion, CheckOutput, CheckRun
from auditor.domain.publication import TOOL
from auditor.github import GitHub
from auditor.publishers.about import About

PASSING = frozenset({CheckConclusion.SUCCESS, CheckConclusion.NEUTRAL, CheckConclusion.SKIPPED})
"""Conclusions with which a required check lets a pull request through."""
_RED = frozenset({CheckConclusion.FAILURE, CheckConclusion.ACTION_REQUIRED, CheckConclusion.TIMED_OUT})
_HELD = "Held back by pull request "
"""How the title of a run begins that is red for another's sake only."""
_MOST = 5
"""Pull requests with the same head that are looked at."""
_LONGEST = 65_000
"""Bytes of a summary: GitHub takes 65,535."""


def held_back(
    github: GitHub, about: About, runs: Iterable[CheckRun], conclusion: CheckConclusion, output: CheckOutput
) -> tuple[CheckConclusion, CheckOutput]:
    """What is to be shown, given what `runs`, those of the same commit and name, have come to.

    A verdict that passes is held back by an open one that does not; one that does not pass holds back those that do.
    """
    if about.pull_request is None:
        return conclusion, output
    passing = conclusion in PASSING
    counts = _RED if passing else PASSING
    for other in list(runs)[:_MOST]:
        number = _another(other, about)
        if number is None or other.conclusion not in counts or (passing and other.title.startswith(_HELD)):
            continue
        pull = github.pull_request(number)
        if not pull.open or pull.head_sha != about.sha:
            continue
        if passing:
            return CheckConclusion.ACTION_REQUIRED, _held(output, number)
        shown = CheckOutput(title=other.title, summary=other.summary, text=other.text)
        github.update_check_run(
            other.id, conclusion=CheckConclusion.ACTION_REQUIRED, output=_held(shown, about.pull_request)
        )
    return conclusion, output


def _another(run: CheckRun, about: About) -> int | None:
    """The other pull request that a check run of ours is about; none when it is about this one, or not ours."""
    tool, _, number = run.external_id.rpartition("/")
    known = tool == f"{TOOL}/{about.rubric}" and number.isascii() and number.isdigit() and len(number) < 12
    return int(number) if known and int(number) != about.pull_request else None


def _held(output: CheckOutput, number: int) -> CheckOutput:
    """The output with the reason before it."""
    why = (
        f"Pull request #{number} has the same head commit and did not pass, and GitHub shows one check for both. "
        f"Run this one again when #{number} has passed or is closed."
    )
    summary = f"{why}\n\n{output.summary}"
    return output.model_copy(
        update={
            "title": f"{_HELD}#{number}",
            "summary": summary if len(summary.encode()) <= _LONGEST else why,
        }
    )
