"""Assignments of a script, as statements of their own and in the midst of expressions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.forensics.agent_systems.javascript import functions, modules
from auditor.forensics.agent_systems.javascript.assignment_targets import assign_value, assignment_target
from auditor.forensics.agent_systems.javascript.lowering_context import LoweringContext

if TYPE_CHECKING:
    from tree_sitter import Node

_SIGNS: dict[str, type[ast.operator]] = {"+=": ast.Add, "-=": ast.Sub, "*=": ast.Mult, "/=": ast.Div, "|=": ast.BitOr}


def assignment(w: LoweringContext, node: Node, also: str = "") -> list[ast.stmt]:
    """An assignment; `also` is a further name for what was assigned."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None:
        return []
    if node.type == "assignment_expression":
        exported = modules.module_exports(w, node, left, right)
        if exported is not None:
            return exported
        value = functions.named_value(w, right, "") if right is not None else w.constant(node, None)
    else:
        sign_node = node.child_by_field_name("operator")
        sign = w.text(sign_node, 10) if sign_node is not None else "?"
        more = w.value(right)
        if sign in _SIGNS and not also:
            if left.type == "identifier":
                w.scopes[-1].written.add(w.text(left, 200))
            where = assignment_target(w, left)
            assert isinstance(where, (ast.Name, ast.Attribute, ast.Subscript))
            return [w.at(node, ast.AugAssign(target=where, op=_SIGNS[sign](), value=more))]
        op: ast.boolop = ast.And() if sign == "&&=" else ast.Or()
        value = w.at(node, ast.BoolOp(op=op, values=[w.value(left), more]))
    if not also:
        return assign_value(w, left, value)
    kept = w.assign(node, also, value)
    return [kept, *assign_value(w, left, w.name(node, also))]
