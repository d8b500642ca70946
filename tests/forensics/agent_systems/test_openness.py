"""What could not be followed to an answer gives none, and what is served is what counts."""

from __future__ import annotations

from auditor.forensics.agent_systems.system_report_types import GraphData
from tests.forensics.agent_systems.reading import answer, data

_UNKNOWN_NAMES = """
from langgraph.graph import StateGraph, START
def build(agents):
    g = StateGraph(dict)
    for agent in agents:
        g.add_node(agent.name, agent)
        g.add_edge(START, agent.name)
    return g.compile()
app = build(load())
"""


def test_a_graph_none_of_whose_nodes_can_be_told_is_there_and_says_little_more() -> None:
    built, stages, sound = (
        answer(probe, _UNKNOWN_NAMES) for probe in ("swarm.graph", "swarm.parallel_stages", "swarm.join_soundness")
    )

    assert (built.answer, built.confidence < 0.8) == (True, True)
    assert (stages.answer, stages.confidence <= 0.4) == (False, True)
    assert (sound.answer, sound.unanswered) == (None, True)


def test_a_node_is_hardly_called_unreachable_where_an_edge_was_not_followed() -> None:
    text = """
    from langgraph.graph import StateGraph, START, END
    def work(state): return {}
    g = StateGraph(dict)
    g.add_node("first", work)
    g.add_node("second", work)
    g.add_edge(START, "first")
    g.add_edge("first", pick_next())
    g.add_edge("second", END)
    app = g.compile()
    """

    assert answer("swarm.join_soundness", text).confidence <= 0.5
    assert answer("swarm.join_soundness", text.replace("pick_next()", "END")).confidence > 0.9


def test_the_graph_that_is_served_by_the_name_of_its_function_is_the_main_one() -> None:
    files = {
        "langgraph.json": '{"graphs": {"agent": "pkg.agents:make_lead"}}',
        "pkg/agents/lead.py": """
            from langchain.agents import create_agent
            def make_lead(config):
                return create_agent(model="m", tools=[print])
        """,
        "pkg/other.py": """
            from langgraph.graph import StateGraph, START
            g = StateGraph(dict)
            g.add_node("one", lambda state: {})
            g.add_node("two", lambda state: {})
            g.add_node("three", lambda state: {})
            g.add_edge(START, "one")
            app = g.compile()
            app.invoke({})
        """,
    }
    found = data("swarm.graph", files)

    assert isinstance(found, GraphData)
    assert found.nodes == ("model", "tools")
