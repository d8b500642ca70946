"""Reading a graph from the calls that build it: nodes with their functions, edges and routers."""

from __future__ import annotations

import ast
import re

from auditor.forensics.agent_systems.abstract_interpreter import Interpreter
from auditor.forensics.agent_systems.abstract_values import (
    Attr,
    Builder,
    Call,
    Choice,
    Class,
    Compiled,
    Const,
    External,
    Function,
    Instance,
    Map,
    Place,
    Seq,
    Step,
    Unknown,
    Value,
)
from auditor.forensics.agent_systems.agent_graph import Graph, Router, _shorten_name, function_of, node_name
from auditor.forensics.agent_systems.graph_topology import RouterChoice
from auditor.forensics.agent_systems.router_choices import (
    announced_targets,
    choices_of_answers,
    choices_of_value,
    choices_without_answer,
    has_unknown_choice,
    parameter_count,
    path_map_labels,
    router_answers,
    unique_choices,
)
from auditor.forensics.agent_systems.syntax_queries import descendants
from auditor.forensics.agent_systems.system_report_types import END, START, Edge
from auditor.forensics.agent_systems.value_contents import constant, options, text_of, walk
from auditor.forensics.python.scope_bindings import last_name

_MAX_EDGES = 5_000
_VALIDATION_ERRORS = re.compile(r"Validation|Value|Pars|JSON|Output|Schema|^Exception$|^BaseException$", re.IGNORECASE)
"""Errors that an answer of the wrong shape may raise."""


def read_graph(run: Interpreter, builder: Builder) -> Graph:
    """The graph that a builder's steps make."""
    graph = Graph(builder)
    for step in builder.steps:
        if len(graph.edges) >= _MAX_EDGES:
            graph.unresolved.append("more edges than are followed")
            break
        _READERS[step.method](run, graph, step)
    for node, handler in list(graph.handlers.items()):
        _follow_node(run, graph, node, handler)
    known = {*graph.handlers, START, END}
    for edge in graph.edges:
        for end in (edge.source, edge.target):
            if end not in known:
                known.add(end)
                graph.unresolved.append(
                    f"{end} is named by an edge but never added as a node ({edge.path}:{edge.line})"
                )
    return graph


def _add_node(_run: Interpreter, graph: Graph, step: Step) -> None:
    call = step.call
    name, action = call.argument("node", 0), call.argument("action", 1)
    if action is None and name is not None and not isinstance(name, (Const, Unknown)):
        name, action = _default_name(name), name
    names = [each for each in _node_names(graph, name, call.place) if each not in {START, END}]
    for each in names:
        _put_node(graph, each, action or Unknown(each), call)


def _put_node(graph: Graph, name: str, action: Value, call: Call) -> None:
    graph.handlers[name] = action
    graph.places[name] = call.place
    if constant(call.argument("defer")) is True:
        graph.deferred.add(name)
    policy = call.argument("retry_policy") or call.argument("retry")
    if policy is not None and _retries_output(policy):
        graph.validation_retries[name] = call.place
    inner = next((each for each in options(action) if isinstance(each, (Compiled, Builder))), None)
    if inner is not None:
        graph.inner[name] = inner.builder if isinstance(inner, Compiled) else inner
    destinations = call.argument("destinations")
    if destinations is not None:
        ways = [RouterChoice((each,)) for each in _node_names(graph, destinations, call.place)]
        _route(graph, Router(name, ways, call.place, kind="command"))


def _retries_output(policy: Value) -> bool:
    """Does a retry policy take an answer that does not validate? The library's own choice leaves errors of values out."""
    for each in options(policy):
        for one in each.items if isinstance(each, Seq) else [each]:
            if not isinstance(one, Call) or one.last != "RetryPolicy" or one.place.unit.is_script:
                return True
            chosen = one.argument("retry_on", 5)
            if chosen is not None and any(_is_validation_error(part) for part in walk(chosen)):
                return True
    return False


def _is_validation_error(part: Value) -> bool:
    if isinstance(part, (Function, Unknown)):
        return True
    name = part.name.rpartition(".")[2] if isinstance(part, (External, Class, Attr)) else ""
    return _VALIDATION_ERRORS.search(name) is not None


def _default_name(action: Value) -> Value:
    """The name a node gets when none is given."""
    function = function_of(action)
    if isinstance(action, Instance):
        return Const(action.cls.name)
    if function is not None:
        return Const(function.name)
    return Const(action.name.rpartition(".")[2]) if isinstance(action, External) else Unknown()


def _add_nodes(_run: Interpreter, graph: Graph, step: Step) -> None:
    for each in _elements(graph, step.call.argument("nodes", 0), step.call.place):
        _put_element(graph, each, step.call)


def _put_element(graph: Graph, each: Value, call: Call) -> str | None:
    if isinstance(each, Seq) and len(each.items) in {2, 3}:
        name, action = _shorten_name(text_of(each.items[0])), each.items[1]
    else:
        name, action = _shorten_name(text_of(_default_name(each))), each
    if name is None:
        graph.unresolved.append(f"the name of a node ({call.place.unit.path}:{call.place.line})")
        return None
    _put_node(graph, name, action, call)
    return name


def _add_sequence(_run: Interpreter, graph: Graph, step: Step) -> None:
    before: str | None = None
    for each in _elements(graph, step.call.argument("nodes", 0), step.call.place):
        name = _put_element(graph, each, step.call)
        if before is not None and name is not None:
            _add_graph_edge(graph, before, name, "edge", step.call.place)
        before = name or before


def _elements(graph: Graph, value: Value | None, place: Place) -> list[Value]:
    if isinstance(value, Seq) and not value.open:
        return value.items
    if isinstance(value, Map) and not value.open:
        return [Seq([key, each]) for key, each in value.items]
    graph.unresolved.append(f"a list of nodes ({place.unit.path}:{place.line})")
    return value.items if isinstance(value, Seq) else []


def _add_edge(_run: Interpreter, graph: Graph, step: Step) -> None:
    call = step.call
    source, target = call.argument("start_key", 0), call.argument("end_key", 1)
    targets = _node_names(graph, target, call.place)
    if isinstance(source, Seq):
        sources = tuple(dict.fromkeys(_node_names(graph, source, call.place)))
        for each in targets:
            graph.barriers.append((sources, each))
            for one in sources:
                _add_graph_edge(graph, one, each, "list", call.place)
        return
    for one in _node_names(graph, source, call.place):
        for each in targets:
            _add_graph_edge(graph, one, each, "edge", call.place)


def _add_edges(run: Interpreter, graph: Graph, step: Step) -> None:
    for pair in _elements(graph, step.call.argument("edges", 0), step.call.place):
        if isinstance(pair, Seq) and len(pair.items) == 2:
            call = Call(step.call.func, tuple(pair.items), (), step.call.place)
            _add_edge(run, graph, Step("add_edge", call))


def _set_entry_point(_run: Interpreter, graph: Graph, step: Step) -> None:
    for each in _node_names(graph, step.call.argument("key", 0), step.call.place):
        _add_graph_edge(graph, START, each, "edge", step.call.place)


def _set_finish_point(_run: Interpreter, graph: Graph, step: Step) -> None:
    for each in _node_names(graph, step.call.argument("key", 0), step.call.place):
        _add_graph_edge(graph, each, END, "edge", step.call.place)


def _add_graph_edge(
    graph: Graph, source: str, target: str, kind: str, place: Place, *, conditional: bool = False
) -> None:
    if (source, target, kind) not in graph.edge_keys and len(graph.edges) < _MAX_EDGES:
        graph.edge_keys.add((source, target, kind))
        path, line = place.unit.path, place.line
        graph.edges.append(Edge(source=source, target=target, kind=kind, conditional=conditional, path=path, line=line))


def _node_names(graph: Graph, value: Value | None, place: Place) -> list[str]:
    """The nodes that a value names; what cannot be determined is noted. A list that is met again, as one inside itself, is gone through once."""
    found: list[str] = []
    met: set[int] = set()
    waiting = list(options(value))[::-1] if value is not None else []
    while waiting:
        each = waiting.pop()
        if isinstance(each, Seq):
            if each.open:
                graph.unresolved.append(f"a list of node names ({place.unit.path}:{place.line})")
            inner = [one for item in each.items for one in options(item)] if id(each) not in met else []
            met.add(id(each))
            waiting += inner[::-1]
            continue
        name = node_name(each)
        if name is None:
            graph.unresolved.append(f"the name of a node ({place.unit.path}:{place.line})")
        else:
            found.append(name)
    return found


def _add_conditional_edges(run: Interpreter, graph: Graph, step: Step) -> None:
    call = step.call
    sources = _node_names(graph, call.argument("source", 0), call.place)
    path, mapping = call.argument("path", 1), call.argument("path_map", 2)
    for source in sources:
        _add_router(run, graph, source, path, mapping, call)


def _set_conditional_entry(run: Interpreter, graph: Graph, step: Step) -> None:
    call = step.call
    _add_router(run, graph, START, call.argument("path", 0), call.argument("path_map", 1), call)


def _add_router(
    run: Interpreter, graph: Graph, source: str, path: Value | None, mapping: Value | None, call: Call
) -> None:
    function = None if path is None else function_of(path)
    said = router_answers(run, function, path, source)
    labels = path_map_labels(mapping)
    ways = choices_of_answers(graph, said, labels) or choices_without_answer(function, path, labels)
    if labels and has_unknown_choice(said):
        ways += [RouterChoice((target,)) for target in dict.fromkeys(labels.values())]
    announced = function is not None and bool(announced_targets(function))
    where = f"{call.place.unit.path}:{call.place.line}"
    if not ways:
        graph.unresolved.append(f"where the router after {source} leads ({where})")
    elif has_unknown_choice(said) and not labels and function is not None and not announced:
        graph.unresolved.append(f"some of what the router after {source} decides ({where})")
    _route(graph, Router(source, unique_choices(ways), call.place, function, labels=labels))
    for target in dict.fromkeys(labels.values()):
        _add_graph_edge(graph, source, target, "conditional", call.place, conditional=True)
    then = call.argument("then", 3)
    if then is not None:
        for target in dict.fromkeys(target for way in ways for target in way.targets if target != END):
            for after in _node_names(graph, then, call.place):
                _add_graph_edge(graph, target, after, "edge", call.place)


def _route(graph: Graph, router: Router) -> None:
    graph.routers.append(router)
    for way in router.choices:
        kind = "send" if way.many and router.kind == "conditional" else router.kind
        for target in way.targets:
            _add_graph_edge(graph, router.source, target, kind, router.place, conditional=True)


def _follow_node(run: Interpreter, graph: Graph, node: str, handler: Value) -> None:
    function = function_of(handler)
    if function is None:
        return
    given: list[Value] = [Unknown("state"), Unknown("config")]
    result = run.start(function, given[: parameter_count(function)], node)
    graph.results[node] = result
    commands = [each for each in walk(result, lambda part: isinstance(part, (Choice, Seq))) if isinstance(each, Call)]
    ways: list[RouterChoice] = []
    for command in commands:
        if command.last != "Command" or _upwards(command):
            continue
        goto = command.argument("goto")
        if goto is not None:
            ways += [way for each in options(goto) for way in choices_of_value(each)]
    announced = announced_targets(function) if _returns_command(function) else []
    place = Place(function.unit, function.node)
    declared = [each for each in graph.routers if each.source == node and each.kind == "command"]
    ways = unique_choices(ways) or ([] if declared else [RouterChoice((name,)) for name in announced])
    if ways:
        taken = {target for way in ways for target in way.targets}
        ways += [way for each in declared for way in each.choices if not taken & set(way.targets)]
        graph.routers = [each for each in graph.routers if each not in declared]
        _route(graph, Router(node, ways, place, function, kind="command"))


def _returns_command(function: Function) -> bool:
    returns = getattr(function.node, "returns", None)
    return returns is not None and any(
        last_name(each) == "Command" or (isinstance(each, ast.Constant) and "Command" in str(each.value))
        for each in descendants(returns)
        if isinstance(each, ast.expr)
    )


def _upwards(command: Call) -> bool:
    graph = command.argument("graph")
    return isinstance(graph, (External, Attr)) and graph.name.rpartition(".")[2] == "PARENT"


_READERS = {
    "add_node": _add_node,
    "add_nodes": _add_nodes,
    "add_sequence": _add_sequence,
    "add_edge": _add_edge,
    "add_edges": _add_edges,
    "set_entry_point": _set_entry_point,
    "set_finish_point": _set_finish_point,
    "add_conditional_edges": _add_conditional_edges,
    "add_conditional_edge": _add_conditional_edges,
    "set_conditional_entry_point": _set_conditional_entry,
}
