"""What an assignment does to names, items and attributes."""

from __future__ import annotations

import ast

from auditor.forensics.agent_systems.abstract_interpreter import Interpreter
from auditor.forensics.agent_systems.abstract_values import (
    Class,
    Const,
    Instance,
    Item,
    Map,
    ModuleValue,
    Seq,
    Unknown,
    Value,
)
from auditor.forensics.agent_systems.call_frames import Frame
from auditor.forensics.agent_systems.value_contents import choice, options


def assign(run: Interpreter, target: ast.expr, value: Value, frame: Frame) -> None:
    """Let a target stand for a value."""
    if isinstance(target, ast.Name):
        frame.env.bind(target.id, Unknown(target.id) if _is_rebound_global(target.id, frame) else value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(run, target.elts, value, frame)
    elif isinstance(target, ast.Attribute):
        _set_attribute(run.value(target.value, frame), target.attr, value, frame)
    elif isinstance(target, ast.Subscript):
        holder = run.value(target.value, frame)
        if isinstance(holder, Map):
            holder.put(run.value(target.slice, frame), value)
    elif isinstance(target, ast.Starred):
        assign(run, target.value, value if isinstance(value, Seq) else Unknown(), frame)


def _is_rebound_global(name: str, frame: Frame) -> bool:
    """Is it a module-level name that some function writes to?"""
    return isinstance(frame.node, ast.Module) and name in frame.unit.rebound_globals


def _unpack(run: Interpreter, targets: list[ast.expr], value: Value, frame: Frame) -> None:
    items = value.items if isinstance(value, Seq) and not value.open else None
    star = next((number for number, each in enumerate(targets) if isinstance(each, ast.Starred)), None)
    if items is not None and star is not None and len(items) >= len(targets) - 1:
        after = len(targets) - star - 1
        middle: Value = Seq(items[star : len(items) - after])
        items = [*items[:star], middle, *items[len(items) - after :]]
    if items is not None and len(items) == len(targets):
        for target, item in zip(targets, items, strict=True):
            assign(run, target, item, frame)
        return
    for number, target in enumerate(targets):
        assign(run, target, Item(value, Const(number)), frame)


def _set_attribute(holder: Value, name: str, value: Value, frame: Frame) -> None:
    for each in options(holder):
        if isinstance(each, Instance):
            old = each.attrs.get(name)
            each.attrs[name] = choice(old, value) if frame.branches and old is not None else value
        elif isinstance(each, Class):
            each.env.names[name] = value
        elif isinstance(each, Map) and frame.unit.is_script:
            each.put(Const(name), value)
        elif isinstance(each, ModuleValue):
            pass  # another module's name; what that module says of it stands
