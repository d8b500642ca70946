"""What a fleet run costs beside a plain loop of the same commands, how fast it resumes, and what a mirror saves."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from auditor.fleet.store import Store, UnitFile
from auditor.fleet.targets import Target
from auditor.fleet.unit_listing import TargetPolicy, list_units, named_subjects
from auditor.fleet.unit_process import UnitOrder, command_line, now
from auditor.repo.commit_range import resolve_commits
from auditor.repo.mirror import CommitSpan, open_local_history, open_mirror, size_of
from auditor.repo.remote_fetch import Address
from tests.bench.fleet_questions import measure_questions

RESUMED_UNITS = 1_000
_GOALS = {1: 1.10, 2: 0.70}
_RESUME_GOAL = 3.0


@dataclass(frozen=True)
class Sizes:
    """How much is measured: real changes for the comparison, and tiny units for memory."""

    changes: int = 40
    few: int = 40
    many: int = 1_000


PARTS = ("loop", "resume", "memory", "bytes")


def measure(repositories: Sequence[Path], sizes: Sizes, parts: Collection[str] = PARTS) -> Iterator[str]:
    """Lines of all figures, or of some parts. Times against the loop are ratios; memory and bytes do not depend on load.

    The part `loop` also asks questions over the records that it made: other policies, tables and a site.
    """
    if "loop" in parts:
        yield from _against_a_loop(repositories, sizes.changes)
    if "resume" in parts:
        yield from _resume()
    if "memory" in parts:
        yield from _memory(sizes.few, sizes.many)
    if "bytes" in parts:
        for each in repositories:
            yield _second_change(each)


def _git(repository: Path, *arguments: str) -> list[str]:
    command = ["git", f"--git-dir={repository}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")


def _ranges(repository: Path, count: int) -> list[str]:
    """The last changes of the main line, each against the commit before it."""
    commits = [each for each in _git(repository, "log", "--first-parent", "--format=%H", f"-{count + 1}") if each]
    return [f"{before}..{after}" for after, before in pairwise(commits)]


def _against_a_loop(repositories: Sequence[Path], changes: int) -> Iterator[str]:
    share = max(1, changes // len(repositories))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        targets = [Target(repository=str(each), changes=tuple(_ranges(each, share))) for each in repositories]
        file = folder / "targets.yaml"
        blocks = [f"  - repository: {each.repository}\n    changes: [{', '.join(each.changes)}]\n" for each in targets]
        file.write_text("targets:\n" + "".join(blocks))
        count = sum(len(each.changes) for each in targets)
        before = _processor_seconds()
        loop = _loop(targets, folder / "loop")
        processor = _processor_seconds() - before
        yield f"plain loop of {count} commands: {loop:.1f} s, {processor:.1f} s of processor, load {os.getloadavg()[0]:.1f}"
        before = _processor_seconds()
        halves = _loop(targets, folder / "loops", side_by_side=2)
        used = _processor_seconds() - before
        yield (
            f"two plain loops side by side, half of the commands each: {halves / loop:.2f} of one loop, "
            f"{used / processor:.2f} of its processor time: what this machine allows"
        )
        for workers, goal in _GOALS.items():
            before = _processor_seconds()
            seconds, _ = _run(file, folder / f"store-{workers}", folder / f"cache-{workers}", workers)
            used = _processor_seconds() - before
            store = Store(folder / f"store-{workers}")
            failed = f" and {len(store.keys('failures'))} failures, each tried twice" if store.keys("failures") else ""
            yield (
                f"LocalCluster, {workers} worker(s), {len(store.keys())} records{failed}: {seconds / loop:.2f} of the loop (goal {goal:.2f}), "
                f"{used / processor:.2f} of its processor time, load {os.getloadavg()[0]:.1f}"
            )
        yield from measure_questions(folder / f"store-{max(_GOALS)}")


def _processor_seconds() -> float:
    """Of all processes that were started and waited for, theirs included: on a busy machine it says more than the clock."""
    spent = os.times()
    return spent.children_user + spent.children_system


def _loop(targets: Sequence[Target], folder: Path, side_by_side: int = 1) -> float:
    """Seconds of the same commands, one after the other or some at a time."""
    cache = folder / "cache"
    cache.mkdir(parents=True)
    orders = list(_orders(targets, folder / "store"))

    def audit(number: int) -> None:
        work = folder / str(number)
        work.mkdir()
        environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "TMPDIR": str(work)}
        subprocess.run(command_line(orders[number], work), cwd=work, env=environment, check=False, capture_output=True)

    started = time.perf_counter()
    with ThreadPoolExecutor(side_by_side) as pool:
        list(pool.map(audit, range(len(orders))))
    return time.perf_counter() - started


def _orders(targets: Sequence[Target], store: Path) -> Iterator[UnitOrder]:
    for target in targets:
        with open_local_history(Path(target.repository)) as git:
            found = list_units(
                target.repository,
                named_subjects(target, ()),
                TargetPolicy.of(target),
                "embedded",
                lambda names, git=git: resolve_commits(git, names),  # type: ignore[misc]
            )
        for each in found.units:
            yield UnitOrder(each.unit, target.repository, str(store), Path(target.repository).name)


def _run(file: Path, store: Path, cache: Path, workers: int) -> tuple[float, float]:
    """Seconds of a run, and the most memory that its client and scheduler had, in megabytes."""
    cache.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "auditor", "fleet", "run", str(file), "--store", str(store), "--quiet"]
    started = time.perf_counter()
    with subprocess.Popen(
        [*command, "--workers", str(workers)], env={**os.environ, "XDG_CACHE_HOME": str(cache)}
    ) as process:
        peak = _PeakMemory(process.pid)
        peak.start()
        process.wait()
    seconds = time.perf_counter() - started
    peak.join()
    return seconds, peak.megabytes


class _PeakMemory(threading.Thread):
    """The most memory that one process has had, its children left out."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self._file = Path(f"/proc/{process}/status")
        self.megabytes = 0.0

    def run(self) -> None:
        while True:
            try:
                lines = self._file.read_text().splitlines()
            except OSError:
                return
            found = [int(each.split()[1]) for each in lines if each.startswith("VmHWM")]
            if not found:
                return  # it has ended and nobody has waited for it yet
            self.megabytes = found[0] / 1024
            time.sleep(0.1)


def _draw(folder: Path, commits: int) -> Path:
    """A bare repository with so many tiny commits."""
    repository = folder / "tiny.git"
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", str(repository)], check=True)
    script = "".join(
        f"commit refs/heads/main\ncommitter A <a@example.org> {1_700_000_000 + number} +0000\ndata <<E\nChange {number}\nE\n"
        f"M 100644 inline a.py\ndata <<E\nx = {number}\nE\n"
        for number in range(commits)
    )
    command = ["git", f"--git-dir={repository}", "fast-import", "--quiet"]
    subprocess.run(command, input=script.encode(), check=True)
    return repository


def _resume() -> Iterator[str]:
    """How long a run takes of which all is done."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        repository = _draw(folder, RESUMED_UNITS + 1)
        target = Target(repository=str(repository), changes=tuple(_ranges(repository, RESUMED_UNITS)))
        store = Store.open(folder / "store", create=True)
        content = b"{}\n"
        for order in _orders([target], store.path):
            digest = hashlib.sha256(content).hexdigest()
            key = order.unit.key
            about = UnitFile(
                key=key, unit=order.unit, record_sha256=digest, conclusion="passed", seconds=1, finished_at=now()
            )
            store.put_record(about, content)
        file = folder / "targets.yaml"
        file.write_text(f"targets:\n  - repository: {repository}\n    changes: [{', '.join(target.changes)}]\n")
        seconds, _ = _run(file, store.path, folder / "cache", 2)
        yield f"resume of {len(store.keys()):,} finished units: {seconds:.1f} s (goal {_RESUME_GOAL:.0f} s)"


def _memory(few: int, many: int) -> Iterator[str]:
    """What client and scheduler take with few units and with many."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        repository = _draw(folder, many + 1)
        found = {}
        for count in (few, many):
            file = folder / f"{count}.yaml"
            changes = ", ".join(_ranges(repository, count))
            file.write_text(f"targets:\n  - repository: {repository}\n    changes: [{changes}]\n")
            found[count] = _run(file, folder / f"store-{count}", folder / "cache", 2)
        (_, first), (seconds, last) = found[few], found[many]
        yield (
            f"memory of client and scheduler: {first:.0f} MB with {few:,} tiny units, {last:.0f} MB with {many:,}: "
            f"{last / first:.2f} (goal 1.10); {seconds / many:.2f} s a unit"
        )


def _second_change(repository: Path) -> str:
    """Bytes that the mirror of a repository grows by for a second change, against the first."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        served = folder / "served.git"
        subprocess.run(["git", "clone", "--quiet", "--bare", "--shared", str(repository), str(served)], check=True)
        for key in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant"):
            subprocess.run(["git", f"--git-dir={served}", "config", key, "true"], check=True)
        changes = [each.split("..") for each in _ranges(served, 2)]
        place = folder / "mirror.git"
        sizes = []
        with open_mirror(place, Address(f"file://{served}", "file")) as mirror:
            mirror.update()
            history = size_of(place)
            for number, (base, head) in enumerate(changes):
                mirror.prepare([CommitSpan(f"{number}" * 64, head, base)])
                sizes.append(size_of(place))
        first, second = sizes[0], sizes[1] - sizes[0]
        return (
            f"{repository.name}: {first:,} bytes for the first change ({history:,} of them history), {second:,} for the second: "
            f"{second / first:.3f}"
        )
