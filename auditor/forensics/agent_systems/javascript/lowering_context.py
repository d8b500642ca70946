"""What is known while a script is translated into another form: its text, its scopes, what is before the statement at hand."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 240
"""Expressions inside expressions that are followed."""
MAX_ITEMS = 4_000
"""Parts of one expression that are followed."""
_MAX_TEXT = 200_000
_Made = TypeVar("_Made", bound=ast.expr | ast.stmt | ast.ExceptHandler)
SKIPPED = frozenset({"comment", "ERROR", "hash_bang_line", "empty_statement", "html_comment"})
_OPAQUE = frozenset({"jsx_element", "jsx_self_closing_element", "type_identifier", "class", "meta_property"})


@dataclass
class FunctionScope:
    """Names of one function: those it declares, and those it writes to."""

    declared: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)


@dataclass
class LoweringContext:
    """A script on its way into another form, and the functions that put each kind of syntax into it.

    Expressions hold statements and statements hold expressions, so each asks for the other here, by the kind of the node.
    """

    source: bytes
    expressions: Mapping[str, Callable[[LoweringContext, Node], ast.expr]]
    statements: Mapping[str, Callable[[LoweringContext, Node], list[ast.stmt]]]
    before: list[list[ast.stmt]] = field(default_factory=lambda: [[]])
    """Statements that must run before the one at hand, for each block under way."""
    scopes: list[FunctionScope] = field(default_factory=lambda: [FunctionScope()])
    types: dict[str, Node] = field(default_factory=dict)
    """Type aliases by name."""
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Local name -> module and member it comes from."""
    depth: int = 0
    made: int = 0
    lost: set[int] = field(default_factory=set)
    """Lines where something could not be put into the other form."""

    def value(self, node: Node | None) -> ast.expr:
        """What an expression means."""
        if node is None:
            return ast.Constant(value=None)
        if self.depth >= MAX_DEPTH:
            self.lost.add(node.start_point[0] + 1)
            return self.name(node, "too deep")
        self.depth += 1
        try:
            return self.expressions.get(node.type, _lower_unknown)(self, node)
        finally:
            self.depth -= 1

    def statement(self, node: Node) -> list[ast.stmt]:
        """One statement, after what must run before it."""
        if self.depth >= MAX_DEPTH:
            self.lost.add(node.start_point[0] + 1)
            return []
        self.depth += 1
        self.before.append([])
        try:
            made = self.statements.get(node.type, _lower_to_nothing)(self, node)
            return [*self.before[-1], *made]
        finally:
            self.before.pop()
            self.depth -= 1

    def text(self, node: Node, most: int = _MAX_TEXT) -> str:
        """The source of a node, up to a length."""
        end = min(node.end_byte, node.start_byte + most)
        return self.source[node.start_byte : end].decode("utf-8", errors="replace")

    def at(self, node: Node, made: _Made) -> _Made:
        """Let what was made are where a node is."""
        (made.lineno, made.col_offset), (made.end_lineno, made.end_col_offset) = _position(node)
        return made

    def name(self, node: Node, name: str) -> ast.expr:
        """A name in use at a node."""
        return self.at(node, ast.Name(id=name, ctx=ast.Load()))

    def target(self, node: Node, name: str) -> ast.Name:
        """A name that is given a value at a node."""
        return self.at(node, ast.Name(id=name, ctx=ast.Store()))

    def assign(self, node: Node, name: str, value: ast.expr) -> ast.Assign:
        """What gives a name a value at a node."""
        return self.at(node, ast.Assign(targets=[self.target(node, name)], value=value))

    def constant(self, node: Node, value: str | bytes | bool | int | float | None) -> ast.expr:
        """A constant at a node."""
        return self.at(node, ast.Constant(value=value))

    def call(self, node: Node, func: ast.expr, *args: ast.expr) -> ast.expr:
        """A call at a node."""
        return self.at(node, ast.Call(func=func, args=list(args), keywords=[]))

    def method(self, node: Node, base: ast.expr, name: str, *args: ast.expr) -> ast.expr:
        """A method's call at a node."""
        return self.call(node, self.attribute(node, base, name), *args)

    def attribute(self, node: Node, base: ast.expr, name: str) -> ast.expr:
        """An attribute at a node."""
        return self.at(node, ast.Attribute(value=base, attr=name, ctx=ast.Load()))

    def hidden(self, node: Node, what: str) -> str:
        """A name that no script can use, for what has none."""
        self.made += 1
        return f"{what} on line {node.start_point[0] + 1}{'' if self.made == 1 else f' ({self.made})'}"

    def declare(self, *names: str) -> None:
        """Note that the scope at hand declares names."""
        self.scopes[-1].declared.update(names)


def _lower_unknown(w: LoweringContext, node: Node) -> ast.expr:
    """Something without counterpart; what it holds is still followed."""
    held = [w.value(each) for each in significant_children(node)[:MAX_ITEMS]] if node.type not in _OPAQUE else []
    return w.call(node, w.name(node, node.type), *held) if held else w.name(node, node.type)


def _lower_to_nothing(_w: LoweringContext, _node: Node) -> list[ast.stmt]:
    return []


def _position(node: Node) -> tuple[tuple[int, int], tuple[int, int]]:
    start, end = node.start_point, node.end_point
    return (start[0] + 1, start[1]), (end[0] + 1, end[1])


def significant_children(node: Node) -> list[Node]:
    """The parts of a node that mean something."""
    return [each for each in node.named_children if each.type not in SKIPPED]


def inner_node(node: Node) -> Node | None:
    """What is in brackets, under a type or after `await`."""
    parts = [each for each in significant_children(node) if each.type not in {"type_arguments", "type_annotation"}]
    return parts[0] if parts else None
