"""The blocks of statements of a scope: what is around each statement, and what is before and behind it in its block."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.enclosing_nodes import Parents, parents_by_node
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scoped_nodes import Scope

_MAX_NEIGHBOURS = 40
"""Statements before or behind one that are looked at."""


class Blocks(NamedTuple):
    """The node around each node of a scope, and block and place of each statement."""

    parents: Parents
    places: Mapping[ast.AST, tuple[Sequence[ast.stmt], int]]

    def following(self, statement: ast.AST) -> Sequence[ast.stmt]:
        """The next statements of its block."""
        block, at = self.places.get(statement, ((), 0))
        return block[at + 1 : at + 1 + _MAX_NEIGHBOURS]

    def preceding(self, statement: ast.AST) -> Sequence[ast.stmt]:
        """The statements of its block before it, the nearest one first."""
        block, at = self.places.get(statement, ((), 0))
        return block[max(0, at - _MAX_NEIGHBOURS) : at][::-1]


@remembered
def blocks_of(module: Module, scope: Scope) -> Blocks:
    """The blocks of a scope, those of the scopes inside it too."""
    parents = parents_by_node(module, scope)
    places: dict[ast.AST, tuple[Sequence[ast.stmt], int]] = {}
    for around in {scope.node, *parents.values()}:
        for name in ("body", "orelse", "finalbody"):
            block = getattr(around, name, None)
            if isinstance(block, list):
                places.update((each, (block, at)) for at, each in enumerate(block))
    return Blocks(parents, places)
