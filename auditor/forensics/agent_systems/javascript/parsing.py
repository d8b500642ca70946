"""A script's syntax tree, read within bounds."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from auditor.forensics.languages.language_registry import covered_languages
from auditor.forensics.source_text.file_roles import language

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_SCRIPT = 400_000
"""Bytes of a script that is followed; what people write by hand lies far below."""
MAX_SYNTAX_NODES = 300_000
"""Nodes of its syntax tree."""
_SECONDS = 2.0
_CHUNK = 1 << 16
_SMALL_SCRIPT_BYTES = 15_000
_MAX_BROKEN_SHARE = 0.5
_MAX_LINES = 200


def parse_script(content: bytes, path: str) -> Node | str:
    """The root of a script's tree, or why there is none."""
    if len(content) > MAX_SCRIPT:
        return f"larger than {MAX_SCRIPT:,} bytes"
    import tree_sitter

    written = covered_languages()["typescript" if language(path) == "typescript" else "javascript"]
    parser = tree_sitter.Parser(written.grammar(content))
    end = time.process_time() + _SECONDS
    try:
        tree = (
            parser.parse(content)
            if len(content) <= _SMALL_SCRIPT_BYTES
            else parser.parse(
                lambda offset, _point: content[offset : offset + _CHUNK],
                progress_callback=lambda _offset, _has_error: time.process_time() > end,
            )
        )
    except ValueError:
        return "parsing it takes too long"
    root = tree.root_node
    if root.descendant_count > MAX_SYNTAX_NODES:
        return "too large to be followed"
    broken = sum(each.end_byte - each.start_byte for each in root.children if each.type == "ERROR")
    if broken > _MAX_BROKEN_SHARE * len(content):
        return "most of it could not be parsed as JavaScript or TypeScript"
    return root


def broken_lines(root: Node) -> set[int]:
    """Lines at which a tree could not be parsed."""
    found: set[int] = set()
    waiting = [root]
    while waiting and len(found) < _MAX_LINES:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            found.add(node.start_point[0] + 1)
        elif node.has_error:
            waiting += node.children
    return found
