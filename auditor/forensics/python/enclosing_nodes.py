"""What a place in a Python file is in: one table for each scope that is asked about, made once."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scoped_nodes import Scope, child_nodes

Parents = Mapping[ast.AST, ast.AST]


@remembered
def parents_by_node(_module: Module, scope: Scope) -> Parents:
    """For every node of a scope, those of the scopes inside it too, the node right around it."""
    table: dict[ast.AST, ast.AST] = {}
    waiting: list[ast.AST] = [scope.node]
    while waiting:
        node = waiting.pop()
        for child in child_nodes(node):
            table[child] = node
            waiting.append(child)
    return table


def enclosing_nodes(module: Module, scope: Scope, place: ast.AST) -> list[ast.AST]:
    """The nodes around a node of a scope, the outermost first, without the scope's own node."""
    table = parents_by_node(module, scope)
    found: list[ast.AST] = []
    node = table.get(place)
    while node is not None and node is not scope.node:
        found.append(node)
        node = table.get(node)
    return found[::-1]
