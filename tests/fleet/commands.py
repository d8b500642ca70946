"""Runs of the real command, and small real repositories for them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from tests.repos import Drawing

ROOT = Path(__file__).parents[2]


def start(*arguments: object, **more: object) -> subprocess.Popen[str]:
    """Start `auditor ARGUMENTS` from this checkout, in a process group of its own."""
    return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
        [sys.executable, "-m", "auditor", *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **more,
    )


def run(*arguments: object, **more: object) -> tuple[int, str]:
    """Exit code and all that was printed."""
    process = start(*arguments, **more)
    printed, errors = process.communicate(timeout=120)
    return process.returncode, printed + errors


def draw_changes(drawing: Drawing, count: int) -> list[str]:
    """A repository with so many changes, as ranges."""
    commits = [drawing.commit({"a.py": "x = 0\n"})]
    commits += [drawing.commit({"a.py": f"x = {number}\n"}) for number in range(1, count + 1)]
    return [f"{before}..{after}" for before, after in pairwise(commits)]


def write_targets(file: Path, repository: object, changes: list[str]) -> Path:
    """A file of one target."""
    lines = "".join(f"      - {each}\n" for each in changes)
    file.write_text(f"targets:\n  - repository: {repository}\n    changes:\n{lines}")
    return file


def wait_for(condition: Callable[[], object], seconds: float = 120.0) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.02)


def audits_of(store: Path) -> list[int]:
    """Process ids of audits that run for a store."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            command = (each / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"audit" in command and b"-I" in command and any(os.fsencode(store) in part for part in command):
            found += [int(each.name)] if command[0] != b"sh" else []
    return found
