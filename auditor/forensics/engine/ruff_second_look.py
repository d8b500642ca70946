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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auditor.forensics.probe_kit.external_tool import RunningTool, run_tool
from auditor.forensics.record_cache.installed_engines import installed_version, program_path

TIMEOUT_SECONDS = 120.0
_MAX_HALVINGS = 12

FileFindings = tuple[tuple[str, int, int], ...]
"""Rule code, first line and last line of each finding in a file."""
Findings = Mapping[str, FileFindings]
"""What was found, by the file's name in the folder."""


@dataclass(frozen=True)
class _Batch:
    """Files that are looked at together, in a folder of their own."""

    folder: Path
    names: tuple[str, ...]
    tool: RunningTool


class SecondLook:
    """Files to look at again: added one by one, looked at in batches beside whatever is done next, then asked for."""

    def __init__(self, codes: Iterable[str]) -> None:
        self._codes = ",".join(sorted(set(codes)))
        self._closing = ExitStack()
        self._batches: list[_Batch] = []
        self._names: list[str] = []

    def __enter__(self) -> SecondLook:
        self._home = Path(self._closing.enter_context(tempfile.TemporaryDirectory(prefix="auditor-")))
        self._folder = self._next_folder()
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
        """Start ruff on the files added since the last start, with that many threads."""
        self._jobs = jobs
        if self._codes and self._names:
            names = tuple(sorted(self._names))
            tool = self._closing.enter_context(self._started(self._folder, names))
            self._batches.append(_Batch(self._folder, names, tool))
            self._folder, self._names = self._next_folder(), []

    def findings(self) -> Findings:
        """What ruff saw. A file it could not read is absent; one without findings has an empty tuple."""
        together: dict[str, FileFindings] = {}
        for batch in self._batches:
            found = _read_findings(batch.tool, batch.names)
            together.update(self._retry_in_halves(batch.folder, batch.names, 0) if found is None else found)
        return together

    def _next_folder(self) -> Path:
        folder = self._home / str(len(self._batches))
        folder.mkdir(mode=0o700)
        return folder

    def _retry_in_halves(self, folder: Path, names: Sequence[str], depth: int) -> dict[str, FileFindings]:
        """Findings of both halves of files on which ruff failed."""
        if len(names) < 2 or depth >= _MAX_HALVINGS:
            return {}
        middle = len(names) // 2
        together: dict[str, FileFindings] = {}
        for some in (names[:middle], names[middle:]):
            with self._started(folder, some) as tool:
                found = _read_findings(tool, some)
            together.update(self._retry_in_halves(folder, some, depth + 1) if found is None else found)
        return together

    def _started(self, folder: Path, names: Sequence[str]) -> AbstractContextManager[RunningTool]:
        command = [
            program_path("ruff"), "check", "--isolated", "--ignore-noqa", "--no-cache", "--quiet", "--exit-zero", "--no-fix", "--target-version=py314",
            "--output-format=json-lines", f"--select={self._codes}", "--", *([str(folder)] if len(names) > 1000 else names),
        ]  # fmt: skip
        return run_tool(
            command, folder, {"RAYON_NUM_THREADS": str(self._jobs), "RUST_MIN_STACK": str(1 << 28)}, TIMEOUT_SECONDS
        )


def version() -> str:
    """The version of ruff that is beside this interpreter; empty when there is none."""
    return installed_version("ruff")


def _read_findings(tool: RunningTool, names: Sequence[str]) -> dict[str, FileFindings] | None:
    """What a run says of its files; None when it failed on something."""
    printed = tool.wait_for_output()
    return None if printed is None else _parse_output(printed.output, names)


def _parse_output(output: bytes, names: Sequence[str]) -> dict[str, FileFindings]:
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
