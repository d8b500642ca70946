"""Looking for the nodes that the rules of a language ask for, and the files and trees that nobody writes: those are refused before they cost time."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from auditor.forensics.languages.language_rule_types import BROKEN, Language
from auditor.forensics.source_text.file_roles import language_title

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node


MAX_CODE = 2_000_000
"""Bytes of a file that is parsed; generated bundles lie above it, what people write far below."""
_MAX_NODES = 400_000
MATCHES = 100_000
_LETTERS = string.ascii_letters
"""What a query calls the nodes that it gives: each brings its name along, and no name of one letter is made anew."""
_NO_END = (1 << 32) - 1
"""Behind the last byte that a query knows."""
_MAX_BROKEN = 0.5
"""Share of a file that may lie in broken stretches; beyond it the rest says little."""


class TooDeep(Exception):
    """The tree is so deep that looking for what stands around its nodes takes longer than reading any honest file."""


def beyond(content: bytes, language: Language) -> str:
    """Why a file is not even parsed; empty for any that people write."""
    if len(content) > MAX_CODE:
        return f"larger than {MAX_CODE:,} bytes, so it is only read as text"
    return "statements too long to be parsed in time" if language.endless(content) else ""


def refused(seen: Mapping[str, Sequence[Node]], content: bytes, language: Language) -> str:
    """Why nothing is said of a file; empty for any that can be followed."""
    if sum(map(len, seen.values())) > _MAX_NODES:
        return "too many statements to be looked at one by one"
    broken = sum(node.end_byte - node.start_byte for node in seen.get(BROKEN, ()))
    return (
        f"most of it is not {language_title(language.name)} as its grammar knows it"
        if broken > _MAX_BROKEN * len(content)
        else ""
    )


def kinds_in(said: frozenset[str], language: Language) -> frozenset[str]:
    """Kinds of nodes that are walked for in a file of some words; values and rare pieces only where a rule can speak of them."""
    kinds = language.kinds if language.value_words.isdisjoint(said) else language.kinds_and_values
    if language.rare_words.isdisjoint(said):
        return kinds
    rare = [kind for kind, rules in language.of_rare.items() if any(each.may_fit(said) for each in rules)]
    return kinds.union(rare) if rare else kinds


def first_of_interest(content: bytes, language: Language, kinds: frozenset[str]) -> int:
    """The place before which a file without an error holds nothing that is walked for: what is imported takes a tenth of a walk."""
    if language.head is None or kinds is not language.kinds:
        return 0
    found = language.head.match(content)
    return 0 if found is None else found.end()


class Walk:
    """Looks for nodes by their kind: each is given once, however many rules it is shown to. Calls of a language are given by what is called."""

    def __init__(self, grammar: Grammar, language: Language | None, kinds: frozenset[str]) -> None:
        import tree_sitter

        calls = {} if language is None else language.calls
        self.kinds = {_LETTERS[number]: kind for number, kind in enumerate((BROKEN, *sorted(kinds)))}
        asked = (
            f"({kind} {calls[kind]}: (_) @{name})" if kind in calls else f"({kind}) @{name}"
            for name, kind in self.kinds.items()
        )
        self.query = tree_sitter.Query(grammar, "\n".join(asked))
        self.cursor = tree_sitter.QueryCursor(self.query, match_limit=MATCHES)

    def nodes(self, root: Node, start: int = 0) -> dict[str, list[Node]]:
        """All nodes of the kinds, by kind; what ends before a place is not looked at."""
        self.cursor.set_byte_range(start, _NO_END)
        return {self.kinds[name]: nodes for name, nodes in self.cursor.captures(root).items()}

    def within(self, root: Node, start: int, end: int) -> dict[str, list[Node]]:
        """Those that share a byte with a stretch."""
        import tree_sitter

        cursor = tree_sitter.QueryCursor(self.query, match_limit=MATCHES)
        cursor.set_byte_range(start, end)
        return {self.kinds[name]: nodes for name, nodes in cursor.captures(root).items()}


walk_of = cache(Walk)
"""The one walk for kinds of nodes of a grammar."""
