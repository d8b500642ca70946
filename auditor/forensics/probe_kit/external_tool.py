"""A program that looks at copies of files while we do something else: begun, waited for in the end, never left behind."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple


class ToolOutput(NamedTuple):
    """What a program that ended successfully wrote."""

    output: bytes
    errors: bytes


@dataclass(frozen=True)
class RunningTool:
    """A program under way. What it prints is written to unnamed files, so that nobody has to read it in time."""

    output: IO[bytes]
    errors: IO[bytes]
    process: subprocess.Popen[bytes] | None
    deadline: float

    def wait_for_output(self) -> ToolOutput | None:
        """What it printed, once it has ended; None when it could not be started, ended badly or not in time."""
        if self.process is None:
            return None
        try:
            code = self.process.wait(max(0.0, self.deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return None
        if code != 0:
            return None
        self.output.seek(0)
        self.errors.seek(0)
        return ToolOutput(self.output.read(), self.errors.read())


@contextmanager
def run_tool(
    command: Sequence[str], folder: Path, variables: Mapping[str, str], seconds: float
) -> Iterator[RunningTool]:
    """Start a program in a folder, with these variables and PATH alone for its environment, and see it ended on leaving."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = _start_process(command, folder, variables, output, errors)
        try:
            yield RunningTool(output, errors, process, time.monotonic() + seconds)
        finally:
            if process is not None:
                process.kill()
                process.wait()


def _start_process(
    command: Sequence[str], folder: Path, variables: Mapping[str, str], output: IO[bytes], errors: IO[bytes]
) -> subprocess.Popen[bytes] | None:
    """The process; None where there is no such program."""
    try:
        return subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            env={"PATH": os.environ.get("PATH", os.defpath), **variables},
        )
    except OSError:
        return None
