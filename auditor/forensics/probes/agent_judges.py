"""Rules on the judges of an agent system and their answers."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.agent_systems.system_facts import probe_facts
from auditor.forensics.agent_systems.system_report_types import AgentSystem
from auditor.forensics.probe_kit.probe_decorators import probe


@probe("swarm.structured_output")
def structured_output(system: AgentSystem) -> Iterator[Fact]:
    """Are the judges' model calls bound to a schema?

    `with_structured_output`, `bind_tools` with a schema, or a schema passed to the provider counts if every model call of the judges has
    it. Judges are recognised by name, else by the last parallel stage; if none is recognised, all model calls are checked. A parser for
    free text, a prompt that asks for JSON, and a JSON mode without a schema do not count.

    Bind every judge's call to the schema of the opinion (`with_structured_output`, `bind_tools` or the provider's own option) instead of parsing text.
    """
    yield from probe_facts(system, "swarm.structured_output")


@probe("swarm.output_retry")
def output_retry(system: AgentSystem) -> Iterator[Fact]:
    """Is there a retry when the output does not validate?

    A loop or decorator that repeats the call counts, as do `with_retry`, a parser that repairs the output, a node's retry policy for such
    errors, and a second call when the answer of the first is invalid. A loop over criteria, a handler that returns a fixed answer or a
    default score, and a retry of failed connections only do not count.

    Repeat the call a limited number of times when the answer fails validation, and record a missing judge when all attempts fail.
    """
    yield from probe_facts(system, "swarm.output_retry")


@probe("swarm.personas")
def personas(system: AgentSystem) -> Iterator[Fact]:
    """Are there distinct persona prompts?

    At least two prompts of judges count, found where the node calls a model or under the persona's name in code, YAML, JSON or text. Two
    prompts do not count as distinct if they share more than half of the word triples of the shorter one (a common format and task
    excluded), nor does one prompt in which only a name changes.

    Write a separate prompt for each judge that differs in what it looks for and how it scores; share only the format.
    """
    yield from probe_facts(system, "swarm.personas")
