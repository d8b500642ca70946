"""Functions around a clone, where a check of its URL or a look at what git says would be."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from auditor.forensics.agent_systems.called_functions import callees
from auditor.forensics.agent_systems.clone_sites import CloneSite
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.parsed_unit import Unit
from auditor.forensics.agent_systems.system_report_types import Spot, Where
from auditor.forensics.python.scope_bindings import callee_name, last_name

_MAX_FUNCTIONS = 60


def surrounding_functions(study: ProgramStudy, site: CloneSite) -> list[tuple[Unit, ast.AST]]:
    """The function of a clone, those that lead to it, and those they call: where a check would be."""
    found: dict[ast.AST, Unit] = {}
    own = site.place.unit.function_of(site.place.node)
    if own is not None:
        found[own] = site.place.unit
    for frame in site.frames[::-1]:
        found.setdefault(frame.node, frame.unit)
    for unit, node in list(functions_naming(study, own)):
        found.setdefault(node, unit)
    for node in _constructor_methods(site.place.unit, own):
        found.setdefault(node, site.place.unit)
    for graph in study.live_graphs[:1]:
        for router in graph.routers:
            if router.function is not None:
                found.setdefault(router.function.node, router.function.unit)
    for node, unit in list(found.items()):
        for function in callees(study, unit, node):
            found.setdefault(function.node, function.unit)
    return [(unit, node) for node, unit in list(found.items())[:_MAX_FUNCTIONS]]


def _constructor_methods(unit: Unit, function: ast.AST | None) -> Iterator[ast.AST]:
    """The methods that make the object a method belongs to: what they refuse never reaches it."""
    cls = unit.class_of(function) if function is not None else None
    for each in cls.body if cls is not None else ():
        if isinstance(each, ast.FunctionDef) and each is not function:
            makes = each.name in {"__init__", "__post_init__", "__new__"} or any(
                callee_name(mark) in {"field_validator", "model_validator", "validator"} for mark in each.decorator_list
            )
            if makes:
                yield each


def functions_naming(study: ProgramStudy, function: ast.AST | None) -> Iterator[tuple[Unit, ast.AST]]:
    """Functions of product code that name a function, by its name."""
    name = getattr(function, "name", "")
    if not name or name.startswith("__"):
        return
    for unit in study.program.product:
        if name not in unit.text:
            continue
        for node in unit.nodes_of_kinds(ast.Call):
            assert isinstance(node, ast.Call)
            around = unit.function_of(node)
            if last_name(node.func) == name and around is not None and around is not function:
                yield unit, around


def spots_at(study: ProgramStudy, where: tuple[Where, ...]) -> Iterator[Spot]:
    """The lines of some places, for locations."""
    for each in where:
        unit = study.program.units.get(each.path)
        if unit is not None:
            yield study.line(unit, each.line)


def split_by_clone(
    sites: Iterable[CloneSite], seen: Callable[[CloneSite], Where | None]
) -> tuple[tuple[Where, ...], list[CloneSite]]:
    """What is seen around each clone, each place once, and the clones around which nothing is."""
    found = [(site, seen(site)) for site in sites]
    return tuple(dict.fromkeys(where for _, where in found if where is not None)), [
        site for site, where in found if where is None
    ]
