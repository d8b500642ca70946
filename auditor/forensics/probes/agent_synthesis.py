"""How the opinions of an agent system become a verdict and a report."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.agent_systems.system_facts import probe_facts
from auditor.forensics.agent_systems.system_report_types import AgentSystem
from auditor.forensics.probe_kit.probe_decorators import probe


@probe("swarm.synthesis")
def synthesis(system: AgentSystem) -> Iterator[Fact]:
    """Are final scores decided by code?

    Looked at is the function that decides, told by its node's or its own name, else the node where the judges meet, with all that it calls.
    A model may be asked there for words; where its answer becomes a score or is handed on as the verdict, the model decides. A function
    that nothing uses decides nothing.

    Compute every final score in plain code from the opinions; a model may word the summary, but set no score.
    """
    yield from probe_facts(system, "swarm.synthesis")


@probe("swarm.synthesis_rules")
def synthesis_rules(system: AgentSystem) -> Iterator[Fact]:
    """Can the named rules of synthesis fire?

    The five are security override, fact supremacy, functionality weight, re-evaluation on spread and dissent; at least three must be able
    to fire. A rule counts by what its condition looks at and the score it changes, not by its name; a spread that is only flagged, logged or
    described counts in part. One that the synthesis does not call, whose condition can never hold, or that asks for a judge nobody plays is dead.

    Write each of the five that is not there yet (security override, fact supremacy, functionality weight, re-evaluation on spread, dissent) as a function that the synthesis calls, on names that judges and criteria really have.
    """
    yield from probe_facts(system, "swarm.synthesis_rules")


@probe("swarm.report_written")
def report_written(system: AgentSystem) -> Iterator[Fact]:
    """Is a structured Markdown report written to a file?

    Counts: a call in use that writes to a file a text with two headings at least, or to a Markdown file one with a heading or put together
    at run time. What is only printed, handed back or logged does not, nor does a file of JSON.

    Write the summary, each criterion with its opinions and dissent, and the remediation under headings into a Markdown file.
    """
    yield from probe_facts(system, "swarm.report_written")
