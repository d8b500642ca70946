"""Code written to exhaust, mislead or end the process that follows it."""

from __future__ import annotations

import time

import pytest

from auditor.forensics.agent_systems import analysis_child_process
from auditor.forensics.agent_systems.analyzed_file import Source
from auditor.forensics.agent_systems.system_report_types import GraphData
from tests.small_process import in_small_process

analyze = in_small_process(analysis_child_process.analyze_in_child_process)

_HEAD = "from langgraph.graph import StateGraph, START, END\n"
_GOOD = Source(
    "src/good.py",
    _HEAD
    + "def a(s): return {}\ng = StateGraph(dict)\ng.add_node(a)\ng.add_edge(START, 'a')\ng.add_edge('a', END)\napp = g.compile()\n",
)

HOSTILE = {
    "a million edges by nested loops": _HEAD + "g = StateGraph(dict)\n" + "".join(
        f"{'    ' * depth}for x{depth} in {list(range(100))}:\n" for depth in range(6)
    ) + "    " * 6 + "g.add_edge(x0, x1)\n",
    "a builder that builds itself": _HEAD + "def make(n):\n    g = StateGraph(dict)\n    g.add_node('a', make)\n    return make(make(g))\napp = make(make)\n",
    "a list of a hundred thousand nodes": _HEAD + "NODES = [" + "'n'," * 100_000 + "]\ng = StateGraph(dict)\nfor n in NODES: g.add_node(n, print)\n",
    "deep brackets": "x = " + "[" * 150 + "]" * 150 + "\n",
    "a long sum": "x = " + "+".join(["'a'"] * 5_000) + "\n",
    "a long chain of attributes": "x = a" + ".b" * 3_000 + "\n",
    "a text that doubles": "x = 'a' * 1000\n" + "x = x + x\n" * 60,
    "a list that doubles": "x = ['a']\n" + "x = x + x\n" * 60,
    "a list inside itself": "x = []\nx.append(x)\n" + _HEAD + "g = StateGraph(x)\ng.add_node(x)\ng.add_edge(x, x)\n",
    "an if with thousands of branches": "if a: pass\n" + "elif b: x = 1\n" * 2_000,
    "decorators of decorators": "def d(f): return d(f)\n" + "@d\n" * 60 + "def f(): ...\n",
    "a class that is its own base": "class A(B): ...\nclass B(A): ...\nA().go()\n",
    "a table of rules inside itself, as long as can be": "def rule(score): return score\nRULES = [" + "rule," * 40_000 + "]\nRULES.append(RULES)\n"
    + "def chief_justice(score):\n" + "    for each in RULES: score = each(RULES)\n" * 300 + "    return {'final_score': score}\nchief_justice(1)\n",
    "loops over loops whose entries call each other": "def chief_justice(score):\n" + "".join(
        f"{'    ' * (depth + 1)}for x{depth} in x{max(0, depth - 1)}(score):\n" for depth in range(80)
    ) + "    " * 81 + "score = x0(x1)\nchief_justice(1)\n",
    "opinions sifted by a table as long as can be": "def chief_justice(opinions, facts):\n    known = [" + "facts," * 60_000 + "]\n"
    + "    x = [o for o in opinions if o.score in known]\n" * 200 + "    return {'final_score': x}\n",
    "thousands of requests that carry as much as can be": "import requests\nX = [" + "{'a': 1}," * 5_000 + "]\n" + "requests.post('u', json=X)\n" * 1_200,
    "a reducer with thousands of ways": _HEAD + "from typing import Annotated, TypedDict\ndef keep(a, b):\n    if a: return a\n" + "    elif b: return b\n" * 2_000
    + "    return a\nclass S(TypedDict):\n    x: Annotated[str, keep]\n    y: Annotated[str, lambda a, b: " + "a if b else " * 900 + "b]\n"
    + "def p(s): return {'x': '1', 'y': '1'}\ndef q(s): return {'x': '2', 'y': '2'}\n"
    + "g = StateGraph(S)\ng.add_node(p)\ng.add_node(q)\ng.add_edge(START, 'p')\ng.add_edge(START, 'q')\ng.compile()\n",
    "functions that call each other": "".join(f"def f{n}(x): return f{(n + 1) % 50}(f{(n + 7) % 50}(x))\n" for n in range(50)) + "f0(1)\n",
}  # fmt: skip


@pytest.mark.parametrize("source", HOSTILE.values(), ids=list(HOSTILE))
def test_hostile_code_costs_a_bounded_time_and_gives_an_answer_or_a_reason(source: str) -> None:
    started = time.monotonic()
    system = analyze([_GOOD, Source("src/zz_hostile.py", source)])
    assert time.monotonic() - started < analysis_child_process.CPU_SECONDS
    assert system.failed or system.answers["swarm.graph"][0].answer is not None


_GRAPH = _HEAD + "g = StateGraph(dict)\n"
GROWING = {
    "a list that takes itself in": "x = ['a']\n" + "x += x\n" * 40,
    "a list spread into itself": "x = ['a']\n" + "x = [*x, *x]\n" * 40,
    "a chain of itself": "from itertools import chain\nx = ['a']\n" + "x = chain(x, x)\n" * 40,
    "a dictionary spread into itself": "x = {'a': 1}\n" + "x = {**x, **x}\n" * 40,
    "a dictionary joined with itself": "x = {'a': 1}\n" + "x = x | x\n" * 40,
    "a text in itself": "x = 'aaaaaaaa'\n" + "x = f'{x}{x}'\n" * 40,
    "a text whose letters grow": "x = 'aaaaaaaa'\n" + f"x = x.replace('a', '{'a' * 40}')\n" * 9,
    "a dictionary written line by line": "x = {}\n" + "".join(f"x[{n}] = {n}\n" for n in range(5_000)),
    "lists in lists as names of nodes": _GRAPH + "x = ['a', 'b']\n" + "x = [x, x]\n" * 40 + "g.add_node('a', print)\ng.add_edge(x, x)\ng.add_conditional_edges('a', lambda s: x)\n",
    "a router that hands back a list inside itself": _GRAPH + "x = ['a']\nx.append(x)\nm = {}\nm['a'] = m[q]\ng.add_node('a', print)\n"
    + "g.add_conditional_edges('a', lambda s: x)\ng.add_conditional_edges('a', lambda s: m[s])\n",
}  # fmt: skip


@pytest.mark.parametrize("source", GROWING.values(), ids=list(GROWING))
def test_what_grows_with_every_line_is_followed_as_far_as_honest_code_goes(source: str) -> None:
    spent = analysis_child_process._child_cpu_seconds()
    system = analyze([_GOOD, Source("src/zz_hostile.py", source)])
    assert analysis_child_process._child_cpu_seconds() - spent < 2
    assert not system.failed
    assert not system.unread


@pytest.mark.parametrize(
    "name", ["x = 'aaaaaaaa'\n" + "x = f'{x}{x}'\n" * 14, f"x = '{'a' * 150_000}'\n", f"def {'a' * 150_000}(s): ...\nx = {'a' * 150_000}\n"],
    ids=["made of itself", "written out", "of a function"],
)  # fmt: skip
def test_a_node_whose_name_is_a_book_is_not_named(name: str) -> None:
    source = _GRAPH + name + "g.add_node('a', print)\ng.add_node(x, print)\ng.add_edge('a', x)\napp = g.compile()\n"
    system = analyze([Source("src/graph.py", source)])
    assert len(system.model_dump_json()) < 20_000
    graph = system.answers["swarm.graph"][0].data
    assert isinstance(graph, GraphData)
    assert graph.nodes == ("a",)
    assert "the name of a node (src/graph.py:" in " ".join(graph.unresolved)


def test_an_answer_that_is_too_long_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_child_process, "MAX_ANSWER", 2_000)
    system = analyze([_GOOD])
    assert system.failed == "the result is too long"


def test_a_key_that_is_written_again_behind_a_copy_stands_for_what_was_written_last() -> None:
    nodes = "usual = {'k': 'one'}\nmine = {**usual, 'k': 'two'}\nmine['k'] = 'three'\ng.add_node(mine['k'], print)\n"
    graph = analyze([Source("src/graph.py", _GRAPH + nodes)]).answers["swarm.graph"][0].data
    assert isinstance(graph, GraphData)
    assert graph.nodes == ("three",)


SCRIPTS = {
    "a chain of a thousand calls": "const g = new StateGraph(S)" + ".addNode('n', f)" * 1_000 + ".compile();",
    "callbacks in callbacks": "x.map((a) => { return " * 300 + "1" + "})" * 300,
    "assignments in assignments": "a = b[" * 200 + "c = 1" + "]" * 200,
    "patterns in patterns": "function f(" + "{ a: " * 300 + "b" + " }" * 300 + ") {}",
    "a type that is its own alias": "type A = B | A; type B = A; const f = (): A => g();",
    "an import of itself": 'export * from "./zz_hostile"; export { a as b, b as a } from "./zz_hostile"; import x from "./zz_hostile";',
    "a reducer over itself": "const r = [1].reduce((a, b) => r.reduce(a, b), r); r.concat(r).concat(r);",
    "templates in templates": "const t = " + "`${" * 200 + "1" + "}`" * 200 + ";",
    "brackets that never close": "const a = {[(" * 3_000,
    "names of Python": 'const __builtins__ = 1, self = this, None = 2; class __init__ extends __init__ {} ; import("./\ud800");',
}


@pytest.mark.parametrize("source", SCRIPTS.values(), ids=SCRIPTS)
def test_a_hostile_script_costs_a_bounded_time_and_hides_no_other_graph(source: str) -> None:
    started = time.monotonic()
    library = 'import { StateGraph } from "@langchain/langgraph";\n'
    system = analyze([_GOOD, Source("src/zz_hostile.ts", library + source)])
    assert time.monotonic() - started < 15
    assert not system.failed
    graphs = [each.data for each in system.answers["swarm.graph"] if isinstance(each.data, GraphData)]
    assert "a" in {node for graph in graphs for node in graph.nodes}


def test_modules_that_import_each_other_in_a_circle_are_followed_once() -> None:
    files = [
        Source(f"src/m{n}.py", f"from src.m{(n + 1) % 30} import *\nfrom . import m{(n + 2) % 30}\nx{n} = 1\n")
        for n in range(30)
    ]
    assert analyze([*files, _GOOD]).answers["swarm.graph"][0].answer is True


@pytest.mark.usefixtures("deadly_code")
def test_a_file_that_ends_the_reading_process_is_left_out_and_named() -> None:
    system = analyze([_GOOD, Source("src/deadly.py", "deadly = 1\n")])
    assert list(system.unread) == ["src/deadly.py"]
    assert "SIGKILL" in system.unread["src/deadly.py"]
    assert system.answers["swarm.graph"][0].answer is True


def test_names_in_other_scripts_and_lone_surrogates_come_back_as_text() -> None:
    source = (
        _HEAD
        + "def a(s): return {}\ng = StateGraph(dict)\ng.add_node('\\ud800<b>', a)\ng.add_edge(START, '\\ud800<b>')\n"
    )
    system = analyze([Source("src/graph.py", source)])
    assert system.failed == ""
    assert system.answers["swarm.graph"][0].answer is True


def test_the_child_hands_back_the_same_data_as_typed_values() -> None:
    graph = analyze([_GOOD]).answers["swarm.graph"][0].data
    assert isinstance(graph, GraphData)
    assert graph.nodes == ("a",)
