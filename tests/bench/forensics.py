"""The forensic stages against floors and peers measured in the same run."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_invocation import input_kinds
from auditor.forensics.secrets.secret_places import CommittedSecrets
from tests.bench import agents, depth
from tests.bench.ground import Ground, git, prepare
from tests.bench.measuring import Case, Weight, medians

PYTHON = sys.executable
_FEW_FILES = 30
_MANY_FILES = 100
_COMMITS = 1000
_STATS_COMMITS = 100
"""Commits that the slow peers are given; their times are scaled to the floor over the same commits."""
_PEERS: dict[str, tuple[tuple[str, ...], float]] = {
    "bandit": (("bandit", "-r", "-q", "-f", "json", "--exit-zero"), 10.0),
    "radon": (("radon", "cc", "-j"), 1.3),
    "vulture": (("vulture",), 2.5),
    "semgrep": (
        ("semgrep", "scan", "--metrics=off", "--disable-version-check", "--no-git-ignore", "--quiet", "--json", "-j", "2",
         "--config", str(Path(__file__).with_name("semgrep-rules.yml"))),
        2.0,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Figure:
    """A ratio, its goal if it has one, and which way is better."""

    goal: str
    name: str
    value: float
    limit: float | None
    at_most: bool = True
    unit: str = "x"

    @property
    def reached(self) -> bool:
        """Is the goal reached, if there is one?"""
        return self.limit is None or (self.value <= self.limit if self.at_most else self.value >= self.limit)

    def line(self) -> str:
        """One line of the table."""
        mark = "    " if self.limit is None else "ok  " if self.reached else "MISS"
        goal = "" if self.limit is None else f" goal {'<=' if self.at_most else '>='} {self.limit:g}"
        return f"{mark} {self.goal:>3}  {self.name:<66} {self.value:8.2f} {self.unit:<3}{goal}".rstrip()


def measure(repository: Path, repeat: int) -> Iterator[str]:
    """Lines of the report on one repository."""
    with tempfile.TemporaryDirectory(prefix="bench-") as place:
        ground = prepare(repository, Path(place))
        yield f"{repository}: {ground.python_files} Python files, {ground.python_lines:,} lines, {ground.python_bytes / 1e6:.1f} MB"
        scratch = Path(place)
        for figure in chain(
            _whole_tree(ground, scratch, repeat), _change(ground, repeat), _git(ground, scratch, repeat)
        ):
            yield figure.line()
        for name, value, limit, unit in depth.figures(repository):
            yield Figure("", name, value, limit, unit=unit).line()
        for name, value, limit, unit in agents.figures(repeat):
            yield Figure("", name, value, limit, unit=unit).line()
        yield from _absent_peers()


def _ours(name: str, *arguments: str) -> list[str]:
    return [PYTHON, "-m", "tests.bench.stages", name, *arguments]


def _gather(repository: str, base: str, cache: str, jobs: str) -> list[str]:
    """Gathering evidence without a search of every commit for secrets, which has a figure of its own."""
    searching = sorted(name for name, each in discover_probes().items() if CommittedSecrets in input_kinds([each]))
    return _ours("gather", repository, base, cache, jobs, *searching)


def _floor(name: str, *arguments: str) -> list[str]:
    return [PYTHON, "-m", "tests.bench.floors", name, *arguments]


def _answer(weight: Weight) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(weight.output)
    return answer


def _whole_tree(ground: Ground, scratch: Path, repeat: int) -> Iterator[Figure]:
    cache = scratch / "cache"
    repository = str(ground.repository)
    cold = [
        Case("floor", _floor("parse", str(ground.folder))),
        Case("one", ["taskset", "-c", "0", *_gather(repository, "", "", "1")]),
        Case("two", _gather(repository, "", "", "2")),
        Case("secrets", _ours("gather", repository, "", "", "2")),
        Case("start", [PYTHON, "-c", "pass"]),
        Case("help", [PYTHON, "-m", "auditor", "--help"]),
        *(
            Case(name, [*_found(command), str(ground.folder)], accepted=frozenset({0, 1, 3}))
            for name, (command, _) in _present().items()
        ),
    ]
    weights = medians(cold, repeat)
    medians([Case("fill", _gather(repository, "", str(cache), "2"))], 1)
    warm = medians([Case("warm", _gather(repository, "", str(cache), "2"))], repeat)["warm"]
    floor, two = weights["floor"].seconds, weights["two"]
    large = ground.python_bytes > 5_000_000
    yield Figure("1", "whole tree, all probes, one core", weights["one"].seconds / floor, 1.5)
    yield Figure("2", "whole tree, all probes, two processes", two.seconds / floor, 1.0 if large else 1.5)
    cpu = weights["floor"].cpu_seconds
    yield Figure("", "processor time of one core, all processes", weights["one"].cpu_seconds / cpu, None)
    yield Figure("", "processor time of two processes", two.cpu_seconds / cpu, None)
    yield Figure("", "with every commit searched for secrets too", weights["secrets"].seconds / floor, None)
    yield Figure("4", "the same again, nothing changed", warm.seconds / floor, 0.1 if large else 1.0)
    for name, (_, goal) in _present().items():
        yield Figure(
            "5", f"times faster than {name} on the same files", weights[name].seconds / two.seconds, goal, at_most=False
        )
    yield Figure("9", "git processes of the whole-tree audit", _answer(two)["git_processes"], 14, unit="")
    yield Figure("11", "start of the command line (--help)", weights["help"].seconds, 0.3, unit="s")
    yield Figure("11", "the same against an empty interpreter", weights["help"].seconds / weights["start"].seconds, 15)
    yield Figure("11", "anthropic, PyGithub, pypdf loaded", len(_answer(two)["loaded"]), 0, unit="")
    yield Figure("", "peak memory of all processes, whole tree", two.peak_mb, 600, unit="MB")


def _change(ground: Ground, repeat: int) -> Iterator[Figure]:
    for goal, wanted, limit in (("3", _FEW_FILES, 0.45), ("15", _MANY_FILES, 2.0)):
        base, files = ground.base_of(wanted)
        clone = Path(tempfile.mkdtemp(prefix="bench-")) / "clone"
        cases = [
            Case("floor", _floor("parse", str(ground.folder))),
            Case("change", _gather(str(ground.repository), base, "", "2")),
            Case(
                "clone",
                ["git", "clone", "-q", "--depth", "1", f"file://{ground.repository.resolve()}", str(clone)],
                prepare=partial(shutil.rmtree, clone, ignore_errors=True),
            ),
        ]
        weights = medians(cases, repeat)
        shutil.rmtree(clone.parent)
        floor = weights["floor"].seconds + (weights["clone"].seconds if goal == "15" else 0.0)
        against = "a depth-1 clone and parsing all" if goal == "15" else "parsing all"
        yield Figure(goal, f"a change of {files} files against {against}", weights["change"].seconds / floor, limit)
        yield Figure("9", f"git processes for {files} files", _answer(weights["change"])["git_processes"], 14, unit="")


def _git(ground: Ground, scratch: Path, repeat: int) -> Iterator[Figure]:
    repository = str(ground.repository)
    commits = ground.git("rev-list", "--first-parent", f"--max-count={_COMMITS + 1}", "HEAD").split()
    base = commits[-1]
    patch_base, _ = ground.base_of(_MANY_FILES)
    patch = scratch / "patch"
    patch.write_text(git(ground.repository, "diff", "-U0", patch_base, "HEAD"), encoding="utf-8", errors="replace")
    plain = ["git", "-C", repository]
    lent = scratch / "lent.git"
    git(ground.repository, "clone", "--quiet", "--bare", "--shared", str(ground.repository.resolve()), str(lent))
    plain_server = scratch / "plain.git"
    shutil.copytree(lent, plain_server)
    for setting in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):  # as GitHub, GitLab and Gitea serve
        git(lent, "config", setting, "true")
    clone = scratch / "clone"
    cases = [
        Case("log", [*plain, "log", "--raw", "-z", f"{base}..HEAD"]),
        Case("our log", _ours("history", repository, base)),
        Case("few", [*plain, "log", "--raw", "-z", f"--max-count={_STATS_COMMITS}"]),
        Case("stats", _floor("gitpython_stats", str(lent), str(_STATS_COMMITS))),
        Case("diff", [*plain, "diff", "-U0", patch_base, "HEAD"]),
        Case("our diff", _ours("changes", repository, patch_base)),
        Case("gitpython diff", _floor("gitpython_diff", str(lent), patch_base, "HEAD")),
        Case("fetch", _ours("fetch", str(lent), patch_base)),
        Case("fetch, no filters", _ours("fetch", str(plain_server), patch_base)),
        Case(
            "shallow",
            ["git", "clone", "-q", "--depth", "1", f"file://{ground.repository.resolve()}", str(clone)],
            prepare=lambda: shutil.rmtree(clone, ignore_errors=True),
        ),
    ]
    weights: Mapping[str, Weight] = medians(cases, repeat)
    ours, hunks, fetched = _answer(weights["our log"]), _answer(weights["our diff"]), _answer(weights["fetch"])
    yield Figure(
        "6",
        f"history of {ours['commits']:,} commits against git log --raw -z",
        ours["seconds"] / weights["log"].seconds,
        1.5,
    )
    stats = weights["stats"].seconds / weights["few"].seconds
    yield Figure(
        "6",
        "times faster than GitPython's stats, both against git log",
        stats / (ours["seconds"] / weights["log"].seconds),
        60,
        at_most=False,
    )
    yield Figure(
        "7", f"{hunks['hunks']:,} typed hunks against git diff -U0", hunks["seconds"] / weights["diff"].seconds, 1.2
    )
    yield Figure(
        "7",
        "times faster than GitPython's diff",
        weights["gitpython diff"].seconds / hunks["seconds"],
        1.8,
        at_most=False,
    )
    yield Figure(
        "8",
        "remote: all that is needed against a depth-1 clone with checkout",
        weights["fetch"].seconds / weights["shallow"].seconds,
        1.2,
    )
    yield Figure(
        "8",
        "the same from a server that cannot filter",
        weights["fetch, no filters"].seconds / weights["shallow"].seconds,
        1.2,
    )
    full = sum(
        each.stat().st_size
        for each in (
            ground.repository / "objects"
            if (ground.repository / "objects").exists()
            else ground.repository / ".git" / "objects"
        ).rglob("*")
        if each.is_file()
    )
    yield Figure("8", "remote: bytes against the whole object store", fetched["bytes"] / full, 0.35)
    yield Figure("9", "git processes of the remote audit", fetched["git_processes"], 14, unit="")


def _found(command: tuple[str, ...]) -> list[str]:
    return [str(_program(command[0])), *command[1:]]


def _program(name: str) -> str | None:
    beside = Path(PYTHON).parent / name
    return str(beside) if beside.exists() else shutil.which(name)


def _present() -> dict[str, tuple[tuple[str, ...], float]]:
    return {name: peer for name, peer in _PEERS.items() if _program(peer[0][0])}


def _absent_peers() -> Iterator[str]:
    for name in sorted(set(_PEERS) - set(_present())):
        yield f"     5  {name} is not installed, so it was not measured"
