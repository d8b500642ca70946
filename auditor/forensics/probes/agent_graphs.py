"""How the graph of an agent system is laid out."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.agent_systems.system_facts import probe_facts
from auditor.forensics.agent_systems.system_report_types import AgentSystem
from auditor.forensics.probe_kit.probe_decorators import probe


@probe("swarm.graph")
def graph(system: AgentSystem) -> Iterator[Fact]:
    """What is the topology of the graph?

    Counts: a `StateGraph` of LangGraph or LangGraph.js that product code fills with nodes, by whatever names, loops and helpers, and an
    agent or team that the library lays out itself (`create_agent`, `create_supervisor`, `create_swarm`); each that can run is told, the
    main one first. A graph in tests, in a text or in a comment is none, and one that nothing uses is told as dead.

    Build one LangGraph `StateGraph` with named nodes and edges in the product code, and use it where the system starts.
    """
    yield from probe_facts(system, "swarm.graph")


@probe("swarm.parallel_stages")
def parallel_stages(system: AgentSystem) -> Iterator[Fact]:
    """Are there two or more distinct fan-out/fan-in stages?

    A stage is a node after which several others run at the same time, by plain edges, a router that names several or `Send`, together with
    the first node at which all of them meet; stages of a graph inside a node count for the outer one. Branches of which a router picks one
    are no stage, nor are branches that only meet at END, nor is what a single node starts by itself (`asyncio.gather`).

    Let the nodes of a stage start from one node and meet in one that waits for all of them, once for those that gather and once for those that judge.
    """
    yield from probe_facts(system, "swarm.parallel_stages")


@probe("swarm.error_routes")
def error_routes(system: AgentSystem) -> Iterator[Fact]:
    """Do conditional edges handle missing evidence or failed nodes?

    Counts: a router or `Command` with two ways at least, whose condition looks at an error or at something that is missing, empty or too
    little, or one of whose ways is named for trouble (`retry`, `fallback`). A choice by topic, a switch of whoever runs it, a loop that
    counts its turns, whether a model asked for a tool, and a key that no field of the state bears are none.

    Add a conditional edge after the gathering stage that leads elsewhere when evidence is missing or a node reported an error.
    """
    yield from probe_facts(system, "swarm.error_routes")


@probe("swarm.join_soundness")
def join_soundness(system: AgentSystem) -> Iterator[Fact]:
    """Does each join fire once, and does each node lie on a way from START to END?

    The main graph is played step by step as LangGraph does it, with each decision its routers may take. Not sound: a node that runs twice
    in a pass because branches of unlike length lead to it without being waited for, a node that nothing leads to or whose router never
    decides for it, one without a way to END, and one whose function is imported from a file that has none of that name. What repeats in a
    loop, and a handler that several failures lead to, is no fault.

    Let a join wait for a list of nodes (`add_edge([a, b], join)`) or defer it where its branches differ in length, and connect or remove nodes that nothing leads to.
    """
    yield from probe_facts(system, "swarm.join_soundness")
