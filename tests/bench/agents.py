"""An agent system of ten thousand lines, drawn here: the courtroom of the labelled cases, modules beside it, two PDF reports."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.accuracy.labelled import project
from tests.bench.ground import git
from tests.bench.measuring import Case, medians
from tests.papers import pdf

_LINES = 10_000
_WHOLE_SECONDS = 3.0
_LARGEST_SHARE = 0.2
_PAGES = 12

_MODULE = '''"""Tool number {0}: reads records and hands their weights on."""

import json
import logging
import subprocess
from pathlib import Path

from pydantic import BaseModel, Field

from src.state import Evidence

logger = logging.getLogger(__name__)


class Record{0}(BaseModel):
    """One line of a source."""

    name: str
    weight: float = Field(ge=0, le=1)
    tags: list[str] = []


class Reader{0}:
    """Reads records from a folder."""

    def __init__(self, folder: Path, limit: int = {0}) -> None:
        self.folder = folder
        self.limit = limit
        self.seen: dict[str, Record{0}] = {{}}

    def read(self, pattern: str = "*.json") -> list[Record{0}]:
        found = []
        for path in sorted(self.folder.glob(pattern))[: self.limit]:
            try:
                record = Record{0}.model_validate(json.loads(path.read_text(encoding="utf-8")))
            except ValueError as error:
                logger.warning("%s cannot be read: %s", path, error)
                continue
            if record.name not in self.seen:
                self.seen[record.name] = record
                found.append(record)
        return found

    def evidence(self, goal: str) -> list[Evidence]:
        return [
            Evidence(goal=goal, found=each.weight > 0.5, location=each.name, confidence=each.weight)
            for each in self.seen.values()
            if goal in each.tags
        ]
'''
_FUNCTION = '''

def step_{0}_{1}(records: list[Record{0}], share: float = 0.{1}) -> dict[str, float]:
    """Weigh the records of one kind."""
    total = sum(each.weight for each in records) or 1.0
    weights: dict[str, float] = {{}}
    for number, each in enumerate(records):
        if each.weight < share and number % {2} == 0:
            continue
        elif each.tags:
            weights[each.name] = round(each.weight / total, 4)
        else:
            weights[each.name] = share
    lines = subprocess.run(["git", "log", "-{2}", "--format=%s"], capture_output=True, text=True, check=True).stdout
    logger.info("%s of %s records, %d lines", len(weights), len(records), len(lines.splitlines()))
    return {{name: min(1.0, value) for name, value in sorted(weights.items())}}
'''


def figures(repeat: int) -> Iterator[tuple[str, float, float | None, str]]:
    """Name, value, limit and unit of each figure."""
    with tempfile.TemporaryDirectory(prefix="bench-agents-") as place:
        repository, reports = Path(place, "court"), [Path(place, f"report{number}.pdf") for number in (1, 2)]
        lines = _draw(repository, reports)
        arguments = ["audit", str(repository), "--rubric", "agent-swarm", "--no-cache", "--jobs", "2", "--judges", "embedded", "--quiet",
                     "--out", str(Path(place, "out")), *(word for each in reports for word in ("--report", str(each)))]  # fmt: skip
        ended = frozenset({0, 1, 4})
        whole = medians([Case("whole", [sys.executable, "-m", "auditor", *arguments], accepted=ended)], repeat)["whole"]
        yield f"agent system, {lines:,} lines, two PDF, two processes, cold", whole.seconds, _WHOLE_SECONDS, "s"
        stage = [sys.executable, "-m", "tests.bench.stages", "shares", str(repository), *arguments]
        asked = json.loads(medians([Case("shares", stage)], 1)["shares"].output)
        shared = asked.pop("following the code")
        yield "  of it, following the code, once for all its probes", shared / whole.seconds, None, "x"
        largest = max(asked, key=lambda name: asked[name])
        yield f"  of it, the largest probe ({largest})", asked[largest] / whole.seconds, _LARGEST_SHARE, "x"


def _draw(repository: Path, reports: list[Path]) -> int:
    """Write the system and its reports, commit it in three steps; gives its lines of Python."""
    court = project("courtroom")
    written = [*court.items()]
    lines = sum(text.count("\n") for path, text in court.items() if path.endswith(".py"))
    number = 0
    while lines < _LINES:
        text = _MODULE.format(number) + "".join(_FUNCTION.format(number, each, each % 7 + 2) for each in range(1, 16))
        written.append((f"src/tools/tool_{number}.py", text))
        lines += text.count("\n")
        number += 1
    repository.mkdir()
    git(repository, "init", "--quiet", "--initial-branch=main")
    third = len(written) // 3 + 1
    for step, start in enumerate(range(0, len(written), third)):
        for path, text in written[start : start + third]:
            target = repository / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        git(repository, "add", "--all")
        author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
        git(
            repository, *author, "commit", "--quiet", "--message", f"Step {step + 1} of the court: tools, judges, graph"
        )
    page = "\n".join(
        f"The detectives fan out and fan in at the aggregator (src/graph.py, src/tools/tool_{each}.py)."
        for each in range(30)
    )
    for report in reports:
        report.write_bytes(
            pdf(*(f"Page {each}. Dialectical synthesis in the chief justice.\n{page}" for each in range(_PAGES)))
        )
    return lines
