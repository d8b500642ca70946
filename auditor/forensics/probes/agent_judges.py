"""How the judges of an agent system are told apart, and how they answer."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.agent_systems.system_facts import probe_facts
from auditor.forensics.agent_systems.system_report_types import AgentSystem
from auditor.forensics.probe_kit.probe_decorators import probe


@probe("swarm.structured_output")
def structured_output(system: AgentSystem) -> Iterator[Fact]:
    """Are the judges' model calls bound to a schema?

    Counts: `with_structured_output`, `bind_tools` with a schema, or a schema handed to the provider, on every model call of the nodes that
    judge; which those are is told by names, else by the last parallel stage, and where no judge is told apart all model calls are looked
    at. A parser behind free text, a prompt that asks for JSON and the mere demand for any JSON do not bind.

    Bind every judge's call to the opinion's schema (`with_structured_output`, `bind_tools` or the provider's own), so that nothing is parsed by hand.
    """
    yield from probe_facts(system, "swarm.structured_output")


@probe("swarm.output_retry")
def output_retry(system: AgentSystem) -> Iterator[Fact]:
    """Is there a retry when the output does not validate?

    Counts: a loop or a decorator that asks again, `with_retry`, a repairing parser, a node's retry policy that takes such errors, or a
    second call where the first one's answer fails. A loop over criteria, a handler that gives a fixed answer or a default score, and a
    retry of failed connections only do not.

    Ask again, a bounded number of times, when the answer fails validation, and record an absent judge when all attempts fail.
    """
    yield from probe_facts(system, "swarm.output_retry")


@probe("swarm.personas")
def personas(system: AgentSystem) -> Iterator[Fact]:
    """Are there distinct persona prompts?

    Counts: two prompts at least that judges are given, each found where its node asks a model or under the persona's name in code, YAML,
    JSON or text; no pair may share more than half of the shorter one's word triples, the format and task that both carry word for word left
    out. One prompt in which only a name changes is one persona.

    Give each judge a prompt of its own that conflicts with the others in what it looks for and how it scores; let them share no more than the format.
    """
    yield from probe_facts(system, "swarm.personas")
