"""Syntax trees by tree-sitter, within limits on time and shape, whatever the language."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import cycle
from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node, Parser, Tree


MAX_PARSE_SECONDS = 3.0
"""Processor seconds; the reader is a process with one thread."""
_CHUNK_BYTES = 1 << 16
_MIN_PARSE_SECONDS, _SECONDS_PER_BYTE = 0.5, 10e-6
"""What a file is given to be parsed in, up to those: real files of six languages that were cut, spliced and strewn with signs
took up to 3.3 microseconds a byte, and whole ones 0.4."""
_UNTIMED_BYTES = 4_000
"""Files of up to this many bytes are parsed without a time limit."""
_SMALL_FILE_BYTES = 15_000
"""Bytes up to which looking at a tree takes little time, however deep it is in its middle."""
MAX_DEPTH = 3_000
_MAX_CHILDREN = 40_000
START_BYTE = attrgetter("start_byte")
"""The order of nodes; tree-sitter gives them in one that differs from run to run. A node knows where it begins, and has
to look up in the tree where it ends, which takes ten times as long."""
_END_BYTE = attrgetter("end_byte")


def sort_nodes(nodes_by_kind: Mapping[str, list[Node]], kinds: Iterable[str]) -> list[Node]:
    """The nodes of some kinds by where they begin; of those that begin together, what ends first before what holds it."""
    found = [node for kind in kinds if kind in nodes_by_kind for node in nodes_by_kind[kind]]
    if len(found) > 1:
        found.sort(key=_END_BYTE)
        found.sort(key=START_BYTE)
    return found


@cache
def get_parser(grammar: Grammar) -> Parser:
    """The one parser of a grammar."""
    import tree_sitter

    return tree_sitter.Parser(grammar)


def parse_timeout(size: int) -> float:
    """Processor seconds that a file of some bytes may take to be parsed, to a tenth."""
    return round(min(MAX_PARSE_SECONDS, _MIN_PARSE_SECONDS + _SECONDS_PER_BYTE * size), 1)


def parse_tree(parser: Parser, content: bytes, seconds: float = MAX_PARSE_SECONDS) -> Tree | None:
    """The syntax tree; None when parsing takes longer than the given seconds or the limit for its size."""
    size = len(content)
    if size <= _UNTIMED_BYTES:
        return parser.parse(content)
    end, is_due, now = (
        time.process_time() + min(seconds, parse_timeout(size)),
        cycle((False,) * 15 + (True,)).__next__,
        time.process_time,
    )
    try:
        return parser.parse(
            lambda offset, _point: content[offset : offset + _CHUNK_BYTES],
            progress_callback=lambda _offset, _has_error: is_due() and now() > end,
        )
    except ValueError:
        parser.reset()
        return None


def is_too_complex(tree: Tree, size: int) -> bool:
    """Does the tree nest or spread as no honest file does? Looking for nodes then takes time that grows with the square."""
    if tree.root_node.descendant_count < MAX_DEPTH:
        return False
    for last in (False, True):
        node: Node | None = tree.root_node
        for _ in range(MAX_DEPTH):
            if node is None or node.child_count == 0:
                break
            if node.child_count > _MAX_CHILDREN:
                return True
            node = node.child(node.child_count - 1 if last else 0)
        else:
            return True
    return size > _SMALL_FILE_BYTES and any(_is_deep(tree, size * place // 4) for place in (1, 2, 3))


def _is_deep(tree: Tree, place: int) -> bool:
    """Is a place deeper in the tree than in any honest file?"""
    cursor = tree.walk()
    return all(cursor.goto_first_child_for_byte(place) is not None for _ in range(MAX_DEPTH))


def count_broken_bytes(tree: Tree) -> int:
    """Bytes in broken stretches of a tree; one within another counts again, and one that lacks a sign as a byte.

    What holds no error is not looked into: most of a file.
    """
    root = tree.root_node
    waiting, lost = [root] if root.has_error else [], 0
    lost += len(waiting)
    while waiting:
        node = waiting.pop()
        if node.is_error:
            start, end = node.byte_range
            lost += end - start
        waiting += [each for each in node.children if each.has_error or each.is_error]
    return lost


@cache
def field_id(grammar: Grammar, name: str) -> int:
    """The number that a grammar has for a field, by which it is found in half the time; none for one that it does not know."""
    return grammar.field_id_for_name(name) or 0


@cache
def node_kind_ids(grammar: Grammar, kinds: frozenset[str]) -> frozenset[int]:
    """The numbers that a grammar has for kinds of nodes."""
    named = (each for each in range(grammar.node_kind_count) if grammar.node_kind_is_named(each))
    return frozenset(each for each in named if grammar.node_kind_for_id(each) in kinds)
