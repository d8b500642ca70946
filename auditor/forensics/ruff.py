"""The second look: ruff's rules over copies of the files, out of reach of the audited tree's own settings.

Copies have numbers for names and lie in a folder of ours; no configuration and no `noqa` counts. A file on
which ruff dies is found by halving and left out, the others keep their findings.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from sysconfig import get_path
from typing import Any

from auditor.forensics.installed import version_of
from auditor.forensics.tool import Tool, begun

SECONDS = 120.0
_MAX_HALVINGS = 12

Found = tuple[tuple[str, int, int], ...]
"""Rule code, first line and last line of each finding in a file."""
Findings = Mapping[str, Found]
"""What was found, by the file's name in the folder."""


class SecondLook:
    """Files to look at again: added one by one, looked at beside whatever is done next, then asked for."""

    def __init__(self, codes: Iterable[str]) -> None:
        self._codes = ",".join(sorted(set(codes)))
        self._closing = ExitStack()
        self._names: list[str] = []
        self._jobs = 1
        self._under_way: Tool | None = None

    def __enter__(self) -> SecondLook:
        self._folder = Path(self._closing.enter_context(tempfile.TemporaryDirectory(prefix="auditor-")))
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def add(self, name: str, content: bytes) -> None:
        """Put a copy of a file in line, under a name that is ours."""
        descriptor = os.open(self._folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(descriptor, content)
        finally:
            os.close(descriptor)
        self._names.append(name)

    def begin(self, jobs: int) -> None:
        """Start on all that was added, in that many threads."""
        self._jobs = jobs
        self._names.sort()
        if self._codes and self._names:
            self._under_way = self._closing.enter_context(self._started(self._names))

    def findings(self) -> Findings:
        """What ruff saw. A file it could not read is absent; one without findings has an empty tuple."""
        if self._under_way is None:
            return {}
        found = _findings(self._under_way, self._names)
        return self._halves(self._names, 0) if found is None else found

    def _halves(self, names: Sequence[str], depth: int) -> dict[str, Found]:
        """Findings of both halves of files on which ruff failed."""
        if len(names) < 2 or depth >= _MAX_HALVINGS:
            return {}
        middle = len(names) // 2
        together: dict[str, Found] = {}
        for some in (names[:middle], names[middle:]):
            with self._started(some) as tool:
                found = _findings(tool, some)
            together.update(self._halves(some, depth + 1) if found is None else found)
        return together

    def _started(self, names: Sequence[str]) -> AbstractContextManager[Tool]:
        command = [
            _program(), "check", "--isolated", "--ignore-noqa", "--no-cache", "--quiet", "--exit-zero", "--no-fix", "--target-version=py314",
            "--output-format=json-lines", f"--select={self._codes}", "--", *([str(self._folder)] if len(names) > 1000 else names),
        ]  # fmt: skip
        return begun(
            command, self._folder, {"RAYON_NUM_THREADS": str(self._jobs), "RUST_MIN_STACK": str(1 << 28)}, SECONDS
        )


def version() -> str:
    """The version of ruff that stands beside this interpreter; empty when there is none."""
    return version_of("ruff")


def _program() -> str:
    beside = Path(get_path("scripts")) / "ruff"
    return str(beside) if beside.exists() else "ruff"


def _findings(tool: Tool, names: Sequence[str]) -> dict[str, Found] | None:
    """What a run says of its files; None when it failed on something."""
    printed = tool.printed()
    return None if printed is None else _parsed(printed.output, names)


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
