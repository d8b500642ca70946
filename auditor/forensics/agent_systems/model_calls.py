"""The calls to a language model in a program: which function makes them, and what form of answer they ask for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.forensics.agent_systems import raw_http_models
from auditor.forensics.agent_systems.abstract_values import (
    Attr,
    Call,
    Choice,
    Class,
    Compiled,
    Const,
    External,
    Function,
    Instance,
    Item,
    Map,
    Op,
    Place,
    Seq,
    Unknown,
    Value,
)
from auditor.forensics.agent_systems.call_frames import ExternalCall
from auditor.forensics.agent_systems.langgraph_js_state import named_schema
from auditor.forensics.agent_systems.library_names import joined_pattern, known_names
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.value_contents import options, text_of, walk
from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.scope_bindings import last_name

_MODEL_CLASS_FORM = r"(?:^|\.)(?:{})$"
_MODEL_BASES = frozenset({"BaseChatModel", "SimpleChatModel", "BaseLLM", "LLM", "BaseLanguageModel"})
"""Classes of LangChain that a project's own model is made from."""
_MODEL_NAME_HINT = re.compile(
    r"llm|model|chain|judge|chat|client|gpt|claude|gemini|runnable|agent|structured|provider|mistral|groq",
    re.IGNORECASE,
)
_PREDICT_MODEL_NAME = re.compile(r"llm|chain|chat|gpt|claude|gemini", re.IGNORECASE)
"""Names of what may be asked by `predict`: other models predict as well, and talk to nobody."""
_NOT_MODEL = re.compile(
    r"graph$|langgraph_sdk|langgraph-sdk|^(?:subprocess|os|git|requests|httpx|json|re|logging|tool|retriev|uvicorn|argparse|graph|app|workflow|compiled)",
    re.IGNORECASE,
)
_MAX_CALLS = 200
_MAX_POSTS = 1_000
"""Requests by HTTP that are looked at; what they carry may be large."""


@dataclass(eq=False)
class AskedModel:
    """A call of a language model: what is asked of it, and how its answer is returned."""

    event: ExternalCall
    method: str
    schema: str = ""
    schema_class: Class | None = None
    sure: bool = True

    @property
    def place(self) -> Place:
        """Where the call is."""
        return self.event.call.place


@remembered
def model_calls(study: ProgramStudy) -> list[AskedModel]:
    """Every model call of product code, each place and node once."""
    return _find_model_calls(study)


def _find_model_calls(study: ProgramStudy) -> list[AskedModel]:
    found: dict[tuple[ast.AST, str], AskedModel] = {}
    posts = 0
    for event in study.run.events:
        posts += event.call.last in known_names("http_post_calls")
        if len(found) >= _MAX_CALLS:
            break
        if event.call.last in known_names("http_post_calls") and posts > _MAX_POSTS:
            continue
        key = (event.call.place.node, event.context)
        if (
            event.call.last in known_names("model_calls") | known_names("http_post_calls")
            and event.call.place.unit.product
            and _is_model_request(event.call)
        ):
            asking = _asked_model(study, event)
            known = found.get(key)
            if known is not None and known.event.frames == event.frames:
                found[key] = _merge_model_calls(known, asking)
            elif known is None or (known.method == "none" and asking.method != "none"):
                found[key] = asking
    return list(found.values())


def _merge_model_calls(one: AskedModel, other: AskedModel) -> AskedModel:
    """One call whose receiver may be the one or the other: bound where either is, which is then not sure."""
    if (one.method in SCHEMA_METHODS) == (other.method in SCHEMA_METHODS):
        return other if one.method == "none" else one
    bound = one if one.method in SCHEMA_METHODS else other
    return AskedModel(bound.event, bound.method, bound.schema, bound.schema_class, sure=False)


def _is_model_request(call: Call) -> bool:
    return (
        raw_http_models.is_model_request(call) if call.last in known_names("http_post_calls") else is_model_call(call)
    )


def is_model_call(call: Call) -> bool:
    """Is a language model asked?"""
    if isinstance(call.func, External):
        return bool(joined_pattern("model_packages", "^(?:{})").search(call.name)) and call.last in known_names(
            "model_calls"
        )
    if not isinstance(call.func, Attr):
        return False
    if any(isinstance(each, Compiled) and not each.builder.prebuilt for each in options(call.func.base)):
        return False
    receiver = list(receiver_parts(call.func.base))
    if any(_is_model(each) for each in receiver):
        return True
    if call.last in {"run", "run_stream"}:
        return False  # everything can be run
    names = [
        each.hint if isinstance(each, Unknown) else each.name
        for each in receiver
        if isinstance(each, (Unknown, Attr, External))
    ]
    hint = _PREDICT_MODEL_NAME if call.last in {"predict", "apredict"} else _MODEL_NAME_HINT
    return any(hint.search(name) for name in names) and not any(_NOT_MODEL.search(name) for name in names)


def _is_model(part: Value) -> bool:
    """Is it a model of a known library, one with a schema or tools bound to it, or one that the project makes from such a class?"""
    if isinstance(part, (Call, External)):
        name = part.name
        known = joined_pattern("model_classes", _MODEL_CLASS_FORM).search(name) is not None and (
            joined_pattern("model_packages", "^(?:{})").search(name) is not None or "." not in name
        )
        return known or name in {".with_structured_output", ".bind_tools"}
    return isinstance(part, Instance) and any(last_name(base) in _MODEL_BASES for base in part.cls.node.bases)


def receiver_parts(value: Value) -> Iterator[Value]:
    """A receiver and what it was made from: the object before each method, the parts of a pipe, wrapped runnables."""
    seen: set[int] = set()
    waiting = [value]
    while waiting and len(seen) < 200:
        part = waiting.pop()
        if id(part) not in seen:
            seen.add(id(part))
            yield part
            waiting += _parts_of(part)


def _parts_of(part: Value) -> tuple[Value, ...]:
    if isinstance(part, Attr):
        return (part.base,)
    if isinstance(part, Call):
        return (part.func, *(part.args if part.last in known_names("model_wrappers") else ()))
    if isinstance(part, Compiled):  # what the library's agent was made with
        return (part.builder.origin,) if part.builder.origin is not None else ()
    return part.operands if isinstance(part, Op) else part.options if isinstance(part, Choice) else ()


def _asked_model(study: ProgramStudy, event: ExternalCall) -> AskedModel:
    call = event.call
    base = call.func.base if isinstance(call.func, Attr) else None
    kinds = [_answer_method(study, each, call, event) for each in (options(base) if base is not None else (None,))]
    kinds.sort(key=lambda kind: METHODS_BY_STRENGTH.index(kind[0]))
    method, schema = kinds[0]
    best = kinds[-1]
    if method != best[0] and best[0] in SCHEMA_METHODS:
        return AskedModel(
            event, best[0], _schema_name(best[1]), best[1] if isinstance(best[1], Class) else None, sure=False
        )
    return AskedModel(event, method, _schema_name(schema), schema if isinstance(schema, Class) else None)


SCHEMA_METHODS = ("bind_tools", "native_schema", "with_structured_output")
METHODS_BY_STRENGTH = ("none", "manual_parse", *SCHEMA_METHODS)
"""Ways to get data out of a model, the weakest first."""
_PARSERS = frozenset(
    {"StrOutputParser", "JsonOutputParser", "PydanticOutputParser", "SimpleJsonOutputParser", "OutputFixingParser"}
)


def _answer_method(
    study: ProgramStudy, base: Value | None, call: Call, event: ExternalCall
) -> tuple[str, Value | None]:
    """How one receiver gives its answer back, and by which schema."""
    parts = list(receiver_parts(base)) if base is not None else []
    for each in parts:
        if isinstance(each, Call) and each.name == ".with_structured_output":
            return "with_structured_output", each.argument("schema", 0)
    for each in parts:
        if (
            isinstance(each, Call)
            and each.name in {".bind_tools", ".bind_functions", ".bind"}
            and each.args + tuple(v for _, v in each.named)
        ):
            tools = each.argument("tools", 0) or each.argument("functions", 0)
            if each.argument("response_format") is not None:
                return "native_schema", each.argument("response_format")
            if tools is not None and _holds_schema(tools):
                return "bind_tools", _schema_in(tools)
    for owner in (call, *(each for each in parts if isinstance(each, Call))):
        schema = _native_schema(owner)
        if schema is not None:
            return "native_schema", schema
    if any(isinstance(each, Call) and each.last in _PARSERS for each in parts) or _is_parsed_by_hand(study, event):
        return "manual_parse", None
    return "none", None


def _native_schema(call: Call) -> Value | None:
    """The schema that a call hands to the provider itself; asking for any JSON is none."""
    if call.last in known_names("http_post_calls"):
        return raw_http_models.request_schema(call)
    if call.last in {"generateObject", "streamObject"}:
        return call.argument("schema")
    for name, value in call.named:
        if name in known_names("schema_arguments"):
            text = [text_of(each) for each in walk(value) if isinstance(each, Const)]
            if (
                isinstance(value, Map)
                and "json_schema" not in text
                and not any(isinstance(each, Class) for each in walk(value))
            ):
                continue
            return value
        if name in {"format", "generation_config", "config", "tools"}:
            shape = next((each for each in walk(value) if isinstance(each, Class) and not _is_tool(each)), None)
            if shape is not None:
                return shape
        if name == "tool_choice" and call.argument("tools") is not None:
            return call.argument("tools")
    return None


def _holds_schema(tools: Value) -> bool:
    """Are the tools shapes of an answer, rather than functions the model may call?"""
    parts = list(walk(tools, _is_listing))
    if any(isinstance(each, Class) and not _is_tool(each) for each in parts):
        return True
    known = [text_of(each) for each in parts if isinstance(each, Const)]
    return "parameters" in known or "input_schema" in known


def _schema_in(tools: Value | None) -> Value | None:
    shapes = (
        (each for each in walk(tools, _is_listing) if isinstance(each, Class) and not _is_tool(each))
        if tools is not None
        else iter(())
    )
    return next(shapes, tools)


_TOOL_DESCRIPTION_CALLS = re.compile(r"schema|convert_to|function_tool", re.IGNORECASE)
"""Calls that write a class down as the description of a tool."""


def _is_listing(part: Value) -> bool:
    """Does a value hold tools themselves? What is in a tool's own making is what it works with."""
    return not isinstance(part, (Call, Instance, Function, Class)) or (
        isinstance(part, Call) and _TOOL_DESCRIPTION_CALLS.search(part.last) is not None
    )


def _is_tool(cls: Class) -> bool:
    """Is it a class of something that the model may call, rather than the shape of its answer?"""
    bases = (last_name(each) for each in cls.node.bases)
    return any(each.endswith("Tool") for each in bases) or not known_names("tool_methods").isdisjoint(cls.env.names)


def _schema_name(schema: Value | None) -> str:
    if schema is not None and (named := named_schema(schema)):
        return named
    for each in walk(schema) if schema is not None else ():
        if isinstance(each, (Class, Function)):
            return each.name
        if isinstance(each, Instance):
            return each.cls.name
        if isinstance(each, External):
            return each.name.rpartition(".")[2]
        if isinstance(each, (Seq, Map, Choice, Call, Attr)):
            continue
        if isinstance(each, Unknown):
            return each.hint
    return ""


def _source_calls(value: Value) -> Iterator[Call]:
    """The calls whose result a value is part of: what is before each attribute, index and method."""
    seen: set[int] = set()
    waiting = [value]
    while waiting and len(seen) < 200:
        for part in receiver_parts(waiting.pop()):
            if id(part) in seen:
                continue
            seen.add(id(part))
            if isinstance(part, Call):
                yield part
            elif isinstance(part, Item):
                waiting.append(part.base)


def _is_parsed_by_hand(study: ProgramStudy, event: ExternalCall) -> bool:
    """Is the answer taken apart as text, here or in a function it is passed to?"""
    if "by hand" not in study.memory:
        taken: set[int] = set()
        places: set[object] = set()
        for other in study.run.events:
            if other.call.last in known_names("parsing_calls"):
                values = (*other.call.args, *(value for _, value in other.call.named))
                taken.update(id(part) for value in values for part in walk(value) if isinstance(part, Call))
                if other.function is not None and other.call.last != "search":
                    places.add(other.function)
            elif other.call.last in known_names(
                "text_splitting_methods"
            ):  # only what is cut itself: other texts are split everywhere
                values = (*other.call.args, other.call.func)
                taken.update(id(part) for value in values for part in _source_calls(value))
        study.memory["by hand"] = (taken, places)
    calls, functions = study.memory["by hand"]
    return id(event.call) in calls or (event.function is not None and event.function in functions)
