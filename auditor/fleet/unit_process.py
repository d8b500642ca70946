"""Runs the audit of one unit in its own process group, with limits, and writes its record to the store.

Runs in the process of the client or in a worker on another machine that sees the same store. The caller only waits for the process.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from auditor.fleet.store import FailureFile, Store, UnitFile
from auditor.fleet.unit import Unit

_JUDGED_CODES = {0, 1, 4}
"""Exit codes of an audit that wrote a record: passed or nothing to judge, failed, inconclusive."""
_FIRST_SIGNAL_CODE = 128
_MAX_REASON = 500
_MAX_ERROR_BYTES = 16_000
_FULL_DISK_SIGNS = ("no space left", "disk is full", "disk quota exceeded", "file too large", "free some space")
_FULL_DISK_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_PASSED_ON = (
    "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "XDG_CACHE_HOME", "KF_RULE_CACHE_DIR", "SOURCE_DATE_EPOCH",
    "SSL_CERT_FILE", "DEVELOPER_DIR", "AUDITOR_DEBUG",
)  # fmt: skip
"""Environment variables that a unit sees. None of them holds a token."""
_SUPERVISOR = """
exec 3<&0 </dev/null
{ ulimit -c 0; ulimit -v "$0"; } 2>/dev/null
"$@" 3<&- &
audit=$!
{ read -r _; kill -KILL 0; } <&3 2>/dev/null &
guard=$!
exec 3<&-
wait "$audit"
code=$?
kill -KILL "$guard" 2>/dev/null
exit "$code"
"""
"""Runs the command with a limit on memory. Its input is a pipe that only we hold: when we are gone, the whole group is ended."""


class Ending(StrEnum):
    """How a unit ended."""

    DONE = "done"
    FAILED = "failed"
    """By its own exit, its time or its memory."""
    LOST = "lost"
    """By a signal from outside, with its worker, or because the run stopped: not its own fault."""
    DISK_FULL = "disk full"


@dataclass(frozen=True)
class UnitLimits:
    """What one unit may use."""

    seconds: float = 900.0
    memory_kb: int = 8 << 20


@dataclass(frozen=True)
class UnitOrder:
    """A unit, where its repository is, and which try it is. Plain data: it travels to other machines."""

    unit: Unit
    source: str
    """The mirror or the repository on disk."""
    store: str
    name: str
    """What the record calls the repository."""
    limits: UnitLimits = field(default_factory=UnitLimits)
    arguments: tuple[str, ...] = ()
    """More options of `auditor audit`: rubric, gate, bench."""
    variables: tuple[str, ...] = ()
    """Environment variables that the unit needs beside the usual ones, such as the key of a model."""
    pull_request: int | None = None
    description: str = ""
    attempt: int = 1


@dataclass(frozen=True)
class Outcome:
    """How a unit ended, in a few bytes: the record itself is in the store."""

    key: str
    ending: Ending
    attempt: int = 1
    reason: str = ""
    conclusion: str = ""
    overall: float | None = None
    usd: float | None = None
    seconds: float = 0.0


_running: set[subprocess.Popen[bytes]] = set()
_running_lock = threading.Lock()
_stopped = threading.Event()


def run_unit(order: UnitOrder) -> Outcome:
    """Audit the unit and store its record. Never raises for what a unit or a disk does."""
    key = order.unit.key
    store = Store(Path(order.store))
    started = time.monotonic()
    try:
        if not _claim(store, f"{key}.{order.attempt}"):
            return Outcome(key, Ending.LOST, order.attempt, "the worker that ran it was lost")
        work = store.work / f"{key[:16]}-{secrets.token_hex(4)}"
        work.mkdir(parents=True)
        try:
            return _audit(order, store, work, started)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    except OSError as error:
        ending = Ending.DISK_FULL if error.errno in _FULL_DISK_ERRORS else Ending.LOST
        reason = f"the store cannot be written ({error.strerror})"
        return Outcome(key, ending, order.attempt, reason, seconds=time.monotonic() - started)


def stop_all() -> None:
    """End every unit that runs in this process, and let none begin."""
    _stopped.set()
    with _running_lock:
        for each in _running:
            _kill_group(each)


def allow_all() -> None:
    """Let units begin again after `stop_all`, for another run in the same process."""
    _stopped.clear()


def command_line(order: UnitOrder, work: Path) -> list[str]:
    """The command of a unit. It holds no token."""
    unit = order.unit
    change = ["--base", unit.base] if unit.base is not None else []
    number = ["--pull-request", str(order.pull_request)] if order.pull_request is not None else []
    described = ["--description", str(work / "description")] if order.description and unit.base else []
    return [
        *(sys.executable, "-I", "-m", "auditor", "audit", order.source, "--head", unit.head, *change),
        *("--repository", order.name, *number, *described, *order.arguments),
        *("--out", str(work / "out"), "--format", "json", "--jobs", "1", "--quiet"),
    ]


def _claim(store: Store, name: str) -> bool:
    """Take an attempt, once: a scheduler that loses a worker starts what it ran again by itself."""
    folder = store.work / "claims"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        os.close(os.open(folder / name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    return True


def _audit(order: UnitOrder, store: Store, work: Path, started: float) -> Outcome:
    if order.description:
        (work / "description").write_text(order.description, encoding="utf-8", errors="replace")
    code, timed_out = _run(order, work)
    said = _last_error(work / "errors")
    seconds = round(time.monotonic() - started, 3)
    key, attempt = order.unit.key, order.attempt
    if timed_out:
        reason = f"it took longer than {order.limits.seconds:g} seconds"
        return Outcome(key, Ending.FAILED, attempt, reason, seconds=seconds)
    if code in _JUDGED_CODES:
        return _store_record(order, store, work / "out" / "report.json", seconds)
    if any(sign in said.lower() for sign in _FULL_DISK_SIGNS):
        return Outcome(key, Ending.DISK_FULL, attempt, said, seconds=seconds)
    if code < 0 or code >= _FIRST_SIGNAL_CODE:
        number = -code if code < 0 else code - _FIRST_SIGNAL_CODE
        return Outcome(key, Ending.LOST, attempt, f"it was ended by signal {number}", seconds=seconds)
    return Outcome(key, Ending.FAILED, attempt, said or f"it ended with exit code {code}", seconds=seconds)


def _run(order: UnitOrder, work: Path) -> tuple[int, bool]:
    """Run the command to its end: its exit code, and whether its time ran out."""
    command = ["sh", "-c", _SUPERVISOR, str(order.limits.memory_kb), *command_line(order, work)]
    with (work / "errors").open("wb") as errors, _running_lock:
        if _stopped.is_set():
            return 128 + signal.SIGTERM, False
        process = subprocess.Popen(
            command,
            cwd=work,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env=_environment(order, work),
            start_new_session=True,
        )
        _running.add(process)
    try:
        return process.wait(order.limits.seconds), False
    except subprocess.TimeoutExpired:
        return -signal.SIGKILL, True
    finally:
        _kill_group(process)
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        process.wait()
        with _running_lock:
            _running.discard(process)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """End the process and all that it started, as far as anything of it is left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _environment(order: UnitOrder, work: Path) -> dict[str, str]:
    known = {name: os.environ[name] for name in (*_PASSED_ON, *order.variables) if name in os.environ}
    return {**known, "TMPDIR": str(work)}


def _last_error(file: Path) -> str:
    """The last line that the command printed, without its name and cut."""
    try:
        with file.open("rb") as errors:
            errors.seek(max(0, file.stat().st_size - _MAX_ERROR_BYTES))
            lines = errors.read().decode(errors="replace").strip().splitlines()
    except OSError:
        return ""
    return lines[-1].removeprefix("auditor: ")[:_MAX_REASON] if lines else ""


def _store_record(order: UnitOrder, store: Store, file: Path, seconds: float) -> Outcome:
    """Put the record that the audit wrote into the store, when it is the record of this unit."""
    key, attempt = order.unit.key, order.attempt
    try:
        content = file.read_bytes()
        record = json.loads(content)
        ends = record["subject"]["head"], record["subject"]["base"]
        verdict, usd = record["verdict"], record["cost"]["usd"]
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return Outcome(key, Ending.FAILED, attempt, "it wrote no record that can be read", seconds=seconds)
    if ends != (order.unit.head, order.unit.base):
        return Outcome(key, Ending.FAILED, attempt, "its record is about other commits", usd=usd, seconds=seconds)
    about = UnitFile(
        key=key,
        unit=order.unit,
        pull_request=order.pull_request,
        record_sha256=hashlib.sha256(content).hexdigest(),
        conclusion=verdict["conclusion"],
        overall=verdict["overall"],
        usd=usd,
        seconds=seconds,
        finished_at=now(),
    )
    store.put_record(about, content)
    return Outcome(key, Ending.DONE, attempt, "", about.conclusion, about.overall, usd, seconds)


def failure_of(order: UnitOrder, outcome: Outcome) -> FailureFile:
    """What the store keeps of a unit that failed."""
    return FailureFile(
        key=outcome.key,
        unit=order.unit,
        pull_request=order.pull_request,
        reason=outcome.reason,
        attempts=outcome.attempt,
        failed_at=now(),
    )


def now() -> str:
    """The time as the store writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
