"""From sources to answers: the whole reading of an agent system, as it runs in the child process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from auditor.forensics.agent_systems import (
    clone_answers,
    graph_answers,
    judge_outputs,
    persona_answers,
    state_answers,
    synthesis_answers,
)
from auditor.forensics.agent_systems.analyzed_file import Source
from auditor.forensics.agent_systems.main_graph_analysis import Answers, ProgramStudy, study_program
from auditor.forensics.agent_systems.system_report_types import AgentSystem, ProbeAnswer
from auditor.forensics.agent_systems.whole_program import parse_program

TOPICS: tuple[Callable[[ProgramStudy], Answers], ...] = (
    graph_answers.graph_answers,
    state_answers.state_answers,
    clone_answers.clone_answers,
    judge_outputs.judge_output_answers,
    persona_answers.persona_answers,
    synthesis_answers.synthesis_answers,
)


GRAPH_PROBES = frozenset(
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
_SCRIPT_CONFIDENCE = 0.6


def _lower_script_confidence(probe: str, judged: ProbeAnswer) -> ProbeAnswer:
    """A "no" of a system in JavaScript: less sure where libraries beside LangGraph.js have a say."""
    if probe in GRAPH_PROBES or judged.answer is not False or judged.confidence <= _SCRIPT_CONFIDENCE:
        return judged
    because = "in JavaScript and TypeScript, LangGraph.js is followed and other libraries only in part"
    return judged.model_copy(update={"confidence": _SCRIPT_CONFIDENCE, "because": because})


def analyze_system(
    sources: Iterable[Source],
    starting: Callable[[str], None] = lambda _path: None,
    left_out: Mapping[str, str] | None = None,
) -> AgentSystem:
    """Every answer about an agent system, without the files in `left_out`, each with its reason.

    `starting` is told each path before it is parsed, and every now and then the path that is being followed.
    """
    program = parse_program(sources, starting, left_out)
    seen = study_program(program, lambda unit: starting(unit.path))
    starting("")
    answers: dict[str, tuple[ProbeAnswer, ...]] = {}
    for topic in TOPICS:
        answers |= topic(seen)
    if seen.main_graph is not None and seen.main_graph.builder.place.unit.is_script:
        answers = {
            probe: tuple(_lower_script_confidence(probe, each) for each in judged) for probe, judged in answers.items()
        }
    return AgentSystem(answers=answers, unread=dict(seen.program.unread))
