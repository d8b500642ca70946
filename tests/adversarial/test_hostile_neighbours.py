"""One file written to use up what the reading of all files may cost, beside a graph that must still be read."""

from __future__ import annotations

import ast

import pytest

from auditor.forensics.agent_systems import abstract_interpreter, analysis_child_process, expression_values
from auditor.forensics.agent_systems.abstract_interpreter import Interpreter
from auditor.forensics.agent_systems.abstract_values import Value
from auditor.forensics.agent_systems.analyzed_file import Source
from auditor.forensics.agent_systems.call_frames import Frame
from auditor.forensics.agent_systems.system_report_types import AgentSystem, GraphData, ProbeAnswer

_HEAD = "from langgraph.graph import StateGraph, START, END\n"
_GRAPH = (
    _HEAD
    + "def fetch(s): return {}\n"
    + "def build():\n    g = StateGraph(dict)\n    g.add_node(fetch)\n    g.add_edge(START, 'fetch')\n    g.add_edge('fetch', END)\n"
    + "    return g.compile()\n"
)
_BURNS = f"X = {list(range(100))}\nY = [a + b + c + d for a in X for b in X for c in X for d in X]\n"


@pytest.fixture(autouse=True)
def _short_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bounds as ever, a tenth as far away."""
    monkeypatch.setattr(abstract_interpreter, "MAX_STEPS", 30_000)


def _graph(system: AgentSystem) -> tuple[ProbeAnswer, GraphData]:
    assert not system.failed
    first = system.answers["swarm.graph"][0]
    assert isinstance(first.data, GraphData), first.statement
    return first, first.data


@pytest.mark.parametrize("count", [1, 6])
def test_files_that_use_up_all_steps_are_cut_short_and_the_graph_is_read_with_less_certainty(count: int) -> None:
    burners = [Source(f"src/a{number}.py", f"# langgraph judge {number}\n{_BURNS}") for number in range(count)]
    system = analysis_child_process.analyze_in_child_process([Source("src/graph.py", _GRAPH), *burners])
    found, data = _graph(system)
    assert data.nodes == ("fetch",)
    assert any("src/a0.py, only partly analysed" in each for each in data.unresolved)
    assert found.confidence < 0.8
    assert system.answers["swarm.report_written"][0].confidence <= 0.6


def test_a_graph_in_the_file_that_uses_up_all_steps_is_kept_where_it_is_the_only_one() -> None:
    system = analysis_child_process.analyze_in_child_process(
        [Source("src/graph.py", f"{_GRAPH}app = build()\n{_BURNS}")]
    )
    found, data = _graph(system)
    assert found.answer is True
    assert data.nodes == ("fetch",)


def test_a_decoy_graph_in_a_file_that_uses_up_all_steps_does_not_hide_the_real_one() -> None:
    decoy = f"{_HEAD}d = StateGraph(dict)\nd.add_node('decoy', print)\napp = d.compile()\n{_BURNS}"
    system = analysis_child_process.analyze_in_child_process(
        [Source("src/a.py", decoy), Source("src/graph.py", f"{_GRAPH}app = build()\n")]
    )
    assert ("fetch",) in [each.data.nodes for each in system.answers["swarm.graph"] if isinstance(each.data, GraphData)]


def test_a_graph_that_stands_in_a_file_left_out_is_no_answer_rather_than_no_graph(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("auditor.forensics.agent_systems.parsed_unit.MAX_NODES", 20)
    system = analysis_child_process.analyze_in_child_process(
        [Source("src/graph.py", _GRAPH), Source("src/other.py", "x = 1\n")]
    )
    first = system.answers["swarm.graph"][0]
    assert first.unanswered
    assert "src/graph.py" in first.statement


def test_hundreds_of_builders_in_one_file_do_not_hide_the_graph_of_another() -> None:
    crowd = _HEAD + "".join(f"g{n} = StateGraph(dict)\ng{n}.add_node('x{n}', print)\n" for n in range(1_000))
    system = analysis_child_process.analyze_in_child_process(
        [Source("src/a.py", crowd), Source("src/graph.py", _GRAPH)]
    )
    graphs = [each.data for each in system.answers["swarm.graph"] if isinstance(each.data, GraphData)]
    assert ("fetch",) in [each.nodes for each in graphs]


def test_hundreds_of_model_calls_in_one_file_do_not_hide_the_clone_of_another() -> None:
    crowd = "from openai import OpenAI\nc = OpenAI()\n" + "c.chat.completions.create(model='m')\n" * 2_000
    clone = "import subprocess\ndef fetch(url):\n    subprocess.run(['git', 'clone', url, 'here'], check=True)\n"
    system = analysis_child_process.analyze_in_child_process([Source("src/a.py", crowd), Source("src/tools.py", clone)])
    assert system.answers["code.clone_in_temporary_directory"][0].answer is False


def test_a_file_that_hangs_the_walk_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    real = expression_values.evaluate

    def hanging(run: Interpreter, node: ast.expr, frame: Frame) -> Value:
        while frame.unit.path == "src/a.py":
            pass
        return real(run, node, frame)

    monkeypatch.setattr(expression_values, "evaluate", hanging)
    monkeypatch.setattr(analysis_child_process, "CPU_SECONDS", 4.0)
    system = analysis_child_process.analyze_in_child_process(
        [Source("src/a.py", "x = 1\n"), Source("src/graph.py", _GRAPH)]
    )
    found, data = _graph(system)
    assert data.nodes == ("fetch",)
    assert system.unread == {"src/a.py": "reading it took too long"}
    assert found.confidence < 0.8


@pytest.mark.usefixtures("deadly_code")
def test_many_files_that_end_the_process_cost_the_largest_files_and_not_the_answer() -> None:
    killers = [Source(f"src/a{number}.py", "deadly = 1\n" + "#" * 500) for number in range(12)]
    system = analysis_child_process.analyze_in_child_process([*killers, Source("src/graph.py", _GRAPH)])
    assert _graph(system)[1].nodes == ("fetch",)
    assert set(system.unread) == {each.path for each in killers}
