"""Limits on the work of a question that is answered in this process.

Work is bounded by processor time, which is the same on a crowded machine and on an idle one, so that an audit says the
same on both; far behind it stands a limit of wall time, for what waits instead of working.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from auditor.child_process import WALL_TIME_FACTOR

PROBE_SECONDS = 60.0
"""Processor seconds for one question; the slowest takes a second on two hundred thousand lines."""
TOTAL_SECONDS = 240.0
"""Processor seconds for all questions of an audit that are answered in this process."""


class Overrun(BaseException):
    """The time is up. No `except Exception` on the way may take it for something else."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise Overrun inside the block when it takes more processor time, be it in a regular expression.

    For code that only computes: it is left in the middle. Signals reach the main thread alone, so elsewhere there is no
    limit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise Overrun

    limit = max(seconds, 1e-6)
    limits = {
        signal.SIGPROF: (signal.ITIMER_PROF, limit),
        signal.SIGALRM: (signal.ITIMER_REAL, limit * WALL_TIME_FACTOR),
    }
    before = {number: signal.signal(number, ring) for number in limits}
    try:
        for timer, until in limits.values():
            signal.setitimer(timer, until)
        yield
    finally:
        for timer, _ in limits.values():
            signal.setitimer(timer, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


@dataclass
class TimeBudget:
    """What is left of the processor time for all questions, and whether one of them took too much."""

    seconds: float = field(default_factory=lambda: TOTAL_SECONDS)
    overran: bool = False

    @contextmanager
    def running(self) -> Iterator[float]:
        """While a question is answered: gives the processor seconds that it may take."""
        began = time.process_time()
        try:
            yield min(PROBE_SECONDS, self.seconds)
        finally:
            self.seconds -= time.process_time() - began
