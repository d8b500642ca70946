"""Graphs that a library lays out, and functions that only share a name with one that does."""

from __future__ import annotations

import pytest

from auditor.forensics.agent_systems.system_report_types import GraphData, OutputsData
from tests.forensics.agent_systems.reading import answer, data

_AGENTS = """
from langgraph.prebuilt import create_react_agent as agent
from langgraph_swarm import create_handoff_tool, create_swarm
from langgraph_supervisor import create_supervisor
def add(a, b): return a + b
first = agent("m", [add, create_handoff_tool(agent_name="second")], name="first")
second = agent(model="m", tools=[create_handoff_tool(agent_name="first"), create_handoff_tool(agent_name="nobody")], name="second")
"""
SUPERVISED = {("START", "supervisor"), ("supervisor", "first"), ("supervisor", "second"), ("supervisor", "END"), ("first", "supervisor"), ("second", "supervisor")}  # fmt: skip
SWARM = {("START", "first"), ("START", "second"), ("first", "second"), ("second", "first"), ("first", "END"), ("second", "END")}  # fmt: skip
ALONE = {("START", "agent"), ("agent", "tools"), ("agent", "END"), ("tools", "agent")}


def _pairs(files: dict[str, str] | str) -> set[tuple[str, str]]:
    found = data("swarm.graph", files)
    assert isinstance(found, GraphData)
    return {(edge.source, edge.target) for edge in found.edges}


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        (_AGENTS + "app = create_supervisor([first, second], model='m').compile()", SUPERVISED),
        (_AGENTS + "def build():\n    return create_supervisor(agents=[first, second], model='m')\napp = build().compile()", SUPERVISED),
        (_AGENTS + "app = create_swarm([first, second], default_active_agent='first').compile()", SWARM),
        ("import langgraph.prebuilt as p\napp = p.create_react_agent('m', tools)", ALONE),
        ("from langgraph.prebuilt import create_react_agent\napp = create_react_agent('m', [])", {("START", "agent"), ("agent", "END")}),
        ("from langchain.agents import create_agent\napp = create_agent(model='m', tools=[print])", {("START", "model"), ("model", "tools"), ("model", "END"), ("tools", "model")}),
    ],
)  # fmt: skip
def test_a_graph_that_a_library_lays_out_has_the_shape_it_gives_it(text: str, pairs: set[tuple[str, str]]) -> None:
    found = answer("swarm.graph", text)

    assert _pairs(text) == pairs
    assert found.answer is True
    assert found.confidence <= 0.9
    assert "built by `create_" in found.statement


def test_scripts_lay_out_the_same() -> None:
    text = """
    import { createReactAgent } from "@langchain/langgraph/prebuilt";
    import { createSupervisor } from "@langchain/langgraph-supervisor";
    const first = createReactAgent({ llm, tools: [add], name: "first" });
    const second = createReactAgent({ llm, tools: [], name: "second" });
    export const app = createSupervisor({ agents: [first, second], llm }).compile();
    """

    assert _pairs({"src/graph.ts": text}) == SUPERVISED


def test_a_library_s_agent_as_a_node_is_a_graph_inside_and_not_the_main_one() -> None:
    text = (
        _AGENTS
        + """
from langgraph.graph import StateGraph, START
g = StateGraph(dict)
g.add_node("work", first)
g.add_edge(START, "work")
app = g.compile()
"""
    )
    found = data("swarm.graph", text)

    assert isinstance(found, GraphData)
    assert (found.nodes, found.subgraphs) == (("work",), ("work",))


def test_agents_whose_names_only_a_run_would_tell_are_named_as_unresolved() -> None:
    found = answer("swarm.graph", _AGENTS + "app = create_supervisor(load_agents(), model='m').compile()")

    assert isinstance(found.data, GraphData)
    assert found.data.unresolved
    assert found.confidence < 0.8


@pytest.mark.parametrize(
    "text",
    [
        "from langchain.agents import create_react_agent\napp = create_react_agent(llm, tools, prompt)",
        "def create_supervisor(agents): return agents\napp = create_supervisor([1])",
        "from billing import create_agent\napp = create_agent('name')",
        "HELP = 'from langgraph.prebuilt import create_react_agent; create_react_agent(m, t)'",
    ],
    ids=["the runnable of the same name", "a function of one's own", "another package", "a text"],
)
def test_what_only_shares_the_name_lays_out_nothing(text: str) -> None:
    assert answer("swarm.graph", text).answer is False


def test_a_judge_that_is_a_library_s_agent_still_tells_how_it_answers() -> None:
    text = """
    from pydantic import BaseModel
    from langgraph.graph import StateGraph, START
    from langgraph.prebuilt import create_react_agent
    class Opinion(BaseModel):
        score: int
    bound = create_react_agent("m", [], response_format=Opinion)
    def prosecutor(state): return {"opinion": bound.invoke({"messages": []})["structured_response"]}
    g = StateGraph(dict)
    g.add_node("prosecutor", prosecutor)
    g.add_edge(START, "prosecutor")
    app = g.compile()
    """
    found = data("swarm.structured_output", text)

    assert isinstance(found, OutputsData)
    assert (found.method, found.schema_) == ("native_schema", "Opinion")
