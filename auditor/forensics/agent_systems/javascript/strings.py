"""Texts of a script: escapes, and what templates insert into them."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from auditor.forensics.agent_systems.javascript.lowering_context import MAX_ITEMS, LoweringContext, inner_node

if TYPE_CHECKING:
    from tree_sitter import Node

_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}


def string_value(w: LoweringContext, node: Node) -> str:
    """The text of a string, escapes resolved."""
    return unescape(w.text(node)[1:-1])


def unescape(text: str) -> str:
    """A text with its escapes resolved."""
    return _ESCAPE.sub(_unescape_match, text) if "\\" in text else text


def _unescape_match(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if code:
        number = int(code, 16)
        return chr(number) if number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF else "\N{REPLACEMENT CHARACTER}"
    return _ESCAPED.get(found[4], found[4])


def template_value(w: LoweringContext, node: Node) -> ast.expr:
    """A text with what is inserted into it."""
    parts: list[ast.expr] = []
    place, end = node.start_byte + 1, node.end_byte - 1
    for each in [*(part for part in node.named_children if part.type == "template_substitution"), None]:
        until = end if each is None else each.start_byte
        if until > place:
            text = unescape(w.source[place:until].decode("utf-8", errors="replace"))
            parts.append(w.constant(node, text))
        if each is not None:
            parts.append(w.at(each, ast.FormattedValue(value=w.value(inner_node(each)), conversion=-1)))
            place = each.end_byte
    if all(isinstance(each, ast.Constant) for each in parts):
        return parts[0] if parts else w.constant(node, "")
    return w.at(node, ast.JoinedStr(values=parts[:MAX_ITEMS]))
