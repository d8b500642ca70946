"""A small matter for judges: two criteria, evidence with places in a file, and what goes with it."""

from __future__ import annotations

from auditor.domain import CodeLocation, Evidence, Rubric, Scope
from auditor.judges.bench_interface import Hearing
from auditor.judges.claude_bench import ClaudeBench, Options
from auditor.judges.judge_panel import ClientFactory, Timeouts
from tests.verdicts import criterion, evidence, expectation, rubric

ADVICE = {"code.x": "Pass a list.", "code.y": "Name the exception."}
SMALL: Rubric = rubric(
    criterion(expectation("code.x", severity="critical", cap=3), name="safety", security=True),
    criterion(expectation("code.y"), name="errors"),
)


def place(path: str = "src/run.py", line: int = 7, quote: str = "subprocess.run(command, shell=True)") -> CodeLocation:
    return CodeLocation(path=path, start=line, end=line, quote=quote)


SEEN: tuple[Evidence, ...] = (
    evidence("code.x", confidence=0.6, introduced=True, locations=(place(), place("src/again.py", 30))),
    evidence("code.y", outcome="not_found"),
)


def claude(connect: ClientFactory, **options: object) -> ClaudeBench:
    settings: dict[str, object] = {
        "model": "claude-sonnet-5-5",
        "pace": Timeouts(deadline=5.0, leader_timeout=1.0, counting=1.0),
    }
    return ClaudeBench(Options(**{**settings, **options}), connect)  # type: ignore[arg-type]


def heard(connect: ClientFactory, by: Rubric = SMALL, seen: tuple[Evidence, ...] = SEEN, **options: object) -> Hearing:
    return claude(connect, **options).hear(by, seen, Scope.WHOLE_TREE, ADVICE)
