"""From the answers about an agent system to facts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.domain import Fact, Outcome
from auditor.forensics.agent_systems.system_report_types import AgentSystem, ProbeAnswer
from auditor.forensics.probe_kit.fact_outcomes import code_location, not_applicable, unavailable

_LINE_SUFFIX = re.compile(r" \(line \d+\)$")


def probe_facts(system: AgentSystem, probe_id: str) -> Iterator[Fact]:
    """The facts of one probe. Files that could not be read are said beside the answer, since one could hide in them."""
    if system.failed:
        yield unavailable(f"The code could not be analysed: {system.failed}.")
        return
    for judged in system.answers.get(probe_id, ()):
        if judged.answer is False and system.elsewhere:
            yield not_applicable(
                f"The repository is mainly written in {system.foreign}; only agent systems in Python and LangGraph.js are analysed."
            )
        else:
            yield _fact_of_answer(judged)
    if system.unread:
        by_reason: dict[str, list[str]] = {}
        for path, reason in sorted(system.unread.items()):
            by_reason.setdefault(_LINE_SUFFIX.sub("", reason), []).append(path)
        for reason, paths in sorted(by_reason.items()):
            count = "One file" if len(paths) == 1 else f"{len(paths)} files"
            yield unavailable(f"{count} could not be read: {reason}.", at=[code_location(path) for path in paths[:50]])


def _fact_of_answer(judged: ProbeAnswer) -> Fact:
    if judged.unanswered:
        return unavailable(judged.statement)
    if judged.answer is None:
        return not_applicable(judged.statement)
    return Fact(
        outcome=Outcome.FOUND if judged.answer else Outcome.NOT_FOUND,
        statement=judged.statement,
        locations=tuple(code_location(spot.path, spot.line, spot.end, quote=spot.quote) for spot in judged.spots),
        confidence=judged.confidence,
        confidence_reason=judged.because if judged.confidence < 1 else "",
        measure=judged.measure,
        data=judged.data,
    )
