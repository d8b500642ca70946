"""`python -m tests.recorded_changes LOG REPOSITORY... [--changes N]`: the branches that audits of real repositories run.

Of each repository N changes of its main branch are audited, evenly spaced over the last 400, or the whole tree where N is 0.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from auditor import pipeline
from auditor.domain import Description, Subject
from auditor.forensics.engine import evidence_gathering
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.repo.repository_opening import open_repository
from tests.branch_recorder import BranchLog, BranchRecorder
from tests.in_process_children import in_process_children

_LAST = 400


def _git(repository: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(repository), *arguments], capture_output=True, check=True, encoding="utf-8", errors="replace"
    ).stdout


def changes(repository: Path, count: int) -> list[str]:
    """Commits of the main branch that have a parent, evenly spaced, the newest first."""
    commits = _git(repository, "rev-list", "--first-parent", "--min-parents=1", f"--max-count={_LAST}", "HEAD").split()
    return commits[:: max(1, len(commits) // count)][:count]


def gather(repository: Path, commit: str) -> int:
    """Ask every probe about a change with its message, or about the whole tree where no commit is named. How many facts came."""
    base, head = (f"{commit}^1", commit) if commit else (None, "HEAD")
    with open_repository(repository, base=base, head=head) as repo:
        subject = Subject(
            repository=repo.name,
            head=repo.head,
            base=repo.base,
            merge_base=repo.merge_base,
            scope=pipeline.scope_of(repo.merge_base, whole_tree=not commit),
            folder=repo.folder,
            unchanged=repo.unchanged,
        )
        title, _, body = _git(repository, "show", "-s", "--format=%B", head).partition("\n")
        options = evidence_gathering.Options(
            jobs=1, whole_tree=not commit, description=Description(title, body.strip()) if commit else None
        )
        return len(evidence_gathering.gather(repo, subject, discover_probes(), options).evidence)


def main(arguments: list[str]) -> int:
    """Record what the log does not hold yet."""
    parser = argparse.ArgumentParser(prog="python -m tests.recorded_changes", description=__doc__)
    parser.add_argument("log", type=Path, help="file of recordings, continued where it exists")
    parser.add_argument("repositories", type=Path, nargs="+", help="local repositories, bare or not")
    parser.add_argument("--changes", type=int, default=3, help="changes of each; 0 for the whole tree")
    asked = parser.parse_args(arguments)
    log, recorder = BranchLog(asked.log), BranchRecorder()
    for repository in asked.repositories:
        for commit in changes(repository, asked.changes) if asked.changes else [""]:
            name = f"{repository.name} {commit or 'whole tree'}"
            if name in log.names:
                continue
            began = time.monotonic()
            with in_process_children(), recorder.recording() as recording:
                facts = gather(repository, commit)
            log.add(name, recording, facts)
            sys.stdout.write(f"{name}: {facts} facts, {time.monotonic() - began:.0f} s\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
