"""The graph of an agent system: its nodes, edges and routers, and what could not be followed."""

from __future__ import annotations

from dataclasses import dataclass, field

from auditor.forensics.agent_systems import graph_topology
from auditor.forensics.agent_systems.abstract_values import (
    Builder,
    Call,
    Choice,
    Class,
    External,
    Function,
    Instance,
    Place,
    Value,
)
from auditor.forensics.agent_systems.graph_topology import Exits, RouterChoice, Topology
from auditor.forensics.agent_systems.system_report_types import END, START, Edge, GraphData
from auditor.forensics.agent_systems.value_contents import constant, walk

_MAX_NAME = 200
"""Characters of a node's name; longer ones of honest code were not seen."""


@dataclass(eq=False)
class Router:
    """A decision after a node: what may follow, and the function that decides."""

    source: str
    choices: list[RouterChoice]
    place: Place
    function: Function | None = None
    kind: str = "conditional"
    labels: dict[str, str] = field(default_factory=dict)
    """What the router says -> the node that means."""


@dataclass(eq=False)
class Graph:
    """A graph as its builder was filled."""

    builder: Builder
    handlers: dict[str, Value] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    edge_keys: set[tuple[str, str, str]] = field(default_factory=set)
    routers: list[Router] = field(default_factory=list)
    barriers: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    deferred: set[str] = field(default_factory=set)
    validation_retries: dict[str, Place] = field(default_factory=dict)
    """Nodes whose retry policy takes answers that do not validate."""
    unresolved: list[str] = field(default_factory=list)
    results: dict[str, Value] = field(default_factory=dict)
    """What each node's function hands back."""
    inner: dict[str, Builder] = field(default_factory=dict)
    """Nodes that are graphs of their own."""
    dead: str = ""
    is_subgraph: bool = False

    @property
    def path(self) -> str:
        """The file of the builder."""
        return self.builder.place.unit.path

    def topology(self) -> Topology:
        """Nodes and exits, for the questions one asks about a graph."""
        always: dict[str, list[str]] = {}
        for edge in self.edges:
            if edge.kind == "edge":
                always.setdefault(edge.source, []).append(edge.target)
        deciding: dict[str, list[tuple[RouterChoice, ...]]] = {}
        for router in self.routers:
            deciding.setdefault(router.source, []).append(tuple(router.choices))
        exits = {
            node: Exits(tuple(dict.fromkeys(always.get(node, ()))), tuple(deciding.get(node, ())))
            for node in (*always, *deciding)
        }
        return Topology(tuple(self.handlers), exits, tuple(self.barriers), frozenset(self.deferred), self.is_subgraph)

    def data(self) -> GraphData:
        """What a fact says of it."""
        shape = self.topology()
        return GraphData(
            builder=f"{self.path}:{self.builder.place.line}",
            nodes=tuple(self.handlers),
            edges=tuple(self.edges),
            fan_out=graph_topology.find_fan_outs(shape),
            fan_in=graph_topology.find_fan_ins(shape),
            linear=graph_topology.is_linear(shape),
            unresolved=tuple(dict.fromkeys(self.unresolved)),
            handlers={
                node: f"{handler.unit.path}:{handler.node.lineno}"
                for node, value in self.handlers.items()
                if (handler := function_of(value)) is not None
            },
            subgraphs=tuple(self.inner),
            waiting=tuple(sorted(self.deferred)),
            dead=self.dead,
        )


def function_of(value: Value) -> Function | None:
    """The function behind a node or router: itself, a method `__call__`, or one wrapped in something else."""
    for each in walk(value, lambda part: isinstance(part, (Choice, Call, Instance)) and not isinstance(part, Class)):
        if isinstance(each, Function):
            return each
        if isinstance(each, Instance):
            found = (
                each.cls.env.names.get("__call__") or each.cls.env.names.get("run") or each.cls.env.names.get("invoke")
            )
            if isinstance(found, Function):
                return Function(found.unit, found.node, found.env, each)
    return None


def node_name(value: Value) -> str | None:
    """The node that a value names for sure."""
    if isinstance(value, External):
        last = value.name.rpartition(".")[2]
        return last if last in {START, END} else last if last.startswith("__") else None
    if isinstance(value, Function):
        return _shorten_name(value.name)
    if isinstance(value, Instance):
        return _shorten_name(value.cls.name)
    known = constant(value)
    if known in {"__start__", "__end__"}:
        return START if known == "__start__" else END
    return _shorten_name(known) if isinstance(known, str) else None


def _shorten_name(name: str | None) -> str | None:
    """A name, unless it is longer than names are: it would be said of every edge."""
    return name if name is None or len(name) <= _MAX_NAME else None
