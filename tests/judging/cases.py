"""Cases drawn by a rule from real repositories: fixes taken back, and other changes of the same sizes."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from auditor.forensics.source_text.file_roles import Role, role

FIX = re.compile(r"^(?:\[[^\]]+\] ?)?(?:fix(?:es|ed)?\b|bug\s?fix\b|fix\([^)]*\)!?:)", re.IGNORECASE)
"""Subjects that call a commit a fix."""
_NO_CODE_FIX = re.compile(r"\b(?:typo|docs?|documentation|comment|lint|format|test|ci|build|deps?|dependency|changelog|readme|spelling)\b", re.IGNORECASE)  # fmt: skip
_MAX_FILES = 30
_MAX_PRODUCT_LINES = 200
_WHO = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "A"), ("EMAIL", "a@example.org"), ("DATE", "1700000000 +0000"))
}


@dataclass(frozen=True)
class Case:
    """One change to be judged. `base` and `head` are commits of the repository at `path`."""

    path: Path
    base: str
    head: str
    source: str
    """The commit that it was made of."""
    brings_bug: bool

    @property
    def name(self) -> str:
        """A name that does not tell the kind."""
        return f"{self.path.stem.rpartition('+')[2]}-{self.head[:10]}"


@dataclass(frozen=True)
class _Commit:
    sha: str
    subject: str
    files: int
    product_lines: int


def fixes_taken_back(path: Path, count: int, skip: int = 0) -> list[Case]:
    """The last fixes of product code, each taken back as a whole on top of itself, tests and changelog included."""
    fixes = (each for each in _commits(path) if FIX.search(each.subject) and not _NO_CODE_FIX.search(each.subject))
    found = [each for each in fixes if 0 < each.product_lines <= _MAX_PRODUCT_LINES and each.files <= _MAX_FILES]
    return [
        Case(path, each.sha, _taken_back(path, each.sha), each.sha, brings_bug=True)
        for each in found[skip : skip + count]
    ]


def other_changes(path: Path, count: int, skip: int = 0) -> list[Case]:
    """The last changes of product code that no subject calls a fix, as they were made."""
    others = (each for each in _commits(path) if not re.search(r"\b(?:fix|bug|revert)", each.subject, re.IGNORECASE))
    found = [each for each in others if 0 < each.product_lines <= _MAX_PRODUCT_LINES and each.files <= _MAX_FILES]
    return [Case(path, f"{each.sha}~1", each.sha, each.sha, brings_bug=False) for each in found[skip : skip + count]]


def scratch_clone(repository: Path, folder: Path) -> Path:
    """A bare clone that shares objects, so that commits can be made without touching the repository."""
    name = repository.parent.name if repository.name in {"repo", ".git"} else repository.name
    made = folder / f"{name}.git"
    if not made.exists():
        subprocess.run(["git", "clone", "-q", "--bare", "--shared", str(repository), str(made)], check=True)
    return made


def _commits(path: Path, most: int = 600) -> Iterator[_Commit]:
    printed = git(path, "log", "--no-merges", f"--max-count={most}", "--format=%x00%H%x01%s", "--numstat", "HEAD")
    for entry in printed.split("\0")[1:]:
        head, _, rest = entry.partition("\n")
        sha, _, subject = head.partition("\1")
        rows = [row.split("\t") for row in rest.split("\n") if row.count("\t") == 2]
        product = sum(int(row[0]) + int(row[1]) for row in rows if row[0] != "-" and role(row[2]) is Role.PRODUCT)
        if git(path, "rev-list", "--parents", "-n", "1", sha).count(" ") == 1:
            yield _Commit(sha, subject, len(rows), product)


def _taken_back(path: Path, sha: str) -> str:
    """A commit on top of another that has the tree of its parent."""
    return git(path, "commit-tree", f"{sha}~1^{{tree}}", "-p", sha, "-m", "Change", env=_WHO).strip()


def git(path: Path, *arguments: str, env: dict[str, str] | None = None) -> str:
    """What git prints in a repository."""
    done = subprocess.run(
        ["git", "-C", str(path), *arguments], check=True, capture_output=True, env={**os.environ, **(env or {})}
    )
    return done.stdout.decode("utf-8", errors="replace")
