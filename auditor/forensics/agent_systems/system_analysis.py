"""From sources to answers: the whole reading of an agent system, as it runs in the child process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from auditor.forensics.agent_systems import (
    clone_answers,
    graph_answers,
    judge_outputs,
    persona_prompts,
    state_answers,
    synthesis_answers,
)
from auditor.forensics.agent_systems.analyzed_file import Source
from auditor.forensics.agent_systems.program_analysis import Answers, Study, study
from auditor.forensics.agent_systems.system_report_types import AgentSystem, Judged
from auditor.forensics.agent_systems.whole_program import parsed

TOPICS: tuple[Callable[[Study], Answers], ...] = (
    graph_answers.answers,
    state_answers.answers,
    clone_answers.answers,
    judge_outputs.answers,
    persona_prompts.answers,
    synthesis_answers.answers,
)


GRAPH = frozenset(
    {
        "swarm.graph",
        "swarm.parallel_stages",
        "swarm.error_routes",
        "swarm.join_soundness",
        "swarm.state",
        "swarm.reducers",
    }
)
"""Questions that scripts answer as well as Python does."""
_IN_SCRIPTS = 0.6


def _doubted(probe: str, judged: Judged) -> Judged:
    """A "no" of a system in JavaScript: less sure where libraries beside LangGraph.js have a say."""
    if probe in GRAPH or judged.answer is not False or judged.confidence <= _IN_SCRIPTS:
        return judged
    because = "JavaScript and TypeScript are followed by the calls of LangGraph.js; other libraries are known in part"
    return judged.model_copy(update={"confidence": _IN_SCRIPTS, "because": because})


def analysed(
    sources: Iterable[Source],
    starting: Callable[[str], None] = lambda _path: None,
    left_out: Mapping[str, str] | None = None,
) -> AgentSystem:
    """Every answer about an agent system, without the files in `left_out`, each with its reason.

    `starting` is told each path before it is parsed, and every now and then the path that is being followed.
    """
    program = parsed(sources, starting, left_out)
    seen = study(program, lambda unit: starting(unit.path))
    starting("")
    answers: dict[str, tuple[Judged, ...]] = {}
    for topic in TOPICS:
        answers |= topic(seen)
    if seen.main is not None and seen.main.builder.place.unit.script:
        answers = {probe: tuple(_doubted(probe, each) for each in judged) for probe, judged in answers.items()}
    return AgentSystem(answers=answers, unread=dict(seen.program.unread))
