"""Other names that a file gives to what it imports or makes, by the last part of the name they stand for.

Names are collected without asking what they mean where: a call under one of them is then resolved properly. A name
too many costs a look, one too few would hide a call.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.forensics.module import Module

KINDS = frozenset({ast.ImportFrom, ast.Import, ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.withitem})
"""Nodes that give names to things that have one."""
_UNTOLD = "?"
"""Stands for the last part of a name that is made at run time."""
_MAX_WRAPPERS = 20


def other_names(module: Module, words: frozenset[str]) -> frozenset[str]:
    """Every name given to something that ends in one of the words, also by way of each other: `import ... as`, `run = subprocess.run`."""
    given = _given(module)
    names: set[str] = set()
    waiting = [_UNTOLD, *words.intersection(given)]
    while waiting:
        new: set[str] = given.get(waiting.pop(), set()) - names
        names |= new
        waiting += new
    return frozenset(names)


def known_names(module: Module, words: frozenset[str]) -> frozenset[str]:
    """The same, worked out once a file."""
    kept = module.memory.get(("aliases", words))
    if not isinstance(kept, frozenset):
        kept = module.memory["aliases", words] = other_names(module, words)
    return kept


def may_be(module: Module, expression: ast.expr | None, words: frozenset[str]) -> bool:
    """Can an expression stand for something whose name ends in one of the words? A quick look that never says no wrongly."""
    if isinstance(expression, ast.Name):
        return expression.id in words or expression.id in known_names(module, words)
    return not isinstance(expression, ast.Attribute) or expression.attr in words or _is_self(expression.value)


def _is_self(owner: ast.expr) -> bool:
    """Attributes of `self` are names of their own, and not collected here."""
    return isinstance(owner, ast.Name) and owner.id == "self"


def _given(module: Module) -> Mapping[str, set[str]]:
    """Last part of what is named -> the names given to it; worked out once a file."""
    kept = module.memory.get("aliases")
    if not isinstance(kept, dict):
        kept = module.memory["aliases"] = _collected(module)
    return kept


def _collected(module: Module) -> dict[str, set[str]]:
    given: defaultdict[str, set[str]] = defaultdict(set)
    for node, _ in (*module.nodes[ast.ImportFrom], *module.nodes[ast.Import]):
        for alias in node.names:
            if alias.asname:
                given[alias.name.rpartition(".")[2]].add(alias.asname)
    for kind, target_of, value_of in _ASSIGNMENTS:
        for node, _ in module.nodes[kind]:
            value = getattr(node, value_of)
            if type(value) not in _NAMING or (last := _last(value)) is None:
                continue
            targets = getattr(node, target_of)
            for target in targets if type(targets) is list else (targets,):
                if type(target) is ast.Name:
                    given[last].add(target.id)
    return dict(given)


_ASSIGNMENTS: tuple[tuple[type[ast.AST], str, str], ...] = (
    (ast.Assign, "targets", "value"),
    (ast.AnnAssign, "target", "value"),
    (ast.NamedExpr, "target", "value"),
    (ast.withitem, "optional_vars", "context_expr"),
)


_NAMING = frozenset({ast.Call, ast.Attribute, ast.Name, ast.Subscript, ast.NamedExpr})
"""Kinds of values that a name may lead to."""


def _last(value: Any) -> str | None:
    """The last part of what an expression names, calls or takes by name; None for what no name leads to."""
    for _ in range(_MAX_WRAPPERS):
        kind = type(value)
        if kind is ast.Call:
            func = value.func
            name = func.attr if type(func) is ast.Attribute else func.id if type(func) is ast.Name else ""
            if name == "getattr":
                return _member(value)
            value = value.args[0] if name == "partial" and value.args else func
        elif kind is ast.Attribute:
            return str(value.attr)
        elif kind is ast.Name:
            return str(value.id)
        elif kind is ast.Subscript:
            return _taken(value)
        elif kind is ast.NamedExpr:
            value = value.value
        else:
            return None
    return _UNTOLD


def _member(call: ast.Call) -> str:
    """What `getattr` takes, as far as it is written out."""
    asked = call.args[1] if len(call.args) > 1 else None
    return asked.value if isinstance(asked, ast.Constant) and isinstance(asked.value, str) else _UNTOLD


def _taken(subscript: ast.Subscript) -> str | None:
    """What is taken out of a namespace: `vars(a)["b"]`, `a.__dict__[name]`, `__builtins__["b"]`."""
    key = subscript.slice
    if isinstance(key, ast.Constant):
        return key.value if isinstance(key.value, str) else None
    owner = subscript.value
    named = owner.func if isinstance(owner, ast.Call) else owner
    last = named.attr if isinstance(named, ast.Attribute) else named.id if isinstance(named, ast.Name) else ""
    return _UNTOLD if last in {"vars", "__dict__", "__builtins__", "modules"} else None
