"""What parameters of functions stand for when a caller gives nothing, and which of them outsiders give."""

from __future__ import annotations

import ast

from auditor.forensics.bindings import FunctionNode
from auditor.forensics.module import Scope


def default_of(expression: ast.expr | None, scope: Scope) -> ast.expr | None:
    """The default of the parameter that a name stands for; None for other names, and without one."""
    if not isinstance(expression, ast.Name):
        return None
    function = function_with(expression.id, scope)
    if function is None:
        return None
    own = function.args
    names = [each.arg for each in (*own.posonlyargs, *own.args)]
    defaults = dict(zip(reversed(names), reversed(own.defaults), strict=False))
    more = {each.arg: default for each, default in zip(own.kwonlyargs, own.kw_defaults, strict=True) if default}
    return {**defaults, **more}.get(expression.id)


def function_with(name: str, scope: Scope) -> FunctionNode | None:
    """The function around a place of which a name is a parameter that is not bound again."""
    place: Scope | None = scope
    while place is not None:
        node = place.node
        bound = place.bindings().get(name)
        if bound:
            is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            return node if is_function and len(bound) == 1 and name in parameters(node) else None  # type: ignore[arg-type, return-value]
        place = place.parent
    return None


def parameters(function: FunctionNode) -> list[str]:
    """The names of all parameters in order, those that take what is left over last."""
    own = function.args
    every = (*own.posonlyargs, *own.args, *own.kwonlyargs, *filter(None, (own.vararg, own.kwarg)))
    return [each.arg for each in every]
