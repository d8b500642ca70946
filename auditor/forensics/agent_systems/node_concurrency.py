"""Work that runs side by side inside the nodes of a graph: no edge shows it, and it is no stage of the graph."""

from __future__ import annotations

import ast
import re

from auditor.forensics.agent_systems.agent_graph import Graph
from auditor.forensics.agent_systems.library_names import known_names
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.parsed_unit import Unit
from auditor.forensics.agent_systems.syntax_queries import descendants
from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.scope_bindings import last_name

_PROMISE_CALL = re.compile(r"\bPromise\s*\.\s*(?:all|allSettled)\s*\(")
_MAX_PLACES = 20


def concurrent_places(study: ProgramStudy, graph: Graph) -> tuple[str, ...]:
    """Where a graph's nodes start several things at once, `path:line` each; of what a library lays out, its tools."""
    if graph.builder.prebuilt:
        place = graph.builder.place
        return (f"{place.unit.path}:{place.line}",)
    found: dict[str, None] = {}
    within = {id(builder.place.node) for builder in graph.inner.values()}
    inner = [each for each in study.graphs if id(each.builder.place.node) in within and each is not graph]
    for node in (node for each in (graph, *inner) for node in each.handlers):
        for function, unit in study.run.by_context.get(node, {}).items():
            found.update(dict.fromkeys(f"{unit.path}:{line}" for line in _concurrent_lines(study, unit, function)))
    return tuple(found)[:_MAX_PLACES]


@remembered
def _concurrent_lines(_study: ProgramStudy, unit: Unit, function: ast.AST) -> list[int]:
    return _script_lines(unit, function) if unit.is_script else _call_lines(function)


def _call_lines(function: ast.AST) -> list[int]:
    calls = (
        each
        for each in descendants(function)
        if isinstance(each, ast.Call) and last_name(each.func) in known_names("concurrency_calls")
    )
    return sorted(each.lineno for each in calls)


def _script_lines(unit: Unit, function: ast.AST) -> list[int]:
    first, last = int(getattr(function, "lineno", 1)), int(getattr(function, "end_lineno", None) or 1)
    return [number for number in range(first, last + 1) if _PROMISE_CALL.search(unit.lines[number - 1])]
