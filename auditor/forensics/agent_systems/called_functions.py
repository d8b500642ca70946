"""Which functions of the repository a piece of code calls, by what the called names stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.forensics.agent_systems import dispatch_tables
from auditor.forensics.agent_systems.abstract_values import Class, Function, Instance
from auditor.forensics.agent_systems.call_frames import Frame
from auditor.forensics.agent_systems.class_members import find_method
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.parsed_unit import FunctionDefinition, Unit
from auditor.forensics.agent_systems.syntax_queries import descendants
from auditor.forensics.agent_systems.value_contents import options
from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.scope_bindings import dotted_name

MAX_REACHABLE_FUNCTIONS = 400


@remembered
def callees(study: ProgramStudy, unit: Unit, node: ast.AST) -> list[Function]:
    """Functions called in a function, each once; methods of its own class by `self`."""
    return list(_called_functions(study, unit, node))


def _called_functions(study: ProgramStudy, unit: Unit, node: ast.AST) -> Iterator[Function]:
    seen: set[ast.AST] = set()
    parts = list(descendants(node))
    nested = {
        each.name: each
        for each in parts
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and each is not node
    }
    spelled: dict[str, ast.expr] = {}
    for each in parts:
        if isinstance(each, ast.Call) and (name := dotted_name(each.func)):
            spelled.setdefault(name, each.func)
    handed = list(dispatch_tables.dispatched_functions(study, unit, node))
    for function in handed:
        if function.node not in seen:
            seen.add(function.node)
            yield function
    for name, func in spelled.items():
        found = list(_functions_by_name(study, unit, node, func))
        if name in nested:
            found.append(Function(unit, nested[name], study.run.module(unit)))
        for function in found:
            if function.node not in seen:
                seen.add(function.node)
                yield function


def _functions_by_name(study: ProgramStudy, unit: Unit, node: ast.AST, func: ast.expr) -> Iterator[Function]:
    if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id in {"self", "cls"}:
        yield from _own_method(study, unit, node, func.attr)
        return
    frame = Frame(unit, unit.tree, study.run.module(unit))
    for value in options(study.run.value(func, frame)):
        if isinstance(value, Function):
            yield value
        elif isinstance(value, Class):
            start = value.env.names.get("__init__")
            if isinstance(start, Function):
                yield start


def _own_method(study: ProgramStudy, unit: Unit, node: ast.AST, name: str) -> Iterator[Function]:
    cls = node if isinstance(node, ast.ClassDef) else unit.class_of(node)
    found = study.run.member(unit, cls.name) if cls is not None else None
    if isinstance(found, Class):
        method = find_method(study.run, Instance(found), name)
        if isinstance(method, Function):
            yield method


def reachable_functions(study: ProgramStudy, start: Function) -> dict[FunctionDefinition, Unit]:
    """A function and all that it calls, through the repository."""
    found: dict[FunctionDefinition, Unit] = {}
    waiting = [start]
    while waiting and len(found) < MAX_REACHABLE_FUNCTIONS:
        function = waiting.pop(0)
        if function.node in found:
            continue
        found[function.node] = function.unit
        waiting += [each for each in callees(study, function.unit, function.node) if each.node not in found]
    return found
