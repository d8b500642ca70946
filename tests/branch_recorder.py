"""Records which branches of a package run while something is done, one recording for each thing done."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FORENSICS = ROOT / "auditor/forensics"

Branch = tuple[str, int, int]
"""A file below the root, and the lines between which control went. A negative line is where a function begins or ends."""


@dataclass
class Recording:
    """What one run went through. Filled when the run has ended."""

    branches: frozenset[Branch] = frozenset()


class BranchRecorder:
    """Counts branches of the Python files below a folder, in this process only."""

    def __init__(self, folder: Path = FORENSICS) -> None:
        import coverage  # who only reads recordings does not need it

        self._coverage = coverage.Coverage(
            data_file=None, branch=True, include=[f"{folder}/*"], config_file=False, messages=False
        )
        # A run that touches nothing of the folder is an answer, not a mistake.
        self._coverage.set_option("run:disable_warnings", ["no-data-collected", "module-not-measured", "trace-changed"])

    @contextmanager
    def recording(self) -> Iterator[Recording]:
        """Record what runs in the block."""
        recording = Recording()
        self._coverage.erase()
        self._coverage.start()
        try:
            yield recording
        finally:
            self._coverage.stop()
        recording.branches = self.recorded()

    def recorded(self) -> frozenset[Branch]:
        """What has been recorded since the last recording began; in a forked child, what ran before the fork too."""
        data = self._coverage.get_data()
        return frozenset(
            (Path(file).relative_to(ROOT).as_posix(), start, end)
            for file in data.measured_files()
            for start, end in data.arcs(file) or ()
        )


@dataclass
class BranchLog:
    """Recordings in a file of JSON lines. It can be continued: what was recorded before is read first.

    A branch is written once, by the recording that met it first, and is a bit of a number in all others.
    """

    file: Path
    names: list[str] = field(default_factory=list)
    bits: list[int] = field(default_factory=list)
    notes: list[Any] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)
    _numbers: dict[Branch, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.file.exists():
            for line in self.file.read_text(encoding="utf-8").splitlines():
                self._read(json.loads(line))

    def _read(self, row: dict[str, Any]) -> None:
        for path, start, end in row["new"]:
            self._number((path, start, end))
        self.names.append(row["name"])
        self.bits.append(int(row["bits"], 16))
        self.notes.append(row["note"])

    def _number(self, branch: Branch) -> int:
        if branch not in self._numbers:
            self._numbers[branch] = len(self.branches)
            self.branches.append(branch)
        return self._numbers[branch]

    def add(self, name: str, recording: Recording, note: object = None) -> None:
        """Keep a recording under a name; `note` is whatever JSON can hold."""
        known = len(self.branches)
        bits = 0
        for branch in sorted(recording.branches):
            bits |= 1 << self._number(branch)
        row = {"name": name, "new": self.branches[known:], "bits": f"{bits:x}", "note": note}
        with self.file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(row) + "\n")
        self.names.append(name)
        self.bits.append(bits)
        self.notes.append(json.loads(json.dumps(note)))
