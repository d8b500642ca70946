"""What a grammar makes of a file, and the files and trees that nobody writes: those are refused before they cost time."""

from __future__ import annotations

import string
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import cycle
from operator import attrgetter
from typing import TYPE_CHECKING

from auditor.forensics.languages.rules import BROKEN, Language
from auditor.forensics.roles import language_title

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node, Parser, Tree


MAX_CODE = 2_000_000
"""Bytes of a file that is parsed; generated bundles lie above it, what people write far below."""
PARSE_SECONDS = 3.0
"""Processor seconds; whoever reads is a process with one thread."""
_CHUNK = 1 << 16
_LEAST_SECONDS, _SECONDS_A_BYTE = 0.5, 10e-6
"""What a file is given to be parsed in, up to those: real files of six languages that were cut, spliced and strewn with signs
took up to 3.3 microseconds a byte, and whole ones 0.4."""
_UNTIMED = 4_000
"""Bytes up to which nobody looks at the clock."""
_SMALL = 15_000
"""Bytes up to which looking at a tree takes little time, however deep it is in its middle."""
MAX_DEPTH = 3_000
_MAX_CHILDREN = 40_000
_MAX_NODES = 400_000
MATCHES = 100_000
_LETTERS = string.ascii_letters
"""What a query calls the nodes that it gives: each brings its name along, and no name of one letter is made anew."""
_NO_END = (1 << 32) - 1
"""Behind the last byte that a query knows."""
_MAX_BROKEN = 0.5
"""Share of a file that may lie in broken stretches; beyond it the rest says little."""
START = attrgetter("start_byte")
"""The order of nodes; tree-sitter gives them in one that differs from run to run. A node knows where it begins, and has
to look up in the tree where it ends, which takes ten times as long."""
_END = attrgetter("end_byte")


class TooDeep(Exception):
    """The tree is so deep that looking for what stands around its nodes takes longer than reading any honest file."""


def beyond(content: bytes, language: Language) -> str:
    """Why a file is not even parsed; empty for any that people write."""
    if len(content) > MAX_CODE:
        return f"larger than {MAX_CODE:,} bytes, so it is only read as text"
    return "statements too long to be parsed in time" if language.endless(content) else ""


def ordered(seen: Mapping[str, list[Node]], kinds: Iterable[str]) -> list[Node]:
    """The nodes of some kinds by where they begin; of those that begin together, what ends first before what holds it."""
    found = [node for kind in kinds if kind in seen for node in seen[kind]]
    if len(found) > 1:
        found.sort(key=_END)
        found.sort(key=START)
    return found


@cache
def parser_of(grammar: Grammar) -> Parser:
    """The one parser of a grammar."""
    import tree_sitter

    return tree_sitter.Parser(grammar)


def seconds_for(size: int) -> float:
    """Processor seconds that a file of some bytes may take to be parsed, to a tenth."""
    return round(min(PARSE_SECONDS, _LEAST_SECONDS + _SECONDS_A_BYTE * size), 1)


def parsed(parser: Parser, content: bytes, seconds: float = PARSE_SECONDS) -> Tree | None:
    """The tree; None when recovering from errors takes longer than any honest file does, or than so many seconds."""
    size = len(content)
    if size <= _UNTIMED:
        return parser.parse(content)
    end, is_due, now = (
        time.process_time() + min(seconds, seconds_for(size)),
        cycle((False,) * 15 + (True,)).__next__,
        time.process_time,
    )
    try:
        return parser.parse(
            lambda offset, _point: content[offset : offset + _CHUNK],
            progress_callback=lambda _offset, _has_error: is_due() and now() > end,
        )
    except ValueError:
        parser.reset()
        return None


def is_tangled(tree: Tree, size: int) -> bool:
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
    return size > _SMALL and any(_is_deep(tree, size * place // 4) for place in (1, 2, 3))


def _is_deep(tree: Tree, place: int) -> bool:
    """Does a place stand deeper in the tree than it does in any honest file?"""
    cursor = tree.walk()
    return all(cursor.goto_first_child_for_byte(place) is not None for _ in range(MAX_DEPTH))


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


def broken(tree: Tree) -> int:
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


@cache
def field_of(grammar: Grammar, name: str) -> int:
    """The number that a grammar has for a field, by which it is found in half the time; none for one that it does not know."""
    return grammar.field_id_for_name(name) or 0


@cache
def numbers_of(grammar: Grammar, kinds: frozenset[str]) -> frozenset[int]:
    """The numbers that a grammar has for kinds of nodes."""
    named = (each for each in range(grammar.node_kind_count) if grammar.node_kind_is_named(each))
    return frozenset(each for each in named if grammar.node_kind_for_id(each) in kinds)
