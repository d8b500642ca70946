"""Runs the engine's child processes as threads of this process, so that what they run can be recorded.

Limits are not set, so nothing hostile is to be read like this.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from typing import Any, cast
from unittest.mock import patch

from auditor.child_process import Child, Limits
from auditor.forensics.agent_systems import analysis_child_process
from auditor.forensics.documents import embedded_images, reader_child_process
from auditor.forensics.engine import worker_pool
from auditor.forensics.secrets import secret_detector

STARTED_BY = (worker_pool, analysis_child_process, reader_child_process, embedded_images, secret_detector)
"""The modules of the engine that start children, each by a name of its own."""
_STACK_BYTES = 512 << 20
"""Address space of a thread, for code that is nested deeply."""
_END_SECONDS = 60.0


class _Thread:
    """What the engine asks of a child process, of a thread."""

    exitcode = 0

    def __init__(self, work: Callable[[], None], pipe: Connection) -> None:
        self._pipe = pipe
        self._thread = threading.Thread(target=work, daemon=True)
        before = threading.stack_size(_STACK_BYTES)
        self._thread.start()
        threading.stack_size(before)

    def kill(self) -> None:
        """Close the pipe in both directions, which ends whoever listens, and wait for the end."""
        with socket.socket(fileno=os.dup(self._pipe.fileno())) as end:
            end.shutdown(socket.SHUT_RDWR)
        self.join(_END_SECONDS)

    def join(self, timeout: float | None = None) -> None:
        """Wait for the end."""
        self._thread.join(timeout)


def _start(
    work: Callable[..., None],
    arguments: tuple[Any, ...] = (),
    limits: Limits | None = None,
    *,
    what: str,
    setup: Callable[[], object] | None = None,
    **_: object,
) -> Child:
    del limits
    ours, theirs = multiprocessing.Pipe()
    if setup is not None:
        setup()
    gc.enable()  # a child that ends soon collects nothing, and says so in its setup

    def live() -> None:
        with theirs:
            try:
                work(theirs, *arguments)
            except (EOFError, OSError, SystemExit):
                return  # it was killed while it answered, or has ended itself

    return Child(what, ours, cast("Any", _Thread(live, ours)), is_ready=True)


def _end_thread(_status: int) -> None:
    raise SystemExit


@contextmanager
def in_process_children() -> Iterator[None]:
    """Within the block, the engine starts threads in place of processes."""
    with ExitStack() as stack:
        for module in STARTED_BY:
            stack.enter_context(patch.object(module, "start", _start))
        for module in (worker_pool, secret_detector):
            if hasattr(module, "allow_seconds"):
                stack.enter_context(patch.object(module, "allow_seconds", lambda _seconds: None))
        stack.enter_context(patch.object(os, "_exit", _end_thread))
        yield
