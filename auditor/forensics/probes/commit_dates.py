"""Whether the dates of commits are consistent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from pydantic import ConfigDict

from auditor.domain import Commit, Fact, Frozen, History, ProbeData
from auditor.forensics.history.commit_facts import (
    SECONDS_PER_HOUR,
    commit_location,
    describe_share,
    history_confidence,
    no_commits_fact,
)
from auditor.forensics.probe_kit.fact_outcomes import found, not_found
from auditor.forensics.probe_kit.probe_decorators import probe

DAY = 24 * SECONDS_PER_HOUR


class DatedCommit(Frozen):
    """A commit and what is odd about its dates."""

    sha: str
    what: str


class Dates(ProbeData):
    """All commits with odd dates."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    commits: tuple[DatedCommit, ...]


_ODDITIES = {
    "unreadable": ("has an invalid date", "have an invalid date", 0.95, "broken tools write invalid dates"),
    "future": ("has an author date more than an hour after its commit date", "have an author date more than an hour after the commit date", 0.85, "a wrong clock has the same effect"),
    "ahead": ("has a date two days or more after this audit ({day})", "have a date two days or more after this audit ({day})", 0.9, "the clock of this machine may be wrong"),
    "before_parent": ("has a commit date more than an hour before its parent", "have a commit date more than an hour before their parents", 0.8, "a wrong clock has the same effect"),
    "before_base": ("has a commit date more than an hour before the base commit", "have a commit date more than an hour before the base commit", 0.7, "a wrong clock or a rebase that keeps dates has the same effect"),
}  # fmt: skip
_COMMON_ODDITIES = {
    "mismatch": "with a different committer",
    "author_before_parent": "written more than a day before the parent",
}
"""Oddities that everyday work leaves behind: they are reported, and prove nothing."""


@probe("history.dates")
def dates(history: History) -> Iterator[Fact]:
    """Are commit dates inconsistent?

    Counts: a date two days or more after the audit (in UTC), an author date more than an hour after the commit date, and a commit
    date more than an hour before that of a parent or the base commit. Does not count: differences that a rebase or merge leaves,
    which are only mentioned.

    Correct the clock of the machine that commits. If dates were rewritten, say so in the description.
    """
    if not history.commits:
        yield no_commits_fact(history)
        return
    by_sha = {commit.sha: commit for commit in history.commits}
    odd: dict[str, list[Commit]] = {}
    for commit in history.commits:
        for what in _oddities(commit, by_sha, history):
            odd.setdefault(what, []).append(commit)
    serious = {what: commits for what, commits in odd.items() if what not in _COMMON_ODDITIES}
    if not serious:
        yield not_found(
            f"Commit dates are consistent{_common_oddities_text(odd)}.",
            data=Dates(
                commits=tuple(
                    DatedCommit(sha=each.sha, what=what) for what in _COMMON_ODDITIES for each in odd.get(what, ())
                )
            ),
            confidence=history_confidence(history, 0.9)[0],
            because=history_confidence(history, 0.9)[1],
        )
        return
    for what, commits in serious.items():
        one, many, confidence, because = _ODDITIES[what]
        day = _day(history.read_at)
        yield found(
            describe_share(len(commits), len(history.commits), one.format(day=day), many.format(day=day)),
            at=[commit_location(commit) for commit in commits[:20]],
            confidence=confidence,
            because=because,
            measure=round(len(commits) / len(history.commits), 4),
            data=Dates(commits=tuple(DatedCommit(sha=commit.sha, what=what) for commit in commits)),
        )


def _common_oddities_text(odd: dict[str, list[Commit]]) -> str:
    """A sentence about common oddities, which do not count."""
    told = [f"{len(odd[what]):,} {sentence}" for what, sentence in _COMMON_ODDITIES.items() if what in odd]
    return f" ({', '.join(told)}, as usual after a merge or rebase)" if told else ""


def _oddities(commit: Commit, by_sha: dict[str, Commit], history: History) -> Iterator[str]:
    now, start = history.read_at, history.start
    authored, committed = commit.author.time, commit.committer.time
    if authored is None or committed is None:
        yield "unreadable"
        return
    if authored > committed + SECONDS_PER_HOUR:
        yield "future"
    if now is not None and max(authored, committed) >= (now // DAY + 2) * DAY:
        yield "ahead"  # by days, so that audits of one day say the same
    parents = [by_sha[parent].committer.time for parent in commit.parents if parent in by_sha]
    if any(time is not None and committed < time - SECONDS_PER_HOUR for time in parents):
        yield "before_parent"
    elif (
        start is not None and start.sha in commit.parents and committed < (start.committer.time or 0) - SECONDS_PER_HOUR
    ):
        yield "before_base"
    written = [by_sha[parent].author.time for parent in commit.parents if parent in by_sha]
    if any(time is not None and authored < time - DAY for time in written):
        yield "author_before_parent"
    if commit.author.email != commit.committer.email:
        yield "mismatch"


def _day(moment: int | None) -> str:
    """A day of the calendar, in UTC."""
    return datetime.fromtimestamp(moment or 0, UTC).date().isoformat()
