"""What the nodes of an agent system share, and how it is described."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.probe import probe
from auditor.forensics.systems.facts import told
from auditor.forensics.systems.findings import AgentSystem


@probe("swarm.state")
def state(system: AgentSystem) -> Iterator[Fact]:
    """Is the graph's shared state a typed class?

    Declare the state as a `TypedDict` or a Pydantic model with an annotation for every field, and give that class to the builder.
    """
    yield from told(system, "swarm.state")


@probe("swarm.reducers")
def reducers(system: AgentSystem) -> Iterator[Fact]:
    """Is every field that parallel nodes write protected by a reducer?

    Annotate the field with a reducer, `Annotated[list[Opinion], operator.add]` or `Annotated[dict[str, Evidence], operator.ior]`, or let each node write a field of its own.
    """
    yield from told(system, "swarm.reducers")


@probe("swarm.models")
def models(system: AgentSystem) -> Iterator[Fact]:
    """Are evidence and opinions validated models?

    Describe evidence and opinions as Pydantic models with bounds on their fields, frozen where nothing should change them.
    """
    yield from told(system, "swarm.models")
