"""What the nodes of an agent system share, and how it is described."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.agent_systems.system_facts import probe_facts
from auditor.forensics.agent_systems.system_report_types import AgentSystem
from auditor.forensics.probe_kit.probe_decorators import probe


@probe("swarm.state")
def state(system: AgentSystem) -> Iterator[Fact]:
    """Is the graph's shared state a typed class?

    Counts: a `TypedDict`, Pydantic model or data class that the builder is given, inherited and functional forms and the library's
    `MessagesState` included, and in LangGraph.js `Annotation.Root`, a zod object, a `StateSchema` or a table of channels. A plain `dict`
    does not, nor a class that only stands there and is given to no builder.

    Declare the state as a `TypedDict` or a Pydantic model with an annotation for every field, and give that class to the builder.
    """
    yield from probe_facts(system, "swarm.state")


@probe("swarm.reducers")
def reducers(system: AgentSystem) -> Iterator[Fact]:
    """Is every field that parallel nodes write protected by a reducer?

    Asked of fields that two nodes which run at the same time hand back: each needs a function that joins both values, from `operator`, the
    library or the project. An annotation without one does not protect, nor does a channel or function that keeps the one value and drops
    the other without holding them against each other. Where no two nodes run in parallel the question does not apply.

    Annotate the field with a reducer, `Annotated[list[Opinion], operator.add]` or `Annotated[dict[str, Evidence], operator.ior]`, or let each node write a field of its own.
    """
    yield from probe_facts(system, "swarm.reducers")


@probe("swarm.models")
def models(system: AgentSystem) -> Iterator[Fact]:
    """Are evidence and opinions validated models?

    Counts: Pydantic models, Pydantic's data classes and zod objects, told as evidence or opinions by their names or because the state
    carries them. A `TypedDict`, a plain data class and an interface describe data and check nothing.

    Describe evidence and opinions as Pydantic models with bounds on their fields, frozen where nothing should change them.
    """
    yield from probe_facts(system, "swarm.models")
