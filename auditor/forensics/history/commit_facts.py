"""What is told of commits, whatever is asked of them: where they are, how many there are, and how sure their history is."""

from __future__ import annotations

from auditor.domain import Commit, CommitLocation, Fact, History, Location
from auditor.forensics.probe_kit.fact_outcomes import count_of, not_applicable, unavailable, verb

HOUR = 3600
_CLAIMS = "dates and authorship are what the author's machine wrote"


def no_commits(history: History) -> Fact:
    """Without commits the question does not apply, unless a limit kept them away."""
    if history.complete:
        return not_applicable("There is no commit to look at.")
    return unavailable(f"There is no commit to look at: {history.limit_reason}.")


def of_commits(part: int, whole: int, one: str, many: str) -> str:
    """`2 of 7 commits` and what they do, or `The only commit` and what it does."""
    which = "The only commit" if whole == 1 else count_of(part, whole, "commit")
    return f"{which} {verb(part, one, many)}."


def sureness(history: History, confidence: float) -> tuple[float, str]:
    """How sure an answer is that is told by commits, and why it is not certain."""
    if history.complete:
        return confidence, _CLAIMS
    return round(confidence * 0.75, 2), f"{_CLAIMS}; {history.limit_reason}"


def place_of(commit: Commit) -> Location:
    """Where it stands: the commit itself."""
    return CommitLocation(sha=commit.sha)
