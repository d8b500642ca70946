"""Probes of agent systems as facts: outcomes, places, quotes, and what cannot be answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.domain import CodeLocation, Outcome
from auditor.forensics.agent_systems.graph_topology import find_stages, nodes_fired_twice, topology_of_data
from auditor.forensics.agent_systems.system_report_types import DATA_TYPES, AgentSystem, ClonesData, GraphData
from auditor.forensics.engine import evidence_gathering
from auditor.forensics.engine.probe_discovery import discover_probes
from tests.accuracy.labelled import project
from tests.auditing import gathered
from tests.forensics.agent_systems.reading import system
from tests.forensics.probes.asking import ask
from tests.repos import Drawing

_CHAIN = """
from langgraph.graph import StateGraph, START, END
def a(s): return {}
g = StateGraph(dict)
g.add_node("a", a)
g.add_edge(START, "a")
g.add_edge("a", END)
"""


@pytest.mark.parametrize("probe_id", DATA_TYPES)
def test_every_probe_of_agent_systems_answers_on_a_whole_system(probe_id: str) -> None:
    facts = ask(probe_id, system(project("courtroom")))
    assert [fact.outcome for fact in facts] == [Outcome.FOUND]
    assert isinstance(facts[0].data, DATA_TYPES[probe_id])
    assert facts[0].locations


@pytest.mark.parametrize("probe_id", DATA_TYPES)
def test_code_that_could_not_be_followed_gives_no_answer(probe_id: str) -> None:
    facts = ask(probe_id, AgentSystem(failed="reading it took too long"))
    assert [(fact.outcome, fact.statement) for fact in facts] == [
        (Outcome.UNAVAILABLE, "The code could not be analysed: reading it took too long.")
    ]


def test_a_file_that_could_not_be_read_is_said_beside_the_answer_and_lowers_silence() -> None:
    read = system({"src/a.py": "x = 1\n", "src/broken.py": "def (:\n"})
    facts = ask("swarm.graph", read)
    assert [fact.outcome for fact in facts] == [Outcome.NOT_FOUND, Outcome.UNAVAILABLE]
    assert facts[0].confidence < 0.6
    assert [place.path for place in facts[1].locations if isinstance(place, CodeLocation)] == ["src/broken.py"]


def test_places_quote_what_stands_there() -> None:
    fact = ask("swarm.graph", system({"src/graph.py": _CHAIN}))[0]
    place = fact.locations[0]
    assert isinstance(place, CodeLocation)
    assert (place.path, place.start, place.quote) == ("src/graph.py", 4, "g = StateGraph(dict)")


def test_the_topology_in_a_fact_can_be_asked_again() -> None:
    graph = ask("swarm.graph", system(project("courtroom")))[0].data
    assert isinstance(graph, GraphData)
    shape = topology_of_data(graph)
    assert [stage.join for stage in find_stages(shape)] == ["gather"]
    assert nodes_fired_twice(shape) == ()


def _gathered(drawing: Drawing, base: str | None, *probes: str) -> evidence_gathering.GatheredEvidence:
    return gathered(drawing.path, base, probes, evidence_gathering.Options(jobs=1))


def test_a_change_is_seen_in_the_whole_system_it_changes(tmp_path: Path) -> None:
    drawing = Drawing(tmp_path / "repo")
    drawing.commit(project("courtroom"), "The courtroom")
    drawing.branch("work")
    state = project("courtroom")["src/state.py"]
    drawing.commit(
        {"src/state.py": state.replace("Annotated[list[JudicialOpinion], operator.add]", "list")}, "No reducer"
    )
    facts = {
        each.probe: each for each in _gathered(drawing, "main", "swarm.reducers", "swarm.parallel_stages").evidence
    }
    assert facts["swarm.reducers"].outcome is Outcome.NOT_FOUND
    assert facts["swarm.parallel_stages"].outcome is Outcome.FOUND


def test_what_the_configuration_leaves_out_is_not_followed(tmp_path: Path) -> None:
    drawing = Drawing(tmp_path / "repo")
    drawing.commit({"legacy/graph.py": _CHAIN, "src/a.py": "x = 1\n"}, "Two folders")
    found = gathered(drawing.path, None, ["swarm.graph"], evidence_gathering.Options(jobs=1, exclude=("legacy/**",)))
    assert [each.outcome for each in found.evidence] == [Outcome.NOT_FOUND]


def test_a_clone_hidden_in_a_file_too_large_to_read_is_no_clean_answer(tmp_path: Path) -> None:
    drawing = Drawing(tmp_path / "repo")
    drawing.commit({"src/big.py": "# x\n" * 260_000, "src/a.py": "x = 1\n"}, "One large file")
    outcomes = [each.outcome for each in _gathered(drawing, None, "code.clone_in_temporary_directory").evidence]
    assert outcomes == [Outcome.NOT_APPLICABLE, Outcome.UNAVAILABLE]


def test_data_come_back_from_the_record_as_written() -> None:
    fact = ask("code.clone_in_temporary_directory", system(project("courtroom")))[0]
    assert isinstance(fact.data, ClonesData)
    again = type(fact).model_validate_json(fact.model_dump_json())
    assert again.model_dump_json() == fact.model_dump_json()


def test_the_schema_of_outputs_is_called_schema_in_the_record() -> None:
    fact = ask("swarm.structured_output", system(project("courtroom")))[0]
    assert '"schema":"JudicialOpinion"' in fact.model_dump_json()


def test_all_of_them_are_in_the_rubric() -> None:
    from auditor import rubric_loader

    asked = rubric_loader.built_in("agent-swarm").probes()
    assert set(DATA_TYPES) <= asked | {"swarm.graph"}
    assert asked <= set(discover_probes())
    assert [each.id for each in rubric_loader.built_in("agent-swarm").criteria] == [
        "git_forensic_analysis", "state_management_rigor", "graph_orchestration", "safe_tool_engineering",
        "structured_output_enforcement", "judicial_nuance", "chief_justice_synthesis", "theoretical_depth",
        "report_accuracy", "swarm_visual",
    ]  # fmt: skip


def test_a_system_in_another_language_is_not_asked_for_python(tmp_path: Path) -> None:
    drawing = Drawing(tmp_path / "repo")
    scripts = {f"src/{name}.ts": "export const a = 1;\n" for name in "abcdefgh"}
    drawing.commit({**scripts, "tools/release.py": "print(1)\n"}, "TypeScript with a script beside it")
    outcomes = {each.probe: each.outcome for each in _gathered(drawing, None, *DATA_TYPES).evidence}
    assert set(outcomes.values()) == {Outcome.NOT_APPLICABLE}


def test_a_backend_in_python_is_read_beside_any_frontend(tmp_path: Path) -> None:
    drawing = Drawing(tmp_path / "repo")
    scripts = {f"web/{name}.tsx": "export const a = 1;\n" for name in "abcdefgh"}
    drawing.commit({**scripts, "backend/graph.py": _CHAIN}, "A frontend and a graph")
    outcomes = {
        each.probe: each.outcome for each in _gathered(drawing, None, "swarm.graph", "swarm.parallel_stages").evidence
    }
    assert outcomes == {"swarm.graph": Outcome.FOUND, "swarm.parallel_stages": Outcome.NOT_FOUND}
