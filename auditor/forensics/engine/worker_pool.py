"""Processes that read hostile files for us, within limits.

A worker gets contents through its pipe and answers with records. One that crashes, hangs or runs out of memory
is replaced, and asked again about the files it had not come to; the file that broke it is recorded as unreadable
with the reason. No other file loses anything.

A worker that cannot start, or ends before it has read a file of our own, is no fault of the repository: NotStarted.
"""

from __future__ import annotations

import gc
import os
import selectors
import sys
import time
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing.connection import Connection

from auditor.child_exit_reasons import OUT_OF_MEMORY_REASON, exit_reason
from auditor.child_process import WALL_TIME_FACTOR, Child, Limits, NotStarted, allow_seconds, start
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import scan_file
from auditor.forensics.library_models.team_rows import put_in_force
from auditor.forensics.probe_kit.file_record import FileRecord, ReadStatus

FILE_SECONDS = 10.0
"""Processor seconds for one file; the slowest megabyte measured took 2.4. The system ends a worker that takes more."""
BATCH_BYTES = 400_000
BATCH_FILES = 40
MAX_QUEUED_BYTES = 16_000_000
"""Contents kept in line before whoever submits has to wait for answers."""
MEMORY_BYTES = 1 << 30
"""Memory a worker may add to what it was forked with."""
_PROCESS_NAME = "A process that reads files"
_SAMPLE = b"import os\n\n\ndef name():\n    return os.name\n"
"""What a worker reads before it says that it is ready."""
_EXTRA_SECONDS_PER_FILE = 2.0
_PINNED_ARENAS = 16
"""Arenas of a megabyte that a worker keeps: the trees of most files fit, and need not be asked of the system again."""
_PINNING_THRESHOLD_BYTES = BATCH_BYTES // 4
"""Contents from which on that is done: to take the arenas costs more than to read a small change."""


@dataclass(frozen=True, slots=True)
class Task:
    """A file to look at: a name for the answer, its language and its content.

    `renamed` are names that other modules pass on to it, `told` is what is known of names that they bind. With `names_only`
    nothing is asked but the names that it binds; with `flows_only`, only what the rules that follow values see.
    """

    key: str
    language: str
    content: bytes
    renamed: Mapping[str, str] = field(default_factory=dict)
    told: Mapping[str, object] = field(default_factory=dict)
    names_only: bool = False
    flows_only: bool = False
    summarized: frozenset[str] = frozenset()
    """In other languages than Python: the functions of which that is asked."""


NAMES_ONLY = Interest((), definitions=False)
"""The interest in a module that is read only because others import it."""
Answer = tuple[Task, bytes]
"""A file, and its record, packed."""


@dataclass
class _Worker:
    child: Child
    batch: deque[Task] = field(default_factory=deque)
    """Files it was given and has not answered for, in the order in which it takes them."""
    deadline: float = 0.0


class Pool:
    """Reads files in up to `jobs` processes: another one is started where all others are busy."""

    def __init__(self, interest: Interest, jobs: int) -> None:
        self._interest = interest
        self.jobs = jobs
        self._selector = selectors.DefaultSelector()
        self._workers: list[_Worker] = []
        self._waiting: deque[deque[Task]] = deque()
        self._waiting_bytes = 0
        self._open: deque[Task] = deque()
        self._next_batch_bytes = 0
        self._answers: deque[Answer] = deque()
        self.background_work: Iterator[None] = iter(())
        """Work of the caller's that is done a step at a time while results are waited for. What is left of it is the caller's."""

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.child.process.kill()  # all of them first: the system takes its time to clear each away
        for worker in tuple(self._workers):
            self._end(worker)
        self._selector.close()

    def submit(self, task: Task) -> None:
        """Put a file in line; full batches go to idle workers at once. Waits for answers while the line is long."""
        self._open.append(task)
        self._next_batch_bytes += len(task.content)
        if self._next_batch_bytes >= BATCH_BYTES or len(self._open) >= BATCH_FILES:
            self._close_batch()
            self._dispatch_batches()
            while self._waiting_bytes > MAX_QUEUED_BYTES:
                self._collect()

    def results(self) -> Iterator[Answer]:
        """Answers for all submitted files as they arrive; ends when nothing is left. Until one arrives, `background_work` runs."""
        self._close_batch()
        self._dispatch_batches()
        while self._answers or self._busy():
            if not self._answers:
                self._collect(self.background_work)
            while self._answers:
                yield self._answers.popleft()

    def _close_batch(self) -> None:
        if self._open:
            self._waiting.append(self._open)
            self._waiting_bytes += self._next_batch_bytes
        self._open, self._next_batch_bytes = deque(), 0

    def _dispatch_batches(self) -> None:
        while len(self._workers) < min(self.jobs, self._busy() + len(self._waiting)):
            try:
                self._start()
            except NotStarted:
                if not self._workers:
                    raise
                self.jobs = len(self._workers)  # fewer of them read the same files
        for worker in tuple(self._workers):
            if not worker.batch and self._waiting:
                batch = self._waiting.popleft()
                self._waiting_bytes -= sum(len(task.content) for task in batch)
                if not self._given(worker, batch):
                    self._end(worker)  # it died between two batches, so no file is to blame
                    self._given(self._start(), batch)

    def _busy(self) -> int:
        return sum(bool(worker.batch) for worker in self._workers)

    @staticmethod
    def _given(worker: _Worker, batch: deque[Task]) -> bool:
        """Send a worker its next files. False when it is dead, which reading its pipe will report as well.

        Raises NotStarted when it never was ready.
        """
        worker.batch = batch
        worker.deadline = time.monotonic() + WALL_TIME_FACTOR * (FILE_SECONDS + _EXTRA_SECONDS_PER_FILE * len(batch))
        try:
            worker.child.pipe.send(tuple(batch))
        except OSError:
            worker.child.wait_ready()
            return False
        return True

    def _collect(self, meanwhile: Iterator[None] | tuple[()] = ()) -> None:
        """Wait for the next answers, or for the end of somebody's patience."""
        ready = self._ready(0)
        for _ in meanwhile if not ready else ():
            ready = self._ready(0)
            if ready:
                break
        busy = [worker for worker in self._workers if worker.batch]
        patience = max(0.0, min((worker.deadline for worker in busy), default=0.0) - time.monotonic())
        ready = ready or self._ready(patience)
        for worker in ready:
            self._receive(worker)
        for worker in busy:
            if worker not in ready and time.monotonic() >= worker.deadline:
                self._handle_lost_worker(worker, "its worker process gave no answer in time")
        self._dispatch_batches()

    def _ready(self, patience: float) -> list[_Worker]:
        """Workers that answer or end within so many seconds."""
        return [key.data for key, _ in self._selector.select(patience)]

    def _receive(self, worker: _Worker) -> None:
        if not worker.child.is_ready:
            worker.child.wait_ready()
            return
        try:
            key, packed = worker.child.pipe.recv_bytes().split(b"\0", 1)
        except (EOFError, OSError, ValueError):
            worker.child.process.join(timeout=1)
            self._handle_lost_worker(
                worker,
                exit_reason(worker.child.process.exitcode, f"reading it took longer than {FILE_SECONDS:g} seconds"),
            )
            return
        if not worker.batch or worker.batch[0].key != key.decode("ascii", errors="replace"):
            self._handle_lost_worker(worker, "the process that read it crashed")
            return
        self._answers.append((worker.batch.popleft(), packed))
        worker.deadline = time.monotonic() + WALL_TIME_FACTOR * (
            FILE_SECONDS + _EXTRA_SECONDS_PER_FILE * len(worker.batch)
        )

    def _handle_lost_worker(self, worker: _Worker, reason: str) -> None:
        """A worker is gone. Its first unanswered file is the one it was reading. Raises NotStarted when it never was ready."""
        worker.child.wait_ready(0)
        self._end(worker)
        if not worker.batch:
            return
        self._answers.append((worker.batch.popleft(), FileRecord(ReadStatus.NONE, reason).pack()))
        if worker.batch:
            self._waiting.appendleft(worker.batch)
            self._waiting_bytes += sum(len(task.content) for task in worker.batch)

    def _start(self) -> _Worker:
        limits = Limits(MEMORY_BYTES, int(FILE_SECONDS) + 1, renewable=True)
        child = start(
            _run_worker, (self._interest,), limits, what=_PROCESS_NAME, setup=partial(_set_up, self._interest)
        )
        worker = _Worker(child)
        self._workers.append(worker)
        self._selector.register(child.pipe, selectors.EVENT_READ, worker)
        return worker

    def _end(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        self._selector.unregister(worker.child.pipe)
        worker.child.end()


def _set_up(interest: Interest) -> None:
    """Make the process ready, and read a file of our own: what fails at that fails at every file, and none is to blame."""
    sys.setrecursionlimit(1000)
    gc.disable()
    put_in_force(interest.team_rows)
    scan_file(_SAMPLE, "python", interest)


def _run_worker(pipe: Connection, interest: Interest) -> None:
    """A worker's life: contents in, records out, until the pipe closes."""
    pinned: list[bytes] = []
    taken = 0
    while True:
        try:
            batch: tuple[Task, ...] = pipe.recv()
        except (EOFError, OSError):
            break
        taken += sum(len(task.content) for task in batch)
        if not pinned and taken >= _PINNING_THRESHOLD_BYTES:
            pinned = _pinned_memory()
        for task in batch:
            allow_seconds(FILE_SECONDS)
            pipe.send_bytes(task.key.encode("ascii") + b"\0" + _scan_task(task, interest).pack())
    os._exit(0)


def _scan_task(task: Task, interest: Interest) -> FileRecord:
    try:
        return scan_file(task.content, task.language, _interest_for(interest, task))
    except MemoryError:
        return FileRecord(ReadStatus.NONE, OUT_OF_MEMORY_REASON)
    except Exception as error:  # noqa: BLE001 - a fault of ours costs this file, and is told as its reason
        return FileRecord(ReadStatus.NONE, f"a bug in the auditor stopped reading it ({type(error).__name__})")


def _interest_for(interest: Interest, task: Task) -> Interest:
    if task.names_only:
        return NAMES_ONLY
    if task.flows_only:
        return replace(interest.following_values, summarized=task.summarized, told=task.told)
    return replace(interest, renamed=task.renamed, told=task.told) if task.renamed or task.told else interest


def _pinned_memory() -> list[bytes]:
    """A small object in each of some arenas of the allocator, which gives an arena back only when it is empty."""
    try:
        blocks = [bytes(480) for _ in range(_PINNED_ARENAS * 2048)]
    except MemoryError:
        return []  # it only saves time
    return blocks[::1900]
