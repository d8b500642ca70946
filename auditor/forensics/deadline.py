"""A limit on the wall time of a question that is answered in this process."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

PROBE_SECONDS = 60.0
"""Wall seconds for one question; the slowest takes a second on two hundred thousand lines."""
ALL_SECONDS = 240.0
"""Wall seconds for all questions of an audit that are answered in this process."""


class Overrun(BaseException):
    """The time is up. No `except Exception` on the way may take it for something else."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise Overrun inside the block when it takes longer, be it in a regular expression.

    For code that only computes: it is left in the middle. Signals reach the main thread alone, so elsewhere there is no
    limit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise Overrun

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@dataclass
class Clock:
    """What is left of the time for all questions, and whether one of them took too long."""

    ends: float = field(default_factory=lambda: time.monotonic() + ALL_SECONDS)
    overran: bool = False

    def left(self) -> float:
        """Seconds for the next question."""
        return min(PROBE_SECONDS, self.ends - time.monotonic())
