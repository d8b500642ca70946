"""The arguments of a call of a script."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.forensics.agent_systems.javascript.lowering_context import LoweringContext, significant_children
from auditor.forensics.agent_systems.javascript.strings import template_value

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_ARGUMENTS = 2_000


def arguments(w: LoweringContext, node: Node) -> list[ast.expr]:
    """The arguments of a call."""
    held = node.child_by_field_name("arguments")
    if held is None:
        return []
    if held.type == "template_string":
        return [template_value(w, held)]
    return [
        w.at(each, ast.Starred(value=w.value(each), ctx=ast.Load())) if each.type == "spread_element" else w.value(each)
        for each in significant_children(held)[:_MAX_ARGUMENTS]
    ]
