"""Expressions of a script in the form of Python's."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from auditor.forensics.agent_systems.javascript import calls, functions
from auditor.forensics.agent_systems.javascript.assignment_targets import pair_key
from auditor.forensics.agent_systems.javascript.assignments import assignment
from auditor.forensics.agent_systems.javascript.library_names import method_names
from auditor.forensics.agent_systems.javascript.lowering_context import (
    MAX_ITEMS,
    LoweringContext,
    inner_node,
    significant_children,
)
from auditor.forensics.agent_systems.javascript.strings import string_value, template_value

if TYPE_CHECKING:
    from tree_sitter import Node

_BINARY: dict[str, type[ast.operator]] = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div, "%": ast.Mod, "**": ast.Pow,
    "|": ast.BitOr, "&": ast.BitAnd, "^": ast.BitXor, "<<": ast.LShift, ">>": ast.RShift, ">>>": ast.RShift,
}  # fmt: skip
_COMPARISONS: dict[str, type[ast.cmpop]] = {
    "==": ast.Eq, "===": ast.Eq, "!=": ast.NotEq, "!==": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE,
    "in": ast.In,
}  # fmt: skip


def _last(w: LoweringContext, node: Node) -> ast.expr:
    parts = significant_children(node)
    return w.value(parts[-1] if parts else None)


def _identifier(w: LoweringContext, node: Node) -> ast.expr:
    name = w.text(node, 400)
    return w.constant(node, None) if name == "undefined" else w.name(node, name)


def _string(w: LoweringContext, node: Node) -> ast.expr:
    return w.constant(node, string_value(w, node))


def _regex(w: LoweringContext, node: Node) -> ast.expr:
    """A pattern, as what its constructor makes."""
    return w.call(node, w.name(node, "RegExp"), w.constant(node, w.text(node, 2_000)))


def _number(w: LoweringContext, node: Node) -> ast.expr:
    text = w.text(node, 60).replace("_", "")
    try:
        return w.constant(node, float(text) if "." in text or "e" in text.lower()[1:] else int(text, 0))
    except ValueError:
        return w.name(node, "number")


def _member(w: LoweringContext, node: Node) -> ast.expr:
    holder, part = node.child_by_field_name("object"), node.child_by_field_name("property")
    name = w.text(part, 200) if part is not None else "?"
    base = w.value(holder)
    if name == "length":
        return w.call(node, w.name(node, "len"), base)
    return w.attribute(node, base, method_names().get(name, name))


def _subscript(w: LoweringContext, node: Node) -> ast.expr:
    base, key = w.value(node.child_by_field_name("object")), w.value(node.child_by_field_name("index"))
    return w.at(node, ast.Subscript(value=base, slice=key, ctx=ast.Load()))


def _array(w: LoweringContext, node: Node) -> ast.expr:
    items = [
        w.at(each, ast.Starred(value=w.value(inner_node(each)), ctx=ast.Load()))
        if each.type == "spread_element"
        else w.value(each)
        for each in significant_children(node)[:MAX_ITEMS]
    ]
    return w.at(node, ast.List(elts=items, ctx=ast.Load()))


def _object(w: LoweringContext, node: Node) -> ast.expr:
    keys: list[ast.expr | None] = []
    values: list[ast.expr] = []
    for each in significant_children(node)[:MAX_ITEMS]:
        if each.type == "spread_element":
            keys.append(None)
            values.append(w.value(inner_node(each)))
        elif each.type == "shorthand_property_identifier":
            keys.append(w.constant(each, w.text(each, 400)))
            values.append(w.name(each, w.text(each, 400)))
        elif each.type == "method_definition":
            name = each.child_by_field_name("name")
            if name is not None:
                keys.append(pair_key(w, name))
                values.append(functions.anonymous_function(w, each, w.text(name, 100)))
        elif each.type == "pair":
            key, held = each.child_by_field_name("key"), each.child_by_field_name("value")
            if key is not None and held is not None:
                keys.append(pair_key(w, key))
                values.append(functions.named_value(w, held, w.text(key, 100)))
    return w.at(node, ast.Dict(keys=keys, values=values))


def _function(w: LoweringContext, node: Node) -> ast.expr:
    return functions.anonymous_function(w, node, "")


def _binary(w: LoweringContext, node: Node) -> ast.expr:
    """An operation, chains taken in a row, so that their length costs no depth."""
    chain: list[Node] = []
    each: Node | None = node
    while each is not None and each.type == "binary_expression":
        chain.append(each)
        each = each.child_by_field_name("left")
    result = w.value(each)
    for part in reversed(chain):
        result = _operation(w, part, result)
    return result


def _operation(w: LoweringContext, node: Node, left: ast.expr) -> ast.expr:
    sign_node = node.child_by_field_name("operator")
    sign = w.text(sign_node, 20) if sign_node is not None else "?"
    right = w.value(node.child_by_field_name("right"))
    if sign in {"||", "??"}:
        return w.at(node, ast.BoolOp(op=ast.Or(), values=[left, right]))
    if sign == "&&":
        return w.at(node, ast.BoolOp(op=ast.And(), values=[left, right]))
    if sign == "instanceof":
        return w.call(node, w.name(node, "isinstance"), left, right)
    if sign in _COMPARISONS:
        op: ast.cmpop = _COMPARISONS[sign]()
        if isinstance(right, ast.Constant) and right.value is None:
            op = ast.Is() if isinstance(op, ast.Eq) else ast.IsNot() if isinstance(op, ast.NotEq) else op
        return w.at(node, ast.Compare(left=left, ops=[op], comparators=[right]))
    kind = _BINARY.get(sign)
    if kind is None:
        return w.call(node, w.name(node, "operation"), left, right)
    return w.at(node, ast.BinOp(left=left, op=kind(), right=right))


def _unary(w: LoweringContext, node: Node) -> ast.expr:
    sign_node = node.child_by_field_name("operator")
    sign = w.text(sign_node, 20) if sign_node is not None else "?"
    held = w.value(node.child_by_field_name("argument"))
    kinds: dict[str, type[ast.unaryop]] = {"!": ast.Not, "-": ast.USub, "+": ast.UAdd, "~": ast.Invert}
    if sign in kinds:
        return w.at(node, ast.UnaryOp(op=kinds[sign](), operand=held))
    return w.constant(node, None) if sign == "void" else w.call(node, w.name(node, sign), held)


def _ternary(w: LoweringContext, node: Node) -> ast.expr:
    test, body, other = (
        w.value(node.child_by_field_name(name)) for name in ("condition", "consequence", "alternative")
    )
    return w.at(node, ast.IfExp(test=test, body=body, orelse=other))


def _parenthesized(w: LoweringContext, node: Node) -> ast.expr:
    return w.value(inner_node(node))


def _awaited(w: LoweringContext, node: Node) -> ast.expr:
    return w.at(node, ast.Await(value=w.value(inner_node(node))))


def _yielded(w: LoweringContext, node: Node) -> ast.expr:
    return w.at(node, ast.Yield(value=w.value(inner_node(node))))


def _this(w: LoweringContext, node: Node) -> ast.expr:
    return w.name(node, "self")


def _super(w: LoweringContext, node: Node) -> ast.expr:
    return w.call(node, w.name(node, "super"))


def _assigned(w: LoweringContext, node: Node) -> ast.expr:
    """An assignment in the midst of an expression: it happens before the statement, and gives what was assigned."""
    name = w.hidden(node, "a value")
    w.before[-1] += assignment(w, node, also=name)
    return w.name(node, name)


def _sequence(w: LoweringContext, node: Node) -> ast.expr:
    held = w.at(node, ast.Tuple(elts=[w.value(each) for each in significant_children(node)], ctx=ast.Load()))
    return w.at(node, ast.Subscript(value=held, slice=w.constant(node, -1), ctx=ast.Load()))


def _true(w: LoweringContext, node: Node) -> ast.expr:
    return w.constant(node, node.type == "true")


def _null(w: LoweringContext, node: Node) -> ast.expr:
    return w.constant(node, None)


EXPRESSIONS: dict[str, Callable[[LoweringContext, Node], ast.expr]] = {
    "identifier": _identifier,
    "shorthand_property_identifier": _identifier,
    "undefined": _null,
    "null": _null,
    "true": _true,
    "false": _true,
    "string": _string,
    "template_string": template_value,
    "number": _number,
    "regex": _regex,
    "this": _this,
    "super": _super,
    "member_expression": _member,
    "subscript_expression": _subscript,
    "array": _array,
    "object": _object,
    "call_expression": calls.call,
    "new_expression": calls.call,
    "arrow_function": _function,
    "function_expression": _function,
    "function": _function,
    "generator_function": _function,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "ternary_expression": _ternary,
    "await_expression": _awaited,
    "yield_expression": _yielded,
    "parenthesized_expression": _parenthesized,
    "as_expression": _parenthesized,
    "satisfies_expression": _parenthesized,
    "non_null_expression": _parenthesized,
    "instantiation_expression": _parenthesized,
    "type_assertion": _last,
    "spread_element": _parenthesized,
    "assignment_expression": _assigned,
    "augmented_assignment_expression": _assigned,
    "sequence_expression": _sequence,
}
