"""State, reducers and models."""

from __future__ import annotations

import pytest

from auditor.domain import Outcome
from auditor.forensics.agent_systems import abstract_interpreter
from auditor.forensics.agent_systems.system_facts import probe_facts
from auditor.forensics.agent_systems.system_report_types import ModelsData, ReducersData, StateData
from tests.forensics.agent_systems.reading import answer, data, system

_GRAPH = """
from langgraph.graph import StateGraph, START, END
from src.state import State
def a(state): return {"evidence": {"a": 1}, "log": ["a"]}
def b(state):
    update = {}
    update["evidence"] = {"b": 1}
    return update
g = StateGraph(State)
g.add_node(a); g.add_node(b)
g.add_edge(START, "a"); g.add_edge(START, "b"); g.add_edge("a", END); g.add_edge("b", END)
app = g.compile()
"""


def _files(state: str) -> dict[str, str]:
    return {"src/graph.py": _GRAPH, "src/state.py": state}


REDUCED = {
    "typed dict": ("from typing import *\nimport operator\nclass State(TypedDict):\n    evidence: Annotated[dict, operator.ior]\n", "operator.ior", "TypedDict"),
    "alias of the operator": (
        "from typing import TypedDict, Annotated as A\nfrom operator import ior as merge\nclass State(TypedDict):\n    evidence: 'A[dict, merge]'\n",
        "operator.ior", "TypedDict",
    ),
    "inherited": (
        "from typing import Annotated\nfrom pydantic import BaseModel\nimport operator\nclass Base(BaseModel):\n    evidence: Annotated[dict, operator.or_]\nclass State(Base):\n    log: list = []\n",
        "operator.or_", "BaseModel",
    ),
    "a type alias and a partial": (
        "from dataclasses import dataclass\nfrom functools import partial\nfrom typing import Annotated\nimport operator\nMerged = Annotated[dict, partial(operator.ior)]\n@dataclass\nclass State:\n    evidence: Merged\n",
        "operator.ior", "dataclass",
    ),
    "a function of one's own": (
        "from typing import Annotated, TypedDict\ndef merge(old, new): return {**old, **new}\nclass State(TypedDict, total=False):\n    evidence: Annotated[dict, merge]\n",
        "custom:merge", "TypedDict",
    ),
    "functional syntax": (
        "from typing import Annotated, TypedDict\nimport operator\nState = TypedDict('State', {'evidence': Annotated[dict, operator.ior]})\n",
        "operator.ior", "TypedDict",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("state", "reducer", "kind"), REDUCED.values(), ids=list(REDUCED))
def test_the_state_and_its_reducers_are_read(state: str, reducer: str, kind: str) -> None:
    found = data("swarm.state", _files(state))
    assert isinstance(found, StateData)
    assert found.kind == kind
    assert found.fields["evidence"].reducer == reducer
    assert answer("swarm.reducers", _files(state)).answer is True


@pytest.mark.parametrize(
    "state",
    [
        "from typing import TypedDict\nclass State(TypedDict):\n    evidence: dict\n",
        "import operator\nfrom typing import TypedDict\nclass State(TypedDict):\n    evidence: dict  # Annotated[dict, operator.ior]\n",
        "from typing import Annotated, TypedDict\nfrom pydantic import Field\nclass State(TypedDict):\n    evidence: Annotated[dict, Field(description='x')]\n",
    ],
)
def test_a_field_that_two_parallel_nodes_write_needs_a_reducer(state: str) -> None:
    found = data("swarm.reducers", _files(state))
    assert isinstance(found, ReducersData)
    assert found.unprotected == {"evidence": ("a", "b")}


def test_a_plain_dictionary_is_no_typed_state() -> None:
    graph = _GRAPH.replace("from src.state import State\n", "").replace("StateGraph(State)", "StateGraph(dict)")
    judged = answer("swarm.state", graph)
    assert judged.answer is False
    assert judged.confidence == 1.0
    found = data("swarm.reducers", graph)
    assert isinstance(found, ReducersData)
    assert found.unprotected == {"evidence": ("a", "b")}


def test_a_node_that_hands_back_the_whole_state_writes_every_field() -> None:
    graph = _GRAPH.replace(
        '    update = {}\n    update["evidence"] = {"b": 1}\n    return update',
        "    state['log'] = []\n    return state",
    )
    state = "from typing import *\nimport operator\nclass State(TypedDict):\n    evidence: Annotated[dict, operator.ior]\n    log: list\n"
    found = data("swarm.reducers", {"src/graph.py": graph, "src/state.py": state})
    assert isinstance(found, ReducersData)
    assert found.unprotected == {"log": ("a", "b")}


def test_a_wrapped_node_writes_what_the_function_inside_writes() -> None:
    graph = _GRAPH.replace(
        "g.add_node(a)",
        "def safe(f, name):\n    def inner(state):\n        try:\n            return f(state)\n        except ValueError:\n            return {'log': [name]}\n    return inner\ng.add_node('a', safe(a, 'a'))",
    )
    state = "from typing import TypedDict\nclass State(TypedDict):\n    evidence: dict\n    log: list\n"
    found = data("swarm.reducers", {"src/graph.py": graph, "src/state.py": state})
    assert isinstance(found, ReducersData)
    assert set(found.unprotected) == {"evidence"}


def _models(source: str) -> ModelsData:
    found = data("swarm.models", {"src/models.py": source})
    assert isinstance(found, ModelsData)
    return found


def test_models_are_listed_with_their_kind_and_whether_they_are_frozen() -> None:
    source = """
    from pydantic import BaseModel, ConfigDict
    class Frozen(BaseModel):
        model_config = ConfigDict(frozen=True)
    class Evidence(Frozen):
        found: bool
    class JudicialOpinion(BaseModel):
        score: int
        class Config:
            frozen = False
    class Note(BaseModel, frozen=True):
        text: str
    """
    models = {each.name: (each.kind, each.frozen) for each in _models(source).models}
    assert models == {
        "Frozen": ("BaseModel", True),
        "Evidence": ("BaseModel", True),
        "JudicialOpinion": ("BaseModel", False),
        "Note": ("BaseModel", True),
    }
    assert answer("swarm.models", {"src/models.py": source}).answer is True


@pytest.mark.parametrize(
    "source",
    [
        "from dataclasses import dataclass\n@dataclass\nclass Evidence:\n    found: bool\n@dataclass\nclass Opinion:\n    score: int\n",
        "from typing import TypedDict\nclass Evidence(TypedDict):\n    found: bool\nclass Opinion(TypedDict):\n    score: int\n",
        "# class Evidence(BaseModel)\nEVIDENCE = {'found': True}\n",
        "class BaseModel: ...\nclass Evidence(BaseModel): ...\nclass Opinion(BaseModel): ...\n",
    ],
)
def test_shapes_that_check_nothing_are_no_validated_models(source: str) -> None:
    assert answer("swarm.models", {"src/models.py": source}).answer is False


_BUSY = "def prompt(x):\n" + "    x = x + 1\n" * 400
"""More code than the bounds of these tests; it speaks of prompts, so it is followed first."""


def test_models_are_seen_through_a_base_class_of_another_file_where_following_is_cut_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(abstract_interpreter, "MAX_STEPS", 5)
    files = {
        "a/busy.py": _BUSY,
        "z/base.py": "from pydantic import BaseModel\nclass Frozen(BaseModel, frozen=True):\n    pass\n",
        "z/records.py": "from z.base import Frozen\nclass Evidence(Frozen):\n    goal: str\nclass Verdict(Frozen):\n    score: int\n",
    }
    found = answer("swarm.models", files)
    assert found.answer is True, found.statement
    assert "exceeds the analysis limit" in answer("swarm.graph", files).because


@pytest.mark.parametrize(
    "builds",
    [
        "from langgraph.graph import StateGraph\ng = StateGraph(dict)\n",
        "from langgraph.graph import StateGraph as Flow\ng = Flow(dict)\n",
        "from langgraph.prebuilt import create_react_agent\ng = create_react_agent(model, tools)\n",
    ],
)
@pytest.mark.parametrize("probe", ["swarm.graph", "swarm.state", "swarm.reducers", "swarm.parallel_stages"])
def test_a_graph_that_following_did_not_come_to_leaves_the_answer_open(
    probe: str, builds: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(abstract_interpreter, "MAX_STEPS", 1)
    found = answer(probe, {"a/busy.py": _BUSY, "z/graph.py": builds})

    assert (found.answer, found.unanswered) == (None, True)
    assert "z/graph.py:2" in found.statement


@pytest.mark.parametrize("probe", ["swarm.graph", "swarm.state"])
def test_where_no_code_calls_a_builder_there_is_none_however_little_was_followed(
    probe: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(abstract_interpreter, "MAX_STEPS", 5)
    found = answer(probe, {"a/busy.py": _BUSY, "z/words.py": "HELP = 'call StateGraph(dict) of langgraph'\n"})

    assert (found.answer, found.confidence) == (False, 0.8)


def test_more_classes_than_are_read_leave_the_question_of_models_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abstract_interpreter, "MAX_STEPS", 5)
    monkeypatch.setattr(abstract_interpreter, "MAX_DEFINITION_STEPS", 50)
    many = "".join(f"class C{number}:\n    a = [1, 2]\n" for number in range(40))
    read = system({"a/busy.py": _BUSY, "z/many.py": many})
    assert (read.answers["swarm.models"][0].answer, read.answers["swarm.models"][0].unanswered) == (None, True)
    assert [each.outcome for each in probe_facts(read, "swarm.models")] == [Outcome.UNAVAILABLE]


def test_what_is_asked_for_and_what_a_search_found_are_nobodys_opinion() -> None:
    code = """
    from langgraph.graph import StateGraph, START
    from pydantic import BaseModel
    from typing import TypedDict
    class ReviewRequest(BaseModel):
        url: str
    class ScoredMatch(BaseModel):
        score: float
    class S(TypedDict):
        notes: list
    def work(state): return {"notes": []}
    g = StateGraph(S)
    g.add_node("work", work)
    g.add_edge(START, "work")
    app = g.compile()
    """
    assert answer("swarm.models", code).statement == "There are 2 validated models, but none of evidence or opinions."
    judged = answer("swarm.models", code.replace("ReviewRequest", "CriticReply"))
    assert judged.statement == "Only opinions are validated (CriticReply); no validated model of evidence was found."
