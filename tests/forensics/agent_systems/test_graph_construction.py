"""The topology that code builds, however it is written."""

from __future__ import annotations

import pytest

from auditor.forensics.agent_systems.system_report_types import GraphData, SoundnessData, StagesData
from tests.forensics.agent_systems.reading import answer, data, system

_HEAD = "from langgraph.graph import StateGraph, START, END\n"
_NODES = "".join(
    f"def {name}(state): return {{'{name}': 1}}\n" for name in ("a", "b", "c", "join", "x", "y", "z", "last")
)
_ALL = "for f in (a, b, c, join, x, y, z, last): g.add_node(f.__name__ if False else f)\n"


def _graph(files: dict[str, str] | str) -> GraphData:
    found = data("swarm.graph", files)
    assert isinstance(found, GraphData)
    return found


def _pairs(graph: GraphData) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in graph.edges}


TWO_STAGES = {
    ("START", "a"), ("START", "b"), ("START", "c"), ("a", "join"), ("b", "join"), ("c", "join"),
    ("join", "x"), ("join", "y"), ("join", "z"), ("x", "last"), ("y", "last"), ("z", "last"), ("last", "END"),
}  # fmt: skip

WRITTEN = {
    "plain calls": "g = StateGraph(dict)\n" + _ALL + "".join(
        f"g.add_edge({source if source == 'START' else repr(source)}, {target if target == 'END' else repr(target)})\n"
        for source, target in sorted(TWO_STAGES)
    ),
    "annotated builder, loops over module lists": f"""
FIRST = ["a", "b", "c"]
SECOND = ("x", "y", "z")
def build():
    g: StateGraph = StateGraph(dict)
    {_ALL}
    for name in FIRST:
        g.add_edge(START, name)
        g.add_edge(name, "join")
    for name in SECOND:
        g.add_edge("join", name); g.add_edge(name, "last")
    g.add_edge("last", END)
    return g.compile()
app = build()
""",
    "list edges and a router that returns a list": f"""
def everybody(state): return ["x", "y", "z"]
def build(g):
    {_ALL}
    g.set_conditional_entry_point(lambda s: ["a", "b", "c"])
    g.add_edge(["a", "b", "c"], "join")
    g.add_conditional_edges("join", everybody)
    g.add_edge(["x", "y", "z"], "last")
    g.set_finish_point("last")
    return g
app = build(StateGraph(dict)).compile()
""",
    "sends, chained calls, a class that holds the builder": f"""
from langgraph.types import Send
class Court:
    def __init__(self):
        self.g = StateGraph(dict)
        self._nodes()
        self._edges()
    def _nodes(self):
        g = self.g
        {_ALL}
    def _edges(self):
        self.g.add_edge(START, "a").add_edge(START, "b").add_edge(START, "c")
        for name in ("a", "b", "c"):
            self.g.add_edge(name, "join")
        self.g.add_conditional_edges("join", self.route)
        self.g.add_edge("x", "last").add_edge("y", "last").add_edge("z", "last").add_edge("last", END)
    def route(self, state):
        return [Send(name, state) for name in ["x", "y", "z"]]
app = Court().g.compile()
""",
}  # fmt: skip


@pytest.mark.parametrize("written", WRITTEN.values(), ids=list(WRITTEN))
def test_the_same_two_stages_are_read_however_they_are_written(written: str) -> None:
    source = _HEAD + _NODES + written
    graph = _graph(source)
    assert _pairs(graph) == TWO_STAGES
    assert graph.unresolved == ()
    assert not graph.linear
    stages = data("swarm.parallel_stages", source)
    assert isinstance(stages, StagesData)
    assert [(stage.source, set(stage.branches), stage.join) for stage in stages.stages] == [
        ("START", {"a", "b", "c"}, "join"),
        ("join", {"x", "y", "z"}, "last"),
    ]


def test_a_builder_is_followed_through_files_aliases_and_re_exports() -> None:
    graph = _graph(
        {
            "src/compat.py": "from langgraph.graph import StateGraph as Graph, END as FINISH, START\n__all__ = ['Graph', 'FINISH', 'START']",
            "src/base.py": "from .compat import *\ndef new(state): return Graph(state)",
            "src/wiring.py": "from src.compat import FINISH, START\ndef wire(b):\n    b.add_edge(START, 'one')\n    b.add_edge('one', FINISH)",
            "src/main.py": "from .base import new\nfrom . import wiring\n\ndef one(s): return {}\n\ndef make():\n    g = new(dict)\n    g.add_node('one', one)\n    wiring.wire(g)\n    return g.compile()\n\nif __name__ == '__main__':\n    make().invoke({})",
        }
    )
    assert _pairs(graph) == {("START", "one"), ("one", "END")}
    assert graph.linear
    assert graph.builder == "src/base.py:2"


def test_a_path_map_a_literal_and_a_command_give_conditional_edges() -> None:
    graph = _graph(
        _HEAD
        + """
from typing import Literal
from langgraph.types import Command
def a(state) -> Command[Literal["b", "c"]]:
    return Command(goto=pick(state), update={})
def b(state): return Command(goto=END)
def c(state): return {}
def route(state):
    return bool(state.get("evidence"))
g = StateGraph(dict)
g.add_node("a", a); g.add_node("b", b); g.add_node("c", c)
g.add_edge(START, "a")
g.add_conditional_edges("c", route, {True: "b", False: END})
"""
    )
    assert {(edge.source, edge.target, edge.kind) for edge in graph.edges if edge.conditional} == {
        ("a", "b", "command"), ("a", "c", "command"), ("b", "END", "command"), ("c", "b", "conditional"), ("c", "END", "conditional"),
    }  # fmt: skip


def test_a_chain_is_linear_and_has_no_stage() -> None:
    source = (
        _HEAD
        + _NODES
        + "g = StateGraph(dict)\ng.add_sequence([a, b, c])\ng.set_entry_point('a')\ng.add_edge('c', END)\n"
    )
    assert _graph(source).linear
    judged = answer("swarm.parallel_stages", source)
    assert judged.answer is False
    assert judged.confidence == 1.0


@pytest.mark.parametrize(
    "looks_like",
    [
        '"""g = StateGraph(State); g.add_node("a", a)"""\n# from langgraph.graph import StateGraph\nPROMPT = "Use StateGraph with add_edge"\n',
        "import networkx as nx\ng = nx.DiGraph()\ng.add_node('a')\ng.add_edge('a', 'b')\n",
        "class StateGraph:\n    def add_node(self, *a): ...\ng = StateGraph()\ng.add_node('a', 1)\n",
    ],
)
def test_talk_of_a_graph_and_graphs_of_others_are_none(looks_like: str) -> None:
    assert answer("swarm.graph", looks_like).answer is False


def test_a_graph_in_tests_is_none_of_the_product() -> None:
    files = {"tests/test_graph.py": _HEAD + "g = StateGraph(dict)\ng.add_node('a', print)\n", "src/app.py": "x = 1\n"}
    assert answer("swarm.graph", files).answer is False


def test_what_cannot_be_followed_is_named_and_lowers_the_confidence() -> None:
    source = (
        _HEAD
        + "import os\ng = StateGraph(dict)\nfor name in os.environ['NODES'].split(','):\n    g.add_node(name, print)\n    g.add_edge(START, name)\n"
    )
    judged = answer("swarm.parallel_stages", source)
    assert judged.answer is False
    assert judged.confidence < 0.8
    assert _graph(source).unresolved


def test_a_second_graph_that_nobody_uses_is_dead() -> None:
    source = (
        _HEAD
        + _NODES
        + """
def old():
    g = StateGraph(dict)
    g.add_node(a); g.add_node(b); g.add_node(c); g.add_edge(START, "a")
    return g
def build():
    g = StateGraph(dict)
    g.add_node(x); g.add_edge(START, "x"); g.add_edge("x", END)
    return g
app = build().compile()
"""
    )
    graphs = [each.data for each in system({"src/graph.py": source}).answers["swarm.graph"]]
    assert [(each.nodes, bool(each.dead)) for each in graphs if isinstance(each, GraphData)] == [
        (("x",), False),
        (("a", "b", "c"), True),
    ]


def test_a_node_behind_a_switch_that_is_off_is_no_node() -> None:
    source = (
        _HEAD
        + _NODES
        + "VISION = False\ng = StateGraph(dict)\ng.add_node(a)\nif VISION:\n    g.add_node(b)\ng.add_edge(START, 'a')\ng.add_edge('a', END)\n"
    )
    assert _graph(source).nodes == ("a",)


def _sound(edges: str) -> SoundnessData:
    found = data(
        "swarm.join_soundness", _HEAD + _NODES + "g = StateGraph(dict)\n" + _ALL.replace(", z, last", "") + edges
    )
    assert isinstance(found, SoundnessData)
    return found


def test_a_join_behind_branches_of_unlike_length_fires_twice_unless_it_waits() -> None:
    edges = "g.add_edge(START, 'a')\ng.add_edge(START, 'b')\ng.add_edge('b', 'c')\ng.add_edge('join', END)\n"
    single = edges + "g.add_edge('a', 'join')\ng.add_edge('c', 'join')\n"
    waiting = edges + "g.add_edge(['a', 'c'], 'join')\n"
    assert _sound(single).multiple_fires == ("join",)
    assert _sound(waiting).multiple_fires == ()


def test_ways_that_exclude_each_other_do_not_make_a_join_fire_twice() -> None:
    edges = "g.add_edge(START, 'a')\ng.add_conditional_edges('a', lambda s: 'b' if s['n'] else 'join')\ng.add_edge('b', 'join')\ng.add_edge('join', END)\n"
    assert _sound(edges).multiple_fires == ()


def test_nodes_that_nothing_leads_to_are_named() -> None:
    found = _sound("g.add_edge(START, 'a')\ng.add_edge('a', END)\n")
    assert set(found.unreachable) == {"b", "c", "join", "x", "y"}


@pytest.mark.parametrize(
    ("router", "answered"),
    [
        ("lambda s: END if not s['evidence'] else 'b'", True),
        ("lambda s: 'fallback' if s['ok'] else 'b'", True),
        ("lambda s: 'c' if s['turn'] > 3 else 'b'", False),
    ],
)
def test_a_route_for_trouble_asks_for_trouble(router: str, answered: bool) -> None:
    source = (
        _HEAD
        + _NODES
        + f"g = StateGraph(dict)\n{_ALL}g.add_node('fallback', a)\ng.add_edge(START, 'a')\ng.add_conditional_edges('a', {router})\n"
    )
    assert answer("swarm.error_routes", source).answer is answered


def test_stages_inside_a_graph_that_is_a_node_count() -> None:
    source = (
        _HEAD
        + _NODES
        + """
def stage(names):
    g = StateGraph(dict)
    for name, f in names:
        g.add_node(name, f); g.add_edge(START, name); g.add_edge(name, END)
    return g.compile()
outer = StateGraph(dict)
outer.add_node("gather", stage([("a", a), ("b", b)]))
outer.add_node("judge", stage([("x", x), ("y", y)]))
outer.add_edge(START, "gather"); outer.add_edge("gather", "judge"); outer.add_edge("judge", END)
app = outer.compile()
"""
    )
    assert answer("swarm.parallel_stages", source).answer is True


def test_the_start_spelled_as_a_text_is_the_start_where_no_node_bears_that_name() -> None:
    graph = _graph(
        f"{_HEAD}{_NODES}g = StateGraph(dict)\ng.add_node('a', a)\ng.add_edge('START', 'a')\napp = g.compile()\n"
    )
    assert _pairs(graph) == {("START", "a")}


def test_a_line_with_a_way_back_is_no_straight_line() -> None:
    looped = f"""
{_HEAD}
{_NODES}
def again(state): return "b" if state["open"] else END
g = StateGraph(dict)
g.add_node("a", a); g.add_node("b", b)
g.add_edge(START, "a"); g.add_edge("a", "b")
g.add_conditional_edges("b", again, {{"b": "a", END: END}})
app = g.compile()
"""
    assert not _graph(looped).linear
    assert _graph(looped.replace('{"b": "a", END: END}', '{"b": END, END: END}')).linear


def test_a_list_without_the_names_that_another_one_holds_is_followed() -> None:
    graph = _graph(f"""
{_HEAD}
{_NODES}
ALL = ["a", "b", "c", "join"]
APART = {{"c", "join"}}
g = StateGraph(dict)
for name, node in (("a", a), ("b", b), ("c", c), ("join", join)):
    g.add_node(name, node)
for name in [each for each in ALL if each not in APART]:
    g.add_edge(name, "join")
for name in ALL:
    if name in APART:
        g.add_edge(START, name)
app = g.compile()
""")
    assert _pairs(graph) == {("a", "join"), ("b", "join"), ("START", "c"), ("START", "join")}


def test_a_node_that_a_path_map_offers_and_the_router_never_picks_is_said_to_be_that() -> None:
    judged = answer(
        "swarm.join_soundness",
        f"""
{_HEAD}
{_NODES}
def pick(state): return "left"
g = StateGraph(dict)
for name, node in (("a", a), ("b", b), ("c", c)):
    g.add_node(name, node)
g.add_edge(START, "a")
g.add_conditional_edges("a", pick, {{"left": "b", "right": "c"}})
g.add_edge("b", END); g.add_edge("c", END)
app = g.compile()
""",
    )
    assert judged.answer is False
    assert judged.statement == "The graph is not sound: c is a target that no router ever selects."
    assert judged.confidence == 0.7


def test_a_handler_of_several_failures_is_no_join_that_fires_twice() -> None:
    code = f"""
{_HEAD}
{_NODES}
def after_a(state): return "failed" if state["error"] else "join"
def after_x(state): return "failed" if state["error"] else "last"
def failed(state): return {{}}
g = StateGraph(dict)
for name, node in (("a", a), ("b", b), ("join", join), ("x", x), ("last", last), ("failed", failed)):
    g.add_node(name, node)
g.add_edge(START, "a"); g.add_edge(START, "b"); g.add_edge("b", "join")
g.add_conditional_edges("a", after_a)
g.add_edge("join", "x")
g.add_conditional_edges("x", after_x)
g.add_edge("last", END); g.add_edge("failed", END)
app = g.compile()
"""
    judged = answer("swarm.join_soundness", code)
    assert judged.answer is True
    plain = code.replace('g.add_conditional_edges("x", after_x)', 'g.add_edge("x", "last"); g.add_edge("x", "failed")')
    assert answer("swarm.join_soundness", plain).answer is False


def test_what_runs_beside_a_short_side_branch_is_only_what_may_run_in_its_steps() -> None:
    code = f"""
{_HEAD}
from typing import TypedDict
class S(TypedDict):
    note: str
def write(state): return {{}}
def keep(state): return {{"note": "kept"}}
def later(state): return {{"note": "later"}}
g = StateGraph(S)
g.add_node("write", write); g.add_node("keep", keep); g.add_node("on", write); g.add_node("later", later)
g.add_edge(START, "write")
g.add_edge("write", "keep"); g.add_edge("keep", END)
g.add_edge("write", "on"); g.add_edge("on", "later"); g.add_edge("later", END)
app = g.compile()
"""
    assert answer("swarm.reducers", code).answer is True
    beside = code.replace('g.add_node("on", write)', 'g.add_node("on", later)')
    assert answer("swarm.reducers", beside).answer is False


_BORROWED = {
    "src/graph.py": f"{_HEAD}from src.work import first, second\n"
    "g = StateGraph(dict)\n"
    "g.add_node('first', first); g.add_node('second', second)\n"
    "g.add_edge(START, 'first'); g.add_edge('first', 'second'); g.add_edge('second', END)\n"
    "app = g.compile()\n",
    "src/work.py": "def first(state): return {}\ndef secnod(state): return {'second': 1}\nNOTE = 'second'\n",
}


def test_a_node_whose_function_is_imported_from_a_file_without_it_is_not_sound() -> None:
    judged = answer("swarm.join_soundness", _BORROWED)
    assert judged.answer is False
    assert "the function of second is imported from `src/work.py`, which does not define it" in judged.statement
    assert isinstance(judged.data, SoundnessData)
    assert judged.data.missing == ("second",)


@pytest.mark.parametrize(
    "work",
    [
        "def first(state): return {}\ndef second(state): return {}\n",
        "from vendor import first, second\n",
        "from vendor import *\n",
        "def first(state): return {}\ndef __getattr__(name): return first\n",
        "def first(state): return {}\nglobals()['second'] = first\n",
        "try:\n    from vendor import first, second\nexcept ImportError:\n    first = second = None\n",
    ],
)
def test_a_function_that_a_file_gets_in_another_way_is_not_missing(work: str) -> None:
    assert answer("swarm.join_soundness", {**_BORROWED, "src/work.py": work}).answer is True


_ROUTED = f"""
{_HEAD}
from typing import TypedDict
class S(TypedDict):
    notes: list
    failure: str
def work(state): return {{"notes": []}}
def repair(state): return {{}}
def after(state):
    if state.get("KEY"):
        return "repair"
    return "next"
g = StateGraph(S)
g.add_node("work", work); g.add_node("next", work); g.add_node("repair", repair)
g.add_edge(START, "work")
g.add_conditional_edges("work", after)
g.add_edge("next", END); g.add_edge("repair", END)
app = g.compile()
"""


def test_a_router_that_looks_for_a_key_no_field_bears_handles_nothing() -> None:
    judged = answer("swarm.error_routes", _ROUTED.replace("KEY", "error"))
    assert judged.answer is False
    assert (
        judged.statement
        == "Conditional edges check error, which is not a field of the state, so they never detect a failure."
    )
    assert answer("swarm.error_routes", _ROUTED.replace("KEY", "failure")).answer is True


def test_a_key_of_what_a_node_takes_beside_the_state_is_there() -> None:
    more = _ROUTED.replace("KEY", "error").replace(
        "def work(state)", "class Wider(S):\n    error: str\ndef work(state: Wider)"
    )
    assert answer("swarm.error_routes", more).answer is True
    plain = _ROUTED.replace("KEY", "error").replace("StateGraph(S)", "StateGraph(dict)")
    assert answer("swarm.error_routes", plain).answer is True


def test_a_fatal_phase_is_trouble() -> None:
    code = (
        _ROUTED.replace('state.get("KEY")', 'state["failure"] == "FATAL"')
        .replace("failure: str", "phase: str")
        .replace('"failure"', '"phase"')
    )
    assert answer("swarm.error_routes", code.replace('"repair"', '"last"')).answer is True
    calm = code.replace("FATAL", "done").replace('"repair"', '"last"')
    assert answer("swarm.error_routes", calm).answer is False
