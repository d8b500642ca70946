"""The public repositories that cases are drawn from, and scratch clones of them in which commits can be made."""

from __future__ import annotations

import subprocess
from pathlib import Path

import yaml

from tests.judging.cases import Repository

OF_BUGS = Path(__file__).with_suffix(".yaml")
OF_MERGED_CHANGES = OF_BUGS.with_name("merged_repositories.yaml")


def listed(clones: Path, scratch: Path, rows_in: Path = OF_BUGS) -> list[Repository]:
    """Every repository of the list. What is missing in the folder `clones` is fetched; nothing there is changed."""
    rows = yaml.safe_load(rows_in.read_text(encoding="utf-8"))
    return [
        Repository(row["name"], _scratch_clone(_clone(row["name"], clones), scratch), row["commit"]) for row in rows
    ]


def _clone(name: str, clones: Path) -> Path:
    """The clone `OWNER+NAME.git` of a repository, made if there is none."""
    path = clones / f"{name.replace('/', '+')}.git"
    if not path.exists():
        clones.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "clone", "-q", "--bare", f"https://github.com/{name}", str(path)], check=True)
    return path


def _scratch_clone(clone: Path, scratch: Path) -> Path:
    """A bare clone that shares objects."""
    made = scratch / clone.name
    if not made.exists():
        subprocess.run(["git", "clone", "-q", "--bare", "--shared", str(clone), str(made)], check=True)
    return made
