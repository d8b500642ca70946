"""Reads hostile code in a process of its own, with bounds on time and memory.

The child says which file it is about to parse. One that ends the child is left out, with the reason, and the rest is
read again; code that can be parsed but not followed within the bounds gives no answer at all, and says why.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from auditor.forensics.deadline import PATIENCE
from auditor.forensics.systems.findings import AgentSystem, retyped
from auditor.forensics.systems.program import Source

SECONDS = 40.0
"""Processor seconds for everything; systems of fifteen thousand lines took less than two."""
MEMORY_BYTES = 2 << 30
_MAX_RETRIES = 3
_RECURSION = 6_000


def analysed(sources: Sequence[Source], unread: dict[str, str] | None = None) -> AgentSystem:
    """Every answer about an agent system, or why there is none. `unread` are files that could not even be fetched."""
    left = list(sources)
    missing = dict(unread or {})
    deadline = time.monotonic() + PATIENCE * SECONDS
    for _ in range(_MAX_RETRIES):
        answer, guilty, reason = _attempt(left, deadline)
        if answer is not None:
            return answer.model_copy(update={"unread": {**missing, **answer.unread}})
        if not guilty:
            return AgentSystem(failed=reason, unread=missing)
        missing[guilty] = reason
        left = [each for each in left if each.path != guilty]
    return AgentSystem(failed="several files end the process that reads them", unread=missing)


def _attempt(sources: list[Source], deadline: float) -> tuple[AgentSystem | None, str, str]:
    """One try: the answer, else the file that was being parsed (if any) and the reason."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(theirs, ours, sources), daemon=True)
    process.start()
    theirs.close()
    current = ""
    try:
        while True:
            if not ours.poll(max(0.0, deadline - time.monotonic())):
                return None, current, "reading it took too long"
            message = ours.recv_bytes()
            if message[:1] == b"{":
                return retyped(AgentSystem.model_validate_json(message)), "", ""
            current = message[1:].decode("utf-8", errors="replace")
    except (EOFError, OSError):
        process.join(timeout=1)
        return None, current, _cause(process.exitcode)
    except ValueError:
        return None, "", "what the reading process answered makes no sense"
    finally:
        ours.close()
        process.kill()
        process.join(timeout=5)


def _cause(code: int | None) -> str:
    if code == -signal.SIGXCPU:
        return "reading it took too long"
    name = signal.Signals(-code).name if code is not None and code < 0 else "an error"
    return f"reading it ended the process that read it ({name})"


def _work(pipe: Connection, other: Connection, sources: list[Source]) -> None:
    """The child's life: read, answer, end."""
    from auditor.forensics.systems.analysis import analysed as analyse

    other.close()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.setrecursionlimit(_RECURSION)
    _limit()
    gc.disable()
    try:
        answer = analyse(sources, lambda path: pipe.send_bytes(b"@" + path.encode("utf-8", errors="replace")))
    except MemoryError:
        answer = AgentSystem(failed="following the code needs more memory than is allowed")
    except RecursionError:
        answer = AgentSystem(failed="the code is nested too deeply to be followed")
    pipe.send_bytes(answer.model_dump_json(by_alias=True).encode("utf-8", errors="backslashreplace"))
    os._exit(0)


def _limit() -> None:
    status = Path("/proc/self/statm")
    used = int(status.read_text(encoding="ascii").split()[0]) * resource.getpagesize() if status.exists() else 1 << 29
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY_BYTES,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (int(SECONDS), int(SECONDS) + 5))
