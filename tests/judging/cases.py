"""Changes to be judged, drawn by a rule from real repositories: fixes taken back, and other changes of the same sizes."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from auditor.forensics.source_text.file_roles import Role, role

FIX = re.compile(r"^\W*(?:\[[^\]]+\] ?|[\w/-]+: )?(?:fix(?:es|ed)?\b(?! #)|bug\s?fix\b)", re.IGNORECASE)
"""Subjects that call a commit a fix, after a mark or the name of a part. `Fixes #12: add ...` is often a feature."""
REFACTORING = re.compile(
    r"^\W*(?:[\w/-]+(?:\([^)]*\))?!?: ?)?(?:more |tiny )?(?:refactor|simplif|renam|clean|extract|tidy|reuse)",
    re.IGNORECASE,
)
"""Subjects that say that behaviour stays as it is."""
_NO_CODE = re.compile(r"\b(?:typo|docs?|documentation|comment|lint|format|test|ci|build|deps?|dependency|changelog|readme|spelling)\b", re.IGNORECASE)  # fmt: skip
_NO_OTHER = re.compile(r"\b(?:fix|bug|revert|release|bump|upgrade)|\U0001f41b", re.IGNORECASE)
_MAX_FILES = 30
_MAX_PRODUCT_LINES = 200
_NEWEST = 60
"""Commits among which merged changes are looked for."""
_SEED = "held out"
WHO = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "A"), ("EMAIL", "a@example.org"), ("DATE", "1700000000 +0000"))
}


class Kind(StrEnum):
    """What a change is. The first three bring what is known to be wrong."""

    FIX_TAKEN_BACK = "fix_taken_back"
    BUG_INTRODUCED = "bug_introduced"
    HOSTILE = "hostile"
    HARMLESS_TWIN = "harmless_twin"
    REFACTORING_TAKEN_BACK = "refactoring_taken_back"
    ORDINARY = "ordinary"

    @property
    def brings_bug(self) -> bool:
        """Does a known bug come with it?"""
        return self in {Kind.FIX_TAKEN_BACK, Kind.BUG_INTRODUCED, Kind.HOSTILE}

    @property
    def is_taken_back(self) -> bool:
        """Is it a commit undone, and not one as its author made it?"""
        return self in {Kind.FIX_TAKEN_BACK, Kind.REFACTORING_TAKEN_BACK}


@dataclass(frozen=True)
class Case:
    """One change to be judged. `base` and `head` are commits of the repository at `path`."""

    repository: str
    path: Path
    base: str
    head: str
    source: str
    """The commit that it was made of."""
    date: str
    """When that commit was made, as `2026-11-24`."""
    product_lines: int
    kind: Kind

    @property
    def name(self) -> str:
        """A name that does not tell the kind."""
        return f"{self.repository.rpartition('/')[2]}-{digest(self.source)[:10]}"

    @property
    def held_out(self) -> bool:
        """Does it belong to the half that nothing was tuned on?"""
        return int(digest(self.source)[:8], 16) % 2 == 1


@dataclass(frozen=True)
class Repository:
    """A repository to draw from. `path` is a bare clone in which commits may be made."""

    name: str
    path: Path
    commit: str


@dataclass(frozen=True)
class Commit:
    """A commit with one parent. Counted are the lines that it adds and removes."""

    sha: str
    date: str
    subject: str
    files: int
    product_lines: int
    changes_tests: bool

    @property
    def is_fix(self) -> bool:
        """Does it say that it repairs code, and does it change tests?"""
        return bool(FIX.search(self.subject)) and not _NO_CODE.search(self.subject) and self.changes_tests

    @property
    def is_other(self) -> bool:
        """Does it say nothing of a fix, and nothing of what is no code?"""
        return not _NO_OTHER.search(self.subject) and not _NO_CODE.search(self.subject)

    @property
    def is_judged(self) -> bool:
        """Is it of a size that can be judged?"""
        return 0 < self.product_lines <= _MAX_PRODUCT_LINES and self.files <= _MAX_FILES


def digest(source: str) -> str:
    """Decides the half of a case and its name, and tells nothing of its kind."""
    return hashlib.sha256(f"{_SEED}\0{source}".encode()).hexdigest()


def draw(repositories: Sequence[Repository], count: int) -> list[Case]:
    """So many fixes taken back, the newest of each repository in turn, each with another change of like size."""
    return in_turn([_pairs(each) for each in repositories], count)


def cases_of_merged_changes(repositories: Sequence[Repository], count: int) -> list[Case]:
    """The newest so many changes of each repository that can be judged, as they were merged."""
    return [
        as_case(repository, commit, Kind.ORDINARY)
        for repository in repositories
        for commit in itertools.islice((each for each in commits(repository, _NEWEST) if each.is_judged), count)
    ]


def in_turn(repositories: Sequence[Iterator[tuple[Case, Case]]], count: int) -> list[Case]:
    """The first so many pairs, one of each repository in turn."""
    pairs = (pair for row in itertools.zip_longest(*repositories) for pair in row if pair is not None)
    return [case for pair in itertools.islice(pairs, count) for case in pair]


def _pairs(repository: Repository) -> Iterator[tuple[Case, Case]]:
    """A fix with a change of the same repository that is none; every second of these is a refactoring taken back."""
    judged = [each for each in commits(repository) if each.is_judged]
    fixes = [each for each in judged if each.is_fix]
    rest = [each for each in judged if each.is_other]
    wants_refactoring = int(digest(repository.name)[:8], 16) % 2 == 0
    for fix in fixes:
        refactorings = [each for each in rest if REFACTORING.search(each.subject)]
        taken_back = wants_refactoring and bool(refactorings)
        other = of_like_size(fix, refactorings if taken_back else rest)
        if other is None:
            return
        rest.remove(other)
        wants_refactoring = not wants_refactoring
        kind = Kind.REFACTORING_TAKEN_BACK if taken_back else Kind.ORDINARY
        yield as_case(repository, fix, Kind.FIX_TAKEN_BACK), as_case(repository, other, kind)


def of_like_size(commit: Commit, others: Iterable[Commit]) -> Commit | None:
    """The newest with at least half and at most twice as many product lines, or else the nearest in size."""
    listed = list(others)
    near = (each for each in listed if commit.product_lines / 2 <= each.product_lines <= commit.product_lines * 2)
    return next(near, None) or min(
        listed, key=lambda each: abs(each.product_lines - commit.product_lines), default=None
    )


def as_case(repository: Repository, commit: Commit, kind: Kind) -> Case:
    """The commit as a case, undone on top of itself where the kind says so."""
    base, head = f"{commit.sha}~1", commit.sha
    if kind.is_taken_back:
        base, head = commit.sha, _taken_back(repository.path, commit.sha)
    return Case(
        repository.name, repository.path, base, head, commit.sha, commit.date, commit.product_lines, kind
    )  # fmt: skip


def commits(repository: Repository, most: int = 600) -> Iterator[Commit]:
    """The newest so many commits without merges, the newest first. The first of all has no parent and is left out."""
    arguments = ("--no-merges", f"--max-count={most}", "--format=%x00%H%x01%P%x01%cs%x01%s", "--numstat")
    printed = git(repository.path, "log", *arguments, repository.commit)
    for entry in printed.split("\0")[1:]:
        first, _, rest = entry.partition("\n")
        sha, parents, date, subject = first.split("\1", 3)
        rows = [row.split("\t") for row in rest.split("\n") if row.count("\t") == 2]
        roles = [(role(row[2]), 0 if row[0] == "-" else int(row[0]) + int(row[1])) for row in rows]
        if len(parents.split()) == 1:
            product = sum(lines for kind, lines in roles if kind is Role.PRODUCT)
            yield Commit(sha, date, subject, len(rows), product, any(kind is Role.TEST for kind, _ in roles))


def _taken_back(path: Path, sha: str) -> str:
    """A commit on top of another that has the tree of its parent."""
    return git(path, "commit-tree", f"{sha}~1^{{tree}}", "-p", sha, "-m", "Change", env=WHO).strip()


def git(path: Path, *arguments: str, env: dict[str, str] | None = None) -> str:
    """What git prints in a repository."""
    done = subprocess.run(
        ["git", "-C", str(path), *arguments], check=True, capture_output=True, env={**os.environ, **(env or {})}
    )
    return done.stdout.decode("utf-8", errors="replace")
