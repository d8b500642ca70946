"""Reads hostile code in a process of its own, with bounds on time and memory.

The child says which file it parses or follows. When it ends, hangs or runs out of memory, that file is left out with the
reason and the rest is read again; when nobody can say which file it was, the largest go. An answer about most of the code
that says what it lacks is worth more than none: only where no part of the code can be read is there no answer.
"""

from __future__ import annotations

import gc
import math
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

from auditor.child_exit_reasons import exit_reason
from auditor.child_process import WALL_TIME_FACTOR, Limits, start
from auditor.forensics.agent_systems.analyzed_file import Source
from auditor.forensics.agent_systems.javascript.library_names import is_script
from auditor.forensics.agent_systems.system_report_types import AgentSystem, restore_data_types
from auditor.forensics.source_text.file_roles import language

CPU_SECONDS = 40.0
"""Processor seconds for everything; systems of fifteen thousand lines took less than two."""
MEMORY_BYTES = 2 << 30
MAX_ANSWER = 24_000_000
"""Bytes of an answer; that about the largest system looked at has two hundred thousand."""
_ATTEMPT_SHARE = 0.5
"""Share of the seconds left that one try may take, so that there is time for another without the file it fell over."""
_MAX_TRIES = 8
_MAX_SINGLE_REMOVALS = 3
"""Files left out one by one (one, where time runs out); after that the larger half of the others goes with each."""
_RECURSION_LIMIT = 6_000
_TIMEOUT_REASON = "reading it took too long"
_PROCESS_NAME = "A process that reads agent systems"


@dataclass(frozen=True, slots=True)
class _Attempt:
    """How one try ended: with an answer, or over a file (if that is known) for a reason."""

    answer: AgentSystem | None
    failing_file: str
    reason: str


def analyze_in_child_process(sources: Sequence[Source], unread: Mapping[str, str] | None = None) -> AgentSystem:
    """Every answer about an agent system, or why there is none. `unread` are files that could not even be fetched."""
    missing = dict(unread or {})
    left_out: dict[str, str] = {}
    left = CPU_SECONDS
    last = _TIMEOUT_REASON
    for number in range(_MAX_TRIES):
        if left < 1:
            break
        spent = _child_cpu_seconds()
        tried = _attempt(list(sources), left_out, math.ceil(left * _ATTEMPT_SHARE))
        if tried.answer is not None:
            return tried.answer.model_copy(update={"unread": {**missing, **tried.answer.unread}})
        left -= _child_cpu_seconds() - spent
        last = tried.reason
        fresh = _files_to_leave_out(
            sources, left_out, tried, single=number < (1 if tried.reason == _TIMEOUT_REASON else _MAX_SINGLE_REMOVALS)
        )
        if not fresh:
            break
        left_out |= fresh
    return AgentSystem(failed=last, unread={**missing, **left_out})


def _child_cpu_seconds() -> float:
    """Processor seconds that ended children have used."""
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _files_to_leave_out(
    sources: Sequence[Source], left_out: Mapping[str, str], tried: _Attempt, *, single: bool
) -> dict[str, str]:
    """The files to do without next: the one a try fell over, else the largest; later the larger half with it."""
    code = [each for each in sources if each.path not in left_out and (_is_python(each.path) or is_script(each.path))]
    by_size = sorted(code, key=lambda each: (-len(each.text), each.path))
    guilty = [each.path for each in code if each.path == tried.failing_file] or [each.path for each in by_size[:1]]
    fresh = dict.fromkeys(guilty, tried.reason)
    if not single:
        others = [each.path for each in by_size if each.path not in fresh]
        fresh |= dict.fromkeys(
            others[: len(others) // 2], "left out as one of the largest, after others could not be read"
        )
    return fresh


def _is_python(path: str) -> bool:
    return language(path) == "python"


def _attempt(sources: list[Source], left_out: Mapping[str, str], seconds: int) -> _Attempt:
    """One try with processor seconds of its own. Raises NotStarted."""
    deadline = time.monotonic() + WALL_TIME_FACTOR * seconds
    child = start(_run_child, (sources, left_out), Limits(MEMORY_BYTES, seconds), what=_PROCESS_NAME, setup=_set_up)
    current = ""
    try:
        child.wait_ready()
        while True:
            if not child.pipe.poll(max(0.0, deadline - time.monotonic())):
                return _Attempt(None, current, _TIMEOUT_REASON)
            message = child.pipe.recv_bytes(MAX_ANSWER)
            if message[:1] == b"{":
                answer = restore_data_types(AgentSystem.model_validate_json(message))
                return _Attempt(None, current, answer.failed) if answer.failed else _Attempt(answer, "", "")
            current = message[1:].decode("utf-8", errors="replace")
    except (EOFError, OSError):
        child.process.join(timeout=1)
        return _Attempt(None, current, exit_reason(child.process.exitcode, _TIMEOUT_REASON))
    except ValueError:
        return _Attempt(None, "", "the analysis process gave an invalid answer")
    finally:
        child.end()


def _set_up() -> None:
    sys.setrecursionlimit(_RECURSION_LIMIT)
    gc.disable()


def _run_child(pipe: Connection, sources: list[Source], left_out: Mapping[str, str]) -> None:
    """The child's life: read, answer, end."""
    from auditor.forensics.agent_systems.analysis_entry_point import analyze_system as analyse

    try:
        answer = analyse(sources, lambda path: pipe.send_bytes(b"@" + path.encode("utf-8", errors="replace")), left_out)
    except MemoryError:
        answer = AgentSystem(failed="following the code needs more memory than is allowed")
    except RecursionError:
        answer = AgentSystem(failed="the code is nested too deeply to be followed")
    pipe.send_bytes(_encode_answer(answer))
    os._exit(0)


def _encode_answer(answer: AgentSystem) -> bytes:
    """An answer as it passes through the pipe; one that is too long, or takes too much memory to spell, says so."""
    try:
        said = answer.model_dump_json(by_alias=True).encode("utf-8", errors="backslashreplace")
    except MemoryError:
        said = b""
    if 0 < len(said) <= MAX_ANSWER:
        return said
    return AgentSystem(failed="the result is too long").model_dump_json(by_alias=True).encode()
