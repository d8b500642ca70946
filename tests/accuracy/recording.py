"""Labelled cases with the branches of `auditor/forensics` that they run, and how they were answered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from auditor.domain import Outcome
from tests.accuracy.labelled import ROOT, Case, read
from tests.accuracy.measuring import Checked, run
from tests.branch_recorder import BranchLog, BranchRecorder
from tests.in_process_children import in_process_children
from tests.small_process import in_this_process

START = "start of the process"
"""The recording of a first run, with imports and tables that are read once: what any case would run."""
_NEXT_CASE = re.compile(r"(?m)^(?=- )")


@dataclass(frozen=True)
class WrittenCase:
    """A case with its place and its text in a file of cases."""

    file: Path
    case: Case
    text: str
    """As it stands in the file, comments included, up to the next case."""

    @property
    def key(self) -> str:
        """The folder, the file and the name: unique among all cases."""
        return f"{self.file.parent.name}/{self.file.name}: {self.case.name}"

    @property
    def lines(self) -> int:
        """How many lines of YAML it takes, with the empty line behind it."""
        return self.text.count("\n") + 1


def written(file: Path) -> Iterator[WrittenCase]:
    """The cases of a file with their texts. Raises ValueError where the texts and the cases do not pair."""
    texts = _NEXT_CASE.split(file.read_text(encoding="utf-8"))[1:]
    for case, text in zip(read(file), texts, strict=True):
        yield WrittenCase(file, case, text.rstrip("\n") + "\n")


@dataclass(frozen=True)
class RecordedCase:
    """A case, the branches it runs (one bit each), and its answers."""

    written: WrittenCase
    bits: int
    answers: tuple[Checked, ...]


def record(cases: Iterable[WrittenCase], log: BranchLog) -> list[RecordedCase]:
    """Run the cases that the log does not hold yet, and give all of them with their recordings. Takes 0.2 s a case."""
    recorder = BranchRecorder()
    known = {name: place for place, name in enumerate(log.names)}
    recorded = []
    for each in cases:
        if START not in known:
            _run(recorder, log, each, START)
            known[START] = len(log.names) - 1
        if each.key not in known:
            _run(recorder, log, each, each.key)
            known[each.key] = len(log.names) - 1
        place = known[each.key]
        recorded.append(RecordedCase(each, log.bits[place], tuple(map(_answer, log.notes[place]))))
    return recorded


def _run(recorder: BranchRecorder, log: BranchLog, each: WrittenCase, name: str) -> None:
    with in_this_process(), in_process_children(), recorder.recording() as recording:
        answers = list(run(each.case))
    log.add(name, recording, [asdict(answer) for answer in answers])


def _answer(told: dict[str, str]) -> Checked:
    expected, got = Outcome(told["expected"]), Outcome(told["got"])
    return Checked(told["case"], told["probe"], expected, got, told["wrong"])


def all_cases(folders: Iterable[str], root: Path = ROOT) -> list[WrittenCase]:
    """The cases of the folders below the root, files by name."""
    return [each for folder in folders for file in sorted((root / folder).glob("*.yaml")) for each in written(file)]
