"""One file of a covered language: its source, its tree, and all that is worked out of them once, whoever asks."""

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

from auditor.forensics.languages.assignments import Names
from auditor.forensics.languages.called_names import last_part
from auditor.forensics.languages.file_content_conditions import lacks, ways
from auditor.forensics.languages.language_rule_types import Call, Language, holds_queries
from auditor.forensics.languages.nearby_guards import places_of
from auditor.forensics.languages.string_building import Texts
from auditor.forensics.languages.string_syntax import Writing
from auditor.forensics.languages.tree_walk import TooDeep, walk_of
from auditor.forensics.python.justifying_comments import WHY
from auditor.forensics.source_text.file_outline import Outline
from auditor.forensics.source_text.site_types import Site
from auditor.forensics.source_text.syntax_trees import MAX_DEPTH, START_BYTE, field_id, node_kind_ids, sort_nodes

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node


TEXT = 2_000
_MAX_TYPES = 10
"""Types that one name is declared with."""
_MAX_PLACES, _WIDTH, _MOST_TYPED = 60, 120, 200
"""Places of a name beside which its type is looked for, bytes on either side, and names of a file."""
_MOST_COMMENTS = 1_000
"""Signs of comments that are looked up one by one."""
_OPENS = 5
"""Bytes behind a stretch in which a comment may begin that a form had to look at."""
_IN_A_COMMENT = 2
"""Nodes inside each other that a comment may be made of."""
_RIGHT_BEFORE = 200
"""Bytes before a node that are looked at."""
_MAX_BEFORE = 200
"""Functions before a place that are asked whether they stand around it."""
_FIRST = itemgetter(0)
_OFTEN = 64
"""Steps between two looks at the clock."""
_LONGEST_NAME = 80
_LAST_NAME = re.compile(rb"[A-Za-z_]\w*\Z")
_COMMENT_BEHIND = re.compile(rb"[;)}, \t]{0,8}(?://|#|/\*)([^\n]{1,300})")
_REASON = re.compile(WHY.encode())
_NO_WRITING = Writing(literals=frozenset(), gives={})


@dataclass
class Looked:
    """What was seen in one file."""

    sites: dict[str, list[Site]] = field(default_factory=lambda: defaultdict(list))
    candidates: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    outline: Outline | None = None
    reason: str = ""
    """Why it was read in part only."""
    unread: str = ""
    """Why it was not read at all."""
    tests: list[tuple[int, int]] = field(default_factory=list)
    """First and last lines of tests that may stand beside what they test."""


@dataclass
class File:
    """A file that is being read, and what its rules share."""

    language: Language
    source: bytes
    said: frozenset[str]
    """Those of its language's words that it holds."""
    names: dict[str, str]
    looked: Looked
    wanted: frozenset[str]
    root: Node
    grammar: Grammar
    due: float
    """Processor time at which no more nodes are looked for."""
    callees: Sequence[Node] = ()
    functions: Sequence[Node] = ()
    hands_on: frozenset[str] = frozenset()
    """Commands, and functions of the file, that run the command that their arguments are."""
    climbed: int = 0
    speaking: dict[Call, bool] = field(default_factory=dict)
    """Rules that were asked whether the file holds what they need."""
    handing: list[tuple[Call, Node]] = field(default_factory=list)
    """Rules, and what was handed to what they speak of."""
    dropped: int = 0
    """How many calls it was looked up for who wants what they give."""
    told: set[tuple[str, int]] = field(default_factory=set)
    """Questions and the lines that answer them."""
    spans: list[tuple[int, int]] | None = None
    """Where functions begin and end that stand in no other."""
    excused: int = 0
    """How many values it was asked for where they go."""
    asked_of_callers: int = 0
    """How many names it was asked for what callers give them."""
    pieces: Texts | None = None
    """Its texts where clauses of queries have a mark of their own, as soon as somebody asks."""
    careful: Texts | None = None
    """Its texts where names that can only stand for constants read like those, as soon as somebody asks."""
    typed: dict[bytes, tuple[str, ...]] = field(default_factory=dict)
    """Names that were asked for -> the types that they are declared with."""

    @cached_property
    def of_name(self) -> int:
        """The field that holds what something is called."""
        return field_id(self.grammar, "name")

    def let_go(self) -> None:
        """Give up the tree at once: what was worked out of it refers to the file that holds it, and workers collect no garbage."""
        self.__dict__.clear()

    @cached_property
    def texts(self) -> Texts:
        """What its texts read like."""
        writing = self.language.writing or _NO_WRITING
        spans = [each.byte_range for each in self.functions]
        return Texts(Names(writing, self.source, self._within, self._upon), spans, self._defined)

    def _defined(self, name: str) -> Node | None:
        """The one function of the file of that name."""
        found = self._named_functions.get(name.encode(), ())
        return found[0] if len(found) == 1 else None

    @cached_property
    def _named_functions(self) -> Mapping[bytes, list[Node]]:
        found: dict[bytes, list[Node]] = defaultdict(list)
        for each in self.functions:
            name = each.child_by_field_name("name")
            if name is not None:
                found[self.source[name.start_byte : name.end_byte]].append(each)
        return found

    held: dict[re.Pattern[bytes], bool] = field(default_factory=dict)

    had: dict[frozenset[str], bool] = field(default_factory=dict)

    def has(self, words: frozenset[str], either: bool = False) -> bool:
        """Does one of some words stand in the file, or, where its letters have small ones, in those? Rules that ask share them."""
        if not either:
            return not words.isdisjoint(self.said)
        if words not in self.had:
            told = self._lowered
            self.had[words] = told is None or any(word.encode() in told for word in words)
        return self.had[words]

    def before(self, node: Node) -> bytes:
        """What stands right before a node."""
        return self.source[max(0, node.start_byte - _RIGHT_BEFORE) : node.start_byte]

    def holds(self, form: re.Pattern[bytes] | None) -> bool:
        """Does the code of the file hold that anywhere? Each form is looked for once."""
        if form is None:
            return False
        if form not in self.held:
            self.held[form] = self._holds(form)
        return self.held[form]

    def _holds(self, form: re.Pattern[bytes]) -> bool:
        told = False
        for way in ways(form):
            fit = way.sought.found(self.letters)
            if way.lacks:
                if fit is None:
                    return True  # what is nowhere is in no comment either
            elif fit is not None:
                told = True
                if way.alone and not self._is_commented(*fit.span()):
                    return True
        return told and form.search(self.uncommented) is not None

    def _lacks(self, form: re.Pattern[bytes] | None) -> bool:
        """Is that held by the file for what is nowhere in it? Asked before anything else, as it is told by words."""
        return form is not None and lacks(form) and self.holds(form)

    @cached_property
    def letters(self) -> str:
        """The source, one letter for each byte."""
        return self.source.decode("latin-1")

    def _is_commented(self, start: int, end: int) -> bool:
        """May a part of a stretch be a comment?"""
        said = self.source[start : end + _OPENS]
        return any(each in said for each in self.language.commented) or self._comment(start) is not None

    def _comment(self, place: int) -> Node | None:
        """The comment around a place."""
        node = self.root.descendant_for_byte_range(place, place + 1)
        for _ in range(_IN_A_COMMENT):
            if node is None or node.type in self.language.comments:
                return node
            node = self.around(node)
        return None

    @cached_property
    def uncommented(self) -> bytes:
        """The source with blanks for its comments: what they say does nothing."""
        kept, place = [], 0
        for start, end in self._comments():
            if start >= place:
                kept += [self.source[place:start], b" " * (end - start)]
                place = end
        return b"".join((*kept, self.source[place:]))

    def _comments(self) -> Iterator[tuple[int, int]]:
        """Where comments stand, in order: looked up where one may begin, or, where that is too often, in all of the tree."""
        source, opening = self.source, self.language.opening
        if sum(map(source.count, self.language.commented)) > _MOST_COMMENTS:
            yield from (each.byte_range for each in self._within(self.language.comments, 0, len(source)))
            return
        opened = opening.search(source)
        while opened is not None:
            end = opened.end()
            comment = self._comment(opened.start())
            if comment is not None:
                yield comment.byte_range
                end = max(end, comment.end_byte)
            opened = opening.search(source, end)

    def outermost(self, place: int) -> tuple[int, int] | None:
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
    def queries(self) -> bool:
        """Does some text begin like a query?"""
        return holds_queries(self.source)

    def _within(self, kinds: frozenset[str], start: int, end: int) -> list[Node]:
        """Nodes of some kinds that share a byte with a stretch."""
        return sort_nodes(walk_of(self.grammar, None, kinds).within(self.root, start, end), kinds)

    def _upon(self, kinds: frozenset[str], place: int) -> Iterator[Node]:
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

    def may_speak(self, rule: Call) -> bool:
        """Is there anything in the file that a rule may speak of?"""
        if rule not in self.speaking:
            may = rule.may_speak(self.has, self._gives_temporary)
            self.speaking[rule] = may and not self._lacks(rule.without)
        return self.speaking[rule]

    def _gives_temporary(self) -> bool:
        """Does something in the file give the temporary folder?"""
        return self.language.writing is not None and self.holds(self.language.writing.temporary)

    @cached_property
    def called(self) -> dict[str, list[Node]]:
        """What is called in the file, by its last part."""
        found: dict[str, list[Node]] = defaultdict(list)
        for each in self.callees:
            found[last_part(self.source, each)].append(each)
        return found

    @cached_property
    def _lowered(self) -> bytes | None:
        return self.source.lower() if self.source.isascii() else None

    def around(self, node: Node) -> Node | None:
        """What a node stands in: looked for from the root on, step by step. Raises TooDeep when that takes too long."""
        self.climbed += 1
        if self.climbed % _OFTEN == 0 and time.process_time() > self.due:
            raise TooDeep
        return node.parent

    def with_calls(self, callees: Iterable[Node]) -> list[tuple[Node, Node]]:
        """What is called and its call, by where the calls begin."""
        around = self.around
        found = [(call.byte_range, each, call) for each in callees if (call := around(each)) is not None]
        found.sort(key=_FIRST)
        return [(each, call) for _, each, call in found]

    def calls_of(self, callees: Iterable[Node]) -> list[Node]:
        """The calls of what is called, by where they begin."""
        return [call for _, call in self.with_calls(callees)]

    def arguments_of(self, call: Node) -> list[Node]:
        """What a call is given."""
        held = call.child_by_field_name(self.language.arguments)
        if held is None:
            return [each for each in call.children_by_field_name("argument") if each.is_named]
        comments = self.language.comments
        return [each for each in held.named_children[:50] if each.type not in comments]

    def types_of(self, node: Node) -> tuple[str, ...]:
        """The types that names like the last part of an expression are declared with, anywhere in the file."""
        found = _LAST_NAME.search(self.source[node.start_byte : node.end_byte][-_LONGEST_NAME:])
        if found is None:
            return ()
        name = found[0]
        if name not in self.typed:
            if len(self.typed) >= _MOST_TYPED:
                return ()
            self.typed[name] = tuple(islice(dict.fromkeys(self._types(name)), _MAX_TYPES))
        return self.typed[name]

    def _types(self, name: bytes) -> Iterator[str]:
        """The types that stand beside a name, as its language declares them."""
        forms = [re.compile(form.replace(b"@", re.escape(name))) for form in self.language.types]
        for place in islice(places_of(name, self.source), _MAX_PLACES):
            beside = self.source[max(0, place - _WIDTH) : place + len(name) + _WIDTH]
            for each in forms:
                for found in each.finditer(beside):
                    yield found[1].decode("utf-8", errors="replace")

    @cached_property
    def failing(self) -> Mapping[str, frozenset[str]]:
        """Functions of the file that may fail, and the types that they are of; none for one that stands alone."""
        found: dict[str, set[str]] = defaultdict(set)
        form = self.language.failing
        for each in form.finditer(self.source) if form is not None and self.language.of_failing else ():
            name, of = (
                (each.groupdict().get(group) or b"").decode("utf-8", errors="replace") for group in ("name", "of")
            )
            found[name].add(of)
        return {name: frozenset(types) for name, types in found.items()}

    def is_explained(self, node: Node) -> bool:
        """Does a comment behind it, or on the line above, give a reason?"""
        start, end = node.byte_range
        behind = _COMMENT_BEHIND.match(self.source, end)
        if behind is not None and _REASON.search(behind[1]):
            return True
        line = self.source.rfind(b"\n", 0, start)
        above = self.source[self.source.rfind(b"\n", 0, max(line, 0)) + 1 : max(line, 0)].strip()[:TEXT]
        return above.startswith((b"//", b"#")) and _REASON.search(above) is not None

    def text(self, node: Node, most: int = TEXT) -> str:
        """The source of a node, up to a length."""
        start, end = node.byte_range
        return self.source[start : end if end - start < most else start + most].decode("utf-8", errors="replace")

    def see(self, probe: str, node: Node, statement: str, call: str, confidence: float, because: str) -> None:
        """Note a place; nobody asked for it, nothing is noted."""
        if probe in self.wanted:
            line = node.start_point[0] + 1
            end = min(node.end_point[0] + 1, line + 5)
            self.told.add((probe, line))
            self.looked.sites[probe].append(
                Site(line, end, statement, call, confidence, because if confidence < 1 else "")
            )


def enclosing(file: File, place: Node) -> Node | None:
    """The innermost function around a place."""
    start = place.start_byte
    before = file.functions[: bisect_right(file.functions, start, key=START_BYTE)]
    return next((each for each in reversed(before[-_MAX_BEFORE:]) if start < each.end_byte), None)
