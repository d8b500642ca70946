"""Why a process that read something of the audited repository ended without an answer, in words for the coverage list."""

from __future__ import annotations

import signal

from auditor.child_process import OUT_OF_MEMORY, describe_exit

OUT_OF_MEMORY_REASON = "reading it took more memory than is allowed"


def exit_reason(code: int | None, timeout_reason: str) -> str:
    """The reason behind an exit code as `multiprocessing` gives it; `timeout_reason` where its processor time ran out."""
    if code == -signal.SIGXCPU:
        return timeout_reason
    if code == OUT_OF_MEMORY:
        return OUT_OF_MEMORY_REASON
    return f"reading it ended the process that read it ({describe_exit(code)})"
