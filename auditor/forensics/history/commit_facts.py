"""Facts about commits for all rules: where they are, how many there are, and how sure their history is."""

from __future__ import annotations

from auditor.domain import Commit, CommitLocation, Fact, History, Location
from auditor.english_counts import by_count, count_of
from auditor.forensics.probe_kit.fact_outcomes import not_applicable, unavailable

SECONDS_PER_HOUR = 3600
_UNVERIFIED_REASON = "dates and authors are set by the author's machine"


def no_commits_fact(history: History) -> Fact:
    """The fact for a history without commits: not applicable, or unavailable because a limit hides them."""
    if history.complete:
        return not_applicable("There is no commit to check.")
    return unavailable(f"There is no commit to check: {history.limit_reason}.")


def describe_share(count: int, total: int, singular: str, plural: str) -> str:
    """`2 of 7 commits` and what they do, or `The only commit` and what it does."""
    which = "The only commit" if total == 1 else count_of(count, total, "commit")
    return f"{which} {by_count(count, singular, plural)}."


def history_confidence(history: History, confidence: float) -> tuple[float, str]:
    """The confidence of an answer that is based on commits, and why it is not certain."""
    if history.complete:
        return confidence, _UNVERIFIED_REASON
    return round(confidence * 0.75, 2), f"{_UNVERIFIED_REASON}; {history.limit_reason}"


def commit_location(commit: Commit) -> Location:
    """The location of a commit."""
    return CommitLocation(sha=commit.sha)
