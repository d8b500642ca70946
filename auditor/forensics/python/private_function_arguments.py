"""What the callers of a private function give it: where all of them are in its file, its parameters are no secret."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from auditor.forensics.library_models.function_values import function_values
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.parameter_values import function_of_parameter, is_untrusted, parameter_default
from auditor.forensics.python.scope_bindings import FunctionNode, last_name
from auditor.forensics.python.scoped_nodes import Scope
from auditor.row_tables import names_of

_MAX_CALLS = 40
"""Calls of one function that are looked at; of one that is called more often nothing is told."""


def arguments_from_callers(module: Module, name: str, scope: Scope) -> list[tuple[ast.expr, Scope]]:
    """The arguments for a parameter, call by call; none where the function may be called elsewhere.

    A function counts as private by the line before its name, or because it stands inside another one; and only while its
    name stands nowhere in the file but where it is called, and no decorator hands it to somebody else.
    """
    function = function_of_parameter(name, scope)
    if (
        function is None
        or not _is_private(module, function)
        or name in {"self", "cls"}
        or _may_be_rebound(module, function, name)
    ):
        return []
    calls = module.calls.get(function.name, ())
    if not calls or len(calls) > _MAX_CALLS or _count_mentions(module, function.name) != len(calls) + 1:
        return []
    default = parameter_default(ast.Name(name, ast.Load()), scope)
    given = [(argument_for(call, function, name, default), place) for call, place in calls]
    told = [(value, place) for value, place in given if value is not None]
    return told if len(told) == len(given) else []


def is_untrusted_by_callers(module: Module, expression: ast.expr | None, scope: Scope) -> bool:
    """Does a caller in the file pass untrusted input for a parameter that the expression holds?

    Not where either of them asks first whether it is among some values.
    """
    if isinstance(expression, ast.Name) and function_of_parameter(expression.id, scope) is None:
        found = module.lookup(expression.id, scope)
        expression, scope = (found[0].value, found[1]) if found is not None else (None, scope)
    if expression is None:
        return False
    names = {each.id for each in islice(ast.walk(expression), _MAX_NODES) if isinstance(each, ast.Name)}
    return any(_receives_untrusted_input(module, name, scope) for name in sorted(names))


_MAX_NODES = 20


def _receives_untrusted_input(module: Module, name: str, scope: Scope) -> bool:
    function = function_of_parameter(name, scope)
    if function is None or name in {"self", "cls"}:
        return False
    place = f"callers.outside.{id(function)}.{name}"  # asked once, however many times it is used
    if place not in module.memory:
        asked = _is_membership_tested(module, function, name)
        module.memory[place] = not asked and any(_untrusted_arguments(module, function, name))
    return module.memory[place] is True


def _untrusted_arguments(module: Module, function: FunctionNode, name: str) -> Iterator[bool]:
    """Call by call, what is given for a parameter: a method is called on what it belongs to, a function by its name alone."""
    belongs = [each.arg for each in function.args.args[:1]] in (["self"], ["cls"])
    calls = [each for each in module.calls.get(function.name, ()) if isinstance(each[0].func, ast.Attribute) is belongs]
    for call, place in calls[:_MAX_CALLS]:
        value = argument_for(call, function, name, None)
        if not (isinstance(value, ast.Name) and _is_membership_tested(module, place.node, value.id)):
            yield is_untrusted(module, value, place)


def _is_membership_tested(module: Module, function: ast.AST, name: str) -> bool:
    """Is the membership of a name among some values tested? A function is searched once."""
    place = f"callers.asked.{id(function)}"
    known = module.memory.get(place)
    if not isinstance(known, frozenset):
        known = module.memory[place] = frozenset(
            each.left.id
            for each in ast.walk(function)
            if isinstance(each, ast.Compare)
            and isinstance(each.left, ast.Name)
            and isinstance(each.ops[0], (ast.In, ast.NotIn))
        )
    return name in known


def _is_private(module: Module, function: FunctionNode) -> bool:
    if any(last_name(each) not in _TRANSPARENT_DECORATORS for each in function.decorator_list):
        return False
    return (function.name.startswith("_") and not function.name.endswith("__")) or id(function) in _nested_functions(
        module
    )


def _nested_functions(module: Module) -> frozenset[int]:
    """The functions of a file that are inside others; worked out once."""
    known = module.memory.get("callers.nested")
    if not isinstance(known, frozenset):
        known = module.memory["callers.nested"] = frozenset(id(each.node) for each in module.scopes if each.is_nested)
    return known


_TRANSPARENT_DECORATORS = names_of(function_values().transparent_decorators)
"""Decorators after which a function is called by those who name it, and by nobody else."""


def _may_be_rebound(module: Module, function: FunctionNode, name: str) -> bool:
    """Does it hold variadic arguments, or can a nested function rebind it?"""
    if name in {each.arg for each in (function.args.vararg, function.args.kwarg) if each is not None}:
        return True
    known = module.memory.get("callers.nonlocal")
    if not isinstance(known, frozenset):
        told = re.findall(r"\bnonlocal\b([^\n]*)", module.plain)
        known = module.memory["callers.nonlocal"] = frozenset(
            word for each in told for word in re.findall(r"\w+", each)
        )
    return name in known


def _count_mentions(module: Module, name: str) -> int:
    """How often a name is in the file; all words are counted once."""
    known = module.memory.get("callers.words")
    if not isinstance(known, Counter):
        known = module.memory["callers.words"] = Counter(re.findall(r"\w+", module.plain))
    return known[name]


def is_method(function: FunctionNode) -> bool:
    """Does a function take its instance or class first?"""
    return [each.arg for each in (*function.args.posonlyargs, *function.args.args)[:1]] in (["self"], ["cls"])


def argument_for(call: ast.Call, function: FunctionNode, name: str, default: ast.expr | None = None) -> ast.expr | None:
    """The argument that a call passes for a parameter, else the default; None where that is not known."""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    bound = isinstance(call.func, ast.Attribute) and names[:1] in (["self"], ["cls"])
    if any(each.arg is None for each in call.keywords) or (bound and not _is_self_method(call.func)):
        return None
    for each in call.keywords:
        if each.arg == name:
            return each.value
    at = names.index(name) - bound if name in names else len(call.args)
    if any(isinstance(each, ast.Starred) for each in call.args[: at + 1]):
        return None
    return call.args[at] if 0 <= at < len(call.args) else default


def _is_self_method(called: ast.expr) -> bool:
    """Is it a method of an object, and not of a class, which is given the object as well?"""
    while isinstance(called, ast.Attribute):
        called = called.value
    return isinstance(called, ast.Name) and called.id in {"self", "cls"}
