"""Processes that read hostile files for us, within limits.

Files lie in a folder of our own under numbers for names. A worker gets numbers and answers with records.
One that crashes, hangs or runs out of memory is replaced, its batch is asked again file by file, and the
file that broke it is recorded as unreadable with the reason. No other file loses anything.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path

from auditor.forensics.look import Interest, look
from auditor.forensics.record import FileRecord, Reading

FILE_SECONDS = 10.0
"""Wall seconds for one file on its own; the slowest megabyte measured took 2.4."""
BATCH_BYTES = 400_000
BATCH_FILES = 40
MEMORY_BYTES = 1 << 30
"""Address space a worker may add to what it was forked with."""
_SLACK = 2.0


@dataclass(frozen=True, slots=True)
class Task:
    """A file to look at: its name in the folder, its language and size in bytes."""

    key: str
    language: str
    size: int


@dataclass
class _Worker:
    process: multiprocessing.process.BaseProcess
    pipe: Connection
    batch: list[Task] = field(default_factory=list)
    deadline: float = 0.0


class Pool:
    """Reads files in `jobs` processes. Start it early: it forks, and threads should not exist yet."""

    def __init__(self, folder: Path, interest: Interest, jobs: int) -> None:
        self._folder = folder
        self._interest = interest
        self._jobs = jobs
        self._context = multiprocessing.get_context("fork")
        self._workers: list[_Worker] = []
        self._waiting: deque[list[Task]] = deque()
        self._open: list[Task] = []
        self._open_bytes = 0

    def __enter__(self) -> Pool:
        self._workers = [self._start() for _ in range(self._jobs)]
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            _end(worker)

    def submit(self, task: Task) -> None:
        """Put a file in line; full batches go to idle workers at once."""
        self._open.append(task)
        self._open_bytes += task.size
        if self._open_bytes >= BATCH_BYTES or len(self._open) >= BATCH_FILES:
            self._close_batch()
            self._hand_out()

    def results(self) -> Iterator[tuple[str, bytes]]:
        """Records of all submitted files as they come, packed; ends when nothing is left."""
        self._close_batch()
        self._hand_out()
        while any(worker.batch for worker in self._workers):
            yield from self._collect()
            self._hand_out()

    def _close_batch(self) -> None:
        if self._open:
            self._waiting.append(self._open)
        self._open, self._open_bytes = [], 0

    def _hand_out(self) -> None:
        for worker in self._workers:
            if not worker.batch and self._waiting:
                worker.batch = self._waiting.popleft()
                worker.deadline = time.monotonic() + FILE_SECONDS + _SLACK * len(worker.batch)
                worker.pipe.send([(task.key, task.language) for task in worker.batch])

    def _collect(self) -> Iterator[tuple[str, bytes]]:
        busy = [worker for worker in self._workers if worker.batch]
        patience = max(0.0, min(worker.deadline for worker in busy) - time.monotonic())
        ready = wait([worker.pipe for worker in busy], timeout=patience)
        for worker in busy:
            if worker.pipe in ready:
                yield from self._receive(worker)
            elif time.monotonic() >= worker.deadline:
                yield from self._lost(worker, f"reading it took longer than {FILE_SECONDS:g} seconds")

    def _receive(self, worker: _Worker) -> Iterator[tuple[str, bytes]]:
        try:
            key, packed = worker.pipe.recv_bytes().split(b"\0", 1)
        except (EOFError, OSError, ValueError):
            worker.process.join(timeout=1)
            yield from self._lost(worker, _cause(worker.process.exitcode))
            return
        name = key.decode("ascii")
        worker.batch = [task for task in worker.batch if task.key != name]
        worker.deadline = time.monotonic() + FILE_SECONDS + _SLACK * len(worker.batch)
        yield name, packed

    def _lost(self, worker: _Worker, reason: str) -> Iterator[tuple[str, bytes]]:
        """A worker is gone. Its first unanswered file is the one it was reading."""
        guilty, innocent = worker.batch[0], worker.batch[1:]
        _end(worker)
        self._workers[self._workers.index(worker)] = self._start()
        if innocent:
            self._waiting.appendleft(innocent)
        yield guilty.key, FileRecord(Reading.NONE, reason).packed()

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(theirs, ours, self._folder, self._interest), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours)


def _end(worker: _Worker) -> None:
    worker.pipe.close()
    worker.process.kill()
    worker.process.join(timeout=5)


def _cause(code: int | None) -> str:
    if code is not None and code < 0:
        return f"reading it ended the process that read it ({signal.Signals(-code).name})"
    return "reading it ended the process that read it"


def _work(pipe: Connection, other: Connection, folder: Path, interest: Interest) -> None:
    """A worker's life: numbers in, records out, until the pipe closes."""
    other.close()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.setrecursionlimit(1000)
    _limit_memory()
    gc.disable()
    while True:
        try:
            batch: Iterable[tuple[str, str]] = pipe.recv()
        except (EOFError, OSError):
            os._exit(0)
        for key, language in batch:
            _limit_time()
            record = look((folder / key).read_bytes(), language, interest)
            pipe.send_bytes(key.encode("ascii") + b"\0" + record.packed())


def _limit_memory() -> None:
    pages = (
        int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        if Path("/proc/self/statm").exists()
        else 1 << 17
    )
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY_BYTES,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_time() -> None:
    """Processor seconds this process may use until the next file; past them the system ends it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime + FILE_SECONDS) + 1
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
