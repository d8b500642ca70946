"""The graphs a program builds: nodes with their functions, edges, routers and what could not be followed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from auditor.forensics.agent_systems import graph_topology
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
    Item,
    Map,
    Place,
    Seq,
    Step,
    Unknown,
    Value,
    Yielded,
    constant,
    options,
    text_of,
    walk,
)
from auditor.forensics.agent_systems.graph_topology import Exits, RouterChoice, Topology
from auditor.forensics.agent_systems.library_names import BUILDER_METHODS
from auditor.forensics.agent_systems.system_report_types import END, START, Edge, GraphData
from auditor.forensics.agent_systems.whole_program import descendants
from auditor.forensics.python.scope_bindings import last_name

_MAX_EDGES = 5_000
_MAX_DEPTH = 4
"""Lists inside lists of what a router hands back."""
_MAX_NAME = 200
"""Characters of a node's name; longer ones of honest code were not seen."""
_VALIDATION_ERRORS = re.compile(r"Validation|Value|Pars|JSON|Output|Schema|^Exception$|^BaseException$", re.IGNORECASE)
"""Errors that an answer of the wrong shape may raise."""


@dataclass(eq=False)
class Router:
    """A decision after a node: what may follow, and the function that decides."""

    source: str
    choices: list[RouterChoice]
    place: Place
    function: Function | None = None
    kind: str = "conditional"
    labels: dict[str, str] = field(default_factory=dict)
    """What the router says -> the node that means."""


@dataclass(eq=False)
class Graph:
    """A graph as its builder was filled."""

    builder: Builder
    handlers: dict[str, Value] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    edge_keys: set[tuple[str, str, str]] = field(default_factory=set)
    routers: list[Router] = field(default_factory=list)
    barriers: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    deferred: set[str] = field(default_factory=set)
    validation_retries: dict[str, Place] = field(default_factory=dict)
    """Nodes whose retry policy takes answers that do not validate."""
    unresolved: list[str] = field(default_factory=list)
    results: dict[str, Value] = field(default_factory=dict)
    """What each node's function hands back."""
    inner: dict[str, Builder] = field(default_factory=dict)
    """Nodes that are graphs of their own."""
    dead: str = ""
    is_subgraph: bool = False
    end_namesakes: frozenset[str] = frozenset()
    """Names of the graph's ends that nodes of its own bear."""

    @property
    def path(self) -> str:
        """The file of the builder."""
        return self.builder.place.unit.path

    def topology(self) -> Topology:
        """Nodes and exits, for the questions one asks about a graph."""
        always: dict[str, list[str]] = {}
        for edge in self.edges:
            if edge.kind == "edge":
                always.setdefault(edge.source, []).append(edge.target)
        deciding: dict[str, list[tuple[RouterChoice, ...]]] = {}
        for router in self.routers:
            deciding.setdefault(router.source, []).append(tuple(router.choices))
        exits = {
            node: Exits(tuple(dict.fromkeys(always.get(node, ()))), tuple(deciding.get(node, ())))
            for node in (*always, *deciding)
        }
        return Topology(tuple(self.handlers), exits, tuple(self.barriers), frozenset(self.deferred), self.is_subgraph)

    def data(self) -> GraphData:
        """What a fact says of it."""
        shape = self.topology()
        return GraphData(
            builder=f"{self.path}:{self.builder.place.line}",
            nodes=tuple(self.handlers),
            edges=tuple(self.edges),
            fan_out=graph_topology.find_fan_outs(shape),
            fan_in=graph_topology.find_fan_ins(shape),
            linear=graph_topology.is_linear(shape),
            unresolved=tuple(dict.fromkeys(self.unresolved)),
            handlers={
                node: f"{handler.unit.path}:{handler.node.lineno}"
                for node, value in self.handlers.items()
                if (handler := function_of(value)) is not None
            },
            subgraphs=tuple(self.inner),
            waiting=tuple(sorted(self.deferred)),
            dead=self.dead,
        )


def function_of(value: Value) -> Function | None:
    """The function behind a node or router: itself, a method `__call__`, or one wrapped in something else."""
    for each in walk(value, lambda part: isinstance(part, (Choice, Call, Instance)) and not isinstance(part, Class)):
        if isinstance(each, Function):
            return each
        if isinstance(each, Instance):
            found = (
                each.cls.env.names.get("__call__") or each.cls.env.names.get("run") or each.cls.env.names.get("invoke")
            )
            if isinstance(found, Function):
                return Function(found.unit, found.node, found.env, each)
    return None


def read_graph(run: Interpreter, builder: Builder) -> Graph:
    """The graph that a builder's steps make."""
    graph = Graph(builder, end_namesakes=frozenset(_namesakes(builder)))
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


def _namesakes(builder: Builder) -> Iterator[str]:
    """START and END as names that are given to nodes: the library's own constants are spelled otherwise."""
    for step in builder.steps:
        name = step.call.argument("node", 0) if step.method == "add_node" else None
        if isinstance(name, Const) and isinstance(name.value, str) and name.value in {START, END}:
            yield name.value


# -- nodes ---------------------------------------------------------------------------------------------------------


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


# -- edges ---------------------------------------------------------------------------------------------------------


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
    """The nodes that a value names; what cannot be told is noted. A list that is met again, as one inside itself, is gone through once."""
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
        if name in graph.end_namesakes and isinstance(each, Const) and each.value == name:
            name = f"{name} (node)"
        if name is None:
            graph.unresolved.append(f"the name of a node ({place.unit.path}:{place.line})")
        else:
            found.append(name)
    return found


def node_name(value: Value) -> str | None:
    """The node that a value names for sure."""
    if isinstance(value, External):
        last = value.name.rpartition(".")[2]
        return last if last in {START, END} else last if last.startswith("__") else None
    if isinstance(value, Function):
        return _shorten_name(value.name)
    if isinstance(value, Instance):
        return _shorten_name(value.cls.name)
    known = constant(value)
    if known in {"__start__", "__end__"}:
        return START if known == "__start__" else END
    return _shorten_name(known) if isinstance(known, str) else None


def _shorten_name(name: str | None) -> str | None:
    """A name, unless it is longer than names are: it would be said of every edge."""
    return name if name is None or len(name) <= _MAX_NAME else None


# -- routers -------------------------------------------------------------------------------------------------------


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
    said = _said(run, function, path, source)
    labels = _labels(mapping)
    ways = _choices_of_answers(graph, said, labels) or _choices_without_answer(function, path, labels)
    if labels and _any_unknown(said):
        ways += [RouterChoice((target,)) for target in dict.fromkeys(labels.values())]
    announced = function is not None and bool(_announced(function))
    where = f"{call.place.unit.path}:{call.place.line}"
    if not ways:
        graph.unresolved.append(f"where the router after {source} leads ({where})")
    elif _any_unknown(said) and not labels and function is not None and not announced:
        graph.unresolved.append(f"some of what the router after {source} decides ({where})")
    _route(graph, Router(source, _once(ways), call.place, function, labels=labels))
    for target in dict.fromkeys(labels.values()):
        _add_graph_edge(graph, source, target, "conditional", call.place, conditional=True)
    then = call.argument("then", 3)
    if then is not None:
        for target in dict.fromkeys(target for way in ways for target in way.targets if target != END):
            for after in _node_names(graph, then, call.place):
                _add_graph_edge(graph, target, after, "edge", call.place)


def _choices_of_answers(graph: Graph, said: Value, labels: dict[str, str]) -> list[RouterChoice]:
    """The ways that a router's answers mean."""
    ways = [way for each in options(said) for way in _ways(each)]
    ways = [RouterChoice(tuple(labels.get(target, target) for target in way.targets), way.many) for way in ways]
    if labels:
        known = {*labels.values(), *graph.handlers, END}
        ways = [way for way in ways if way.targets and set(way.targets) <= known]
    return ways


def _choices_without_answer(
    function: Function | None, path: Value | None, labels: dict[str, str]
) -> list[RouterChoice]:
    """The ways of a router whose answers are not known: those it announces, its path map's, or a known one's."""
    if function is not None and _announced(function):
        return [RouterChoice((labels.get(name, name),)) for name in _announced(function)]
    if (
        not labels
        and isinstance(path, External)
        and path.name.rpartition(".")[2] in {"tools_condition", "toolsCondition"}
    ):
        return [RouterChoice(("tools",)), RouterChoice((END,))]
    return [RouterChoice((target,)) for target in dict.fromkeys(labels.values())]


def _route(graph: Graph, router: Router) -> None:
    graph.routers.append(router)
    for way in router.choices:
        kind = "send" if way.many and router.kind == "conditional" else router.kind
        for target in way.targets:
            _add_graph_edge(graph, router.source, target, kind, router.place, conditional=True)


def _said(run: Interpreter, function: Function | None, path: Value | None, source: str) -> Value:
    if function is None:
        return path if isinstance(path, (Const, Seq)) else Unknown()
    return run.start(function, [Unknown("state"), Unknown("config")][: _takes(function)], f"router:{source}")


def _takes(function: Function) -> int:
    spec = function.node.args
    own = len(spec.posonlyargs) + len(spec.args) - (1 if function.bound is not None else 0) - len(function.preset)
    return max(0, min(own, 2))


def _labels(mapping: Value | None) -> dict[str, str]:
    """What a path map makes of the router's answers."""
    if isinstance(mapping, Map):
        pairs = [(_label(key), _name_among(value)) for key, value in mapping.items]
        return {key: name for key, name in pairs if key is not None and name is not None}
    if isinstance(mapping, Seq):
        names = [name for each in mapping.items if (name := _name_among(each)) is not None]
        return {name: name for name in names}
    return {}


def _name_among(value: Value) -> str | None:
    """The first node that a value may name: a constant with a stand-in for a library that is missing names one."""
    return next((name for each in options(value) if (name := node_name(each)) is not None), None)


def _label(key: Value) -> str | None:
    known = node_name(key)
    if known is not None:
        return known
    return repr(key.value) if isinstance(key, Const) and not isinstance(key.value, str) else None


def _ways(value: Value, met: frozenset[int] = frozenset()) -> Iterator[RouterChoice]:
    """What one returned value lets run. A list inside itself adds nothing to itself."""
    if isinstance(value, Seq):
        if id(value) not in met and len(met) < _MAX_DEPTH:
            yield from _together(value, met | {id(value)})
        return
    if isinstance(value, Yielded):
        yield from _ways(Seq(list(value.values)), met)
        return
    if isinstance(value, Call) and _is_send(value):
        name = node_name(value.argument("node", 0) or Unknown())
        if name is not None:
            yield RouterChoice((name,))
        return
    if isinstance(value, Item) and isinstance(value.base, Map):
        for _, each in value.base.items if id(value.base) not in met else ():
            yield from _ways(each, met | {id(value.base)})
        return
    name = node_name(value)
    if name is not None:
        yield RouterChoice((name,))
    elif isinstance(value, Const) and isinstance(value.value, (bool, int)):
        yield RouterChoice((repr(value.value),))


def _together(value: Seq, met: frozenset[int]) -> Iterator[RouterChoice]:
    """What a list lets run at the same time."""
    once = {id(each): each for item in value.items for each in options(item)}
    parts = [way for each in once.values() for way in _ways(each, met)]
    targets = tuple(dict.fromkeys(target for way in parts for target in way.targets))
    sent = sum(map(_is_send, value.items))
    if targets:
        yield RouterChoice(
            targets, any(way.many for way in parts) or (bool(sent) and (value.open or sent > len(targets)))
        )


def _is_send(value: Value) -> bool:
    return isinstance(value, Call) and value.last == "Send"


def _any_unknown(value: Value) -> bool:
    return any(not list(_ways(each)) and not (isinstance(each, Seq) and not each.items) for each in options(value))


def _announced(function: Function) -> list[str]:
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


def _once(ways: list[RouterChoice]) -> list[RouterChoice]:
    return list(dict.fromkeys(ways))


# -- commands: edges that a node's own function decides -------------------------------------------------------------


def _follow_node(run: Interpreter, graph: Graph, node: str, handler: Value) -> None:
    function = function_of(handler)
    if function is None:
        return
    given: list[Value] = [Unknown("state"), Unknown("config")]
    result = run.start(function, given[: _takes(function)], node)
    graph.results[node] = result
    commands = [each for each in walk(result, lambda part: isinstance(part, (Choice, Seq))) if isinstance(each, Call)]
    ways: list[RouterChoice] = []
    for command in commands:
        if command.last != "Command" or _upwards(command):
            continue
        goto = command.argument("goto")
        if goto is not None:
            ways += [way for each in options(goto) for way in _ways(each)]
    announced = _announced(function) if _returns_command(function) else []
    place = Place(function.unit, function.node)
    declared = [each for each in graph.routers if each.source == node and each.kind == "command"]
    ways = _once(ways) or ([] if declared else [RouterChoice((name,)) for name in announced])
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
assert set(_READERS) == BUILDER_METHODS
