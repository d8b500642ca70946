"""The second look: ruff's rules over copies of the files, out of reach of the audited tree's own settings.

Copies have numbers for names and lie in a folder of ours; no configuration and no `noqa` counts. A file on
which ruff dies is found by halving and left out, the others keep their findings.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from sysconfig import get_path
from typing import Any

SECONDS = 120.0
_MAX_HALVINGS = 12

Findings = Mapping[str, tuple[tuple[str, int, int], ...]]
"""File name in the folder -> (rule code, first line, last line)."""


class SecondLook:
    """Runs ruff beside the workers. `findings` waits for it and gives what it saw of each file it could read."""

    def __init__(self, folder: Path, names: Sequence[str], codes: Iterable[str]) -> None:
        self._folder = folder
        self._names = names
        self._codes = ",".join(sorted(set(codes)))
        self._found: dict[str, tuple[tuple[str, int, int], ...]] = {}
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def findings(self) -> Findings:
        """What ruff saw. A file it could not read is absent; one without findings has an empty tuple."""
        self._thread.join()
        return self._found

    def _run(self) -> None:
        if not self._codes or not self._names:
            return
        waiting: list[tuple[Sequence[str], int]] = [(self._names, 0)]
        while waiting:
            names, depth = waiting.pop()
            found = _ruff(self._folder, names, self._codes)
            if found is not None:
                self._found.update(found)
            elif len(names) > 1 and depth < _MAX_HALVINGS:
                middle = len(names) // 2
                waiting += [(names[:middle], depth + 1), (names[middle:], depth + 1)]


def version() -> str:
    """The version of ruff that stands beside this interpreter; empty when there is none."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("ruff")
    except PackageNotFoundError:
        return ""


def _program() -> str:
    beside = Path(get_path("scripts")) / "ruff"
    return str(beside) if beside.exists() else "ruff"


def _ruff(folder: Path, names: Sequence[str], codes: str) -> dict[str, tuple[tuple[str, int, int], ...]] | None:
    """Findings of one run; None when ruff failed on something."""
    command = [
        _program(), "check", "--isolated", "--ignore-noqa", "--no-cache", "--quiet", "--exit-zero", "--no-fix", "--target-version=py314",
        "--output-format=json-lines", f"--select={codes}", "--", *([str(folder)] if len(names) > 1000 else names),
    ]  # fmt: skip
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
            env={"PATH": os.environ.get("PATH", os.defpath), "RAYON_NUM_THREADS": "1", "RUST_MIN_STACK": str(1 << 28)},
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0:
        return None
    return _parsed(done.stdout, names)


def _parsed(output: bytes, names: Sequence[str]) -> dict[str, tuple[tuple[str, int, int], ...]]:
    found: dict[str, list[tuple[str, int, int]]] = {name: [] for name in names}
    for line in output.splitlines():
        each: dict[str, Any] = json.loads(line)
        name = Path(each["filename"]).name
        if name not in found:
            continue
        if each["code"] in {None, "invalid-syntax"}:
            found.pop(name)
            continue
        found[name].append((each["code"], each["location"]["row"], each["end_location"]["row"]))
    return {name: tuple(seen) for name, seen in found.items()}
