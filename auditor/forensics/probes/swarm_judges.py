"""How the judges of an agent system are told apart, and how they answer."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.probe import probe
from auditor.forensics.systems.facts import told
from auditor.forensics.systems.findings import AgentSystem


@probe("swarm.structured_output")
def structured_output(system: AgentSystem) -> Iterator[Fact]:
    """Are the judges' model calls bound to a schema?

    Bind every judge's call to the opinion's schema (`with_structured_output`, `bind_tools` or the provider's own), so that nothing is parsed by hand.
    """
    yield from told(system, "swarm.structured_output")


@probe("swarm.output_retry")
def output_retry(system: AgentSystem) -> Iterator[Fact]:
    """Is there a retry when the output does not validate?

    Ask again, a bounded number of times, when the answer fails validation, and record an absent judge when all attempts fail.
    """
    yield from told(system, "swarm.output_retry")


@probe("swarm.personas")
def personas(system: AgentSystem) -> Iterator[Fact]:
    """Are there distinct persona prompts?

    Give each judge a prompt of its own that conflicts with the others in what it looks for and how it scores; let them share no more than the format.
    """
    yield from told(system, "swarm.personas")
