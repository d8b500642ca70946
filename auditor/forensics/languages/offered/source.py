"""What readers of offers share: the text of nodes, and parameters that go by their types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from auditor.forensics.outline import Export

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_OFFERS = 5_000
MAX_MEMBERS = 500
MAX_PARAMETERS = 60


class Source:
    """The bytes that nodes are places in. What only a comparison with another side asks for is left out where there is none."""

    def __init__(self, content: bytes, *, compared: bool) -> None:
        self.content = content
        self.compared = compared

    def text(self, node: Node | None, most: int = 300) -> str:
        """The source of a node with its blanks made one."""
        if node is None:
            return ""
        start, end = node.byte_range
        raw = self.content[start : end if end - start < most else start + most]
        return " ".join(raw.decode("utf-8", errors="replace").split())

    def named(self, node: Node) -> str:
        """The text of its field `name`."""
        return self.text(node.child_by_field_name("name"))


def line_of(node: Node) -> int:
    """The line of a node, from 1."""
    return int(node.start_point[0]) + 1


def positional(
    source: Source, name: str, kind: str, node: Node, field: str, types: Callable[[Source, Node], list[str]]
) -> Export:
    """Something called with arguments that go by their places; each is told by its type."""
    held = node.child_by_field_name(field)
    taken: Sequence[Node] = [] if held is None else held.named_children[:MAX_PARAMETERS]
    takes = tuple(said for each in taken if "comment" not in each.type for said in types(source, each))
    return Export(name, kind, line_of(node), takes, len(takes))
