"""What makes expressions of nodes, as forms of expressions ask it for their parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from auditor.forensics.languages.data_flow.expressions import Expression
from auditor.forensics.languages.grammar_kinds import GrammarKinds

if TYPE_CHECKING:
    from tree_sitter import Node


class NodeReader(Protocol):
    """Expressions and source of the nodes of one file."""

    kinds: GrammarKinds

    def lower(self, node: Node) -> Expression:
        """The expression that a node is."""
        ...

    def named_children(self, node: Node) -> list[Node]:
        """The children that are no signs and no comments."""
        ...

    def source_of(self, node: Node, most: int = ...) -> str:
        """The source of a node, up to a length."""
        ...
