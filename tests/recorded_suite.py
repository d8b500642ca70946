"""`python -m tests.recorded_suite LOG PYTEST_ARGUMENT...`: the branches that tests run, child processes included.

Children keep their limits, since tests may read what is hostile: each writes what it ran before it ends. One that is killed
at a limit leaves no recording.
"""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NoReturn
from unittest.mock import patch

import pytest

from auditor import child_process
from auditor.child_process import Child
from tests.branch_recorder import BranchLog, BranchRecorder, Recording
from tests.in_process_children import STARTED_BY
from tests.small_process import in_this_process

_GRACE_SECONDS = 5.0
_really_exit = os._exit
_really_start = child_process.start


class _ForkedRecorder:
    """Starts children that write what they ran into a folder."""

    def __init__(self, recorder: BranchRecorder, folder: Path) -> None:
        self._recorder = recorder
        self._folder = folder
        self._own = os.getpid()

    def start(self, work: Callable[..., None], arguments: tuple[Any, ...] = (), *rest: Any, **options: Any) -> Child:
        """As the engine's own, but for a process that is spawned anew, which nothing is recorded of."""
        if options.get("method") == "spawn":
            return _really_start(work, arguments, *rest, **options)
        return _really_start(self._work, (work, arguments), *rest, **options)

    def _work(self, pipe: Connection, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        work(pipe, *arguments)
        self.exit(0)

    def exit(self, status: int) -> NoReturn:
        """End the process, once a child has written its recording."""
        if os.getpid() != self._own:
            BranchLog(self._folder / f"{os.getpid()}.jsonl").add("child", Recording(self._recorder.recorded()))
        _really_exit(status)


def _end_gently(child: Child) -> None:
    """Let a child that listens see the end of its pipe, and kill it where it does not end by itself."""
    try:
        with socket.socket(fileno=os.dup(child.pipe.fileno())) as end:
            end.shutdown(socket.SHUT_RDWR)
        child.process.join(_GRACE_SECONDS)
    except OSError:
        pass  # its pipe is closed already
    child.process.kill()
    child.process.join(_GRACE_SECONDS)
    child.pipe.close()


def main(arguments: list[str]) -> int:
    """Run the tests in this process and keep one recording of them all. The exit code is that of pytest."""
    log, recorder = BranchLog(Path(arguments[0])), BranchRecorder()
    with tempfile.TemporaryDirectory(prefix="recorded-") as place, ExitStack() as stack:
        forked = _ForkedRecorder(recorder, Path(place))
        for module in STARTED_BY:
            stack.enter_context(patch.object(module, "start", forked.start))
        stack.enter_context(patch.object(os, "_exit", forked.exit))
        stack.enter_context(patch.object(Child, "end", _end_gently))
        with in_this_process(), recorder.recording() as recording:
            status = int(pytest.main(["-n0", "-p", "no:cacheprovider", *arguments[1:]]))
        children = [BranchLog(file).branches for file in Path(place).glob("*.jsonl")]
    log.add(" ".join(arguments[1:]), Recording(recording.branches.union(*children)))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
