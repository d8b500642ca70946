"""What readers of offers share: the text of nodes, and parameters that go by their types."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from auditor.forensics.languages.language_rule_types import INTERNAL_MARKERS
from auditor.forensics.source_text.file_outline import Export

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_OFFERS = 5_000
MAX_MEMBERS = 2_000
"""Beyond it, what a change moves past the limit would be told as gone: no class that people write comes near."""
MAX_PARAMETERS = 60


_ABOVE = (b"#", b"//", b"/*", b"*", b"@")
"""What a line above a declaration begins with that belongs to it."""
_MOST_ABOVE = 4_000


class Source:
    """The bytes that nodes are places in. What only a comparison with another side asks for is left out where there is none."""

    def __init__(self, content: bytes, said: frozenset[str], *, compared: bool) -> None:
        self.content = content
        self.said = said
        self.compared = compared
        self._kept = tuple(word.encode() for word in INTERNAL_MARKERS if word in said)

    def keeps(self, node: Node) -> bool:
        """Does what stands right above a declaration, or behind it on its first line, say that it is the project's own?"""
        if not self._kept:
            return False
        start = node.start_byte
        first, last = max(0, start - _MOST_ABOVE), start + 300
        if all(self.content.find(word, first, last) < 0 for word in self._kept):
            return False
        said = [self.content[start:last].partition(b"\n")[0]]
        for line in reversed(self.content[first:start].split(b"\n")[:-1]):
            if not line.lstrip().startswith(_ABOVE):
                break
            said.append(line)
        return any(word in line for line in said for word in self._kept)

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


def members(node: Node | None, most: int = MAX_MEMBERS) -> list[Node]:
    """What a body holds, without its comments: where each member is explained, they are most of it."""
    return [] if node is None else [each for each in node.named_children if not each.is_extra][:most]


def line_of(node: Node) -> int:
    """The line of a node, from 1."""
    return int(node.start_point[0]) + 1


def positional(
    source: Source, name: str, kind: str, node: Node, field: str, types: Callable[[Source, Node], list[str]]
) -> Export:
    """Something called with arguments that go by their places; each is told by its type."""
    held = node.child_by_field_name(field)
    takes = tuple(said for each in members(held, MAX_PARAMETERS) for said in types(source, each))
    return Export(name, kind, line_of(node), takes, len(takes))
