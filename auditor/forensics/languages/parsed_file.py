"""One file of a covered language: its source, its tree, and all that is worked out of them once."""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING

from auditor.forensics.languages.argument_wrappers import unwrapped_arguments
from auditor.forensics.languages.assignments import AssignmentIndex
from auditor.forensics.languages.called_names import last_callee_part
from auditor.forensics.languages.file_content_conditions import alternatives, requires_absence
from auditor.forensics.languages.language_rule_types import CallRule, has_query_text
from auditor.forensics.languages.language_type import Language
from auditor.forensics.languages.nearby_guards import find_name_offsets
from auditor.forensics.languages.string_building import TextResolver
from auditor.forensics.languages.string_syntax import StringSyntax
from auditor.forensics.languages.tree_walk import TooDeep, node_query
from auditor.forensics.python.justifying_comments import REASON_WORDS
from auditor.forensics.source_text.file_outline import Outline
from auditor.forensics.source_text.site_probe_types import Site
from auditor.forensics.source_text.syntax_trees import MAX_DEPTH, START_BYTE, field_id, node_kind_ids, sort_nodes

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node


MAX_TEXT_BYTES = 2_000
_MAX_TYPES = 10
"""Types that one name is declared with."""
_MAX_PLACES, _TYPE_WINDOW, _MAX_TYPED_NAMES = 60, 120, 200
"""Places of a name beside which its type is looked for, bytes on either side, and names of a file."""
_MAX_COMMENT_LOOKUPS = 1_000
"""Signs of comments that are looked up one by one."""
_COMMENT_START_BYTES = 5
"""Bytes behind a stretch in which a comment may begin that a form had to look at."""
_MAX_COMMENT_DEPTH = 2
"""Nodes inside each other that a comment may be made of."""
_BEFORE_BYTES = 200
"""Bytes before a node that are looked at."""
_MAX_PRECEDING_FUNCTIONS = 200
"""Functions before a place that are asked whether they contain it."""
_FIRST_ITEM = itemgetter(0)
_STEPS_PER_CLOCK_CHECK = 64
"""Steps between two looks at the clock."""
_MAX_NAME_BYTES = 80
_LAST_NAME = re.compile(rb"[A-Za-z_]\w*\Z")
_TRAILING_COMMENT = re.compile(rb"[;)}, \t]{0,8}(?://|#|/\*)([^\n]{1,300})")
_REASON_WORDS = re.compile(REASON_WORDS.encode())
_EMPTY_STRING_SYNTAX = StringSyntax(literals=frozenset(), gives={})


@dataclass
class FileScan:
    """What the rules of a language found in one file."""

    sites: dict[str, list[Site]] = field(default_factory=lambda: defaultdict(list))
    candidates: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    outline: Outline | None = None
    reason: str = ""
    """Why it was read in part only."""
    unread: str = ""
    """Why it was not read at all."""
    asked: set[str] = field(default_factory=set)
    """Functions of other files of which something must be known."""
    flows: dict[str, object] = field(default_factory=dict)
    """What functions do with what they are given, of those that were asked for."""
    tests: list[tuple[int, int]] = field(default_factory=list)
    """First and last lines of tests that may be in the file of what they test."""


@dataclass
class ParsedFile:
    """A file that is being read, and what its rules share."""

    language: Language
    source: bytes
    said: frozenset[str]
    """Those of its language's words that it holds."""
    names: dict[str, str]
    looked: FileScan
    wanted: frozenset[str]
    root: Node
    grammar: Grammar
    search_deadline: float
    """Processor time at which no more nodes are looked for."""
    neighbours: Mapping[str, object] = field(default_factory=dict)
    """What is known of functions of other files."""
    summarized: frozenset[str] = frozenset()
    """Functions of which it is asked what they do with what they are given; nothing else is."""
    follows_neighbours: bool = False
    """Are values followed into other files of the repository?"""
    callees: Sequence[Node] = ()
    functions: Sequence[Node] = ()
    wrapper_commands: frozenset[str] = frozenset()
    """Commands, and functions of the file, that run the command that their arguments are."""
    parent_lookups: int = 0
    applicable_rules: dict[CallRule, bool] = field(default_factory=dict)
    """Rules that were asked whether the file holds what they need."""
    forwarded_arguments: list[tuple[CallRule, Node]] = field(default_factory=list)
    """Rules, and the arguments of the calls that they match."""
    dropped: int = 0
    """How many calls it was looked up for who wants what they give."""
    told: dict[tuple[str, int], tuple[float, int, int]] = field(default_factory=dict)
    """Questions and the lines that answer them, with how sure the surest answer is, and where its node begins and ends."""
    spans: list[tuple[int, int]] | None = None
    """Where functions begin and end that are in no other."""
    excuse_lookups: int = 0
    """How many values it was asked for where they go."""
    caller_lookups: int = 0
    """How many names it was asked for what callers give them."""
    pieces: TextResolver | None = None
    """Its texts where clauses of queries have a mark of their own; made when first asked for."""
    constant_aware_texts: TextResolver | None = None
    """Its texts where names that can only stand for constants read like those; made when first asked for."""
    places: dict[re.Pattern[bytes], Mapping[bytes, Sequence[int]]] = field(default_factory=dict)
    typed: dict[bytes, tuple[str, ...]] = field(default_factory=dict)
    """Names that were asked for -> the types that they are declared with."""

    @cached_property
    def name_field_id(self) -> int:
        """The field that holds what something is called."""
        return field_id(self.grammar, "name")

    def release(self) -> None:
        """Drop the tree at once: it refers to the file that holds it, and workers collect no garbage."""
        self.__dict__.clear()

    @cached_property
    def texts(self) -> TextResolver:
        """What its texts read like."""
        writing = self.language.writing or _EMPTY_STRING_SYNTAX
        spans = [each.byte_range for each in self.functions]
        return TextResolver(
            AssignmentIndex(writing, self.source, self._nodes_overlapping, self._nodes_around), spans, self._defined
        )

    def _defined(self, name: str) -> Node | None:
        """The one function of the file of that name."""
        found = self._functions_by_name.get(name.encode(), ())
        return found[0] if len(found) == 1 else None

    @cached_property
    def _functions_by_name(self) -> Mapping[bytes, list[Node]]:
        found: dict[bytes, list[Node]] = defaultdict(list)
        for each in self.functions:
            name = each.child_by_field_name("name")
            if name is not None:
                found[self.source[name.start_byte : name.end_byte]].append(each)
        return found

    held: dict[re.Pattern[bytes], bool] = field(default_factory=dict)

    word_cache: dict[frozenset[str], bool] = field(default_factory=dict)

    def has_any_word(self, words: frozenset[str], ignore_case: bool = False) -> bool:
        """Is one of some words in the file, or, where its letters have small ones, in those? Rules that ask share them."""
        if not ignore_case:
            return not words.isdisjoint(self.said)
        if words not in self.word_cache:
            told = self._lowercase_source
            self.word_cache[words] = told is None or any(word.encode() in told for word in words)
        return self.word_cache[words]

    def before(self, node: Node) -> bytes:
        """What is right before a node."""
        return self.source[max(0, node.start_byte - _BEFORE_BYTES) : node.start_byte]

    def holds(self, pattern: re.Pattern[bytes] | None) -> bool:
        """Does the code of the file hold that anywhere? Each form is looked for once."""
        if pattern is None:
            return False
        if pattern not in self.held:
            self.held[pattern] = self._matches_code(pattern)
        return self.held[pattern]

    def _matches_code(self, pattern: re.Pattern[bytes]) -> bool:
        told = False
        for way in alternatives(pattern):
            fit = way.search.found(self.latin1_source)
            if way.lacks:
                if fit is None:
                    return True  # what is nowhere is in no comment either
            elif fit is not None:
                told = True
                if way.alone and not self._may_be_comment(*fit.span()):
                    return True
        return told and pattern.search(self.uncommented_source) is not None

    def _lacks(self, pattern: re.Pattern[bytes] | None) -> bool:
        """Is that held by the file for what is nowhere in it? Asked before anything else, as it is reported by words."""
        return pattern is not None and requires_absence(pattern) and self.holds(pattern)

    @cached_property
    def latin1_source(self) -> str:
        """The source, one letter for each byte."""
        return self.source.decode("latin-1")

    def _may_be_comment(self, start: int, end: int) -> bool:
        """May a part of a stretch be a comment?"""
        said = self.source[start : end + _COMMENT_START_BYTES]
        return any(each in said for each in self.language.comment_starts) or self._enclosing_comment(start) is not None

    def _enclosing_comment(self, place: int) -> Node | None:
        """The comment around an offset."""
        node = self.root.descendant_for_byte_range(place, place + 1)
        for _ in range(_MAX_COMMENT_DEPTH):
            if node is None or node.type in self.language.comments:
                return node
            node = self.around(node)
        return None

    @cached_property
    def uncommented_source(self) -> bytes:
        """The source with blanks for its comments: what they say does nothing."""
        kept, place = [], 0
        for start, end in self._comment_spans():
            if start >= place:
                kept += [self.source[place:start], b" " * (end - start)]
                place = end
        return b"".join((*kept, self.source[place:]))

    def _comment_spans(self) -> Iterator[tuple[int, int]]:
        """Where comments are, in order: looked up where one may begin, or, where that is too often, in all of the tree."""
        source, opening = self.source, self.language.opening
        if sum(map(source.count, self.language.comment_starts)) > _MAX_COMMENT_LOOKUPS:
            yield from (each.byte_range for each in self._nodes_overlapping(self.language.comments, 0, len(source)))
            return
        opened = opening.search(source)
        while opened is not None:
            end = opened.end()
            comment = self._enclosing_comment(opened.start())
            if comment is not None:
                yield comment.byte_range
                end = max(end, comment.end_byte)
            opened = opening.search(source, end)

    def outermost_function(self, place: int) -> tuple[int, int] | None:
        """The outermost function around a place."""
        if self.spans is None:
            self.spans = []
            for each in self.functions:
                start, end = each.byte_range
                if not self.spans or start >= self.spans[-1][1]:
                    self.spans.append((start, end))
        at = bisect_right(self.spans, (place, len(self.source))) - 1
        return self.spans[at] if at >= 0 and place < self.spans[at][1] else None

    @cached_property
    def has_query_text(self) -> bool:
        """Does some text begin like a query?"""
        return has_query_text(self.source)

    def _nodes_overlapping(self, kinds: frozenset[str], start: int, end: int) -> list[Node]:
        """Nodes of some kinds that share a byte with a stretch."""
        return sort_nodes(node_query(self.grammar, None, kinds).within(self.root, start, end), kinds)

    def _nodes_around(self, kinds: frozenset[str], place: int) -> Iterator[Node]:
        """The nodes of some kinds around a byte, the outermost first. Raises TooDeep where no honest file is so deep."""
        cursor = self.root.walk()
        known = node_kind_ids(self.grammar, kinds)
        for _ in range(MAX_DEPTH):
            if cursor.goto_first_child_for_byte(place) is None:
                return
            node = cursor.node
            if node is None or node.start_byte > place:
                return
            if node.kind_id in known:
                yield node
        raise TooDeep

    def can_apply(self, rule: CallRule) -> bool:
        """Does the file hold anything that a rule may apply to?"""
        if rule not in self.applicable_rules:
            may = rule.can_apply(self.has_any_word, self._mentions_temporary_folder)
            self.applicable_rules[rule] = may and not self._lacks(rule.unless_in_file)
        return self.applicable_rules[rule]

    def _mentions_temporary_folder(self) -> bool:
        """Does something in the file give the temporary folder?"""
        return self.language.writing is not None and self.holds(self.language.writing.temporary_folder)

    @cached_property
    def called(self) -> dict[str, list[Node]]:
        """What is called in the file, by its last part."""
        found: dict[str, list[Node]] = defaultdict(list)
        for each in self.callees:
            found[last_callee_part(self.source, each)].append(each)
        return found

    @cached_property
    def _lowercase_source(self) -> bytes | None:
        return self.source.lower() if self.source.isascii() else None

    def around(self, node: Node) -> Node | None:
        """What a node is in: looked for from the root on, step by step. Raises TooDeep when that takes too long."""
        self.parent_lookups += 1
        if self.parent_lookups % _STEPS_PER_CLOCK_CHECK == 0 and time.process_time() > self.search_deadline:
            raise TooDeep
        return node.parent

    def pair_with_calls(self, callees: Iterable[Node]) -> list[tuple[Node, Node]]:
        """What is called and its call, by where the calls begin."""
        around = self.around
        found = [(call.byte_range, each, call) for each in callees if (call := around(each)) is not None]
        found.sort(key=_FIRST_ITEM)
        return [(each, call) for _, each, call in found]

    def calls_of(self, callees: Iterable[Node]) -> list[Node]:
        """The calls of what is called, by where they begin."""
        return [call for _, call in self.pair_with_calls(callees)]

    def arguments_of(self, call: Node) -> list[Node]:
        """What a call is given."""
        language = self.language
        held = call.child_by_field_name(language.arguments)
        if held is None and not language.calls.get(call.type, "-"):
            held = next((each for each in call.named_children if each.type == language.arguments), None)
        if held is None:
            return [each for each in call.children_by_field_name("argument") if each.is_named]
        given = [each for each in held.named_children[:50] if each.type not in language.comments]
        return unwrapped_arguments(given, language.argument_wrappers)

    def types_of(self, node: Node) -> tuple[str, ...]:
        """The types that names like the last part of an expression are declared with, anywhere in the file."""
        found = _LAST_NAME.search(self.source[node.start_byte : node.end_byte][-_MAX_NAME_BYTES:])
        if found is None:
            return ()
        name = found[0]
        if name not in self.typed:
            if len(self.typed) >= _MAX_TYPED_NAMES:
                return ()
            self.typed[name] = tuple(islice(dict.fromkeys(self._declared_types(name)), _MAX_TYPES))
        return self.typed[name]

    def _declared_types(self, name: bytes) -> Iterator[str]:
        """The types that are beside a name, as its language declares them."""
        forms = [re.compile(form.replace(b"@", re.escape(name))) for form in self.language.types]
        for place in islice(find_name_offsets(name, self.source), _MAX_PLACES):
            beside = self.source[max(0, place - _TYPE_WINDOW) : place + len(name) + _TYPE_WINDOW]
            for each in forms:
                for found in each.finditer(beside):
                    yield found[1].decode("utf-8", errors="replace")

    @cached_property
    def failing(self) -> Mapping[str, frozenset[str]]:
        """Functions of the file that may fail, and the types that they are of; none for one that is alone."""
        found: dict[str, set[str]] = defaultdict(set)
        form = self.language.failing
        for each in form.finditer(self.source) if form is not None and self.language.fallible_call_rules else ():
            name, of = (
                (each.groupdict().get(group) or b"").decode("utf-8", errors="replace") for group in ("name", "of")
            )
            found[name].add(of)
        return {name: frozenset(types) for name, types in found.items()}

    def has_justifying_comment(self, node: Node) -> bool:
        """Does a comment behind it, or on the line above, give a reason?"""
        start, end = node.byte_range
        behind = _TRAILING_COMMENT.match(self.source, end)
        if behind is not None and _REASON_WORDS.search(behind[1]):
            return True
        line = self.source.rfind(b"\n", 0, start)
        above = self.source[self.source.rfind(b"\n", 0, max(line, 0)) + 1 : max(line, 0)].strip()[:MAX_TEXT_BYTES]
        return above.startswith((b"//", b"#")) and _REASON_WORDS.search(above) is not None

    def text(self, node: Node, most: int = MAX_TEXT_BYTES) -> str:
        """The source of a node, up to a length; lines that the language joins are one line."""
        start, end = node.byte_range
        source = self.source[start : end if end - start < most else start + most]
        if (joins := self.language.line_continuation) and joins in source:
            source = source.replace(joins, b" ")
        return source.decode("utf-8", errors="replace")

    def add_site(self, probe: str, node: Node, statement: str, call: str, confidence: float, reason: str) -> None:
        """Record a site, if its probe is wanted."""
        if probe in self.wanted:
            line = node.start_point[0] + 1
            end = min(node.end_point[0] + 1, line + 5)
            said = (confidence, *node.byte_range)
            self.told[probe, line] = max(said, self.told.get((probe, line), said))
            self.looked.sites[probe].append(
                Site(line, end, statement, call, confidence, reason if confidence < 1 else "")
            )


def enclosing_function(file: ParsedFile, place: Node) -> Node | None:
    """The innermost function around a place."""
    start = place.start_byte
    before = file.functions[: bisect_right(file.functions, start, key=START_BYTE)]
    return next((each for each in reversed(before[-_MAX_PRECEDING_FUNCTIONS:]) if start < each.end_byte), None)
