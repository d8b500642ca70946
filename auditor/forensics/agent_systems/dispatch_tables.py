"""Functions that code calls without naming them at the call: out of a table, or passed on to be called.

A tuple, list or dictionary of functions stands for all of them wherever its entries are taken out and used; a function
that is put into a table or given to a call may be called by whoever takes it. Counting a table or printing it calls
nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.forensics.agent_systems.abstract_values import Class, Function, Instance, Map, Seq, Value
from auditor.forensics.agent_systems.call_frames import Frame
from auditor.forensics.agent_systems.class_members import find_method
from auditor.forensics.agent_systems.library_names import known_names
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.parsed_unit import Unit
from auditor.forensics.agent_systems.syntax_queries import descendants
from auditor.forensics.agent_systems.value_contents import walk

_CONTAINER_NODES = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Starred, ast.keyword, ast.Return, ast.Assign, ast.AnnAssign, ast.BoolOp, ast.IfExp,
            ast.NamedExpr, ast.Yield, ast.YieldFrom)  # fmt: skip
_LOOPS = (ast.For, ast.AsyncFor, ast.comprehension)
_MAX_ENTRIES = 400


def dispatched_functions(study: ProgramStudy, unit: Unit, node: ast.AST) -> Iterator[Function]:
    """Functions that a function takes from tables or hands on, in the order of the code."""
    frame = Frame(unit, unit.tree, study.run.module(unit))
    parts = list(descendants(node))
    methods = {each.func.attr for each in parts if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)}
    for each in parts:
        if (
            isinstance(each, (ast.Name, ast.Attribute))
            and isinstance(each.ctx, ast.Load)
            and _may_be_called(unit, each)
        ):
            yield from _functions_in_table(study, _table_value(study, unit, each, frame), methods)


def calls_unknown_function(study: ProgramStudy, unit: Unit, node: ast.AST) -> bool:
    """Does a function call something that is only known at run time: an entry of a table nobody can read, a name assembled?"""
    frame = Frame(unit, unit.tree, study.run.module(unit))
    parts = list(descendants(node))
    called = {each.func.id for each in parts if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)}
    for each in parts:
        if isinstance(each, ast.Call) and isinstance(each.func, (ast.Subscript, ast.Call)):
            base = each.func.value if isinstance(each.func, ast.Subscript) else each.func
            if not any(_functions_in_table(study, study.run.value(base, frame), set())):
                return True
        if isinstance(each, _LOOPS) and called & _target_names(each.target):
            source = each.iter
            while isinstance(source, (ast.Call, ast.Attribute)) and not _is_opaque_call(source):
                source = source.func if isinstance(source, ast.Call) else source.value
            if not any(_functions_in_table(study, study.run.value(source, frame), set())):
                return True
    return False


def _is_opaque_call(source: ast.expr) -> bool:
    """Is it something else than a table's own `items()` or `values()`?"""
    func = source.func if isinstance(source, ast.Call) else source
    return not (isinstance(func, ast.Attribute) and func.attr in {"items", "values"})


def _may_be_called(unit: Unit, name: ast.expr) -> bool:
    """Is what a name stands for taken apart, or given to somebody who may call it?"""
    parent = unit.parents.get(name)
    if isinstance(parent, _LOOPS):
        return parent.iter is name and _calls_entries(unit, parent)
    if isinstance(parent, ast.Attribute) and parent.attr in {"values", "items", "get", "pop", "__getitem__"}:
        loop = unit.parents.get(unit.parents.get(parent, parent))
        return _calls_entries(unit, loop) if isinstance(loop, _LOOPS) else True
    if isinstance(parent, ast.Subscript):
        return parent.value is name
    if isinstance(parent, ast.Call):
        return name is not parent.func and getattr(parent.func, "id", "") not in known_names("inspecting_calls")
    return isinstance(parent, _CONTAINER_NODES) and name is not getattr(parent, "annotation", None)


def _calls_entries(unit: Unit, loop: ast.For | ast.AsyncFor | ast.comprehension) -> bool:
    """Does a loop do more with an entry than ask for its name?"""
    names = _target_names(loop.target)
    around = loop if not isinstance(loop, ast.comprehension) else unit.parents[loop]
    for each in descendants(around):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id in names:
            parent = unit.parents.get(each)
            asked = parent.attr if isinstance(parent, ast.Attribute) else ""
            shown = isinstance(parent, (ast.FormattedValue, ast.Compare)) or (
                isinstance(parent, ast.Call)
                and each is not parent.func
                and getattr(parent.func, "id", "") in known_names("inspecting_calls")
            )
            if not asked.startswith("__") and not shown:
                return True
    return False


def _target_names(target: ast.AST) -> set[str]:
    return {each.id for each in descendants(target) if isinstance(each, ast.Name)}


def _table_value(study: ProgramStudy, unit: Unit, name: ast.Name | ast.Attribute, frame: Frame) -> Value:
    """What a name stands for; `self.rules` by what the class or its `__init__` says."""
    if isinstance(name, ast.Attribute) and isinstance(name.value, ast.Name) and name.value.id in {"self", "cls"}:
        cls = unit.class_of(name)
        found = study.run.member(unit, cls.name) if cls is not None else None
        if isinstance(found, Class):
            owned = found.env.names.get(name.attr)
            made = study.instances.get(found.node)
            known = owned or (made.attrs.get(name.attr) if made is not None else None)
            if known is not None:
                return known
    return study.run.value(name, frame)


def _functions_in_table(study: ProgramStudy, value: Value, methods: set[str]) -> Iterator[Function]:
    """A function, or those in a table; of objects in a table, the methods that are called there."""
    for part in walk(value, lambda each: isinstance(each, (Seq, Map)), limit=_MAX_ENTRIES):
        if isinstance(part, Function):
            yield part
        elif isinstance(part, Instance) and part is not value:
            for name in sorted(methods):
                method = find_method(study.run, part, name)
                if isinstance(method, Function):
                    yield method
