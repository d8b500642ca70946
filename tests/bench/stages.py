"""What is measured of ours, each a child process of its own: `python -m tests.bench.stages NAME ARGS`. Prints JSON."""

from __future__ import annotations

import functools
import gc
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from auditor.__main__ import exit_process


def gather(repository: str, base: str, cache: str, jobs: str, *left_out: str) -> dict[str, object]:
    """All evidence of the pull-request rubric but the answers of the probes that are left out.

    As the command does, it loads no probe before the repository is open.
    """
    from auditor import rubric_loader
    from auditor.domain import Subject
    from auditor.forensics.engine import evidence_gathering
    from auditor.pipeline import scope_of
    from auditor.repo.repository_opening import open_repository

    options = evidence_gathering.Options(jobs=int(jobs), cache=Path(cache) if cache else None)
    with open_repository(repository, base=base or None) as repo:
        subject = Subject(
            repository=repo.name,
            head=repo.head,
            base=repo.base,
            merge_base=repo.merge_base,
            scope=scope_of(repo.merge_base, whole_tree=False),
        )
        probes = rubric_loader.built_in("pull-request").probes() - set(left_out)
        gathered = evidence_gathering.gather(repo, subject, probes, options)
        return {
            "evidence": len(gathered.evidence),
            "files": len(gathered.coverage.files),
            "git_processes": repo.git_processes,
            "loaded": sorted({"anthropic", "github", "pypdf"} & set(sys.modules)),
        }


def history(repository: str, base: str) -> dict[str, object]:
    """The commits since a base, typed."""
    from auditor.repo.repository_opening import open_repository

    with open_repository(repository, base=base) as repo:
        started = time.perf_counter()
        found = repo.log()
        return {"seconds": time.perf_counter() - started, "commits": len(found.commits)}


def changes(repository: str, base: str) -> dict[str, object]:
    """The change since a base, as typed hunks."""
    from auditor.repo.repository_opening import open_repository

    with open_repository(repository, base=base) as repo:
        started = time.perf_counter()
        found = repo.changes()
        return {
            "seconds": time.perf_counter() - started,
            "files": len(found),
            "hunks": sum(len(each.hunks) for each in found),
        }


def fetch(repository: str, base: str) -> dict[str, object]:
    """A remote repository over file://, to exact merge base and all blobs of the change."""
    from auditor.repo.repository_opening import open_repository

    with open_repository(f"file://{Path(repository).resolve()}", base=base) as repo:
        found = repo.changes()
        stored = sum(each.stat().st_size for each in repo._git.git_dir.rglob("*") if each.is_file())
        return {"files": len(found), "git_processes": repo.git_processes, "bytes": stored}


def shares(repository: str, *arguments: str) -> dict[str, object]:
    """Seconds of each question about an agent system, and of what following the code costs once for all of them.

    Probes are timed in a whole audit; questions that are answered in the child process are asked again here.
    """
    from auditor.cli import run
    from auditor.forensics.agent_systems import analysis_entry_point
    from auditor.forensics.agent_systems.analyzed_file import Source
    from auditor.forensics.agent_systems.main_graph_analysis import study_program
    from auditor.forensics.agent_systems.whole_program import parse_program
    from auditor.forensics.engine import probe_discovery
    from auditor.forensics.probe_kit import probe_decorators

    seconds: dict[str, float] = {}
    for name, each in probe_discovery.discover_probes().items():
        if isinstance(each, probe_decorators.SubjectProbe):
            object.__setattr__(each, "ask", _timed(each.ask, name, seconds))
    code = run(list(arguments))
    if code not in {0, 1, 4}:
        raise RuntimeError(f"the audit ended with {code}")
    sys.setrecursionlimit(6_000)
    started = time.perf_counter()
    root = Path(repository)
    sources = [
        Source(str(each.relative_to(root)), each.read_text(encoding="utf-8")) for each in sorted(root.rglob("*.py"))
    ]
    seen = study_program(parse_program(sources))
    followed = time.perf_counter() - started
    for topic in analysis_entry_point.TOPICS:
        started = time.perf_counter()
        answered = topic(seen)
        name = "/".join(sorted(answered)[:1]) + " and what belongs to it"
        seconds[name] = time.perf_counter() - started
    return {**seconds, "following the code": followed}


def _timed(ask: Callable[..., Iterator[Any]], name: str, seconds: dict[str, float]) -> Callable[..., Iterator[Any]]:
    @functools.wraps(ask)
    def timed(*args: Any, **named: Any) -> Iterator[Any]:
        started = time.perf_counter()
        yield from ask(*args, **named)
        seconds[name] = seconds.get(name, 0.0) + time.perf_counter() - started

    return timed


STAGES: dict[str, Callable[..., dict[str, object]]] = {
    "gather": gather,
    "history": history,
    "changes": changes,
    "fetch": fetch,
    "shares": shares,
}

if __name__ == "__main__":
    gc.disable()  # as the command does, and as it leaves
    print(json.dumps(STAGES[sys.argv[1]](*sys.argv[2:])))  # noqa: T201 - its only way to answer
    exit_process(0)
