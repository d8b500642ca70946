"""The floors that stages are measured against, each a child process of its own: `python -m tests.bench.floors NAME ARGS`."""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Callable
from pathlib import Path


def parse(folder: str) -> None:
    """Read and `ast.parse` every file of a folder, one after the other, keeping nothing."""
    warnings.simplefilter("ignore")
    for path in sorted(Path(folder).rglob("*.py")):
        if not path.is_file():
            continue
        try:
            ast.parse(path.read_bytes())
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue


def gitpython_stats(repository: str, count: str) -> None:
    """What many tools do for history: `commit.stats` of each commit through GitPython's objects."""
    from git import Repo

    for commit in Repo(repository).iter_commits("HEAD", max_count=int(count)):
        _ = commit.stats.files


def gitpython_diff(repository: str, base: str, head: str) -> None:
    """The patch of a change through GitPython's diff objects."""
    from git import Repo

    for each in Repo(repository).commit(base).diff(head, create_patch=True, unified=0):
        _ = each.diff


def unidiff_hunks(patch: str) -> None:
    """Hunks of a patch by the unidiff library."""
    from unidiff import PatchSet  # type: ignore[attr-defined]

    for file in PatchSet(Path(patch).read_text(encoding="utf-8", errors="replace"), metadata_only=True):
        _ = list(file)


def pydriller(repository: str, count: str) -> None:
    """Files of each commit through PyDriller."""
    from pydriller import Repository  # type: ignore[import-not-found]  # only measured where it is installed

    for seen, commit in enumerate(Repository(repository, order="reverse").traverse_commits(), start=1):
        _ = [(file.filename, file.added_lines) for file in commit.modified_files]
        if seen >= int(count):
            return


FLOORS: dict[str, Callable[..., None]] = {
    "parse": parse,
    "gitpython_stats": gitpython_stats,
    "gitpython_diff": gitpython_diff,
    "unidiff_hunks": unidiff_hunks,
    "pydriller": pydriller,
}

if __name__ == "__main__":
    FLOORS[sys.argv[1]](*sys.argv[2:])
