"""Who holds a store: one run at a time, on one machine or on several that share the folder."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from auditor.domain import UserError

_MAX_BYTES = 2_000


@contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Hold the store in a folder, or raise UserError that says who does.

    The system releases the lock of a process that has ended, however it ended, so one of this machine is taken over.
    What names another machine is not: whether that run still works cannot be seen from here.
    """
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UserError(_refusal(folder, _holder(descriptor))) from error
        holder = _holder(descriptor)
        if holder.get("host", socket.gethostname()) != socket.gethostname():
            raise UserError(
                f"{_refusal(folder, holder)} If that run has ended, delete {folder / 'lock'} and run again."
            )
        _write(descriptor, {"host": socket.gethostname(), "pid": os.getpid(), "since": _now()})
        try:
            yield
        finally:
            _write(descriptor, {})
    finally:
        os.close(descriptor)


def _refusal(folder: Path, holder: dict[str, object]) -> str:
    who = f"process {holder.get('pid', '?')} on {holder.get('host', 'this machine')}, since {holder.get('since', '?')}"
    return f"the store {folder} is in use by another run ({who}): wait for its end, or give another --store."


def _holder(descriptor: int) -> dict[str, object]:
    """What the lock says of who holds it, printable; nothing when nobody does or it cannot be read."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    try:
        said = json.loads(os.read(descriptor, _MAX_BYTES) or b"{}")
    except (ValueError, RecursionError):
        return {}
    known = said if isinstance(said, dict) else {}
    return {name: str(known[name])[:100] for name in ("host", "pid", "since") if name in known}


def _write(descriptor: int, holder: dict[str, object]) -> None:
    text = json.dumps(holder).encode() if holder else b""
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, text, 0)
    if holder:
        os.fsync(descriptor)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
