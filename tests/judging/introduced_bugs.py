"""Changes that brought a bug as their authors made them, each with another change of like size from the same time.

A change brought a bug if it is the one that last touched most of the lines that a later fix with tests removes. That is
the usual guess (SZZ, after Sliwerski, Zimmermann and Zeller, 2005), and it is wrong for part of them. Fixes that only add
lines name nobody. Unlike a fix taken back, such a change has the tests, the message and the date of its author.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from auditor.forensics.source_text.file_roles import Role, role
from tests.judging.cases import Case, Commit, Kind, Repository, as_case, commits, git, in_turn, of_like_size

_HISTORY = 2_500
"""Commits that are searched for fixes and for what they fix."""
_NEAR = 80
"""Commits before and after, among which another one is of the same time."""
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? ", re.MULTILINE)
_BLAMED = re.compile(r"([0-9a-f]{40}) \d+ \d+")


def draw_introduced(repositories: Sequence[Repository], count: int) -> list[Case]:
    """So many changes that brought a bug, of each repository in turn, each with another change of like size."""
    return in_turn([_pairs(each) for each in repositories], count)


def _pairs(repository: Repository) -> Iterator[tuple[Case, Case]]:
    history = list(commits(repository, _HISTORY))
    places = {each.sha: place for place, each in enumerate(history)}
    used: set[str] = set()
    for fix in history:
        place = places.get(introducing(repository.path, fix.sha) or "") if fix.is_judged and fix.is_fix else None
        if place is None or not _is_usable(history[place], used):
            continue
        bug = history[place]
        used.add(bug.sha)
        near = history[max(0, place - _NEAR) : place + _NEAR]
        other = of_like_size(bug, [each for each in near if _is_usable(each, used)])
        if other is not None:
            used.add(other.sha)
            yield as_case(repository, bug, Kind.BUG_INTRODUCED), as_case(repository, other, Kind.ORDINARY)


def _is_usable(commit: Commit, used: set[str]) -> bool:
    return commit.is_judged and commit.is_other and commit.sha not in used


def introducing(path: Path, fix: str) -> str | None:
    """The commit that last touched most lines of product code that a fix removes or changes; None if it only adds lines."""
    base = f"{fix}~1"
    names = git(path, "diff", "--name-only", "--diff-filter=M", "--no-renames", "-z", base, fix).split("\0")
    votes: Counter[str] = Counter()
    for name in names:
        if name and role(name) is Role.PRODUCT:
            votes.update(_last_touched(path, base, fix, name))
    return votes.most_common(1)[0][0] if votes else None


def _last_touched(path: Path, base: str, fix: str, name: str) -> Iterator[str]:
    """The commit of each line of a file that the fix removes; blank lines are left out."""
    hunks = _HUNK.findall(git(path, "diff", "-U0", "-w", base, fix, "--", name))
    ranges = [f"-L{start},+{count or 1}" for start, count in hunks if count != "0"]
    if not ranges:
        return
    commit = ""
    for line in git(path, "blame", "-w", "--line-porcelain", *ranges, base, "--", name).split("\n"):
        blamed = _BLAMED.match(line)
        if blamed:
            commit = blamed[1]
        elif line.startswith("\t") and line.strip():
            yield commit
