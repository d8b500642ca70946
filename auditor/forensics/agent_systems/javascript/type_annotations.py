"""Types of a script: what a router announces, and what the fields of a type hold."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.forensics.agent_systems.javascript.lowering_context import LoweringContext, significant_children
from auditor.forensics.agent_systems.javascript.strings import string_value

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_PARTS = 200
_MAX_DEPTH = 12


def announced_targets(w: LoweringContext, node: Node) -> ast.expr | None:
    """The nodes that a return type lists, as `Literal[...]`; inside `Command[...]` where it is one; None for other types."""
    kind = node.child_by_field_name("return_type")
    if kind is None:
        return None
    names = _union_members(w, kind)
    command = b"Command" in w.source[kind.start_byte : min(kind.end_byte, kind.start_byte + 2_000)]
    if not names and not command:
        return None
    told = _subscript(w, kind, "Literal", w.at(kind, ast.Tuple(elts=names, ctx=ast.Load())))
    return _subscript(w, kind, "Command", told) if command else told


def _subscript(w: LoweringContext, node: Node, name: str, held: ast.expr) -> ast.expr:
    return w.at(node, ast.Subscript(value=w.name(node, name), slice=held, ctx=ast.Load()))


def _union_members(w: LoweringContext, kind: Node) -> list[ast.expr]:
    """Texts and names of constants in a union, through `Promise<...>` and the aliases of the file."""
    found: list[ast.expr] = []
    seen: set[str] = set()
    waiting = [kind]
    while waiting and len(found) < _MAX_PARTS:
        each = waiting.pop(0)
        if each.type == "literal_type":
            text = next((part for part in each.named_children if part.type == "string"), None)
            if text is not None:
                found.append(w.constant(text, string_value(w, text)))
        elif each.type == "type_query":
            found.append(w.name(each, w.text(each, 200).removeprefix("typeof").strip().rpartition(".")[2]))
        elif each.type == "type_identifier":
            name = w.text(each, 200)
            if name in w.types and name not in seen:
                seen.add(name)
                waiting.append(w.types[name])
        elif each.type == "generic_type":
            held = each.child_by_field_name("name")
            if held is not None and w.text(held, 100) in {"Promise", "Command", "Array", "PromiseLike"}:
                waiting += [part for part in each.named_children if part.type == "type_arguments"]
        elif each.type in {
            "type_annotation",
            "union_type",
            "type_arguments",
            "parenthesized_type",
            "array_type",
            "readonly_type",
        }:
            waiting += significant_children(each)[:_MAX_PARTS]
    return found


def type_annotation(w: LoweringContext, node: Node, depth: int = 0) -> ast.expr:
    """A type as an annotation: names, lists and unions; anything else stands for nothing known."""
    parts = significant_children(node)
    if depth < _MAX_DEPTH and parts:
        if node.type in {"type_annotation", "parenthesized_type"}:
            return type_annotation(w, parts[0], depth + 1)
        if node.type == "array_type":
            return _subscript(w, node, "list", type_annotation(w, parts[0], depth + 1))
        if node.type == "union_type":
            left, right = type_annotation(w, parts[0], depth + 1), type_annotation(w, parts[-1], depth + 1)
            return w.at(node, ast.BinOp(left=left, op=ast.BitOr(), right=right))
        if node.type == "generic_type":
            held = [inner for each in parts[1:] for inner in significant_children(each)[:8]]
            inside = w.at(node, ast.Tuple(elts=[type_annotation(w, each, depth + 1) for each in held], ctx=ast.Load()))
            return _subscript(w, node, w.text(parts[0], 200), inside)
    known = node.type in {"type_identifier", "predefined_type", "nested_type_identifier"}
    return w.name(node, w.text(node, 200) if known else "unknown")
