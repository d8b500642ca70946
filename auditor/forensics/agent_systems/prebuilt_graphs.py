"""Graphs that a library lays out by itself: an agent with its tools, a supervisor with its workers, a swarm of agents.

Such a call becomes a builder with the steps that the library takes, so that every question about graphs has an answer.
The shapes are those of LangGraph's `create_react_agent`, LangChain's `create_agent`, `langgraph-supervisor`,
`langgraph-swarm` and `deepagents`, in Python and in JavaScript.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from auditor.forensics.agent_systems.abstract_values import (
    Builder,
    Call,
    Compiled,
    Const,
    External,
    Function,
    Item,
    Op,
    Place,
    Seq,
    Step,
    Unknown,
    Value,
)
from auditor.forensics.agent_systems.system_report_types import END, START
from auditor.forensics.agent_systems.value_contents import options, text_of, walk

_WORD_BOUNDARY = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MAX_AGENTS = 60


def prebuilt_builder(call: Call) -> Builder | None:
    """The builder that a call of such a function stands for; None for any other call."""
    if not isinstance(call.func, External):
        return None
    name = _WORD_BOUNDARY.sub("_", call.last).lower()
    known = _PREBUILT_FUNCTIONS.get(name)
    if known is None or not known[0].search(call.name):
        return None
    schema = call.argument("state_schema")
    builder = Builder(
        call.place, (schema or External("langgraph.prebuilt.AgentState"),), (), prebuilt=name, origin=call
    )
    builder.name = text_of(call.argument("name")) or text_of(call.argument("supervisor_name")) or ""
    for method, args in known[1](call):
        builder.steps.append(Step(method, Call(call.func, args, (), call.place)))
    return builder


def is_prebuilt_name(name: str) -> bool:
    """Is a function called like one that lays out a graph?"""
    return _WORD_BOUNDARY.sub("_", name).lower() in _PREBUILT_FUNCTIONS


def prebuilt_result(builder: Builder) -> Builder | Compiled:
    """What the call gives: supervisors and swarms are still to be compiled, agents are ready."""
    if builder.prebuilt in {"create_supervisor", "create_swarm"}:
        return builder
    builder.is_compiled = True
    return Compiled(builder)


_Steps = Iterator[tuple[str, tuple[Value, ...]]]


def _routed_by_library(source: Value, *targets: Value) -> tuple[str, tuple[Value, ...]]:
    return "add_conditional_edges", (source, Unknown("the library's router"), Seq(list(targets)))


def _agent_steps(model: str) -> Callable[[Call], _Steps]:
    """A model that may call tools until it is done."""

    def steps(call: Call) -> _Steps:
        tools = call.argument("tools", 0 if model == "deep" else 1)
        has_tools = not (isinstance(tools, Seq) and not tools.items and not tools.open) and tools is not None
        asks = Const("agent" if model == "agent" else "model")
        yield "add_node", (asks, Unknown("model"))
        yield "add_edge", (Const(START), asks)
        formatted = call.argument("response_format") is not None and model == "agent"
        last: Value = Const("generate_structured_response") if formatted else Const(END)
        if formatted:
            yield "add_node", (last, Unknown("model"))
            yield "add_edge", (last, Const(END))
        if has_tools or model == "deep":
            yield "add_node", (Const("tools"), Unknown("tools"))
            yield "add_edge", (Const("tools"), asks)
            yield _routed_by_library(asks, Const("tools"), last)
        else:
            yield "add_edge", (asks, last)

    return steps


def _supervisor_steps(call: Call) -> _Steps:
    """A model that hands over to one of its workers, each of which reports back."""
    own = Const(text_of(call.argument("supervisor_name")) or "supervisor")
    yield "add_node", (own, Unknown("model"))
    yield "add_edge", (Const(START), own)
    names: list[Value] = []
    for agent in _agent_values(call):
        name = _agent_name(agent, call.place)
        names.append(name)
        yield "add_node", (name, agent)
        yield "add_edge", (name, own)
    yield _routed_by_library(own, *names, Const(END))


def _swarm_steps(call: Call) -> _Steps:
    """Agents that hand over to each other by their tools, whichever was active last going first."""
    agents = [(_agent_name(each, call.place), each) for each in _agent_values(call)]
    for name, agent in agents:
        yield "add_node", (name, agent)
    yield _routed_by_library(Const(START), *(name for name, _ in agents))
    known = {text_of(name) for name, _ in agents}
    for name, agent in agents:
        handed = [
            Const(each) for each in dict.fromkeys(_handoff_targets(agent)) if each in known and each != text_of(name)
        ]
        yield _routed_by_library(name, *handed, Const(END))


def _agent_values(call: Call) -> list[Value]:
    """The agents given, as far as the list is known."""
    given = call.argument("agents", 0)
    if not isinstance(given, Seq):
        return [Unknown("agents")]
    more: list[Value] = [Unknown("agents")] if given.open else []
    return [*given.items[:_MAX_AGENTS], *more]


def _agent_name(agent: Value, place: Place) -> Value:
    for each in options(agent):
        builder = each.builder if isinstance(each, Compiled) else each
        if isinstance(builder, Builder) and builder.name:
            return Const(builder.name, place)
    return Unknown("the name of an agent")


def _handoff_targets(agent: Value) -> Iterator[str]:
    """Whom an agent's tools hand over to."""
    builder = agent.builder if isinstance(agent, Compiled) else agent
    origin = builder.origin if isinstance(builder, Builder) else None
    for given in (*origin.args, *(value for _, value in origin.named)) if origin is not None else ():
        for each in walk(
            given, lambda part: isinstance(part, (Seq, Item, Op, Call)) and not isinstance(part, Function)
        ):
            if isinstance(each, Call) and _WORD_BOUNDARY.sub("_", each.last).lower() == "create_handoff_tool":
                named = text_of(each.argument("agent_name"))
                if named is not None:
                    yield named


_LANGGRAPH = re.compile(r"langgraph")
_LANGCHAIN = re.compile(r"langgraph|^langchain\.")
_DEEP = re.compile(r"deepagents")
_PREBUILT_FUNCTIONS: dict[str, tuple[re.Pattern[str], Callable[[Call], _Steps]]] = {
    "create_react_agent": (_LANGGRAPH, _agent_steps("agent")),
    "create_tool_calling_executor": (_LANGGRAPH, _agent_steps("agent")),
    "create_agent": (_LANGCHAIN, _agent_steps("model")),
    "create_deep_agent": (_DEEP, _agent_steps("deep")),
    "async_create_deep_agent": (_DEEP, _agent_steps("deep")),
    "create_supervisor": (_LANGGRAPH, _supervisor_steps),
    "create_swarm": (_LANGGRAPH, _swarm_steps),
}
"""Functions that lay out a graph: the packages that offer them, and the steps they take."""
