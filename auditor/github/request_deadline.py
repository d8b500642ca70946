"""Until when something has to be done."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Deadline:
    """A moment on the monotonic clock."""

    at: float

    @classmethod
    def within(cls, seconds: float) -> Deadline:
        """So many seconds from now."""
        return cls(time.monotonic() + seconds)

    def left(self) -> float:
        """Seconds left; 0 when it has passed."""
        return max(0.0, self.at - time.monotonic())
