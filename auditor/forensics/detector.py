"""The secret detector, in a process of its own with limits: passages of contents in, places out.

Kingfisher matches in native code on hostile bytes, so it may crash, hang or grow. Whatever ends the process is
pinned to the one passage that did it; the others keep their answers. Only detection is used: its validators,
which call out, are never touched. Values never leave the process: it answers with offsets.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import signal
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any, Generic, TypeVar

BATCH_BYTES = 2_000_000
BATCH_PASSAGES = 400
BATCH_HELD = 32_000_000
"""Bytes of contents that wait in memory for the answers to one batch."""
SECONDS = 3.0
"""Wall seconds for one passage; eight megabytes of source take a twentieth of a second."""
_SHORT = 200_000
"""Bytes of a passage that is looked through without watching the clock, which would take half as long again; whoever waits watches it."""
LOADING_SECONDS = 60.0
"""Patience with the first answer: compiling the rules afresh takes five seconds, loading them a third of one."""
MEMORY_BYTES = 2 << 30
_MAX_LOSSES = 8
_MOST_FILES = 65_536
_RULES = Path(__file__).with_name("secret_rules.yml")


@dataclass(frozen=True, slots=True)
class Hit:
    """A place in a passage: bytes from `start` to before `end`, on `line` counted from 1."""

    kind: str
    start: int
    end: int
    line: int
    sure: bool
    """Does the value have a form that only its issuer gives?"""


@dataclass(frozen=True, slots=True)
class Unscanned:
    """Why a passage was not looked through."""

    reason: str


Answer = tuple[Hit, ...] | Unscanned
Owner = TypeVar("Owner")


@dataclass(frozen=True, slots=True)
class Passage(Generic[Owner]):
    """Text to look through, whose it is, and how many bytes more its owner keeps in memory until there is an answer."""

    text: bytes
    owner: Owner
    held: int = 0


@cache
def scanner() -> Any:
    """Kingfisher with its whole catalogue at medium confidence or better, and our own rules.

    Compiled rules are kept where `KF_RULE_CACHE_DIR` says, else in the user's cache folder.
    """
    from kingfisher_sdk import Rules, Scanner

    return Scanner(Rules([_RULES], confidence="medium"), base64=True)


class Detector:
    """A process that looks for secrets. Start it early: loading the rules goes on beside other work."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("fork")
        self._losses = 0
        self._loaded = False
        self._lock = threading.Lock()
        self._process: ForkProcess | None = None
        self.ended = False
        self._start()

    def scan(self, passages: Iterable[Passage[Owner]]) -> Iterator[tuple[Passage[Owner], Answer]]:
        """Every passage in its turn with what it holds. The next batch is read while the process is busy with one."""
        waiting: list[Passage[Owner]] = []
        for batch in _batches(passages):
            yield from self._collect(waiting)
            waiting = batch
            self._hand_over(waiting)
        yield from self._collect(waiting)

    def _hand_over(self, batch: list[Passage[Owner]]) -> None:
        try:
            self._pipe.send([each.text for each in batch])
        except OSError:
            return  # the process has ended; whoever waits for its answer learns of it

    def _collect(self, batch: list[Passage[Owner]]) -> Iterator[tuple[Passage[Owner], Answer]]:
        if not batch:
            return
        answers = self._answers(len(batch))
        yield from self._one_by_one(batch) if answers is None else zip(batch, answers, strict=True)

    def _one_by_one(self, batch: list[Passage[Owner]]) -> Iterator[tuple[Passage[Owner], Answer]]:
        """The process is lost: ask a new one about each passage of the batch alone."""
        self._start()
        for passage in batch:
            if self._losses > _MAX_LOSSES or self.ended:
                yield passage, Unscanned("the secret detector failed too often and was given up")
                continue
            self._hand_over([passage])
            answers = self._answers(1)
            if answers is None:
                self._losses += 1
                self._start()
                yield passage, Unscanned("looking through it ended the secret detector")
            else:
                yield passage, answers[0]

    def _answers(self, count: int) -> list[Answer] | None:
        """What the process says of the batch; None when it ended, hung or talked nonsense."""
        patience = 2 * SECONDS + count * 0.05 + (0.0 if self._loaded else LOADING_SECONDS)
        try:
            if not self._pipe.poll(patience):
                return None
            said = json.loads(self._pipe.recv_bytes())
            self._loaded = True
            answers = [_answer(each) for each in said]
        except (EOFError, OSError, ValueError, TypeError):
            return None
        return answers if len(answers) == count else None

    def _start(self) -> None:
        with self._lock:
            if self.ended:
                return
            self._finish()
            self._pipe, theirs = self._context.Pipe()
            self._process = self._context.Process(target=_work, args=(theirs, self._pipe), daemon=True)
            self._process.start()
            theirs.close()
            self._loaded = False

    def end(self) -> None:
        """See the process ended. Whoever still asks in another thread learns that nothing was looked through."""
        with self._lock:
            self.ended = True
            self._finish()

    def _finish(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join(timeout=5)
            self._pipe.close()


def _batches(passages: Iterable[Passage[Owner]]) -> Iterator[list[Passage[Owner]]]:
    batch: list[Passage[Owner]] = []
    size = held = 0
    for passage in passages:
        batch.append(passage)
        size += len(passage.text)
        held += passage.held
        if size >= BATCH_BYTES or held >= BATCH_HELD or len(batch) >= BATCH_PASSAGES:
            yield batch
            batch, size, held = [], 0, 0
    if batch:
        yield batch


def _answer(said: Any) -> Answer:
    if isinstance(said, str):
        return Unscanned(said)
    return tuple(Hit(str(kind), int(start), int(end), int(line), bool(sure)) for kind, start, end, line, sure in said)


def _work(pipe: Connection, other: Connection) -> None:
    """The process's life: batches in, places out, until the pipe closes."""
    other.close()
    _let_go_of_others(pipe.fileno())
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 2)
    _limit_memory()
    found = scanner()
    while True:
        try:
            batch: list[bytes] = pipe.recv()
        except (EOFError, OSError):
            os._exit(0)
        pipe.send_bytes(json.dumps([_hits(found, content) for content in batch]).encode("ascii"))


def _let_go_of_others(own: int) -> None:
    """Close what came along with the fork: a git whose input stayed open here would never see its end."""
    highest = os.sysconf("SC_OPEN_MAX")
    os.closerange(3, own)
    os.closerange(own + 1, highest if 0 < highest < _MOST_FILES else _MOST_FILES)


def _hits(found: Any, content: bytes) -> list[tuple[str, int, int, int, bool]] | str:
    try:
        findings = found.scan(content, timeout=SECONDS if len(content) > _SHORT else None)
    except TimeoutError:
        return f"looking through it took longer than {SECONDS:g} seconds"
    except (RuntimeError, ValueError, MemoryError) as error:
        return f"the secret detector stumbled on it ({type(error).__name__})"
    return [
        (_kind(each.rule_id), each.location["start_offset"], each.location["end_offset"], each.location["line"], each.confidence == "high")
        for each in findings
        if each.visible and each.confidence != "low"
    ]  # fmt: skip


def _kind(rule_id: str) -> str:
    """The rule's own name, without its catalogue and its number."""
    name = rule_id.partition(".")[2].removeprefix("secrets/")
    return name.rstrip("0123456789").rstrip(".") if "." in name else name


def _limit_memory() -> None:
    statm = Path("/proc/self/statm")
    pages = int(statm.read_text(encoding="ascii").split()[0]) if statm.exists() else 1 << 17
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY_BYTES,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
