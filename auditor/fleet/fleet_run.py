"""A run: orders are started while there is room and budget, and each ends in the store or waits for the next run."""

from __future__ import annotations

import errno
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from auditor.fleet.run_budget import RunBudget
from auditor.fleet.store import LastRun, Store
from auditor.fleet.unit_executor import ExecutorFactory, UnitExecutor
from auditor.fleet.unit_preparation import Preparation
from auditor.fleet.unit_process import Ending, Outcome, UnitOrder, failure_of, now

_MAX_FAILURES = 2
"""After so many ends of its own a unit is recorded as failed."""
_MAX_LOSSES = 3
"""After so many losses, which are not its fault, it is left to another run."""
_MAX_PROBLEMS = 1_000
"""Targets with a problem that the store keeps, those first that another run may not have."""
_TICK_SECONDS = 0.2
DISK_FULL = "the disk of the store is full: free some space and run again"
INTERRUPTED = "it was interrupted"
OVER_BUDGET = "the budget does not pay another unit: raise --budget and run again"


@dataclass
class RunCounts:
    """What a run has done so far."""

    units: int = 0
    already_there: int = 0
    failed_before: int = 0
    done: int = 0
    failed: int = 0
    left: int = 0
    running: int = 0
    usd: float = 0.0
    listing: bool = True
    """Are units still being listed? Then their number grows."""
    conclusions: dict[str, int] = field(default_factory=dict)


@dataclass
class FleetRun:
    """One run over a store that its caller holds."""

    store: Store
    preparation: Preparation
    make_executor: ExecutorFactory
    budget: RunBudget
    on_progress: Callable[[RunCounts], None] = lambda _counts: None
    on_failure: Callable[[UnitOrder, Outcome], None] = lambda _order, _outcome: None
    counts: RunCounts = field(default_factory=RunCounts)
    _executor: UnitExecutor | None = None
    _running: dict[str, UnitOrder] = field(default_factory=dict)
    _waiting: deque[UnitOrder] = field(default_factory=deque)
    _endings: dict[str, list[Ending]] = field(default_factory=dict)
    """Of units that are tried again."""
    _stopped: str = ""
    _ending: threading.Event = field(default_factory=threading.Event)
    _ended: bool = False

    def stop_soon(self) -> None:
        """Start no other unit; those that run end by themselves. May be called from a signal handler."""
        self._stopped = self._stopped or INTERRUPTED

    def stop_now(self) -> None:
        """End the units that run, too: the next run audits them again. May be called from a signal handler."""
        self.stop_soon()
        self._ending.set()

    def run(self) -> LastRun:
        """Run to the end, or until it is stopped. What was done is in the store, whatever happens here."""
        started = now()
        self._write(LastRun(started_at=started))
        self.preparation.start()
        try:
            while self._step():
                self._tell()
        finally:
            self.preparation.stop()
            if self._executor is not None:
                self._executor.close()
        self._tell()
        ended = self._summary(started)
        self._write(ended)
        return ended

    def _step(self) -> bool:
        """Start what can be started, then wait a moment for an end. False when there is nothing left to do."""
        if self._executor is not None and self._executor.trouble:
            self._stopped = self._stopped or self._executor.trouble
        self._start_units()
        if self._ending.is_set() and not self._ended and self._executor is not None:
            self._ended = True
            self._executor.stop()
        if self._running:
            assert self._executor is not None
            outcome = self._executor.next_outcome(_TICK_SECONDS)
            if outcome is not None:
                self._settle(outcome)
            return True
        return not self._stopped and not (self.preparation.is_finished and not self._waiting)

    def _start_units(self) -> None:
        while not self._stopped and (self._executor is None or len(self._running) < self._executor.slots):
            order = self._next_order()
            if order is None:
                return
            if not self.budget.reserve():
                self._waiting.appendleft(order)
                if not self._running:
                    self._stopped = OVER_BUDGET
                return
            if self._executor is None:
                self._executor = self.make_executor()
            if self.budget.is_paid and not self._record(
                order, Outcome(order.unit.key, Ending.LOST, 1, self._paid_reason)
            ):
                self._waiting.appendleft(order)
                self.budget.settle(0.0)
                return
            self._running[order.unit.key] = order
            self._executor.submit(order)

    def _next_order(self) -> UnitOrder | None:
        if self._waiting:
            return self._waiting.popleft()
        return self.preparation.take(0 if self._running else _TICK_SECONDS)

    def _settle(self, outcome: Outcome) -> None:
        order = self._running.pop(outcome.key, None)
        if order is None:
            return  # a scheduler told of one end twice
        self.budget.settle(outcome.usd if outcome.ending is Ending.DONE or not self.budget.is_paid else None)
        if outcome.ending is Ending.DONE:
            self._endings.pop(outcome.key, None)
            self.counts.done += 1
            self.counts.conclusions[outcome.conclusion] = self.counts.conclusions.get(outcome.conclusion, 0) + 1
            return
        if outcome.ending is Ending.DISK_FULL:
            self._stopped = DISK_FULL
        if self.budget.is_paid:
            own = outcome.ending is Ending.FAILED
            self._fail(order, outcome if own else replace(outcome, reason=f"{outcome.reason}, and {self._paid_reason}"))
        elif outcome.ending is Ending.DISK_FULL:
            self.counts.left += 1
        else:
            self._try_again(order, outcome)

    @property
    def _paid_reason(self) -> str:
        """Why a paid unit that did not end by itself is not audited again unasked. It is on record before the unit starts."""
        return f"it may have cost up to {self.budget.per_unit:.2f} US dollars: add --retry-failed to pay for it again"

    def _try_again(self, order: UnitOrder, outcome: Outcome) -> None:
        """Put a unit back, or give it up: as failed when it was its own fault, else for the next run."""
        endings = self._endings.setdefault(outcome.key, [])
        endings.append(outcome.ending)
        own = outcome.ending is Ending.FAILED
        limit = _MAX_FAILURES if own else _MAX_LOSSES
        is_last = endings.count(outcome.ending) >= limit
        if not is_last and not self._stopped:
            self._waiting.append(replace(order, attempt=order.attempt + 1))
            return
        del self._endings[outcome.key]
        if not (own and is_last):
            self.counts.left += 1
            return
        self._fail(order, replace(outcome, attempt=endings.count(Ending.FAILED)))

    def _fail(self, order: UnitOrder, outcome: Outcome) -> None:
        """Count a unit as failed, once that is on record. What a paid unit has on record from its start is enough."""
        if self._record(order, outcome) or self.budget.is_paid:
            self.counts.failed += 1
            self.on_failure(order, outcome)
        else:
            self.counts.left += 1

    def _record(self, order: UnitOrder, outcome: Outcome) -> bool:
        """Write why a unit failed; where that is impossible, the run stops."""
        try:
            self.store.put_failure(failure_of(order, outcome))
        except OSError as error:
            self._stopped = DISK_FULL if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) else str(error)
            return False
        return True

    def _tell(self) -> None:
        listed = self.preparation.counts
        self.counts.units, self.counts.already_there = listed.units, listed.already_there
        self.counts.failed_before = listed.failed_before
        self.counts.running = len(self._running)
        self.counts.usd = self.budget.spent
        self.counts.listing = not self.preparation.is_finished
        self.on_progress(self.counts)

    def _summary(self, started: str) -> LastRun:
        counts = self.counts
        failed = counts.failed + counts.failed_before
        problems = sorted(self.preparation.counts.problems, key=lambda each: not each.passing)
        return LastRun(
            started_at=started,
            ended_at=now(),
            units=counts.units,
            already_there=counts.already_there,
            done=counts.done,
            failed=failed,
            left=counts.units - counts.already_there - counts.done - failed,
            usd=round(counts.usd, 6),
            stopped=self._stopped,
            problems=tuple(problems[:_MAX_PROBLEMS]),
            problem_count=len(problems),
        )

    def _write(self, summary: LastRun) -> None:
        with suppress(OSError):  # a full disk: what is in the store counts
            self.store.write("last-run.json", summary)
