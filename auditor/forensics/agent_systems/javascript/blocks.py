"""Blocks of a script: their statements in the order in which they take effect."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from auditor.forensics.agent_systems.javascript.lowering_context import LoweringContext, significant_children

if TYPE_CHECKING:
    from tree_sitter import Node

_HOISTED_KINDS = frozenset({"import_statement", "function_declaration", "generator_function_declaration", "type_alias_declaration",
                    "interface_declaration", "enum_declaration"})  # fmt: skip
"""What holds from the start of a block, wherever in it it stands."""
_MAX_STATEMENTS = 5_000


def block(w: LoweringContext, nodes: Sequence[Node]) -> list[ast.stmt]:
    """Statements in the order in which they take effect."""
    for each in nodes:
        _note_type(w, each)
    early = [each for each in nodes if _is_hoisted(each)]
    made: list[ast.stmt] = []
    for each in [*early, *(each for each in nodes if not _is_hoisted(each))][:_MAX_STATEMENTS]:
        made += w.statement(each)
    return made


def _is_hoisted(node: Node) -> bool:
    held = node.child_by_field_name("declaration") if node.type == "export_statement" else node
    return held is not None and held.type in _HOISTED_KINDS


def _note_type(w: LoweringContext, node: Node) -> None:
    held = node.child_by_field_name("declaration") if node.type == "export_statement" else node
    if held is not None and held.type == "type_alias_declaration":
        name, value = held.child_by_field_name("name"), held.child_by_field_name("value")
        if name is not None and value is not None:
            w.types[w.text(name, 200)] = value


def branch_body(w: LoweringContext, node: Node | None) -> list[ast.stmt]:
    """The statements of a branch or loop, whether they are in a block or not."""
    if node is None:
        return []
    made = block(w, significant_children(node)) if node.type in {"statement_block", "program"} else w.statement(node)
    return made or [w.at(node, ast.Pass())]
