"""Whether commit messages are informative."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from auditor.domain import Commit, Fact, History
from auditor.english_counts import by_count, each_of, part_of
from auditor.forensics.history.commit_facts import commit_location, history_confidence, no_commits_fact
from auditor.forensics.history.meaningless_messages import is_uninformative
from auditor.forensics.probe_kit.fact_outcomes import found, list_names, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.lazy_regex import lazy_compile

_TRAILER = lazy_compile(
    r"^(?:git-svn-id|change-id|signed-off-by|co-authored-by|reviewed-by|[a-z-]+-by):", re.IGNORECASE
)


@probe("history.messages")
def messages(history: History) -> Iterator[Fact]:
    """Are commit messages uninformative?

    Counts: an empty message, and one of nothing but stock words (`wip`, `fix`, `update`). Does not count: a short message that names a
    thing, and a message whose body explains the change.

    Reword the message (`git commit --amend` for the last commit, `git rebase -i` for others): it should say what changes and why.
    """
    own = [commit for commit in history.commits if not commit.is_merge]
    if not own:
        yield no_commits_fact(history)
        return
    empty = [commit for commit in own if is_uninformative(commit.subject) and not _explains(commit.message)]
    sure, why = history_confidence(history, 1.0)
    if not empty:
        yield not_found(f"{each_of(len(own), 'commit message')} is informative.", confidence=sure, because=why)
        return
    yield found(
        _uninformative_text(empty, len(own)),
        at=[commit_location(commit) for commit in empty[:20]],
        confidence=sure,
        because=why,
        measure=round(len(empty) / len(own), 4),
    )


def _explains(message: str) -> bool:
    """Does the rest of a message say what its first line does not? Lines that tools add are no words of the author."""
    rest = [line.strip() for line in message.strip().split("\n")[1:]]
    return len(" ".join(line for line in rest if line and not _TRAILER.match(line))) >= 20


def _uninformative_text(empty: Sequence[Commit], whole: int) -> str:
    """How many messages are uninformative, and which."""
    say = by_count(len(empty), "says", "say")
    subjects = dict.fromkeys(each.subject.strip()[:_MAX_SUBJECT] or _NO_SUBJECT for each in empty)
    return f"{part_of(len(empty), whole, 'commit message')} {say} nothing about the change: {list_names(subjects)}."


_MAX_SUBJECT = 40
_NO_SUBJECT = "(empty)"
