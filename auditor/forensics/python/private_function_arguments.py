"""What the callers of a private function give it: where all of them are in its file, its parameters are no secret."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.library_models.function_values import function_values
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.parameter_values import function_of_parameter, is_untrusted, parameter_default
from auditor.forensics.python.scope_bindings import SELF_NAMES, FunctionNode, last_name
from auditor.forensics.python.scoped_nodes import Scope
from auditor.row_tables import names_of

_MAX_CALLS = 40
"""Calls of one function that are looked at; one that is called more often is not followed."""


def arguments_from_callers(module: Module, name: str, scope: Scope) -> list[tuple[ast.expr, Scope]]:
    """The arguments for a parameter, call by call; none where the function may be called elsewhere.

    A function counts as private by the line before its name, because it is inside another one, or because its file is a
    script; and only while its name is used nowhere in the file but in calls, and no decorator passes it on.
    """
    function = function_of_parameter(name, scope)
    if (
        function is None
        or not _is_private(module, function)
        or name in SELF_NAMES
        or _may_be_rebound(module, function, name)
    ):
        return []
    calls = module.calls.get(function.name, ())
    if not calls or len(calls) > _MAX_CALLS or _word_counts(module)[function.name] != len(calls) + 1:
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
    if function is None or name in SELF_NAMES:
        return False
    return _is_given_untrusted_input(module, function, name)


@remembered
def _is_given_untrusted_input(module: Module, function: FunctionNode, name: str) -> bool:
    return name not in _tested_names(module, function) and any(_untrusted_arguments(module, function, name))


def _untrusted_arguments(module: Module, function: FunctionNode, name: str) -> Iterator[bool]:
    """Call by call, what is given for a parameter: a method is called on what it belongs to, a function by its name alone."""
    belongs = [each.arg for each in function.args.args[:1]] in (["self"], ["cls"])
    calls = [each for each in module.calls.get(function.name, ()) if isinstance(each[0].func, ast.Attribute) is belongs]
    for call, place in calls[:_MAX_CALLS]:
        value = argument_for(call, function, name, None)
        if not (isinstance(value, ast.Name) and value.id in _tested_names(module, place.node)):
            yield is_untrusted(module, value, place)


@remembered
def _tested_names(_module: Module, function: ast.AST) -> frozenset[str]:
    """The names whose membership among some values a function tests."""
    return frozenset(
        each.left.id
        for each in ast.walk(function)
        if isinstance(each, ast.Compare)
        and isinstance(each.left, ast.Name)
        and isinstance(each.ops[0], (ast.In, ast.NotIn))
    )


def _is_private(module: Module, function: FunctionNode) -> bool:
    if any(last_name(each) not in _TRANSPARENT_DECORATORS for each in function.decorator_list):
        return False
    if function.name.startswith("_") and not function.name.endswith("__"):
        return True
    return id(function) in _nested_functions(module) or (module.lines[:1] or [""])[0].startswith("#!")


@remembered
def _nested_functions(module: Module) -> frozenset[int]:
    """The functions of a file that are inside others."""
    return frozenset(id(each.node) for each in module.scopes if each.is_nested)


_TRANSPARENT_DECORATORS = names_of(function_values().transparent_decorators)
"""Decorators after which a function is called by those who name it, and by nobody else."""


def _may_be_rebound(module: Module, function: FunctionNode, name: str) -> bool:
    """Does it hold variadic arguments, or can a nested function rebind it?"""
    if name in {each.arg for each in (function.args.vararg, function.args.kwarg) if each is not None}:
        return True
    return name in _nonlocal_names(module)


@remembered
def _nonlocal_names(module: Module) -> frozenset[str]:
    told = re.findall(r"\bnonlocal\b([^\n]*)", module.plain)
    return frozenset(word for each in told for word in re.findall(r"\w+", each))


@remembered
def _word_counts(module: Module) -> Counter[str]:
    """How often each word is in the file."""
    return Counter(re.findall(r"\w+", module.plain))


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
    return isinstance(called, ast.Name) and called.id in SELF_NAMES
