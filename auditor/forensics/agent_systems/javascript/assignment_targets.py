"""What is assigned to: names, attributes, elements, and patterns that take a value apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from auditor.forensics.agent_systems.javascript.lowering_context import (
    MAX_DEPTH,
    LoweringContext,
    inner_node,
    significant_children,
)

if TYPE_CHECKING:
    from tree_sitter import Node


def assignment_target(w: LoweringContext, node: Node) -> ast.expr:
    """What is assigned to."""
    if node.type == "member_expression":
        holder, part = node.child_by_field_name("object"), node.child_by_field_name("property")
        base = w.value(holder)
        name = w.text(part, 200) if part is not None else "?"
        if isinstance(base, ast.Name) and base.id == "exports":
            return w.target(node, name)
        return w.at(node, ast.Attribute(value=base, attr=name, ctx=ast.Store()))
    if node.type == "subscript_expression":
        base = w.value(node.child_by_field_name("object"))
        key = w.value(node.child_by_field_name("index"))
        return w.at(node, ast.Subscript(value=base, slice=key, ctx=ast.Store()))
    name = w.text(node, 200) if node.type == "identifier" else w.hidden(node, "a value")
    return w.target(node, name)


def assign_value(w: LoweringContext, pattern: Node, value: ast.expr, *, declares: bool = False) -> list[ast.stmt]:
    """Let a name, an attribute or a pattern stand for a value."""
    if pattern.type in {"object_pattern", "array_pattern"}:
        if isinstance(value, ast.Name):
            return destructure(w, pattern, value, declares=declares)
        name = w.hidden(pattern, "a value")
        first = w.assign(pattern, name, value)
        return [first, *destructure(w, pattern, w.name(pattern, name), declares=declares)]
    if pattern.type == "identifier":
        (w.scopes[-1].declared if declares else w.scopes[-1].written).add(w.text(pattern, 200))
    return [w.at(pattern, ast.Assign(targets=[assignment_target(w, pattern)], value=value))]


def destructure(w: LoweringContext, pattern: Node, value: ast.expr, *, declares: bool = True) -> list[ast.stmt]:
    """`{ a, b: c = 1, ...rest }` and `[a, , b]`."""
    if w.depth >= MAX_DEPTH:
        return []
    w.depth += 1
    found: list[ast.stmt] = []
    for key, held in (
        _list_pattern_parts(w, pattern)
        if pattern.type == "array_pattern"
        else map(partial(_object_pattern_entry, w), significant_children(pattern))
    ):
        if held is not None:
            found += _pattern_part(w, held, key, value, declares=declares)
    w.depth -= 1
    return found


def _list_pattern_parts(w: LoweringContext, pattern: Node) -> Iterator[tuple[ast.expr, Node | None]]:
    """The parts of a list's pattern, each with its place; holes count."""
    place = 0
    for each in pattern.children:
        place += each.type == ","
        if each.is_named and each.type != "comment":
            yield w.constant(each, place), each


def _pattern_part(w: LoweringContext, held: Node, key: ast.expr, value: ast.expr, *, declares: bool) -> list[ast.stmt]:
    """One part of a pattern."""
    if held.type in {"rest_pattern", "rest_element"}:
        parts = significant_children(held)
        return assign_value(w, parts[0], value, declares=declares) if parts else []
    inner: Node | None = held
    default = None
    if held.type in {"assignment_pattern", "object_assignment_pattern"}:
        inner, default = held.child_by_field_name("left"), held.child_by_field_name("right")
    if inner is None:
        return []
    taken: ast.expr = w.at(held, ast.Subscript(value=value, slice=key, ctx=ast.Load()))
    if isinstance(key, ast.Constant) and isinstance(key.value, str):
        taken = w.attribute(held, value, key.value)
    if default is not None:
        taken = w.at(held, ast.BoolOp(op=ast.Or(), values=[taken, w.value(default)]))
    if inner.type == "shorthand_property_identifier_pattern":
        name = w.text(inner, 200)
        (w.scopes[-1].declared if declares else w.scopes[-1].written).add(name)
        return [w.assign(inner, name, taken)]
    return assign_value(w, inner, taken, declares=declares)


def _object_pattern_entry(w: LoweringContext, node: Node) -> tuple[ast.expr, Node | None]:
    """The key of an object's pattern, and what it is bound to."""
    if node.type == "pair_pattern":
        key = node.child_by_field_name("key")
        return pair_key(w, key) if key is not None else w.constant(node, ""), node.child_by_field_name("value")
    if node.type == "object_assignment_pattern":
        left = node.child_by_field_name("left")
        return w.constant(node, w.text(left, 200) if left is not None else ""), node
    return w.constant(node, w.text(node, 200)), node


def pair_key(w: LoweringContext, node: Node) -> ast.expr:
    """The key of a pair: a name is its own text, a computed one what it computes."""
    if node.type in {"property_identifier", "shorthand_property_identifier", "private_property_identifier"}:
        return w.constant(node, w.text(node, 400))
    return w.value(inner_node(node)) if node.type == "computed_property_name" else w.value(node)
