"""What parameters of functions stand for when a caller gives nothing, and which of them outsiders give."""

from __future__ import annotations

import ast

from auditor.forensics.library_models.request_handlers import request_handlers
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scope_bindings import SELF_NAMES, FunctionNode, parameter_defaults
from auditor.forensics.python.scoped_nodes import Scope, child_nodes
from auditor.row_tables import by_name, names_of


def parameter_default(expression: ast.expr | None, scope: Scope) -> ast.expr | None:
    """The default of the parameter that a name stands for; None for other names, and without one."""
    if not isinstance(expression, ast.Name):
        return None
    function = function_of_parameter(expression.id, scope)
    return parameter_defaults(function.args).get(expression.id) if function is not None else None


def function_of_parameter(name: str, scope: Scope) -> FunctionNode | None:
    """The enclosing function of which a name is a parameter that is not bound again."""
    place: Scope | None = scope
    while place is not None:
        node = place.node
        bound = place.bindings().get(name)
        if bound:
            is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            return node if is_function and len(bound) == 1 and name in parameter_names(node) else None  # type: ignore[arg-type, return-value]
        place = place.parent
    return None


def parameter_names(function: FunctionNode) -> list[str]:
    """The names of all parameters in order, those that take what is left over last."""
    own = function.args
    every = (*own.posonlyargs, *own.args, *own.kwonlyargs, *filter(None, (own.vararg, own.kwarg)))
    return [each.arg for each in every]


_ROWS = request_handlers()
_ROUTE_DECORATORS = names_of(_ROWS.route_decorators)
"""Decorators that give a function the requests of outsiders."""
_PLATFORM_HANDLERS = {name: row.parameter for name, row in by_name(_ROWS.platform_handlers).items()}
"""Functions that a platform calls with what outsiders sent, by a name that everybody gives them."""
_INPUT_FUNCTIONS = names_of(_ROWS.input_functions)
_MAX_STEPS = 40
"""Nodes that are looked at for one expression, those behind its names among them."""


def is_untrusted(module: Module, expression: ast.expr | None, scope: Scope) -> bool:
    """Does a part of an expression hold input from a request, the command line or the keyboard?"""
    waiting: list[tuple[ast.AST, Scope]] = [(expression, scope)] if expression is not None else []
    for _ in range(_MAX_STEPS):
        if not waiting:
            return False
        each, place = waiting.pop()
        if isinstance(each, ast.Name):
            if _is_untrusted_name(module, each, place):
                return True
            found = module.lookup(each.id, place)
            waiting += [(found[0].value, found[1])] if found is not None and found[0].value is not None else []
        elif _reads_untrusted_input(module, each, place):
            return True
        waiting += [(inner, place) for inner in child_nodes(each)]
    return False


def _reads_untrusted_input(module: Module, each: ast.AST, scope: Scope) -> bool:
    if isinstance(each, ast.Attribute):
        return each.attr == "request" or (each.attr == "argv" and module.resolve(each, scope) == "sys.argv")
    return isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in _INPUT_FUNCTIONS


def _is_untrusted_name(module: Module, name: ast.Name, scope: Scope) -> bool:
    function = function_of_parameter(name.id, scope)
    if function is not None:
        return name.id == "request" or _is_request_parameter(function, name.id)
    found = module.lookup(name.id, scope)
    return found is not None and found[0].qualified_name in {
        "flask.request",
        "quart.request",
        "bottle.request",
        "sys.argv",
    }


def _is_request_parameter(function: FunctionNode, name: str) -> bool:
    """Is a parameter filled from requests: in a function with a route, or one that a platform calls?"""
    if _PLATFORM_HANDLERS.get(function.name) == name:
        return True
    for each in function.decorator_list:
        called = each.func if isinstance(each, ast.Call) else each
        if isinstance(called, ast.Attribute) and called.attr in _ROUTE_DECORATORS and isinstance(each, ast.Call):
            return name not in SELF_NAMES
    return False
