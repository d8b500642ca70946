"""From sources to answers: the whole reading of an agent system, as it runs in the child process."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from auditor.forensics.systems import cloning, flows, outputs, personas, states, synthesis
from auditor.forensics.systems.findings import AgentSystem, Judged
from auditor.forensics.systems.program import Source, parsed
from auditor.forensics.systems.study import Answers, Study, study

TOPICS: tuple[Callable[[Study], Answers], ...] = (
    flows.answers,
    states.answers,
    cloning.answers,
    outputs.answers,
    personas.answers,
    synthesis.answers,
)


def analysed(sources: Iterable[Source], starting: Callable[[str], None] = lambda _path: None) -> AgentSystem:
    """Every answer about an agent system. `starting` is told each path before it is parsed."""
    program = parsed(sources, starting)
    starting("")
    seen = study(program)
    answers: dict[str, tuple[Judged, ...]] = {}
    for topic in TOPICS:
        answers |= topic(seen)
    return AgentSystem(answers=answers, unread=dict(program.unread))
