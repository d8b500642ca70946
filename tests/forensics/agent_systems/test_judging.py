"""How judges answer: what is bound to a schema, what is parsed by hand, and what is asked again."""

from __future__ import annotations

import pytest

from auditor.forensics.agent_systems.system_report_types import OutputsData, PersonasData
from tests.forensics.agent_systems.reading import answer, data

_HEAD = """
import json
from langchain_openai import ChatOpenAI
from langgraph.graph import StateGraph, START, END
from pydantic import BaseModel, ValidationError

class Opinion(BaseModel):
    score: int
    argument: str

"""
_TAIL = """

def prosecutor(state):
    return {"opinions": [Bench(None).hear(state["evidence"])]}

g = StateGraph(dict)
g.add_node("prosecutor", prosecutor)
g.add_edge(START, "prosecutor")
g.add_edge("prosecutor", END)
app = g.compile()
"""


def _bench(body: str) -> str:
    return f"{_HEAD}{body}{_TAIL}"


_SWITCHED = _bench("""
class Bench:
    def __init__(self, settings):
        self.settings = settings
        self.plain = ChatOpenAI()
        if bool(settings and settings.local):
            self.model = self.plain
        else:
            self.model = self._with_schema(self.plain)

    def _with_schema(self, model):
        try:
            return model.with_structured_output(Opinion, method="function_calling")
        except TypeError:
            return model.with_structured_output(Opinion)

    def hear(self, evidence):
        try:
            return self._patiently(lambda: self.model.invoke(evidence))
        except ValidationError:
            said = self._patiently(lambda: self.plain.invoke(evidence))
            return Opinion(**json.loads(said.content))

    def _patiently(self, ask):
        for attempt in range(4):
            try:
                return ask()
            except Exception as trouble:
                if not self._is_rate_limit(trouble) or attempt == 3:
                    raise

    def _is_rate_limit(self, trouble):
        return "429" in str(trouble)
""")


def test_a_model_that_a_setting_binds_or_not_counts_as_bound_and_not_as_parsed_by_hand() -> None:
    judged, found = answer("swarm.structured_output", _SWITCHED), data("swarm.structured_output", _SWITCHED)
    assert judged.answer is True
    assert judged.confidence == 0.7
    assert isinstance(found, OutputsData)
    assert [(each.method, each.schema_name) for each in found.calls] == [
        ("with_structured_output", "Opinion"),
        ("manual_parse", ""),
    ]


def test_a_model_that_no_setting_binds_is_still_parsed_by_hand() -> None:
    plain = _SWITCHED.replace("self.model = self._with_schema(self.plain)", "self.model = ChatOpenAI(model='other')")
    judged = answer("swarm.structured_output", plain)
    assert judged.answer is False
    assert "model calls of the judges" in judged.statement


def test_the_same_call_made_twice_with_and_without_a_schema_is_as_weak_as_its_weaker_time() -> None:
    helper = _bench("""
def ask(model, evidence):
    return model.invoke(evidence)

class Bench:
    def __init__(self, settings):
        self.settings = settings

    def hear(self, evidence):
        first = json.loads(ask(ChatOpenAI(), evidence))
        return ask(ChatOpenAI().with_structured_output(Opinion), first)
""")
    judged = answer("swarm.structured_output", helper)
    assert judged.answer is False or judged.confidence < 0.95


def test_a_loop_that_waits_for_a_limit_of_requests_is_no_second_try_and_the_handler_that_asks_again_is() -> None:
    judged = answer("swarm.output_retry", _SWITCHED)
    assert judged.answer is True
    assert "asks again when the first answer fails" in judged.statement
    waiting = _SWITCHED.replace(
        "except ValidationError:",
        "except RuntimeError:\n            return None\n            said = 1\n        if False:",
    )
    assert answer("swarm.output_retry", waiting).answer is False


@pytest.mark.parametrize(
    ("guard", "again"),
    [
        ("if 'timed out' not in str(trouble):\n                    raise", False),
        ("if not transient(trouble):\n                    raise", False),
        ("if attempt == 3:\n                    raise", True),
        ("if not is_schema_error(trouble):\n                    raise", True),
        ("if 'timed out' in str(trouble):\n                    raise", True),
    ],
)
def test_what_is_raised_again_says_which_errors_a_loop_is_for(guard: str, again: bool) -> None:
    loop = _bench(f"""
class Bench:
    def __init__(self, settings):
        self.model = ChatOpenAI().with_structured_output(Opinion)

    def hear(self, evidence):
        for attempt in range(4):
            try:
                return self.model.invoke(evidence)
            except Exception as trouble:
                {guard}
                print("once more")
""")
    assert answer("swarm.output_retry", loop).answer is again


def test_answers_partly_parsed_and_partly_taken_as_they_are_are_told_apart() -> None:
    mixed = _bench("""
class Bench:
    def __init__(self, settings):
        self.model = ChatOpenAI()

    def hear(self, evidence):
        notes = self._note(evidence)
        return self._rule(evidence)

    def _note(self, evidence):
        return self.model.invoke(evidence).content

    def _rule(self, evidence):
        return Opinion(**json.loads(self.model.invoke(evidence).content))
""")
    assert (
        answer("swarm.structured_output", mixed).statement
        == "None of the 2 model calls of the judges is bound to a schema: 1 is parsed by hand, 1 taken as free text."
    )


def test_judges_in_which_no_model_call_was_seen_are_not_said_to_ask_none() -> None:
    hidden = (
        _HEAD
        + """
from vendor import speak

def prosecutor(state):
    return {"opinions": [speak(state)]}

g = StateGraph(dict)
g.add_node("prosecutor", prosecutor)
g.add_edge(START, "prosecutor")
g.add_edge("prosecutor", END)
app = g.compile()
"""
    )
    judged = answer("swarm.structured_output", hidden)
    assert judged.answer is False
    assert judged.statement.startswith("No model call was found in the judges (prosecutor)")


def test_a_key_that_is_left_empty_in_settings_of_the_environment_says_nothing_of_how_it_stands() -> None:
    code = _bench("""
from pydantic_settings import BaseSettings

class Settings(BaseSettings):
    key: str = ""

settings = Settings()

def model():
    if not settings.key:
        return None
    return ChatOpenAI(api_key=settings.key)

class Bench:
    def __init__(self, given):
        self.given = given

    def hear(self, evidence):
        asked = model()
        if asked is None:
            return None
        return json.loads(asked.invoke(evidence).content)
""")
    judged = answer("swarm.structured_output", code)
    assert judged.statement == "The model call of the judges is parsed by hand."
    fixed = code.replace("class Settings(BaseSettings)", "class Settings").replace(
        "from pydantic_settings import BaseSettings\n", ""
    )
    assert answer("swarm.structured_output", fixed).statement.startswith("No model call was found")


def test_a_model_that_a_project_makes_from_the_librarys_class_is_a_model() -> None:
    code = _bench("""
from langchain_core.language_models import BaseChatModel

class Own(BaseChatModel):
    def _generate(self, messages, stop=None):
        return messages

class Bench:
    def __init__(self, given):
        self.voice = Own()

    def hear(self, evidence):
        return json.loads(self.voice.invoke(evidence).content)
""")
    assert answer("swarm.structured_output", code).statement == "The model call of the judges is parsed by hand."
    other = code.replace("class Own(BaseChatModel)", "class Own")
    assert answer("swarm.structured_output", other).statement.startswith("No model call was found")


def test_tools_that_work_with_a_class_of_the_project_bind_no_answer() -> None:
    code = _bench("""
class Shelf:
    def look(self, name):
        return name

def tools(shelf):
    return [make_tool(lambda name: shelf.look(name), shelf)]

class Bench:
    def __init__(self, given):
        self.model = ChatOpenAI().bind_tools(tools(Shelf()))

    def hear(self, evidence):
        return self.model.invoke(evidence).content
""")
    assert answer("swarm.structured_output", code).answer is False
    bound = code.replace("tools(Shelf())", "[convert_to_openai_tool(Opinion)]").replace(
        "import json\n", "import json\nfrom langchain_core.utils.function_calling import convert_to_openai_tool\n", 1
    )
    assert answer("swarm.structured_output", bound).answer is True


def test_a_model_chosen_among_many_providers_is_still_seen_with_its_schema() -> None:
    code = _bench("""
import os
from langchain_anthropic import ChatAnthropic
from langchain_groq import ChatGroq

def plain():
    if os.environ.get("A"):
        return ChatOpenAI(model="a")
    if os.environ.get("B"):
        return ChatOpenAI(model="b")
    if os.environ.get("C"):
        return ChatAnthropic(model="c")
    if os.environ.get("D"):
        return ChatGroq(model="d")
    return ChatOpenAI(model="e")

class Bench:
    def __init__(self, settings):
        self.model = plain()
        if os.environ.get("STRICT"):
            self.model = self.model.with_structured_output(Opinion)

    def hear(self, evidence):
        return self.model.invoke(evidence)
""")
    judged = answer("swarm.structured_output", code)
    assert judged.answer is True
    assert judged.confidence == 0.7


def test_a_persona_is_cited_where_its_own_words_stand_and_not_at_the_frame_they_are_filled_into() -> None:
    strict = "Assume that nothing works until the evidence shows it, look for every gap, and lower what is unproven."
    kind = "Assume good will, praise what was tried, and raise what is half done where the intent is plain to see."
    code = f"""
from langchain_openai import ChatOpenAI
from langgraph.graph import StateGraph, START, END

STRICT = "{strict}"
KIND = "{kind}"

def bench(temper):
    def judge(state):
        text = f"You sit on a bench. {{temper}} Evidence: {{state['evidence']}}"
        return {{"opinions": [ChatOpenAI().invoke(text).content]}}
    return judge

g = StateGraph(dict)
g.add_node("prosecutor", bench(STRICT))
g.add_node("defense", bench(KIND))
g.add_edge(START, "prosecutor"); g.add_edge(START, "defense")
g.add_edge("prosecutor", END); g.add_edge("defense", END)
app = g.compile()
"""
    found = data("swarm.personas", code)
    assert isinstance(found, PersonasData)
    lines = code.splitlines()
    assert [lines[each.line - 1].partition(" =")[0] for each in found.prompts] == ["STRICT", "KIND"]
