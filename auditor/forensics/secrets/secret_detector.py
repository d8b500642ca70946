"""The secret detector, in a process of its own with limits: passages of contents in, places out.

Kingfisher matches in native code on hostile bytes, so it may crash, hang or grow. Whatever ends the process is
pinned to the one passage that did it; the others keep their answers. Where it cannot be started, every passage is
answered with the reason. Only detection is used: its validators, which call out, are never touched. Values never leave
the process: it answers with offsets.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Generic, TypeVar

from auditor.child_process import Child, Limits, NotStarted, StartMethod, start

BATCH_BYTES = 2_000_000
BATCH_PASSAGES = 400
BATCH_HELD_BYTES = 32_000_000
"""Bytes of contents that wait in memory for the answers to one batch."""
PASSAGE_SECONDS = 3.0
"""Wall seconds for one passage; eight megabytes of source take a twentieth of a second."""
_UNTIMED_BYTES = 200_000
"""Bytes of a passage that is looked through without watching the clock, which would take half as long again; whoever waits watches it."""
LOADING_SECONDS = 60.0
"""Patience with the first answer: compiling the rules afresh takes five seconds, loading them a third of one."""
MEMORY_BYTES = 2 << 30
_START_METHODS: dict[str, StartMethod] = {"darwin": "spawn"}
START_METHOD = _START_METHODS.get(sys.platform, "fork")
"""Kingfisher links CoreFoundation on macOS, which aborts in a forked child of a process with threads."""
_PROCESS_NAME = "The secret detector"
_MAX_CRASHES = 8
_MAX_STARTS = 2
"""Attempts to start the process before it is given up: where it cannot load its rules, it will not do so later either."""
_RULES_FILE = Path(__file__).with_name("secret_rules.yml")


@dataclass(frozen=True, slots=True)
class Hit:
    """A place in a passage: bytes from `start` to before `end`, on `line` counted from 1."""

    kind: str
    start: int
    end: int
    line: int
    sure: bool
    """Does the value have a format that only its issuer uses?"""


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
def load_scanner() -> Any:
    """Kingfisher with its whole catalogue at medium confidence or better, and our own rules.

    Compiled rules are kept where `KF_RULE_CACHE_DIR` says, else in the user's cache folder.
    """
    from kingfisher_sdk import Rules, Scanner

    return Scanner(Rules([_RULES_FILE], confidence="medium"), base64=True)


class Detector:
    """A process that looks for secrets. Start it early: loading the rules continues beside other work.

    `lost` says why it was given up, once it was: passages are no longer looked through then.
    """

    def __init__(self, method: StartMethod | None = None) -> None:
        self._method = method or START_METHOD
        self._losses = 0
        self._lock = threading.Lock()
        self._child: Child | None = None
        self.ended = False
        self.lost = ""
        self._start()

    def scan(self, passages: Iterable[Passage[Owner]]) -> Iterator[tuple[Passage[Owner], Answer]]:
        """Every passage in its turn with what it holds. The next batch is read while the process is busy with one."""
        waiting: list[Passage[Owner]] = []
        for batch in _batches(passages):
            yield from self._collect(waiting)
            waiting = batch
            self._send_batch(waiting)
        yield from self._collect(waiting)

    def _send_batch(self, batch: list[Passage[Owner]]) -> bool:
        """Send passages to the process. False when there is none that could look through them."""
        child = self._loaded_process()
        if child is None:
            return False
        with suppress(OSError):  # the process has ended; whoever waits for its answer learns of it
            child.pipe.send([each.text for each in batch])
        return True

    def _loaded_process(self) -> Child | None:
        """The process once it has loaded its rules; another one is started where it cannot."""
        reason = ""
        for attempt in range(_MAX_STARTS):
            if attempt:
                self._start()
            if self.lost or self.ended or self._child is None:
                return None
            try:
                self._child.wait_ready(LOADING_SECONDS)
            except NotStarted as failure:
                reason = failure.reason
            else:
                return self._child
        self.lost = f"the secret detector could not start ({reason})"
        return None

    def _collect(self, batch: list[Passage[Owner]]) -> Iterator[tuple[Passage[Owner], Answer]]:
        if not batch:
            return
        answers = self._answers(len(batch))
        yield from self._scan_one_by_one(batch) if answers is None else zip(batch, answers, strict=True)

    def _scan_one_by_one(self, batch: list[Passage[Owner]]) -> Iterator[tuple[Passage[Owner], Answer]]:
        """The process is lost: ask a new one about each passage of the batch alone."""
        if not self.lost:
            self._start()
        for passage in batch:
            if self._losses > _MAX_CRASHES:
                self.lost = self.lost or "the secret detector failed too often and was stopped"
            if self.lost or self.ended:
                yield passage, self._unscanned()
                continue
            handed = self._send_batch([passage])
            answers = self._answers(1) if handed else None
            if not handed:
                yield passage, self._unscanned()
            elif answers is None:
                self._losses += 1
                self._start()
                yield passage, Unscanned("the secret detector crashed while searching it")
            else:
                yield passage, answers[0]

    def _unscanned(self) -> Unscanned:
        return Unscanned(self.lost or "the secret detector was ended")

    def _answers(self, count: int) -> list[Answer] | None:
        """The answers to a batch; None when the process ended, hung or sent something invalid."""
        if self.lost or self.ended or self._child is None:
            return None
        patience = 2 * PASSAGE_SECONDS + count * 0.05
        try:
            if not self._child.pipe.poll(patience):
                return None
            said = json.loads(self._child.pipe.recv_bytes())
            answers = [_parse_answer(each) for each in said]
        except (EOFError, OSError, ValueError, TypeError):
            return None
        return answers if len(answers) == count else None

    def _start(self) -> None:
        with self._lock:
            if self.ended:
                return
            self._finish()
            try:
                limits = Limits(MEMORY_BYTES)
                self._child = start(
                    _run_detector, (), limits, what=_PROCESS_NAME, setup=load_scanner, method=self._method, alone=True
                )
            except NotStarted as failure:
                self.lost = f"the secret detector could not start ({failure.reason})"

    def end(self) -> None:
        """See the process ended. A request of another thread gets the answer that nothing was looked through."""
        with self._lock:
            self.ended = True
            self._finish()

    def _finish(self) -> None:
        if self._child is not None:
            self._child.end()


def _batches(passages: Iterable[Passage[Owner]]) -> Iterator[list[Passage[Owner]]]:
    batch: list[Passage[Owner]] = []
    size = held = 0
    for passage in passages:
        batch.append(passage)
        size += len(passage.text)
        held += passage.held
        if size >= BATCH_BYTES or held >= BATCH_HELD_BYTES or len(batch) >= BATCH_PASSAGES:
            yield batch
            batch, size, held = [], 0, 0
    if batch:
        yield batch


def _parse_answer(said: Any) -> Answer:
    if isinstance(said, str):
        return Unscanned(said)
    return tuple(Hit(str(kind), int(start), int(end), int(line), bool(sure)) for kind, start, end, line, sure in said)


def _run_detector(pipe: Connection) -> None:
    """The process's life: batches in, places out, until the pipe closes."""
    found = load_scanner()
    while True:
        try:
            batch: list[bytes] = pipe.recv()
        except (EOFError, OSError):
            os._exit(0)
        pipe.send_bytes(json.dumps([_scan_content(found, content) for content in batch]).encode("ascii"))


def _scan_content(found: Any, content: bytes) -> list[tuple[str, int, int, int, bool]] | str:
    try:
        findings = found.scan(content, timeout=PASSAGE_SECONDS if len(content) > _UNTIMED_BYTES else None)
    except TimeoutError:
        return f"searching it took longer than {PASSAGE_SECONDS:g} seconds"
    except (RuntimeError, ValueError, MemoryError) as error:
        return f"the secret detector failed on it ({type(error).__name__})"
    return [
        (_kind(each.rule_id), each.location["start_offset"], each.location["end_offset"], each.location["line"], each.confidence == "high")
        for each in findings
        if each.visible and each.confidence != "low"
    ]  # fmt: skip


def _kind(rule_id: str) -> str:
    """The rule's own name, without its catalogue and its number."""
    name = rule_id.partition(".")[2].removeprefix("secrets/")
    return name.rstrip("0123456789").rstrip(".") if "." in name else name
