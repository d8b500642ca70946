"""Where a router can send a run: read from what its function returns, its labels and its annotations."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.forensics.agent_systems.abstract_interpreter import Interpreter
from auditor.forensics.agent_systems.abstract_values import (
    Call,
    Const,
    External,
    Function,
    Item,
    Map,
    Seq,
    Unknown,
    Value,
    Yielded,
)
from auditor.forensics.agent_systems.agent_graph import Graph, node_name
from auditor.forensics.agent_systems.graph_topology import RouterChoice
from auditor.forensics.agent_systems.syntax_queries import descendants
from auditor.forensics.agent_systems.system_report_types import END, START
from auditor.forensics.agent_systems.value_contents import options
from auditor.forensics.python.scope_bindings import last_name

_MAX_DEPTH = 4
"""Lists inside lists of what a router hands back."""


def choices_of_answers(graph: Graph, said: Value, labels: dict[str, str]) -> list[RouterChoice]:
    """The ways that a router's answers mean."""
    ways = [way for each in options(said) for way in choices_of_value(each)]
    ways = [RouterChoice(tuple(labels.get(target, target) for target in way.targets), way.many) for way in ways]
    if labels:
        known = {*labels.values(), *graph.handlers, END}
        ways = [way for way in ways if way.targets and set(way.targets) <= known]
    return ways


def choices_without_answer(function: Function | None, path: Value | None, labels: dict[str, str]) -> list[RouterChoice]:
    """The ways of a router whose answers are not known: those it announces, its path map's, or a known one's."""
    if function is not None and announced_targets(function):
        return [RouterChoice((labels.get(name, name),)) for name in announced_targets(function)]
    if (
        not labels
        and isinstance(path, External)
        and path.name.rpartition(".")[2] in {"tools_condition", "toolsCondition"}
    ):
        return [RouterChoice(("tools",)), RouterChoice((END,))]
    return [RouterChoice((target,)) for target in dict.fromkeys(labels.values())]


def router_answers(run: Interpreter, function: Function | None, path: Value | None, source: str) -> Value:
    """What a router returns, as far as it can be followed."""
    if function is None:
        return path if isinstance(path, (Const, Seq)) else Unknown()
    return run.start(function, [Unknown("state"), Unknown("config")][: parameter_count(function)], f"router:{source}")


def parameter_count(function: Function) -> int:
    """How many of state and config a function takes: 0 to 2."""
    spec = function.node.args
    own = len(spec.posonlyargs) + len(spec.args) - (1 if function.bound is not None else 0) - len(function.preset)
    return max(0, min(own, 2))


def path_map_labels(mapping: Value | None) -> dict[str, str]:
    """What a path map makes of the router's answers."""
    if isinstance(mapping, Map):
        pairs = [(_label(key), _name_among(value)) for key, value in mapping.items]
        return {key: name for key, name in pairs if key is not None and name is not None}
    if isinstance(mapping, Seq):
        names = [name for each in mapping.items if (name := _name_among(each)) is not None]
        return {name: name for name in names}
    return {}


def _name_among(value: Value) -> str | None:
    """The first node that a value may name: a constant with a placeholder for a library that is missing names one."""
    return next((name for each in options(value) if (name := node_name(each)) is not None), None)


def _label(key: Value) -> str | None:
    known = node_name(key)
    if known is not None:
        return known
    return repr(key.value) if isinstance(key, Const) and not isinstance(key.value, str) else None


def choices_of_value(value: Value, met: frozenset[int] = frozenset()) -> Iterator[RouterChoice]:
    """What one returned value lets run. A list inside itself adds nothing to itself."""
    if isinstance(value, Seq):
        if id(value) not in met and len(met) < _MAX_DEPTH:
            yield from _together(value, met | {id(value)})
        return
    if isinstance(value, Yielded):
        yield from choices_of_value(Seq(list(value.values)), met)
        return
    if isinstance(value, Call) and _is_send(value):
        name = node_name(value.argument("node", 0) or Unknown())
        if name is not None:
            yield RouterChoice((name,))
        return
    if isinstance(value, Item) and isinstance(value.base, Map):
        for _, each in value.base.items if id(value.base) not in met else ():
            yield from choices_of_value(each, met | {id(value.base)})
        return
    name = node_name(value)
    if name is not None:
        yield RouterChoice((name,))
    elif isinstance(value, Const) and isinstance(value.value, (bool, int)):
        yield RouterChoice((repr(value.value),))


def _together(value: Seq, met: frozenset[int]) -> Iterator[RouterChoice]:
    """What a list lets run at the same time."""
    once = {id(each): each for item in value.items for each in options(item)}
    parts = [way for each in once.values() for way in choices_of_value(each, met)]
    targets = tuple(dict.fromkeys(target for way in parts for target in way.targets))
    sent = sum(map(_is_send, value.items))
    if targets:
        yield RouterChoice(
            targets, any(way.many for way in parts) or (bool(sent) and (value.open or sent > len(targets)))
        )


def _is_send(value: Value) -> bool:
    return isinstance(value, Call) and value.last == "Send"


def has_unknown_choice(value: Value) -> bool:
    """May a router return something of which it is not known where it leads?"""
    return any(
        not list(choices_of_value(each)) and not (isinstance(each, Seq) and not each.items) for each in options(value)
    )


def announced_targets(function: Function) -> list[str]:
    """The nodes that a return annotation lists: `Literal["a", "b"]`, also inside `Command[...]`."""
    returns = getattr(function.node, "returns", None)
    if isinstance(returns, ast.Constant) and isinstance(returns.value, str):
        try:
            returns = ast.parse(returns.value[:500], mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []
    if returns is None:
        return []
    names: list[str] = []
    for node in descendants(returns):
        if isinstance(node, ast.Subscript) and last_name(node.value) == "Literal":
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            for part in parts:
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    names.append({"__start__": START, "__end__": END}.get(part.value, part.value))
                elif last_name(part) in {START, END}:
                    names.append(last_name(part))
    return list(dict.fromkeys(names))


def unique_choices(ways: list[RouterChoice]) -> list[RouterChoice]:
    """Choices without those that repeat an earlier one."""
    return list(dict.fromkeys(ways))
