"""Whether work was committed step by step."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pydantic import ConfigDict

from auditor.domain import Commit, Fact, History, ProbeData, Subject
from auditor.english_counts import pluralize
from auditor.forensics.history.commit_facts import (
    SECONDS_PER_HOUR,
    commit_location,
    history_confidence,
    no_commits_fact,
)
from auditor.forensics.probe_kit.fact_outcomes import found, not_applicable, not_found, unavailable
from auditor.forensics.probe_kit.probe_decorators import probe

BULK_SHARE = 0.8
"""Share of all file changes in one commit from which a history counts as a bulk upload."""
_FEW = 5
_MANY = 30
"""Commits from which a history has steps to show, whatever was imported in one of them."""


class Progression(ProbeData):
    """The shape of a history."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    commits: int
    span_hours: float
    largest_commit_share: float
    bulk: bool


@probe("history.progression")
def progression(history: History, subject: Subject) -> Iterator[Fact]:
    """Was the work committed step by step?

    Counts as a bulk upload: one commit with 80% of all file changes and, in a whole repository, fewer than five commits or all
    commits within an hour. A change with fewer than five commits is not checked.

    Split the largest commit into one commit per working step. If it is already merged or published, leave it and commit in steps from now on.
    """
    own, cut = _non_merge_commits(history)
    if not own:
        yield no_commits_fact(history)
        return
    sizes = [len(commit.files) for commit in own]
    share = max(sizes) / (sum(sizes) or 1)
    span = _span_hours(own)
    bulk = share >= BULK_SHARE and sum(sizes) > 10 and len(own) < _MANY
    if subject.merge_base and len(own) < _FEW:
        yield not_applicable(f"The change has {_commits_text(len(own))}, too few to show progress in steps.")
        return
    if cut and (bulk or len(own) < _FEW or span < 1):
        yield unavailable(f"Too little of the history is available to see steps: {history.limit_reason}.")
        return
    data = Progression(commits=len(own), span_hours=round(span, 1), largest_commit_share=round(share, 4), bulk=bulk)
    sure, why = history_confidence(history, 0.8)
    shape = _shape(len(own), span, share)
    tell = partial(not_found, because=why, data=data)
    if bulk:
        largest = own[sizes.index(max(sizes))]
        statement = f"{_whose(subject)} is a bulk upload, not gradual work: {shape}."
        yield tell(statement, at=[commit_location(largest)], confidence=sure, measure=round(1 - share, 4))
    elif len(own) < _FEW:
        largest = own[sizes.index(max(sizes))]
        yield tell(
            f"{_whose(subject)} is too short to show steps: {shape}.",
            at=[commit_location(largest)],
            confidence=min(sure, 0.6),
        )
    elif span < 1 and not subject.merge_base:
        ends = [commit_location(own[0]), commit_location(own[-1])]
        yield tell(f"All commits were made within an hour: {shape}.", at=ends, confidence=min(sure, 0.7))
    else:
        yield found(f"The work was committed in steps: {shape}.", confidence=sure, because=why, data=data)


def _whose(subject: Subject) -> str:
    return "The history of this change" if subject.merge_base else "The history of the repository"


def _shape(commits: int, span: float, share: float) -> str:
    if commits == 1:
        return "one commit"
    part = f"{share:.0%}" if share >= 0.005 else "less than 1%"
    return f"{_commits_text(commits)} over {_duration_text(span)}, the largest with {part} of all file changes"


def _non_merge_commits(history: History) -> tuple[list[Commit], bool]:
    """Commits that are no merges, without the oldest one of a truncated history, and whether it is truncated."""
    own = [commit for commit in history.commits if not commit.is_merge]
    later = [commit for commit in own if commit.parents]
    cut = not history.complete and len(later) < len(own)
    return (later, cut) if cut and later else (own, cut)


def _span_hours(commits: list[Commit]) -> float:
    times = [commit.author.time for commit in commits if commit.author.time is not None]
    return (max(times) - min(times)) / SECONDS_PER_HOUR if times else 0.0


def _commits_text(commits: int) -> str:
    return pluralize(commits, "commit")


def _duration_text(hours: float) -> str:
    if hours < 0.05:
        return "a few minutes"
    if hours < 1:
        return f"{hours * 60:.0f} minutes"
    return f"{hours / 24:,.0f} days" if hours >= 48 else f"{hours:.1f} hours"
