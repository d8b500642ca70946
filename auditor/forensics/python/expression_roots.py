"""The name that an expression begins with, and the last part of the one that it ends with, also behind indirect calls."""

from __future__ import annotations

import ast
from typing import Any

from auditor.forensics.python.scope_bindings import (
    ARGUMENT_RETURNERS,
    REFLECTING_ATTRIBUTES,
    SELF_NAMES,
    callee_name,
    text_constant,
)

DYNAMIC_NAME = "?"
"""Stands for the last part of a name that is made at run time."""
_MAX_WRAPPERS = 20


def root_and_last_part(value: Any) -> tuple[str, str | None]:
    """What an expression hangs on, and the last part of what it names: for most of them at a glance."""
    called = type(value) is ast.Call
    named = value.func if called else value
    if type(named) is ast.Name and not (called and named.id in INDIRECT_CALLS):
        return named.id, named.id
    if (
        type(named) is ast.Attribute
        and type(named.value) is ast.Name
        and named.attr not in _TRANSPARENT_ATTRIBUTES[called]
        and named.attr not in _LEADING_ANYWHERE
    ):
        owner = named.value.id
        return (owner if owner not in SELF_NAMES else f"self.{named.attr}"), named.attr
    return root_of(value), last_part_of(value)


REFERENCE_NODES = frozenset({ast.Call, ast.Attribute, ast.Name, ast.Subscript, ast.NamedExpr})
"""Kinds of values that a name may lead to."""


def last_part_of(value: Any) -> str | None:
    """The last part of what an expression names, calls or takes by name; None for what no name leads to."""
    for _ in range(_MAX_WRAPPERS):
        kind = type(value)
        if kind is ast.Call:
            func = value.func
            name = func.attr if type(func) is ast.Attribute else func.id if type(func) is ast.Name else ""
            if name in _MEMBER_POSITIONS:
                return _taken_member(value, _MEMBER_POSITIONS[name])
            value = value.args[0] if name in ARGUMENT_RETURNERS and value.args else func
        elif kind is ast.Attribute:
            if value.attr != "__call__":
                return str(value.attr)
            value = value.value
        elif kind is ast.Name:
            return str(value.id)
        elif kind is ast.Subscript:
            return _namespace_member(value)
        elif kind is ast.NamedExpr:
            value = value.value
        else:
            return None
    return DYNAMIC_NAME


_MAX_STEPS = 100


def root_of(value: Any) -> str:
    """The name, or attribute of `self`, that an expression starts from; empty where no name leads to it."""
    for _ in range(_MAX_STEPS):
        kind = type(value)
        if kind is ast.Attribute:
            owner = value.value
            if type(owner) is ast.Name or value.attr in _LEADING_ANYWHERE:
                return _attribute_root(value)
            value = owner
        elif kind is ast.Name:
            return str(value.id)
        elif kind is ast.Call:
            func = value.func
            name = func.attr if type(func) is ast.Attribute else func.id if type(func) is ast.Name else ""
            if name in _IMPORT_CALLS or (name == "type" and len(value.args) == 1):
                return DYNAMIC_NAME
            place = _OWNER_POSITIONS.get(name, 0)
            value = value.args[place] if name in INDIRECT_CALLS and len(value.args) > place else func
        elif kind is ast.Subscript:
            owner = value.value
            if type(owner) is ast.Attribute and owner.attr == "modules":
                return DYNAMIC_NAME
            value = owner
        elif kind is ast.NamedExpr:
            value = value.value
        else:
            return ""
    return DYNAMIC_NAME


def _attribute_root(taken: Any) -> str:
    """What an attribute of a name starts from, or one that may lead anywhere."""
    if taken.attr in _LEADING_ANYWHERE:
        return DYNAMIC_NAME
    owner = taken.value.id
    return str(owner) if owner not in SELF_NAMES else f"self.{taken.attr}"


_LEADING_ANYWHERE = REFLECTING_ATTRIBUTES | {"__globals__"}
_IMPORT_CALLS = frozenset({"__import__", "import_module"})
_WRAPPER_CALLS = frozenset({"getattr", "vars", *ARGUMENT_RETURNERS})
"""Calls that give back their first argument, or a member of it."""
_MEMBER_POSITIONS = {"getattr": 1, "methodcaller": 0, "reduce": 1}
"""Calls that take a member by its name, and the position of the name; of several names none is written out."""
_OWNER_POSITIONS = {"reduce": 2}
"""The position of what it is taken from, where that is not the first: `reduce(getattr, names, owner)`."""
INDIRECT_CALLS = _IMPORT_CALLS | _WRAPPER_CALLS | _MEMBER_POSITIONS.keys()
_TRANSPARENT_ATTRIBUTES = (frozenset({"__call__"}), INDIRECT_CALLS | {"__call__"})
"""Attributes, taken and called, that are not the last part of what something stands for: calling it by that name is calling it."""


def _taken_member(call: ast.Call, position: int) -> str:
    """What `getattr` takes, or a `methodcaller` calls, as far as it is written out."""
    asked = call.args[position] if len(call.args) > position else None
    return DYNAMIC_NAME if (named := text_constant(asked)) is None else named


def _namespace_member(subscript: ast.Subscript) -> str | None:
    """What is taken out of a namespace: `vars(a)["b"]`, `a.__dict__[name]`, `__builtins__["b"]`."""
    key, table = subscript.slice, subscript.value
    if type(table) is ast.Name and table.id != "__builtins__":
        return table.id  # the table tells what may be taken out of it
    if isinstance(key, ast.Constant):
        return key.value if isinstance(key.value, str) else None
    return DYNAMIC_NAME if callee_name(subscript.value) in {"vars", "__dict__", "__builtins__", "modules"} else None
