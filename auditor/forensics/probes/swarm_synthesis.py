"""How the opinions of an agent system become a verdict and a report."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.probe import probe
from auditor.forensics.systems.facts import told
from auditor.forensics.systems.findings import AgentSystem


@probe("swarm.synthesis")
def synthesis(system: AgentSystem) -> Iterator[Fact]:
    """Are final scores decided by code?

    Compute every final score in plain code from the opinions; a model may word the summary, but set no score.
    """
    yield from told(system, "swarm.synthesis")


@probe("swarm.synthesis_rules")
def synthesis_rules(system: AgentSystem) -> Iterator[Fact]:
    """Can the named rules of synthesis fire?

    Write security override, fact supremacy, functionality weight, re-evaluation on spread and dissent as functions that the synthesis calls, on names that judges and criteria really have.
    """
    yield from told(system, "swarm.synthesis_rules")


@probe("swarm.report_written")
def report_written(system: AgentSystem) -> Iterator[Fact]:
    """Is a structured Markdown report written to a file?

    Write the summary, each criterion with its opinions and dissent, and the remediation under headings into a Markdown file.
    """
    yield from told(system, "swarm.report_written")
