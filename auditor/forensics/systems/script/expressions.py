"""Expressions of a script in the form of Python's."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from auditor.forensics.systems.script import calls, functions
from auditor.forensics.systems.script.names import METHODS
from auditor.forensics.systems.script.writer import MAX_DEPTH, Writer, named

if TYPE_CHECKING:
    from tree_sitter import Node

_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}
_BINARY: dict[str, type[ast.operator]] = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div, "%": ast.Mod, "**": ast.Pow,
    "|": ast.BitOr, "&": ast.BitAnd, "^": ast.BitXor, "<<": ast.LShift, ">>": ast.RShift, ">>>": ast.RShift,
}  # fmt: skip
_COMPARED: dict[str, type[ast.cmpop]] = {
    "==": ast.Eq, "===": ast.Eq, "!=": ast.NotEq, "!==": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE,
    "in": ast.In,
}  # fmt: skip
_MAX_ITEMS = 4_000


def value(w: Writer, node: Node | None) -> ast.expr:
    """What an expression means."""
    if node is None:
        return ast.Constant(value=None)
    if w.depth >= MAX_DEPTH:
        w.lost.add(node.start_point[0] + 1)
        return w.name(node, "too deep")
    w.depth += 1
    try:
        return _KINDS.get(node.type, _other)(w, node)
    finally:
        w.depth -= 1


def _other(w: Writer, node: Node) -> ast.expr:
    """Something without counterpart; what it holds is still followed."""
    held = [value(w, each) for each in named(node)[:_MAX_ITEMS]] if node.type not in _OPAQUE else []
    return w.call(node, w.name(node, node.type), *held) if held else w.name(node, node.type)


_OPAQUE = frozenset({"jsx_element", "jsx_self_closing_element", "type_identifier", "class", "meta_property"})


def _inner(w: Writer, node: Node) -> ast.expr:
    """What stands in brackets, under a type or after `await`."""
    parts = [each for each in named(node) if each.type not in {"type_arguments", "type_annotation"}]
    return value(w, parts[0] if parts else None)


def _last(w: Writer, node: Node) -> ast.expr:
    parts = named(node)
    return value(w, parts[-1] if parts else None)


def _identifier(w: Writer, node: Node) -> ast.expr:
    name = w.text(node, 400)
    return w.constant(node, None) if name == "undefined" else w.name(node, name)


def string_of(w: Writer, node: Node) -> str:
    """The text of a string, escapes resolved."""
    return unescaped(w.text(node)[1:-1])


def unescaped(text: str) -> str:
    """A text with its escapes resolved."""
    return _ESCAPE.sub(_letter, text) if "\\" in text else text


def _letter(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if code:
        number = int(code, 16)
        return chr(number) if number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF else "\N{REPLACEMENT CHARACTER}"
    return _ESCAPED.get(found[4], found[4])


def _string(w: Writer, node: Node) -> ast.expr:
    return w.constant(node, string_of(w, node))


def template(w: Writer, node: Node) -> ast.expr:
    """A text with what is put into it."""
    parts: list[ast.expr] = []
    place, end = node.start_byte + 1, node.end_byte - 1
    for each in [*(part for part in node.named_children if part.type == "template_substitution"), None]:
        until = end if each is None else each.start_byte
        if until > place:
            text = unescaped(w.source[place:until].decode("utf-8", errors="replace"))
            parts.append(w.constant(node, text))
        if each is not None:
            parts.append(w.at(each, ast.FormattedValue(value=_inner(w, each), conversion=-1)))
            place = each.end_byte
    if all(isinstance(each, ast.Constant) for each in parts):
        return parts[0] if parts else w.constant(node, "")
    return w.at(node, ast.JoinedStr(values=parts[:_MAX_ITEMS]))


def _regex(w: Writer, node: Node) -> ast.expr:
    """A pattern, as what its constructor makes."""
    return w.call(node, w.name(node, "RegExp"), w.constant(node, w.text(node, 2_000)))


def _number(w: Writer, node: Node) -> ast.expr:
    text = w.text(node, 60).replace("_", "")
    try:
        return w.constant(node, float(text) if "." in text or "e" in text.lower()[1:] else int(text, 0))
    except ValueError:
        return w.name(node, "number")


def _member(w: Writer, node: Node) -> ast.expr:
    holder, part = node.child_by_field_name("object"), node.child_by_field_name("property")
    name = w.text(part, 200) if part is not None else "?"
    base = value(w, holder)
    if name == "length":
        return w.call(node, w.name(node, "len"), base)
    return w.attribute(node, base, METHODS.get(name, name))


def _subscript(w: Writer, node: Node) -> ast.expr:
    base, key = value(w, node.child_by_field_name("object")), value(w, node.child_by_field_name("index"))
    return w.at(node, ast.Subscript(value=base, slice=key, ctx=ast.Load()))


def _array(w: Writer, node: Node) -> ast.expr:
    items = [
        w.at(each, ast.Starred(value=_inner(w, each), ctx=ast.Load()))
        if each.type == "spread_element"
        else value(w, each)
        for each in named(node)[:_MAX_ITEMS]
    ]
    return w.at(node, ast.List(elts=items, ctx=ast.Load()))


def key_of(w: Writer, node: Node) -> ast.expr:
    """The key of a pair: a name is its own text, a computed one what it computes."""
    if node.type in {"property_identifier", "shorthand_property_identifier", "private_property_identifier"}:
        return w.constant(node, w.text(node, 400))
    return _inner(w, node) if node.type == "computed_property_name" else value(w, node)


def _object(w: Writer, node: Node) -> ast.expr:
    keys: list[ast.expr | None] = []
    values: list[ast.expr] = []
    for each in named(node)[:_MAX_ITEMS]:
        if each.type == "spread_element":
            keys.append(None)
            values.append(_inner(w, each))
        elif each.type == "shorthand_property_identifier":
            keys.append(w.constant(each, w.text(each, 400)))
            values.append(w.name(each, w.text(each, 400)))
        elif each.type == "method_definition":
            name = each.child_by_field_name("name")
            if name is not None:
                keys.append(key_of(w, name))
                values.append(functions.anonymous(w, each, w.text(name, 100)))
        elif each.type == "pair":
            key, held = each.child_by_field_name("key"), each.child_by_field_name("value")
            if key is not None and held is not None:
                keys.append(key_of(w, key))
                values.append(named_value(w, held, w.text(key, 100)))
    return w.at(node, ast.Dict(keys=keys, values=values))


def named_value(w: Writer, node: Node, hint: str) -> ast.expr:
    """A value that goes by a name where it stands: a function takes it over."""
    return functions.anonymous(w, node, hint) if node.type in functions.KINDS else value(w, node)


def _function(w: Writer, node: Node) -> ast.expr:
    return functions.anonymous(w, node, "")


def _binary(w: Writer, node: Node) -> ast.expr:
    """An operation, chains taken in a row, so that their length costs no depth."""
    chain: list[Node] = []
    each: Node | None = node
    while each is not None and each.type == "binary_expression":
        chain.append(each)
        each = each.child_by_field_name("left")
    result = value(w, each)
    for part in reversed(chain):
        result = _operated(w, part, result)
    return result


def _operated(w: Writer, node: Node, left: ast.expr) -> ast.expr:
    sign_node = node.child_by_field_name("operator")
    sign = w.text(sign_node, 20) if sign_node is not None else "?"
    right = value(w, node.child_by_field_name("right"))
    if sign in {"||", "??"}:
        return w.at(node, ast.BoolOp(op=ast.Or(), values=[left, right]))
    if sign == "&&":
        return w.at(node, ast.BoolOp(op=ast.And(), values=[left, right]))
    if sign == "instanceof":
        return w.call(node, w.name(node, "isinstance"), left, right)
    if sign in _COMPARED:
        op: ast.cmpop = _COMPARED[sign]()
        if isinstance(right, ast.Constant) and right.value is None:
            op = ast.Is() if isinstance(op, ast.Eq) else ast.IsNot() if isinstance(op, ast.NotEq) else op
        return w.at(node, ast.Compare(left=left, ops=[op], comparators=[right]))
    kind = _BINARY.get(sign)
    if kind is None:
        return w.call(node, w.name(node, "operation"), left, right)
    return w.at(node, ast.BinOp(left=left, op=kind(), right=right))


def _unary(w: Writer, node: Node) -> ast.expr:
    sign_node = node.child_by_field_name("operator")
    sign = w.text(sign_node, 20) if sign_node is not None else "?"
    held = value(w, node.child_by_field_name("argument"))
    kinds: dict[str, type[ast.unaryop]] = {"!": ast.Not, "-": ast.USub, "+": ast.UAdd, "~": ast.Invert}
    if sign in kinds:
        return w.at(node, ast.UnaryOp(op=kinds[sign](), operand=held))
    return w.constant(node, None) if sign == "void" else w.call(node, w.name(node, sign), held)


def _ternary(w: Writer, node: Node) -> ast.expr:
    test, body, other = (
        value(w, node.child_by_field_name(name)) for name in ("condition", "consequence", "alternative")
    )
    return w.at(node, ast.IfExp(test=test, body=body, orelse=other))


def _awaited(w: Writer, node: Node) -> ast.expr:
    return w.at(node, ast.Await(value=_inner(w, node)))


def _yielded(w: Writer, node: Node) -> ast.expr:
    return w.at(node, ast.Yield(value=_inner(w, node)))


def _this(w: Writer, node: Node) -> ast.expr:
    return w.name(node, "self")


def _super(w: Writer, node: Node) -> ast.expr:
    return w.call(node, w.name(node, "super"))


def _assigned(w: Writer, node: Node) -> ast.expr:
    """An assignment in the midst of an expression: it happens before the statement, and gives what was assigned."""
    from auditor.forensics.systems.script import statements

    name = w.hidden(node, "a value")
    w.before[-1] += statements.assignment(w, node, also=name)
    return w.name(node, name)


def _sequence(w: Writer, node: Node) -> ast.expr:
    held = w.at(node, ast.Tuple(elts=[value(w, each) for each in named(node)], ctx=ast.Load()))
    return w.at(node, ast.Subscript(value=held, slice=w.constant(node, -1), ctx=ast.Load()))


def _true(w: Writer, node: Node) -> ast.expr:
    return w.constant(node, node.type == "true")


def _null(w: Writer, node: Node) -> ast.expr:
    return w.constant(node, None)


_KINDS: dict[str, Callable[[Writer, Node], ast.expr]] = {
    "identifier": _identifier,
    "shorthand_property_identifier": _identifier,
    "undefined": _null,
    "null": _null,
    "true": _true,
    "false": _true,
    "string": _string,
    "template_string": template,
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
    "parenthesized_expression": _inner,
    "as_expression": _inner,
    "satisfies_expression": _inner,
    "non_null_expression": _inner,
    "instantiation_expression": _inner,
    "type_assertion": _last,
    "spread_element": _inner,
    "assignment_expression": _assigned,
    "augmented_assignment_expression": _assigned,
    "sequence_expression": _sequence,
}
