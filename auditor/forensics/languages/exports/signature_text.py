"""What readers of offers share: the text of nodes, and parameters that go by their types."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from auditor.forensics.languages.language_rule_types import INTERNAL_MARKERS
from auditor.forensics.source_text.file_outline import Export

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_EXPORTS = 5_000
MAX_MEMBERS = 2_000
"""Beyond it, what a change moves past the limit would be told as gone: no class that people write comes near."""
MAX_PARAMETERS = 60


_LEADING_LINE_STARTS = (b"#", b"//", b"/*", b"*", b"@")
"""What a line above a declaration begins with that belongs to it."""
_MAX_LEADING_BYTES = 4_000


class ExportSource:
    """The source that nodes are offsets in. What only a comparison needs is left out where there is none."""

    def __init__(self, content: bytes, said: frozenset[str], *, compared: bool) -> None:
        self.content = content
        self.said = said
        self.compared = compared
        self._internal_markers = tuple(word.encode() for word in INTERNAL_MARKERS if word in said)

    def keeps(self, node: Node) -> bool:
        """Does what is right above a declaration, or behind it on its first line, say that it is the project's own?"""
        if not self._internal_markers:
            return False
        start = node.start_byte
        first, last = max(0, start - _MAX_LEADING_BYTES), start + 300
        if all(self.content.find(word, first, last) < 0 for word in self._internal_markers):
            return False
        said = [self.content[start:last].partition(b"\n")[0]]
        for line in reversed(self.content[first:start].split(b"\n")[:-1]):
            if not line.lstrip().startswith(_LEADING_LINE_STARTS):
                break
            said.append(line)
        return any(word in line for line in said for word in self._internal_markers)

    def text(self, node: Node | None, most: int = 300) -> str:
        """The source of a node with its blanks made one."""
        if node is None:
            return ""
        start, end = node.byte_range
        told = self.content[start : end if end - start < most else start + most].decode("utf-8", errors="replace")
        return told if told.isidentifier() else " ".join(told.split())

    def named(self, node: Node) -> str:
        """The text of its field `name`."""
        return self.text(node.child_by_field_name("name"))


def child_nodes(node: Node | None, most: int = MAX_MEMBERS) -> list[Node]:
    """The named child nodes of a body, without comments."""
    return [] if node is None else [each for each in node.named_children if not each.is_extra][:most]


def node_line(node: Node) -> int:
    """The line of a node, from 1."""
    return int(node.start_point[0]) + 1


def positional_export(
    source: ExportSource, name: str, kind: str, node: Node, types: Callable[[ExportSource, Node], list[str]]
) -> Export:
    """The export of something called with positional arguments, each given by its type."""
    held = node.child_by_field_name("parameters")
    takes = tuple(said for each in child_nodes(held, MAX_PARAMETERS) for said in types(source, each))
    return Export(name, kind, node_line(node), takes, len(takes))
