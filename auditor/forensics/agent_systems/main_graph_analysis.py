"""One pass over a program: everything followed once, graphs read, the graph that matters picked out."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from auditor.forensics.agent_systems import expression_values, graph_from_builder_calls, prebuilt_graphs
from auditor.forensics.agent_systems.abstract_interpreter import Interpreter
from auditor.forensics.agent_systems.abstract_values import Builder, Choice, Class, Function, Instance, Map, Place, Seq
from auditor.forensics.agent_systems.agent_graph import Graph
from auditor.forensics.agent_systems.call_frames import ExternalCall
from auditor.forensics.agent_systems.class_members import find_method
from auditor.forensics.agent_systems.javascript import reachable_scripts
from auditor.forensics.agent_systems.library_names import known_names
from auditor.forensics.agent_systems.parsed_unit import Unit
from auditor.forensics.agent_systems.statement_effects import STATEMENTS
from auditor.forensics.agent_systems.syntax_queries import assigned_names
from auditor.forensics.agent_systems.system_report_types import ProbeAnswer, Spot
from auditor.forensics.agent_systems.value_contents import walk
from auditor.forensics.agent_systems.whole_program import Program, builds_graph
from auditor.forensics.python.scope_bindings import last_name

_RELEVANT_SOURCE = re.compile(
    r"langgraph|StateGraph|clone|with_structured_output|invoke|prompt|judge|opinion|verdict", re.IGNORECASE
)
_MAX_ROUNDS = 4
_MAX_BUILDERS = 40
"""Builders that are read in one round."""
_INCOMPLETE_CONFIDENCE = 0.6
"""How sure silence is at most when a file was given up or cut short."""
Answers = dict[str, tuple[ProbeAnswer, ...]]


@dataclass(eq=False)
class ProgramStudy:
    """What following a program showed."""

    program: Program
    run: Interpreter
    graphs: list[Graph] = field(default_factory=list)
    instances: dict[ast.ClassDef, Instance] = field(default_factory=dict)
    memory: dict[object, Any] = field(default_factory=dict)
    """What a question worked out once, under a key of its own."""

    @cached_property
    def main_graph(self) -> Graph | None:
        """The graph that matters: one that can run, used by others rather than tried out, with the most nodes."""
        outer = [each for each in self.graphs if not each.is_subgraph] or self.graphs
        return max(outer, key=lambda graph: _graph_weight(self, graph), default=None)

    @property
    def reach(self) -> tuple[bool, bool, bool]:
        """How far the walk came: is there a graph, was none passed over, was everything followed?"""
        return self.main_graph is not None, not self.unread_builders, not self.run.exhausted

    @cached_property
    def live_graphs(self) -> list[Graph]:
        """All graphs that can run, the main one first."""
        rest = [each for each in self.graphs if each is not self.main_graph and not each.dead]
        return [
            *([self.main_graph] if self.main_graph is not None else []),
            *sorted(rest, key=lambda graph: _graph_weight(self, graph), reverse=True),
        ]

    @cached_property
    def python(self) -> bool:
        """Is there any product code to speak of? Scripts count where LangGraph.js is among them."""
        return any(not unit.is_script or reachable_scripts.uses_library(unit.text) for unit in self.program.product)

    def spot(self, unit: Unit, node: ast.AST) -> Spot:
        """The lines of a node, for a location."""
        line = int(getattr(node, "lineno", 1))
        end = int(getattr(node, "end_lineno", None) or line)
        return Spot(path=unit.path, line=line, end=end, quote=unit.quote(line))

    def line(self, unit: Unit, line: int) -> Spot:
        """One line, for a location."""
        return Spot(path=unit.path, line=line, end=line, quote=unit.quote(line))

    def place_spot(self, place: Place) -> Spot:
        """The line of a place, for a location."""
        return self.line(place.unit, place.line)

    @cached_property
    def unread_builders(self) -> str:
        """Where a graph may be built that following the code did not come to, because its bounds were reached; empty when nowhere."""
        if not self.run.exhausted and not self.run.cut:
            return ""
        for unit in self.program.product:
            if "langgraph" not in unit.text and "langchain" not in unit.text:
                continue
            names = {
                alias.asname or alias.name
                for node in unit.nodes_of_kinds(ast.ImportFrom)
                for alias in node.names  # type: ignore[attr-defined]
                if _is_graph_constructor(alias.name)
            }
            for node in unit.nodes_of_kinds(ast.Call):
                assert isinstance(node, ast.Call)
                name = last_name(node.func)
                if (name in names or _is_graph_constructor(name)) and node not in self.run.built:
                    return f"{unit.path}:{node.lineno}"
        return ""

    def doubt(self, *, of: float = 0.95) -> tuple[float, str]:
        """How sure silence is: less when files were not read or the code was too much to follow."""
        if self.run.exhausted:
            return 0.4, "the code exceeds the analysis limit"
        if self.run.stumbled:
            return round(of * 0.7, 4), f"{self.run.stumbled} statements could not be resolved"
        short = next(iter((*self.program.left_out, *self.run.cut)), "")
        if short:
            return min(of, _INCOMPLETE_CONFIDENCE), f"{short} was only partly analysed to stay within the limit"
        missing = len(self.program.unread)
        if missing:
            share = len(self.program.units) / (len(self.program.units) + missing)
            return round(of * share, 4), f"{missing} files could not be read"
        return of, "run-time behavior was not analysed" if of < 1 else ""

    def events(self, test: Callable[[ExternalCall], bool]) -> Iterator[ExternalCall]:
        """Calls that lead outside and fit a test, each place once, the longest way to it first."""
        seen: set[ast.AST] = set()
        for event in sorted(self.run.events, key=lambda each: -len(each.frames)):
            if event.call.place.node not in seen and test(event):
                seen.add(event.call.place.node)
                yield event

    def disabled_reason(self, unit: Unit, node: ast.AST) -> str:
        """Why a node cannot run: it is in a block that is never entered; empty when it can."""
        for each in (node, *unit.around(node)):
            if each in self.run.off and each not in self.run.done:
                return self.run.off[each]
        return ""

    def is_always_skipped(self, unit: Unit, node: ast.AST) -> bool:
        """Is a node in a block that every call in sight passes by?"""
        return any(each in self.run.skipped and each not in self.run.done for each in (node, *unit.around(node)))

    def unused_reason(self, unit: Unit, node: ast.AST) -> str:
        """Why a function is dead: product code names neither it nor its class anywhere; empty when something does."""
        function = node if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else unit.function_of(node)
        while function is not None:
            cls = unit.class_of(function)
            outer = unit.function_of(function)
            name = function.name if cls is None or outer is not None else cls.name
            decorated = bool(function.decorator_list) and cls is None
            special = cls is not None and function.name.startswith("__")
            if not decorated and not self._named(function.name if not special else name):
                return f"nothing in product code uses {function.name}"
            if cls is not None and not self._named(cls.name):
                return f"nothing in product code uses {cls.name}"
            function = outer
        return ""

    def _named(self, name: str) -> bool:
        return self.program.mentions[name] > 0 or name in {"main", "run", "__call__", "invoke"}


def _is_graph_constructor(name: str) -> bool:
    """Is it the name of a builder, or of a function that lays out a graph by itself?"""
    return name in known_names("builders") or prebuilt_graphs.is_prebuilt_name(name)


def study_program(program: Program, following: Callable[[Unit], None] = lambda _unit: None) -> ProgramStudy:
    """Follow a program; where that is more than is followed, once more with an equal chance for each file.

    The second walk counts only where it shows more than the first. `following` is told every now and then which file
    is at hand.
    """
    run = _new_walk(program, following)
    if run.is_large:  # two walks would take too long; in one each file gets its share from the beginning
        return _follow_program(_new_walk(program, following, fair=True))
    seen = _follow_program(run)
    if not seen.run.exhausted:
        return seen
    again = _follow_program(_new_walk(program, following, fair=True))
    return again if again.reach > seen.reach else seen


def _new_walk(program: Program, following: Callable[[Unit], None], *, fair: bool = False) -> Interpreter:
    """A walk that has not begun."""
    return Interpreter(program, expression_values.evaluate, STATEMENTS, following, fair=fair)


def _follow_program(run: Interpreter) -> ProgramStudy:
    """Follow modules, then the nodes of their graphs, then functions nobody in sight calls."""
    program = run.program
    seen = ProgramStudy(program, run)
    for unit in sorted(program.product, key=lambda each: (*_follow_order(each), each.shown, each.path)):
        run.module(unit)
    _read_graphs(seen)
    for unit, function in _unfollowed_functions(seen):
        _start_function(seen, unit, function)
    _start_returned_functions(seen)
    _read_graphs(seen)
    run.read_definitions(program.product)
    _finish_graphs(seen)
    return seen


def _follow_order(unit: Unit) -> tuple[bool, bool]:
    """What is followed first: files that lay out graphs, then those that speak of agents."""
    return not builds_graph(unit.path, unit.text), not _RELEVANT_SOURCE.search(unit.text)


def _read_graphs(seen: ProgramStudy) -> None:
    """Read every builder not read yet; following its nodes may bring up others."""
    for _ in range(_MAX_ROUNDS):
        known = {id(each.builder) for each in seen.graphs}
        fresh = [builder for builder in seen.run.builders if id(builder) not in known]
        if not fresh:
            return
        seen.graphs += [
            graph_from_builder_calls.read_graph(seen.run, builder)
            for builder in _round_robin_builders(fresh)[:_MAX_BUILDERS]
        ]


def _round_robin_builders(builders: list[Builder]) -> list[Builder]:
    """The first builder of each file, then the second of each, so that a file full of them hides no other's."""
    turns: dict[str, int] = {}
    placed: list[tuple[int, int, Builder]] = []
    for number, builder in enumerate(builders):
        path = builder.place.unit.path
        turns[path] = turns.get(path, 0) + 1
        placed.append((turns[path], number, builder))
    return [builder for *_, builder in sorted(placed, key=lambda each: each[:2])]


def _unfollowed_functions(seen: ProgramStudy) -> list[tuple[Unit, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Functions that were not followed yet, those that nobody names first: they are where work starts."""
    found = [
        (unit, node)
        for unit in seen.program.product
        for node in (*unit.nodes_of_kinds(ast.FunctionDef), *unit.nodes_of_kinds(ast.AsyncFunctionDef))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node not in seen.run.entered
        and unit.function_of(node) is None
    ]
    mentions = seen.program.mentions
    ranks = {unit: _follow_order(unit) for unit in seen.program.product}
    return sorted(found, key=lambda each: (*ranks[each[0]], mentions[each[1].name], each[0].path, each[1].lineno))


def _start_function(seen: ProgramStudy, unit: Unit, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    run = seen.run
    if node in run.entered or run.is_exhausted():
        return
    cls = unit.class_of(node)
    if cls is None:
        found = run.member(unit, node.name)
        if isinstance(found, Function):
            run.start(found, [], "")
        return
    instance = _instance_of_unused_class(seen, unit, cls)
    method = instance.cls.env.names.get(node.name) if instance is not None else None
    if instance is not None and isinstance(method, Function) and node not in run.entered:
        run.start(Function(method.unit, method.node, method.env, instance), [], "")


def _start_returned_functions(seen: ProgramStudy) -> None:
    """Functions that a factory hands back and nobody in sight calls: each once, as its caller would."""
    for _ in range(_MAX_ROUNDS):
        waiting = [
            part
            for returned in seen.run.returned
            for part in walk(returned.value, lambda value: isinstance(value, (Choice, Seq, Map)))
            if isinstance(part, Function) and part.node not in seen.run.entered and part.unit.product
        ]
        for function in waiting:
            if function.node not in seen.run.entered and not seen.run.is_exhausted():
                seen.run.start(function, [], "")
        if not waiting:
            return


def _instance_of_unused_class(seen: ProgramStudy, unit: Unit, cls: ast.ClassDef) -> Instance | None:
    """An object of a class nobody in sight makes, with unknown arguments."""
    if cls not in seen.instances:
        found = seen.run.member(unit, cls.name)
        if not isinstance(found, Class) or found.node is not cls:
            return None
        made = Instance(found)
        seen.instances[cls] = made
        start = find_method(seen.run, made, "__init__")
        if isinstance(start, Function):
            seen.run.start(start, [], "")
    return seen.instances[cls]


def _finish_graphs(seen: ProgramStudy) -> None:
    """Merge what the same builder made twice, mark inner and dead graphs, and name what was not followed."""
    kept: dict[tuple[int, tuple[str, ...]], Graph] = {}
    for graph in seen.graphs:
        key = (id(graph.builder.place.node), tuple(graph.handlers))
        led_by = graph.builder.caller_names | (kept[key].builder.caller_names if key in kept else set())
        if key not in kept or len(graph.edges) > len(kept[key].edges):
            kept[key] = graph
        kept[key].builder.caller_names = led_by
    seen.graphs = [each for each in kept.values() if each.handlers or each.edges or each.unresolved] or list(
        kept.values()
    )[:1]
    inner = {id(builder.place.node) for graph in seen.graphs for builder in graph.inner.values()}
    for graph in seen.graphs:
        run_in = graph.builder.called_in
        graph.is_subgraph = id(graph.builder.place.node) in inner or (bool(run_in) and "" not in run_in)
    for graph in seen.graphs:
        place = graph.builder.place
        graph.dead = seen.disabled_reason(place.unit, place.node)
    unused = {
        id(each): seen.unused_reason(each.builder.place.unit, each.builder.place.node)
        for each in seen.graphs
        if not each.dead
    }
    if any(not reason for reason in unused.values()):
        for graph in seen.graphs:
            graph.dead = graph.dead or unused[id(graph)]
    _note_unread_builders(seen)


def _note_unread_builders(seen: ProgramStudy) -> None:
    """Files that were given up and builder calls that were never followed belong to what is unresolved."""
    main = seen.main_graph
    if main is not None:
        main.unresolved += [f"{path}, skipped: {reason}" for path, reason in seen.program.left_out.items()]
        main.unresolved += [f"{path}, only partly analysed: it exceeds the limit for one file" for path in seen.run.cut]
    built_in = (
        {each.call.place.unit for each in main.builder.steps} | {main.builder.place.unit} if main is not None else set()
    )
    for unit in seen.program.product:
        if main is not None and unit in built_in:
            main.unresolved += [f"the code on line {line} of {unit.path}" for line in sorted(unit.lost)[:10]]
        if "langgraph" not in unit.text and (main is None or unit.path != main.path):
            continue
        for node in unit.nodes_of_kinds(ast.Call):
            assert isinstance(node, ast.Call)
            name = last_name(node.func)
            if (
                (
                    name in known_names("builder_methods") | known_names("builders")
                    or (prebuilt_graphs.is_prebuilt_name(name) and seen.run.exhausted)
                )
                and node not in seen.run.built
                and main is not None
                and not _is_own_class(seen, unit, node)
                and not seen.disabled_reason(unit, node)
                and not seen.is_always_skipped(unit, node)
            ):
                main.unresolved.append(f"{name} at {unit.path}:{node.lineno}")


def _is_own_class(seen: ProgramStudy, unit: Unit, node: ast.Call) -> bool:
    """Is what a call names a class of the project's own, which only bears the name of one of the library's?"""
    made = seen.run.member(unit, node.func.id) if isinstance(node.func, ast.Name) else None
    return isinstance(made, Class)


def _functions_around(unit: Unit, node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (each for each in unit.around(node) if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)))


def _wrapped_names(unit: Unit, functions: set[str]) -> set[str]:
    """Names that a module gives to what a call makes of one of some functions: `served = traced(build)`."""
    return {
        word
        for each in unit.tree.body
        if isinstance(each, (ast.Assign, ast.AnnAssign)) and isinstance(each.value, ast.Call)
        if any(isinstance(part, ast.Name) and part.id in functions for part in each.value.args)
        for word in assigned_names(each).split()
    }


def _graph_weight(study: ProgramStudy, graph: Graph) -> tuple[bool, bool, bool, bool, bool, bool, bool, bool, int, int]:
    """What speaks for a graph being the one that matters: it can run, it is what the project serves, it is used."""
    builder = graph.builder
    unit = builder.place.unit
    made_in = {each.name for each in _functions_around(unit, builder.place.node)} | builder.caller_names
    made_in |= _wrapped_names(unit, made_in)
    declared = any(
        unit.path in text or any(f':{name}"' in text for name in made_in)
        for path, text in study.program.data.items()
        if path.endswith("langgraph.json")
    )
    return (
        not graph.dead,
        declared,
        not unit.shown,
        len(graph.handlers) > 1 or bool(graph.inner) or bool(graph.unresolved),
        builder.prebuilt in {"", "create_supervisor", "create_swarm"},
        bool(graph.handlers),
        builder.started,
        builder.is_compiled,
        len(graph.handlers),
        len(graph.edges),
    )
