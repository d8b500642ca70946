"""Texts of a script: escapes, and what templates insert into them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.constant_folding.escape_sequences import decode_escapes, string_escapes
from auditor.forensics.agent_systems.javascript.lowering_context import MAX_ITEMS, LoweringContext, inner_node

if TYPE_CHECKING:
    from tree_sitter import Node

_ESCAPES = string_escapes("bfnrtv")


def string_value(w: LoweringContext, node: Node) -> str:
    """The text of a string, escapes resolved."""
    return decode_escapes(w.text(node)[1:-1], _ESCAPES)


def template_value(w: LoweringContext, node: Node) -> ast.expr:
    """A text with what is inserted into it."""
    parts: list[ast.expr] = []
    place, end = node.start_byte + 1, node.end_byte - 1
    for each in [*(part for part in node.named_children if part.type == "template_substitution"), None]:
        until = end if each is None else each.start_byte
        if until > place:
            text = decode_escapes(w.source[place:until].decode("utf-8", errors="replace"), _ESCAPES)
            parts.append(w.constant(node, text))
        if each is not None:
            parts.append(w.at(each, ast.FormattedValue(value=w.value(inner_node(each)), conversion=-1)))
            place = each.end_byte
    if all(isinstance(each, ast.Constant) for each in parts):
        return parts[0] if parts else w.constant(node, "")
    return w.at(node, ast.JoinedStr(values=parts[:MAX_ITEMS]))
