"""What the callers of a private function give it: where all of them stand in its file, its parameters are no secret."""

from __future__ import annotations

import ast
import re
from collections import Counter

from auditor.forensics.bindings import FunctionNode
from auditor.forensics.module import Module, Scope
from auditor.forensics.parameters import default_of, function_with, parameters

_MOST_CALLS = 40
"""Calls of one function that are looked at; of one that is called more often nothing is told."""


def given_by_callers(module: Module, name: str, scope: Scope) -> list[tuple[ast.expr, Scope]]:
    """What a parameter is given, call by call; nothing where the function may be called elsewhere, or a call does not tell.

    A function counts as private by the line before its name, or because it stands inside another one; and only while its
    name stands nowhere in the file but where it is called.
    """
    function = function_with(name, scope)
    if function is None or not _is_private(module, function) or name in {"self", "cls"}:
        return []
    calls = module.calls.get(function.name, ())
    if not calls or len(calls) > _MOST_CALLS or _mentions(module, function.name) != len(calls) + 1:
        return []
    default = default_of(ast.Name(name, ast.Load()), scope)
    given = [(_argument(call, function, name) or default, place) for call, place in calls]
    told = [(value, place) for value, place in given if value is not None]
    return told if len(told) == len(given) else []


def _is_private(module: Module, function: FunctionNode) -> bool:
    return (function.name.startswith("_") and not function.name.endswith("__")) or id(function) in _nested(module)


def _nested(module: Module) -> frozenset[int]:
    """The functions of a file that stand inside others; worked out once."""
    known = module.memory.get("callers.nested")
    if not isinstance(known, frozenset):
        known = module.memory["callers.nested"] = frozenset(id(each.node) for each in module.scopes if each.nested)
    return known


def _mentions(module: Module, name: str) -> int:
    """How often a name stands in the file; all words are counted once."""
    known = module.memory.get("callers.words")
    if not isinstance(known, Counter):
        known = module.memory["callers.words"] = Counter(re.findall(r"\w+", module.plain))
    return known[name]


def _argument(call: ast.Call, function: FunctionNode, name: str) -> ast.expr | None:
    """What a call gives a parameter, by its name or its place; nothing where something is spread before it."""
    if any(each.arg is None for each in call.keywords):
        return None
    for each in call.keywords:
        if each.arg == name:
            return each.value
    names = parameters(function)
    bound = isinstance(call.func, ast.Attribute) and names[:1] in (["self"], ["cls"])
    at = names.index(name) - bound
    before = call.args[: at + 1]
    spread = any(isinstance(each, ast.Starred) for each in before)
    return before[at] if 0 <= at < len(before) and not spread else None
