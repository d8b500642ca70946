"""Rules on the graph of an agent system."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.agent_systems.system_facts import probe_facts
from auditor.forensics.agent_systems.system_report_types import AgentSystem
from auditor.forensics.probe_kit.probe_decorators import probe


@probe("swarm.graph")
def graph(system: AgentSystem) -> Iterator[Fact]:
    """What is the topology of the graph?

    A `StateGraph` of LangGraph or LangGraph.js counts if product code adds nodes to it, also through loops and helper functions, as does
    an agent or team that the library builds itself (`create_agent`, `create_supervisor`, `create_swarm`). Graphs in tests, strings and
    comments do not count, and a graph that nothing uses is reported as dead code.

    Build one LangGraph `StateGraph` with named nodes and edges in the product code, and use it where the system starts.
    """
    yield from probe_facts(system, "swarm.graph")


@probe("swarm.parallel_stages")
def parallel_stages(system: AgentSystem) -> Iterator[Fact]:
    """Are there two or more distinct fan-out/fan-in stages?

    A stage counts if one node starts several nodes in parallel (plain edges, a router that returns several nodes, or `Send`) and all of
    them lead to a common node; stages of a subgraph count for the outer graph. Branches of which a router picks one do not count, nor do
    branches that meet only at END, nor parallel work inside a single node (`asyncio.gather`).

    Start the nodes of a stage from one node and join them in a node that waits for all of them: one stage for the nodes that gather evidence, one for the judges.
    """
    yield from probe_facts(system, "swarm.parallel_stages")


@probe("swarm.error_routes")
def error_routes(system: AgentSystem) -> Iterator[Fact]:
    """Do conditional edges handle missing evidence or failed nodes?

    A router or `Command` with at least two targets counts if its condition checks for an error or for missing, empty or insufficient
    data, or if a target is named for failure (`retry`, `fallback`). Routing by topic, a user setting, loop counters, tool calls and keys
    that are not fields of the state do not count.

    Add a conditional edge after the evidence stage that leads to another node when evidence is missing or a node reported an error.
    """
    yield from probe_facts(system, "swarm.error_routes")


@probe("swarm.join_soundness")
def join_soundness(system: AgentSystem) -> Iterator[Fact]:
    """Does each join run once, and is each node on a path from START to END?

    The main graph is simulated step by step like LangGraph, with every decision of its routers. These faults count: a node that runs twice
    in one pass because it does not wait for branches of different length, a node that cannot be reached, a node without a path to END, and
    a node whose function does not exist in the file it is imported from. Repetition in a loop does not count, nor does a shared error handler.

    Let a join wait for a list of nodes (`add_edge([a, b], join)`) or defer it if its branches differ in length, and connect or remove unreachable nodes.
    """
    yield from probe_facts(system, "swarm.join_soundness")
