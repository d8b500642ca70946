"""The second look: ruff's rules over copies of the files, out of reach of the audited tree's own settings.

Copies have numbers for names and lie in a folder of ours; no configuration and no `noqa` counts. A file on
which ruff dies is found by halving and left out, the others keep their findings.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from sysconfig import get_path
from typing import Any

from auditor.forensics.installed import version_of

SECONDS = 120.0
_MAX_HALVINGS = 12

Found = tuple[tuple[str, int, int], ...]
"""Rule code, first line and last line of each finding in a file."""
Findings = Mapping[str, Found]
"""What was found, by the file's name in the folder."""


def second_look(folder: Path, names: Sequence[str], codes: Iterable[str], jobs: int) -> Findings:
    """What ruff saw. A file it could not read is absent; one without findings has an empty tuple."""
    chosen = ",".join(sorted(set(codes)))
    found: dict[str, Found] = {}
    waiting: list[tuple[Sequence[str], int]] = [(names, 0)] if chosen and names else []
    while waiting:
        some, depth = waiting.pop()
        seen = _ruff(folder, some, chosen, jobs)
        if seen is not None:
            found.update(seen)
        elif len(some) > 1 and depth < _MAX_HALVINGS:
            middle = len(some) // 2
            waiting += [(some[:middle], depth + 1), (some[middle:], depth + 1)]
    return found


def version() -> str:
    """The version of ruff that stands beside this interpreter; empty when there is none."""
    return version_of("ruff")


def _program() -> str:
    beside = Path(get_path("scripts")) / "ruff"
    return str(beside) if beside.exists() else "ruff"


def _ruff(folder: Path, names: Sequence[str], codes: str, jobs: int) -> dict[str, Found] | None:
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
            env={
                "PATH": os.environ.get("PATH", os.defpath),
                "RAYON_NUM_THREADS": str(jobs),
                "RUST_MIN_STACK": str(1 << 28),
            },
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode != 0:
        return None
    return _parsed(done.stdout, names)


def _parsed(output: bytes, names: Sequence[str]) -> dict[str, Found]:
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
