"""How the graph of an agent system is laid out."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.probe import probe
from auditor.forensics.systems.facts import told
from auditor.forensics.systems.findings import AgentSystem


@probe("swarm.graph")
def graph(system: AgentSystem) -> Iterator[Fact]:
    """What is the topology of the graph?

    Build one LangGraph `StateGraph` with named nodes and edges in the product code, and use it where the system starts.
    """
    yield from told(system, "swarm.graph")


@probe("swarm.parallel_stages")
def parallel_stages(system: AgentSystem) -> Iterator[Fact]:
    """Are there two or more distinct fan-out/fan-in stages?

    Let the nodes of a stage start from one node and meet in one that waits for all of them, once for those that gather and once for those that judge.
    """
    yield from told(system, "swarm.parallel_stages")


@probe("swarm.error_routes")
def error_routes(system: AgentSystem) -> Iterator[Fact]:
    """Do conditional edges handle missing evidence or failed nodes?

    Add a conditional edge after the gathering stage that leads elsewhere when evidence is missing or a node reported an error.
    """
    yield from told(system, "swarm.error_routes")


@probe("swarm.join_soundness")
def join_soundness(system: AgentSystem) -> Iterator[Fact]:
    """Does each join fire once, and does each node lie on a way from START to END?

    Let a join wait for a list of nodes (`add_edge([a, b], join)`) or defer it where its branches differ in length, and connect or remove nodes that nothing leads to.
    """
    yield from told(system, "swarm.join_soundness")
