"""Which audits are compared: merged changes of a repository, and whole trees."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

MAX_FILES = 100
"""Larger changes are left out: mass renames and imports of whole projects take minutes and show what smaller ones show."""


@dataclass(frozen=True, slots=True)
class Audit:
    """One audit: a repository at `head`, as a change from `base` or as a whole tree, by a rubric."""

    repository: Path
    head: str
    base: str | None
    rubric: str

    @property
    def name(self) -> str:
        """A name that no other audit of a run has, fit for a file."""
        owner = self.repository.parent.name if self.repository.name in {"repo", ".git"} else self.repository.name
        span = self.head[:12] if self.base is None else f"{self.base[:12]}..{self.head[:12]}"
        return f"{owner} {Path(self.rubric).stem} {span}"


def merged_changes(repository: Path, count: int, skip: int, rubric: str) -> list[Audit]:
    """The last `count` first-parent changes of up to 100 files, newest first, after the `skip` newest of them.

    A merge commit is the change from its first parent, and so is a squashed pull request: one commit on the main branch.
    """
    kept: list[Audit] = []
    for line in _git(repository, "rev-list", "--first-parent", "--parents", "HEAD").splitlines():
        head, *parents = line.split()
        if len(kept) == count + skip:
            break
        if parents and 0 < _touched(repository, parents[0], head) <= MAX_FILES:
            kept.append(Audit(repository, head, parents[0], rubric))
    return kept[skip:]


def whole_tree(repository: Path, rubric: str) -> Audit:
    """The tree at HEAD."""
    return Audit(repository, _git(repository, "rev-parse", "HEAD").strip(), None, rubric)


def message(audit: Audit) -> str:
    """What the author says of the change: the message of its last commit."""
    return _git(audit.repository, "log", "-1", "--format=%B", audit.head)


def _touched(repository: Path, base: str, head: str) -> int:
    return len(_git(repository, "diff", "--name-only", "--no-renames", base, head).splitlines())


def _git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", errors="replace")
