"""Why a process that read something of the audited repository ended without an answer, in words for the coverage list."""

from __future__ import annotations

import signal


def ending(code: int | None, slow: str) -> str:
    """The reason behind an exit code as `multiprocessing` gives it; `slow` where its processor time ran out."""
    if code == -signal.SIGXCPU:
        return slow
    return f"reading it ended the process that read it ({_named(code)})"


def _named(code: int | None) -> str:
    try:
        return signal.Signals(-code).name if code is not None and code < 0 else "an error"
    except ValueError:
        return "an unknown signal"  # those for real time have no names
