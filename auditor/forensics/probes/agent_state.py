"""Rules on the shared state of an agent system."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.agent_systems.system_facts import probe_facts
from auditor.forensics.agent_systems.system_report_types import AgentSystem
from auditor.forensics.probe_kit.probe_decorators import probe


@probe("swarm.state")
def state(system: AgentSystem) -> Iterator[Fact]:
    """Is the graph's shared state a typed class?

    A `TypedDict`, Pydantic model or dataclass that is passed to the builder counts, including inherited and functional forms and the
    library's `MessagesState`; in LangGraph.js `Annotation.Root`, a zod object, a `StateSchema` or a table of channels. A plain `dict` does
    not count, nor does a class that is not passed to a builder.

    Declare the state as a `TypedDict` or a Pydantic model with an annotation for every field, and pass that class to the builder.
    """
    yield from probe_facts(system, "swarm.state")


@probe("swarm.reducers")
def reducers(system: AgentSystem) -> Iterator[Fact]:
    """Does every field that parallel nodes write have a reducer?

    Fields that two nodes running in parallel return count: each needs a function that combines both values, from `operator`, the library or
    the project. An annotation without a function does not count as a reducer, nor does a function that keeps one value and drops the other
    without comparing them. The rule does not apply if no two nodes run in parallel.

    Annotate the field with a reducer, `Annotated[list[Opinion], operator.add]` or `Annotated[dict[str, Evidence], operator.ior]`, or let each node write its own field.
    """
    yield from probe_facts(system, "swarm.reducers")


@probe("swarm.models")
def models(system: AgentSystem) -> Iterator[Fact]:
    """Are evidence and opinions validated models?

    Pydantic models, Pydantic dataclasses and zod objects count; evidence and opinions are recognised by name or because the state contains
    them. A `TypedDict`, a plain dataclass and an interface do not count, as they validate nothing.

    Describe evidence and opinions as Pydantic models with bounds on their fields, and freeze those that must not change.
    """
    yield from probe_facts(system, "swarm.models")
