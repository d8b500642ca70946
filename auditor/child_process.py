"""Child processes with limits on memory, processor time and core files: the one place where they get them.

Every limit is optional and never higher than the hard limit that is already in force. Where the system refuses one (macOS
refuses RLIMIT_AS), the child runs with the others, and `notices` says so once. Memory is then watched by a thread of the
child, which sees what Python code takes; a single call into native code that keeps the interpreter's lock is not seen.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

StartMethod = Literal["fork", "spawn"]
OUT_OF_MEMORY = 86
"""Exit status of a child that the watch on its memory ended. Python and the shell use none of that number."""
WALL_TIME_FACTOR = 5.0
"""How many times as much wall time is waited for work that is bounded by processor time."""
START_SECONDS = 60.0
"""Wall seconds for a child to set itself up, which takes some milliseconds."""
_POLL_SECONDS = 0.05
"""Seconds between two looks at the memory: code that only fills memory takes 0.2 gigabytes in them."""
_GRACE_SECONDS = 5
"""Processor seconds between the signal that ends a child and its kill."""
_STATM = Path("/proc/self/statm")
_RSS_UNITS = {"darwin": 1}
_RSS_UNIT = _RSS_UNITS.get(sys.platform, 1024)
"""Bytes in one unit of `ru_maxrss`: macOS counts bytes, other systems kilobytes."""
_READY, _FAILED = b"+", b"!"
_MAX_MESSAGE_BYTES = 2_000
_MAX_OPEN_FILES = 65_536
_NOTICES: Mapping[str, str] = {
    "memory": "This system refuses a limit on address space (RLIMIT_AS): processes that read files watch their own memory instead, and git and zizmor run without a memory limit.",
    "size": "/proc is not available, so the address space of processes that read files is not limited: they watch their own memory instead.",
    "memory lowered": "This shell allows a process less memory than the audit does (`ulimit -Hv`): files that need more are listed as unread.",
    "time": "This system refuses a limit on processor time (RLIMIT_CPU): a process that reads files is ended by the clock alone.",
    "time lowered": "This shell allows a process less processor time than the audit does (`ulimit -Ht`): files that need more are listed as unread.",
    "core": "This system refuses a limit on core files (RLIMIT_CORE): a process that crashes may leave one.",
}
"""What a user should know, by what the system refused or lowered."""
_HINTS: Mapping[int, str] = {
    errno.EAGAIN: "End other processes, or allow more of them (`ulimit -u`).",
    errno.ENOMEM: "There is too little memory: end other processes, or use a larger machine.",
    errno.EMFILE: "Too many files are open: allow more of them (`ulimit -n`).",
    errno.ENFILE: "Too many files are open on this machine: end other processes.",
}
_REPORT_HINT = "Please report it, with what AUDITOR_DEBUG=1 prints."
_refused_limits: set[str] = set()
"""What the system refused the children of this process: a fact about the machine, so one set serves all audits."""


class NotStarted(Exception):
    """A child could not be started, or ended before it was set up: no input can be blamed. One sentence, and a hint."""

    def __init__(self, what: str, reason: str, hint: str = _REPORT_HINT) -> None:
        super().__init__(f"{what} could not start ({reason}), so nothing was judged. {hint}")
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child may use. Core files are never written."""

    memory: int | None = None
    """Bytes that it may add to what it starts with."""
    seconds: int | None = None
    """Processor seconds."""
    renewable: bool = False
    """Is the processor time renewed with `allow_seconds`, for each of many files?"""


@dataclass
class Child:
    """A process started with limits, and our end of the pipe to it."""

    what: str
    pipe: Connection
    process: BaseProcess
    is_ready: bool = False

    def wait_ready(self, timeout: float = START_SECONDS) -> None:
        """Wait until the child is set up. Raises NotStarted when it ended before, failed, or did not answer in time."""
        if self.is_ready:
            return
        try:
            said = (
                self.pipe.recv_bytes(_MAX_MESSAGE_BYTES) if self.pipe.poll(timeout) else _FAILED + b"no answer in time"
            )
        except (EOFError, OSError):
            self.process.join(timeout=1)
            said = _FAILED + f"ended by {describe_exit(self.process.exitcode)}".encode()
        if said[:1] != _READY:
            raise NotStarted(self.what, said[1:].decode("utf-8", errors="replace"))
        _refused_limits.update(each for each in said[1:].decode("ascii", errors="replace").split(",") if each)
        self.is_ready = True

    def end(self) -> None:
        """Kill the process and close the pipe: in this order, another thread that still listens sees its end."""
        self.process.kill()
        self.process.join(timeout=5)
        self.pipe.close()


def start(
    work: Callable[..., None],
    arguments: tuple[Any, ...] = (),
    limits: Limits = Limits(),
    *,
    what: str,
    setup: Callable[[], object] | None = None,
    method: StartMethod = "fork",
    daemon: bool = True,
    alone: bool = False,
) -> Child:
    """Start `work(pipe, *arguments)` in a child. Raises NotStarted when the system starts none.

    The child sets its limits, calls `setup`, reports that it is ready and begins to work. `what` names it in errors. One
    that is `alone` keeps no other open file of this process. With `spawn`, all that is passed must be importable by name
    or plain data.
    """
    import multiprocessing

    context = multiprocessing.get_context("spawn") if method == "spawn" else multiprocessing.get_context("fork")
    try:
        ours, theirs = context.Pipe()
    except OSError as error:
        raise _not_started(what, error) from error
    life = _ChildTask(work, arguments, limits, setup, alone)
    process = context.Process(
        target=_child_main, args=(theirs, ours if method == "fork" else None, life), daemon=daemon
    )
    try:
        process.start()
    except OSError as error:
        ours.close()
        raise _not_started(what, error) from error
    finally:
        theirs.close()
    return Child(what, ours, process)


def notices() -> tuple[str, ...]:
    """What the system refused the children of this process so far, a sentence each."""
    return tuple(said for refused, said in _NOTICES.items() if refused in _refused_limits)


def describe_exit(code: int | None) -> str:
    """How a process ended, by its exit code as `multiprocessing` gives it: the signal's name, or `an error`."""
    try:
        return signal.Signals(-code).name if code is not None and code < 0 else "an error"
    except ValueError:
        return "an unknown signal"  # those for real time have no names


def limit_command(command: Sequence[str], *, memory_kb: int, blocks: int | None = None) -> list[str]:
    """A command that is run with a limit on its address space and, in blocks of 512 bytes, on each file it writes.

    The shell sets them and becomes the command. A limit that it cannot set is left as it is: nothing is printed, and the
    command runs.
    """
    script = '{ ulimit -c 0; ulimit -v "$0"; ulimit -f "$1"; } 2>/dev/null; shift; exec "$@"'
    return ["sh", "-c", script, str(memory_kb), "unlimited" if blocks is None else str(blocks), *command]


def allow_seconds(seconds: float) -> None:
    """Allow this process so many more processor seconds; past them the system ends it."""
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    _set_limit("time", resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + seconds) + 1, keep_hard=True)


def _not_started(what: str, error: OSError) -> NotStarted:
    return NotStarted(what, error.strerror or type(error).__name__, _HINTS.get(error.errno or 0, _REPORT_HINT))


@dataclass(frozen=True, slots=True)
class _ChildTask:
    """What a child runs, and with which limits."""

    work: Callable[..., None]
    arguments: tuple[Any, ...]
    limits: Limits
    setup: Callable[[], object] | None
    alone: bool


def _child_main(pipe: Connection, other: Connection | None, task: _ChildTask) -> None:
    """A child's life. It prints nothing: what it reads is hostile, and its end has a reason that the parent reports."""
    if other is not None:
        other.close()
    if task.alone:
        _close_others(pipe.fileno())
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not os.environ.get("AUDITOR_DEBUG"):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 2)
        os.close(nothing)
    try:
        refused = _set_limits(task.limits)
        if task.setup is not None:
            task.setup()
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent reports it
        pipe.send_bytes(_FAILED + f"{type(error).__name__}: {error}"[:300].encode("utf-8", errors="replace"))
        _exit_with_error()
    pipe.send_bytes(_READY + ",".join(refused).encode("ascii"))
    try:
        task.work(pipe, *task.arguments)
    except Exception:  # noqa: BLE001 - the parent sees that it ended, and why in its exit status
        _exit_with_error()


def _close_others(own: int) -> None:
    """Close what was inherited by the fork: a git whose input stayed open here would never see its end."""
    highest = os.sysconf("SC_OPEN_MAX")
    os.closerange(3, own)
    os.closerange(own + 1, highest if 0 < highest < _MAX_OPEN_FILES else _MAX_OPEN_FILES)


def _exit_with_error() -> NoReturn:
    """End with an error, and with a traceback only if one was asked for."""
    if os.environ.get("AUDITOR_DEBUG"):
        traceback.print_exc()
    raise SystemExit(1)


def _set_limits(limits: Limits) -> list[str]:
    """Set the limits of this process. Gives those that the system refused or lowered."""
    import resource

    refused = _set_limit("core", resource.RLIMIT_CORE, 0)
    if limits.memory is not None:
        refused += _limit_memory(limits.memory)
    if limits.seconds is not None:
        refused += _set_limit(
            "time", resource.RLIMIT_CPU, limits.seconds, grace=_GRACE_SECONDS, keep_hard=limits.renewable
        )
    return refused


def _limit_memory(more: int) -> list[str]:
    import resource

    try:
        pages = int(_STATM.read_text(encoding="ascii").split()[0])
    except (OSError, ValueError, IndexError):
        refused = ["size"]  # a limit below what the process has already would refuse it everything
    else:
        refused = _set_limit("memory", resource.RLIMIT_AS, pages * resource.getpagesize() + more)
    if refused in (["size"], ["memory"]):
        _watch_memory(more)
    return refused


def _set_limit(name: str, which: int, wanted: int, *, grace: int = 0, keep_hard: bool = False) -> list[str]:
    """Set one limit, no higher than the hard one. Gives its name when it is refused, `NAME lowered` when it is lower.

    The hard limit becomes higher by the grace: where both are equal, the system kills without the signal that says why.
    """
    import resource

    try:
        _, hard = resource.getrlimit(which)
        most = wanted + grace if hard == resource.RLIM_INFINITY else hard
        allowed = min(wanted, most)
        resource.setrlimit(which, (allowed, hard if keep_hard else min(wanted + grace, most)))
    except (OSError, ValueError):
        return [name]
    return [f"{name} lowered"] if allowed < wanted else []


def _watch_memory(more: int) -> None:
    """End this process when its resident memory has grown by more than so many bytes."""
    limit = _peak_memory() + more

    def watch() -> None:
        while _peak_memory() <= limit:
            time.sleep(_POLL_SECONDS)
        os._exit(OUT_OF_MEMORY)

    threading.Thread(target=watch, name="memory", daemon=True).start()


def _peak_memory() -> int:
    """Bytes of memory that this process has had at most."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT
