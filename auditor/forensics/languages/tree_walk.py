"""Looking for the nodes that the rules of a language ask for, and the files and trees that nobody writes: those are refused before they cost time."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING

from auditor.forensics.languages.language_rule_types import ERROR_KIND
from auditor.forensics.languages.language_type import Language
from auditor.forensics.source_text.programming_languages import language_title

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node, QueryCursor


MAX_CODE_BYTES = 2_000_000
"""Bytes of a file that is parsed; generated bundles lie above it, what people write far below."""
_MAX_NODES = 400_000
MAX_QUERY_MATCHES = 100_000
_CAPTURE_NAMES = string.ascii_letters
"""What a query calls the nodes that it gives: each brings its name along, and no name of one letter is made anew."""
_MAX_BYTE_OFFSET = (1 << 32) - 1
"""Behind the last byte that a query knows."""
_BYTE_RANGE = attrgetter("byte_range")
_MAX_ERROR_SHARE = 0.5
"""Share of a file that may lie in broken stretches; beyond it the rest says little."""


class TooDeep(Exception):
    """The tree is so deep that looking for what is around its nodes takes longer than reading any honest file."""


def skip_reason(content: bytes, language: Language) -> str:
    """Why a file is not parsed at all; empty when it is."""
    if len(content) > MAX_CODE_BYTES:
        return f"larger than {MAX_CODE_BYTES:,} bytes, so it is only read as text"
    return "statements too long to be parsed in time" if language.endless(content) else ""


def rejection_reason(nodes_by_kind: Mapping[str, Sequence[Node]], content: bytes, language: Language) -> str:
    """Why a parsed file is not analyzed; empty when it is."""
    if sum(map(len, nodes_by_kind.values())) > _MAX_NODES:
        return "too many statements to be looked at one by one"
    broken = sum(node.end_byte - node.start_byte for node in nodes_by_kind.get(ERROR_KIND, ()))
    return (
        f"most of it is not {language_title(language.name)} as its grammar knows it"
        if broken > _MAX_ERROR_SHARE * len(content)
        else ""
    )


def wanted_kinds(keywords: frozenset[str], language: Language) -> frozenset[str]:
    """Kinds of nodes that are walked for in a file of some words; values and rare pieces only where a rule can speak of them."""
    kinds = language.kinds if language.value_keywords.isdisjoint(keywords) else language.kinds_with_values
    if language.rare_node_keywords.isdisjoint(keywords):
        return kinds
    rare = [kind for kind, rules in language.rare_node_rules.items() if any(each.can_match(keywords) for each in rules)]
    return kinds.union(rare) if rare else kinds


def first_relevant_byte(content: bytes, language: Language, kinds: frozenset[str]) -> int:
    """The place before which a file without an error holds nothing that is walked for: what is imported takes a tenth of a walk."""
    if language.head is None or kinds is not language.kinds:
        return 0
    found = language.head.match(content)
    return 0 if found is None else found.end()


class NodeQuery:
    """Looks for nodes by their kind: each is given once, however many rules it is shown to. Calls of a language are given by what is called."""

    def __init__(self, grammar: Grammar, language: Language | None, kinds: frozenset[str]) -> None:
        import tree_sitter

        calls = {} if language is None else language.calls
        self.kinds = {_CAPTURE_NAMES[number]: kind for number, kind in enumerate((ERROR_KIND, *sorted(kinds)))}
        asked = (
            f"({kind} {f'{calls[kind]}:' if calls[kind] else '.'} (_) @{name})"
            if kind in calls
            else f"({kind}) @{name}"
            for name, kind in self.kinds.items()
        )
        self.query = tree_sitter.Query(grammar, "\n".join(asked))
        self.cursor = tree_sitter.QueryCursor(self.query, match_limit=MAX_QUERY_MATCHES)

    def nodes(self, root: Node, start: int = 0) -> dict[str, list[Node]]:
        """All nodes of the kinds, by kind and place; what ends before a place is not looked at."""
        self.cursor.set_byte_range(start, _MAX_BYTE_OFFSET)
        return self._captured(self.cursor, root)

    def within(self, root: Node, start: int, end: int) -> dict[str, list[Node]]:
        """Those that share a byte with a stretch."""
        import tree_sitter

        cursor = tree_sitter.QueryCursor(self.query, match_limit=MAX_QUERY_MATCHES)
        cursor.set_byte_range(start, end)
        return self._captured(cursor, root)

    def _captured(self, cursor: QueryCursor, root: Node) -> dict[str, list[Node]]:
        """In the order of the source: the library gives nodes in that of their addresses, which differs from run to run."""
        found = {self.kinds[name]: nodes for name, nodes in cursor.captures(root).items()}
        for nodes in found.values():
            nodes.sort(key=_BYTE_RANGE)
        return found


node_query = cache(NodeQuery)
"""The one query for kinds of nodes of a grammar."""
