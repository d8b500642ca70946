"""Rules on the verdict and the report of an agent system."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.agent_systems.system_facts import probe_facts
from auditor.forensics.agent_systems.system_report_types import AgentSystem
from auditor.forensics.probe_kit.probe_decorators import probe


@probe("swarm.synthesis")
def synthesis(system: AgentSystem) -> Iterator[Fact]:
    """Are final scores decided by code?

    The function that decides the scores counts, with everything it calls; it is recognised by its own name or that of its node, else as
    the node that joins the judges. A model may write text there; if its answer becomes a score or the verdict, the model decides. A
    function that nothing uses does not count.

    Compute every final score in plain code from the opinions; a model may write the summary but must not set a score.
    """
    yield from probe_facts(system, "swarm.synthesis")


@probe("swarm.synthesis_rules")
def synthesis_rules(system: AgentSystem) -> Iterator[Fact]:
    """Can the named rules of synthesis fire?

    The five rules are security override, fact supremacy, functionality weight, re-evaluation on spread, and dissent; at least three must be
    able to fire. A rule counts by what its condition checks and the score it changes, not by its name; a spread that is only flagged, logged
    or described counts in part. A rule does not count if it is never called, its condition is never true, or it needs a judge that does not exist.

    Write each missing rule (security override, fact supremacy, functionality weight, re-evaluation on spread, dissent) as a function that the synthesis calls, with the names of existing judges and criteria.
    """
    yield from probe_facts(system, "swarm.synthesis_rules")


@probe("swarm.report_written")
def report_written(system: AgentSystem) -> Iterator[Fact]:
    """Is a structured Markdown report written to a file?

    A call in use counts if it writes text with at least two headings to a file, or to a Markdown file text that has a heading or is built
    at run time. Text that is only printed, returned or logged does not count, nor does a JSON file.

    Write the summary, each criterion with its opinions and dissent, and the remediation under headings into a Markdown file.
    """
    yield from probe_facts(system, "swarm.report_written")
