"""Why a process that read something of the audited repository ended without an answer, in words for the coverage list."""

from __future__ import annotations

import signal

from auditor.child_process import OUT_OF_MEMORY, named

MEMORY = "reading it took more memory than is allowed"


def ending(code: int | None, slow: str) -> str:
    """The reason behind an exit code as `multiprocessing` gives it; `slow` where its processor time ran out."""
    if code == -signal.SIGXCPU:
        return slow
    if code == OUT_OF_MEMORY:
        return MEMORY
    return f"reading it ended the process that read it ({named(code)})"
