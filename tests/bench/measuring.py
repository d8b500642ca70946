"""Run a command cold and weigh it: wall time, processor time, peak memory of the whole process tree."""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SAMPLE_EVERY = 0.02
"""Seconds between two looks at the memory of the process tree."""


@dataclass(frozen=True)
class Weight:
    """What one run cost."""

    seconds: float
    cpu_seconds: float
    peak_mb: float
    output: bytes


@dataclass(frozen=True)
class Case:
    """A command to weigh. `prepare` runs before each repeat and is not counted."""

    name: str
    command: Sequence[str]
    prepare: Callable[[], None] = lambda: None
    accepted: frozenset[int] = frozenset({0})
    cwd: Path | None = None


def weigh(case: Case) -> Weight:
    """Run a command once. Raises RuntimeError with its last error line when it fails."""
    case.prepare()
    before = os.times()
    started = time.perf_counter()
    with subprocess.Popen(
        case.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=case.cwd, env=_environment()
    ) as process:
        watch = _MemoryWatch(process.pid)
        watch.start()
        output, errors = process.communicate()
        seconds = time.perf_counter() - started
        watch.stop()
    after = os.times()
    if process.returncode not in case.accepted:
        last = errors.decode(errors="replace").strip().rpartition("\n")[2]
        raise RuntimeError(f"{case.name} ended with {process.returncode}: {last}")
    cpu = (after.children_user - before.children_user) + (after.children_system - before.children_system)
    return Weight(seconds, cpu, watch.peak_kb / 1024, output)


def _environment() -> dict[str, str]:
    """Ours, with compiled modules kept in a folder of the run: installed programs have theirs beside them."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": _bytecode().name}


@cache
def _bytecode() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="bench-bytecode-")


def medians(cases: Iterable[Case], repeat: int) -> Mapping[str, Weight]:
    """Run all cases `repeat` times, in turns, and keep for each the run of median wall time."""
    listed = list(cases)
    runs: dict[str, list[Weight]] = {case.name: [] for case in listed}
    for _ in range(repeat):
        for case in listed:
            runs[case.name].append(weigh(case))
    return {name: _median(weights) for name, weights in runs.items()}


def _median(weights: list[Weight]) -> Weight:
    middle = statistics.median_low([weight.seconds for weight in weights])
    return next(weight for weight in weights if weight.seconds == middle)


class _MemoryWatch(threading.Thread):
    """Sums the proportional set size of a process and all below it, again and again."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self.root = root
        self.peak_kb = 0
        self._done = threading.Event()

    def run(self) -> None:
        while not self._done.wait(SAMPLE_EVERY):
            self.peak_kb = max(self.peak_kb, sum(_proportional_kb(pid) for pid in _family(self.root)))

    def stop(self) -> None:
        self._done.set()
        self.join()


def _family(root: int) -> list[int]:
    family, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        family.append(pid)
        try:
            waiting.extend(int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        except (FileNotFoundError, ProcessLookupError):
            continue
    return family


def _proportional_kb(pid: int) -> int:
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return 0
    return next((int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")), 0)
