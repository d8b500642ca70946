"""Short expressions and statements of Python in one spelling, within a budget of nodes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

_MAX_NODES = 200
_ELLIPSIS = "..."


def render(node: ast.AST | None) -> str:
    """The code of a node, constants with single quotes; what is beyond the budget is `...`."""
    return "" if node is None else _Renderer().render(node)


class _Renderer:
    def __init__(self) -> None:
        self._left = _MAX_NODES

    def render(self, node: ast.AST) -> str:
        self._left -= 1
        if self._left < 0:
            return _ELLIPSIS
        form = _FORMS.get(type(node))
        if form is not None:
            return form(self, node)
        children = " ".join(self.render(each) for each in ast.iter_child_nodes(node) if self._left > 0)
        return f"{type(node).__name__} {children}"

    def attribute(self, node: ast.Attribute) -> str:
        return f"{self.render(node.value)}.{node.attr}"

    def call(self, node: ast.Call) -> str:
        given = [self.render(each) for each in node.args]
        given += [f"{each.arg or '**'}={self.render(each.value)}" for each in node.keywords]
        return f"{self.render(node.func)}({', '.join(given)})"

    def subscript(self, node: ast.Subscript) -> str:
        return f"{self.render(node.value)}[{self.render(node.slice)}]"

    def slice(self, node: ast.Slice) -> str:
        low, high = (self.render(each) if each is not None else "" for each in (node.lower, node.upper))
        return f"{low}:{high}"

    def sequence(self, node: ast.List | ast.Tuple) -> str:
        inner = ", ".join(self.render(each) for each in node.elts)
        return f"[{inner}]" if isinstance(node, ast.List) else f"({inner})"

    def negation(self, node: ast.UnaryOp) -> str:
        sign = "not " if isinstance(node.op, ast.Not) else "-"
        return f"{sign}{self.render(node.operand)}"

    def assignment(self, node: ast.Assign) -> str:
        return f"{self.render(node.targets[0])} = {self.render(node.value)}"

    def deletion(self, node: ast.Delete) -> str:
        return f"del {', '.join(self.render(each) for each in node.targets)}"

    def raising(self, node: ast.Raise) -> str:
        return f"raise {self.render(node.exc)}" if node.exc is not None else "raise"


_FORMS: Mapping[type[ast.AST], Callable[[Any, Any], str]] = {
    ast.Name: lambda _, node: node.id,
    ast.Constant: lambda _, node: repr(node.value),
    ast.Expr: lambda own, node: own.render(node.value),
    ast.Attribute: _Renderer.attribute,
    ast.Call: _Renderer.call,
    ast.Subscript: _Renderer.subscript,
    ast.Slice: _Renderer.slice,
    ast.List: _Renderer.sequence,
    ast.Tuple: _Renderer.sequence,
    ast.UnaryOp: _Renderer.negation,
    ast.Assign: _Renderer.assignment,
    ast.Delete: _Renderer.deletion,
    ast.Raise: _Renderer.raising,
}
