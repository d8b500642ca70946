"""One file of a covered language: parsed once, walked once, asked all that its page of rules asks.

Nothing here recurses, and every stretch that is looked at is bounded, so a hostile file costs no more than its length.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import cycle, islice
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from auditor.forensics.languages.callees import called, callee, last_part, worth_asking
from auditor.forensics.languages.cases import test_lines, tests_of
from auditor.forensics.languages.holding import lacks, ways
from auditor.forensics.languages.nearby import Stretch, excuses, places_of
from auditor.forensics.languages.offered import TYPED, offers_of
from auditor.forensics.languages.rules import (
    ALL,
    BEFORE,
    BEHIND,
    BROKEN,
    ITSELF,
    RECEIVER,
    Argument,
    Call,
    Language,
    Piece,
    Unlooked,
    holds_queries,
    last_of,
)
from auditor.forensics.languages.texts import Texts, Writing
from auditor.forensics.outline import Case, Function, Outline, Runs
from auditor.forensics.sites import Site

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node, Parser, Query, Tree

MAX_CODE = 2_000_000
"""Bytes of a file that is parsed; generated bundles lie above it, what people write far below."""
PARSE_SECONDS = 3.0
"""Processor seconds; whoever reads is a process with one thread."""
_CHUNK = 1 << 16
_SMALL = 15_000
"""Bytes up to which even recovering from errors all the way ends within those seconds."""
_MAX_DEPTH = 3_000
_MAX_CHILDREN = 40_000
_MAX_NODES = 400_000
_MATCHES = 100_000
_MAX_BROKEN = 0.5
"""Share of a file that may lie in broken stretches; beyond it the rest says little."""
_TEXT = 2_000
_MAX_HANDED = 200
"""Calls of a file of which it is asked whether what they are given comes from callers."""
_MAX_DROPPED = 200
"""Calls of a file of which it is looked up what stands around them: that costs a walk from the root."""
_REQUIRED = re.compile(r"^\(?(?:await\s+import|require)\(\s*['\"](?:node:)?([\w@/-]+)['\"]\s*\)\)?")
"""A module that is named where it is used."""
_GIVEN_TO = re.compile(
    rb"(?P<declared>[\w>\]]\s+)?(?<![\w$.@])(?P<name>[A-Za-z_$][\w$]*)(?:\s*:\s*[\w.<>\[\]& ]{1,80})?\s*(?P<sign>:?=)\s*(?:await\s+)?\Z"
)
"""What stands before a call whose result is given to a name."""
_MAX_BEFORE_COMMAND = 12
"""Arguments among which the command is looked for that another one runs."""
_MAX_BESIDE = 300
"""Bytes before and behind a call that a rule may look at."""
_NAMED_VALUE = re.compile(r"[A-Za-z_$@][\w$.:]*[\s,;)]*\Z")
_KEY = re.compile(rb"[{,(]@\s*:(?!:)")
"""A name that stands for a field which is given a value, and is no use of what else goes by it; `@` for the name."""
_MAX_USES = 20_000
"""Bytes behind a call in which the uses of that name are looked at."""
_MAX_KEYS = 100
"""Keys of a record among which one is looked for."""
_MAX_TYPES = 10
"""Types that one name is declared with."""
_MAX_PLACES, _WIDTH, _MOST_TYPED = 60, 120, 200
"""Places of a name beside which its type is looked for, bytes on either side, and names of a file."""
_MOST_EXCUSED = 200
"""Values of a file of which it is asked where they go; all others are excused by what stands anywhere."""
_MOST_COMMENTS = 1_000
"""Signs of comments that are looked up one by one."""
_OPENS = 5
"""Bytes behind a stretch in which a comment may begin that a form had to look at."""
_IN_A_COMMENT = 2
"""Nodes inside each other that a comment may be made of."""
_MAX_BEFORE = 200
"""Functions before a place that are asked whether they stand around it."""
_START = attrgetter("start_byte")
"""The order of nodes; tree-sitter gives them in one that differs from run to run. A node knows where it begins, and has
to look up in the tree where it ends, which takes ten times as long."""
_END = attrgetter("end_byte")
_MOST_AROUND = 12
"""What stands around a handler that is looked at, from the inside out."""
_BEGINNING = 400
_FIRST = itemgetter(0)
_OFTEN = 64
"""Steps between two looks at the clock."""
_LONGEST_NAME = 80
_LAST_NAME = re.compile(rb"[A-Za-z_]\w*\Z")
_COMMENT_BEHIND = re.compile(rb"[;)}, \t]{0,8}(?://|#|/\*)([^\n]{1,300})")
_REASON = re.compile(
    rb"(?i)\b(?:because|since|best[- ]effort|harmless|safe(?:ly)?|fine|ok(?:ay)?|never|cannot|can't|won't|always|already|may|might|intentional\w*|deliberate\w*|on purpose|expected|optional\w*|"
    rb"does(?:n't| not)|don't|do not|is not|isn't|not an? (?:error|problem|failure)|no (?:need|harm|way|point)|only|anyway|regardless|whether|either|unless|next|later|nobody|nothing|no one|must (?:not|never)|should(?: not|n't)|logged|reported|retr\w+|fallback|falls? back|default\w*|so that|if|broken pipes?|epipe)\b"
)
"""Words of a comment that tells why, not what."""
_PARTLY = "a part of the file could not be parsed"
_DEEP = "nested too deeply to be looked at"
_UNSURE_CHECK = "a helper whose name does not say so may check something"


_NO_WRITING = Writing(literals=frozenset(), gives={})


class _TooDeep(Exception):
    """The tree is so deep that looking for what stands around its nodes takes longer than reading any honest file."""


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
class _File:
    language: Language
    source: bytes
    names: dict[str, str]
    looked: Looked
    wanted: frozenset[str]
    root: Node
    grammar: Grammar
    due: float
    """Processor time at which no more nodes are looked for."""
    callees: Sequence[Node] = ()
    functions: Sequence[Node] = ()
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
    typed: dict[bytes, tuple[str, ...]] = field(default_factory=dict)
    """Names that were asked for -> the types that they are declared with."""

    @cached_property
    def texts(self) -> Texts:
        """What its texts read like."""
        writing = self.language.writing or _NO_WRITING
        spans = [each.byte_range for each in self.functions]
        return Texts(writing, self.source, spans, self._within, self._upon, self._defined)

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

    had: dict[tuple[bytes, ...], bool] = field(default_factory=dict)

    def has(self, words: tuple[bytes, ...]) -> bool:
        """Does one of some words stand in the file? Rules that ask share them."""
        if words not in self.had:
            self.had[words] = any(word in self.source for word in words)
        return self.had[words]

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
            fit = way.sought.found(self._letters)
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
    def _letters(self) -> str:
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
        import tree_sitter

        cursor = tree_sitter.QueryCursor(_query(self.grammar, None, kinds), match_limit=_MATCHES)
        cursor.set_byte_range(start, end)
        return _ordered(cursor.captures(self.root), kinds)

    def _upon(self, kinds: frozenset[str], place: int) -> Iterator[Node]:
        """The nodes of some kinds around a byte, the outermost first. Raises _TooDeep where no honest file is so deep."""
        cursor = self.root.walk()
        known = _numbers(self.grammar, kinds)
        for _ in range(_MAX_DEPTH):
            if cursor.goto_first_child_for_byte(place) is None:
                return
            node = cursor.node
            if node is None or node.start_byte > place:
                return
            if node.kind_id in known:
                yield node
        raise _TooDeep

    def may_speak(self, rule: Call) -> bool:
        """Is there anything in the file that a rule may speak of?"""
        if rule not in self.speaking:
            may = rule.may_speak(self.source, self._lowered, self._gives_temporary)
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
        """What a node stands in: looked for from the root on, step by step. Raises _TooDeep when that takes too long."""
        self.climbed += 1
        if self.climbed % _OFTEN == 0 and time.process_time() > self.due:
            raise _TooDeep
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
        above = self.source[self.source.rfind(b"\n", 0, max(line, 0)) + 1 : max(line, 0)].strip()[:_TEXT]
        return above.startswith((b"//", b"#")) and _REASON.search(above) is not None

    def text(self, node: Node, most: int = _TEXT) -> str:
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


def look(content: bytes, language: Language, wanted: frozenset[str], *, compared: bool = True) -> Looked:
    """What the rules of a language see in a file; what two versions are compared by is read only where they are."""
    beyond = _beyond(content, language)
    if beyond:
        return Looked(unread=beyond)
    if language.dialect is not None and language.dialect.search(content[:200]):
        return Looked(reason="a dialect that is only read as text")
    import tree_sitter

    grammar = language.grammar(content)
    tree = _parsed(_parser(grammar), language.prepared(content))
    if tree is None or _is_tangled(tree, len(content)):
        return Looked(unread=_DEEP if tree else f"parsing it took longer than {PARSE_SECONDS:g} seconds")
    root = tree.root_node
    query = _query(grammar, language, _kinds(content, language))
    seen = tree_sitter.QueryCursor(query, match_limit=_MATCHES).captures(root)
    refused = _refused(seen, content, language)
    if refused:
        return Looked(unread=refused)
    names = _imports(content, language)
    file = _File(language, content, names, Looked(), wanted, root, grammar, time.process_time() + PARSE_SECONDS)
    try:
        return _looked(file, seen, compared=compared)
    except _TooDeep:
        return Looked(unread=_DEEP)


def _looked(file: _File, seen: Mapping[str, list[Node]], *, compared: bool) -> Looked:
    """What there is to say of a file, from the nodes of the kinds that its language asks for."""
    language, content, looked = file.language, file.source, file.looked
    functions = file.functions = _ordered(seen, language.functions)
    groups = _ordered(seen, language.groups)
    callees = file.callees = [each for kind in language.calls for each in seen.get(kind, ())]
    heads = {name.encode() for name, meant in file.names.items() if last_of(meant) in language.by_name}
    heads.update(name.encode() for name in file.failing)
    of_rules, of_tests = worth_asking(content, language, heads, callees, lambda: file.queries)
    for call, named, rules in _spoken_of(file, of_rules):
        _call(file, call, named, rules)
        if named in language.hands_on:
            _call_handed_on(file, call)
    _ask_callers(file)
    _ask(file, seen)
    looked.tests = test_lines(content, language, functions, groups)
    cases = _tests(file, of_tests, functions, groups, compared=compared)
    shape = _functions(file, functions, [each for kind in language.branches for each in seen.get(kind, ())])
    offers = (
        offers_of(content, language.name, file.root, compared=compared) if compared or language.name in TYPED else ()
    )
    looked.outline = Outline(documented=True, functions=shape, tests=cases if compared else (), offers=offers)
    if file.root.has_error:
        looked.reason = _PARTLY
    return looked


def _beyond(content: bytes, language: Language) -> str:
    """Why a file is not even parsed; empty for any that people write."""
    if len(content) > MAX_CODE:
        return f"larger than {MAX_CODE:,} bytes, so it is only read as text"
    return "statements too long to be parsed in time" if language.endless(content) else ""


def _imports(content: bytes, language: Language) -> dict[str, str]:
    return {} if language.imports is None else language.imports(content.decode("utf-8", errors="replace"))


def _ask(file: _File, seen: Mapping[str, Sequence[Node]]) -> None:
    """Show each node that is no call to the rules of its sort."""
    language = file.language
    for kinds, show in ((language.values if language.of_values else (), _value), (language.handlers, _handler)):
        for kind in kinds:
            for node in seen.get(kind, ()):
                show(file, node)
    for kind, rules in language.of_pieces.items():
        _pieces(file, kind, rules, seen.get(kind, ()))


def _ordered(seen: Mapping[str, list[Node]], kinds: Iterable[str]) -> list[Node]:
    """The nodes of some kinds by where they begin; of those that begin together, what ends first before what holds it."""
    found = [node for kind in kinds if kind in seen for node in seen[kind]]
    found.sort(key=_END)
    found.sort(key=_START)
    return found


@cache
def _parser(grammar: Grammar) -> Parser:
    import tree_sitter

    return tree_sitter.Parser(grammar)


def _parsed(parser: Parser, content: bytes) -> Tree | None:
    """The tree; None when recovering from errors takes longer than any honest file does."""
    if len(content) <= _SMALL:
        return parser.parse(content)
    end, due = time.process_time() + PARSE_SECONDS, cycle((False,) * 15 + (True,))
    try:
        return parser.parse(
            lambda offset, _point: content[offset : offset + _CHUNK],
            progress_callback=lambda _offset, _has_error: next(due) and time.process_time() > end,
        )
    except ValueError:
        parser.reset()
        return None


def _is_tangled(tree: Tree, size: int) -> bool:
    """Does the tree nest or spread as no honest file does? Looking for nodes then takes time that grows with the square."""
    if tree.root_node.descendant_count < _MAX_DEPTH:
        return False
    for last in (False, True):
        node: Node | None = tree.root_node
        for _ in range(_MAX_DEPTH):
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
    return all(cursor.goto_first_child_for_byte(place) is not None for _ in range(_MAX_DEPTH))


def _refused(seen: Mapping[str, Sequence[Node]], content: bytes, language: Language) -> str:
    """Why nothing is said of a file; empty for any that can be followed."""
    if sum(map(len, seen.values())) > _MAX_NODES:
        return "too many statements to be looked at one by one"
    broken = sum(node.end_byte - node.start_byte for node in seen.get(BROKEN, ()))
    return f"not valid {language.name} for the most part" if broken > _MAX_BROKEN * len(content) else ""


def _kinds(content: bytes, language: Language) -> frozenset[str]:
    """Kinds of nodes that are walked for; values and rare pieces only where a rule can speak of them."""
    kinds = language.kinds_and_values if language.may_give(content) else language.kinds
    rare: set[str] = set()
    for words, those in language.rare_words:
        for word in words:
            if word in content:
                rare.update(each for each in those if any(rule.may_fit(content) for rule in language.of_rare[each]))
                break
    return kinds.union(rare) if rare else kinds


@cache
def _query(grammar: Grammar, language: Language | None, kinds: frozenset[str]) -> Query:
    """Nodes by their kind: each is given once, however many rules it is shown to. Calls of a language are given by what is called."""
    import tree_sitter

    calls = {} if language is None else language.calls
    asked = (f"({kind} {calls[kind]}: (_) @{kind})" if kind in calls else f"({kind}) @{kind}" for kind in sorted(kinds))
    return tree_sitter.Query(grammar, "\n".join((f"({BROKEN}) @{BROKEN}", *asked)))


@cache
def _numbers(grammar: Grammar, kinds: frozenset[str]) -> frozenset[int]:
    """The numbers that a grammar has for kinds of nodes."""
    named = (each for each in range(grammar.node_kind_count) if grammar.node_kind_is_named(each))
    return frozenset(each for each in named if grammar.node_kind_for_id(each) in kinds)


def _spoken_of(file: _File, callees: Iterable[Node]) -> list[tuple[Node, str, tuple[Call, ...]]]:
    """Calls that rules speak of, by where they begin, with what is called by its full name, and those rules."""
    found: list[tuple[Node, str, tuple[Call, ...]]] = []
    in_parts, speaking = file.language.in_parts, file.language.speaking
    for each in callees:
        call = file.around(each) if in_parts else None
        named = _resolved(
            file, called(file.source, each) if call is None else callee(file.source, _parts(file.language, call))
        )
        rules = _that_may_speak(file, *speaking[named])
        if file.failing and last_of(named) in file.failing and _may_be_dropped(file, each):
            rules = (*rules, *_of_failing(file, each, last_of(named)))
        if (rules or named in file.language.hands_on) and (call := call or file.around(each)) is not None:
            found.append((call, named, rules))
    found.sort(key=lambda each: each[0].byte_range)
    return found


def _that_may_speak(file: _File, rules: tuple[Call, ...], of_queries: bool) -> tuple[Call, ...]:
    """Rules without those of queries, where no text begins like one."""
    if of_queries and not file.queries:
        return tuple(each for each in rules if not each.of_queries)
    return rules


def _may_be_dropped(file: _File, called: Node) -> bool:
    """Does a call begin its statement, or stand behind a sign that nobody wants it?"""
    start = called.start_byte
    before = file.source[max(0, start - 200) : start]
    unwanted = file.language.unwanted
    return not before.rpartition(b"\n")[2].strip() or (unwanted is not None and unwanted.search(before) is not None)


def _of_failing(file: _File, called: Node, name: str) -> tuple[Call, ...]:
    """Rules of functions of the file that may fail, where what is called is one of them as far as its type tells."""
    types = file.failing[name]
    parts = called.named_children
    if len(parts) < 2:
        return file.language.of_failing if "" in types else ()
    form = file.language.failing
    own = form is not None and (
        "of" not in form.groupindex or any(each.lstrip("*&") in types for each in file.types_of(parts[0]))
    )
    return file.language.of_failing if own else ()


def _parts(language: Language, call: Node) -> list[Node]:
    """The fields of a call that hold what is called."""
    return [held for name in language.callee if (held := call.child_by_field_name(name)) is not None]


def _call_handed_on(file: _File, node: Node) -> None:
    """A command whose arguments are another command: `sudo -u app psql -c ...`. The first that rules speak of is that."""
    arguments = _arguments(file, node)
    for number, each in enumerate(arguments[:_MAX_BEFORE_COMMAND]):
        named = file.text(each, 80).strip("\"'").rpartition("/")[2]
        rules = _that_may_speak(file, *file.language.speaking[named])
        if named == "-v":
            return  # only asked for where it is
        if rules:
            _call(file, node, named, rules, arguments[number + 1 :])
            return


def _call(file: _File, node: Node, named: str, rules: Sequence[Call], arguments: list[Node] | None = None) -> None:
    told: set[str] = set()
    for rule in rules:
        if rule.probe in told:
            continue
        if arguments is None:
            arguments = _arguments(file, node)
        file.looked.candidates[rule.probe] += 1
        if rule.handed_on and arguments:
            file.handing.append((rule, arguments[0]))
        if _tells(file, rule, node, arguments):
            file.see(rule.probe, node, rule.statement, named, rule.confidence, rule.because)
            told.add(rule.probe)


def _tells(file: _File, rule: Call, node: Node, arguments: list[Node]) -> bool:
    """Does a rule speak of a call of that name?"""
    return (
        file.may_speak(rule)
        and all(_fits(file, node, arguments, each) for each in rule.when)
        and not any(_fits(file, node, arguments, each) for each in rule.unless)
        and not file.holds(rule.without)
        and not (rule.in_function and _enclosing(file, node) is None)
        and not (rule.dropped and not _is_dropped(file, node))
        and not (rule.unlooked is not None and not _is_unlooked(file, node, rule.unlooked))
        and not (rule.without_near is not None and _is_excused(file, node, rule.without_near, rule))
        and not (rule.says_nothing and file.is_explained(node))
    )


def _is_excused(file: _File, node: Node, form: re.Pattern[bytes], rule: Call | None = None) -> bool:
    """Does the file hold that where it may be about what a node gives, or about what a method is called on?"""
    if not file.holds(form):
        return False
    start, end = node.byte_range
    outer = file.outermost(start)
    file.excused += 1
    if file.excused > _MOST_EXCUSED:
        return True
    method = rule is not None and rule.names[0].startswith(".")
    value = Stretch(file.uncommented, start, end, method)
    return outer is None or excuses(form, value, outer, file.outermost)


def _is_dropped(file: _File, node: Node) -> bool:
    """Does nobody look at what a call gives?"""
    file.dropped += 1
    if file.dropped > _MAX_DROPPED:
        return False
    unwanted, given_back = file.language.unwanted, file.language.given_back
    before = file.source[max(0, node.start_byte - 200) : node.start_byte]
    if given_back is not None and given_back.search(before):
        return False
    if unwanted is not None and unwanted.search(before):
        return True
    around = file.around(node)
    while around is not None and around.type in file.language.passing:
        around = file.around(around)
    return around is not None and around.type in file.language.statements


def _is_unlooked(file: _File, node: Node, unlooked: Unlooked) -> bool:
    """Is it seen beside a call, or in all uses of the name that is given what it gives, that nobody asks how it ended?"""
    if unlooked.dropped and _is_dropped(file, node):
        return True
    start, end = node.byte_range
    before = file.source[max(0, start - 200) : start]
    if unlooked.before is not None and unlooked.before.search(before):
        return True
    if unlooked.behind is not None and unlooked.behind.match(file.source, end):
        return True
    named = _GIVEN_TO.search(before) if unlooked.uses is not None else None
    around = _enclosing(file, node) if named is not None else None
    if named is None or around is None or unlooked.uses is None:
        return False
    if file.language.declared and not named["declared"] and named["sign"] != b":=":
        return False  # others may see what it is given
    rest = file.source[end : min(around.end_byte, end + _MAX_USES)]
    uses = re.finditer(rb"(?<![\w$.])" + re.escape(named["name"]) + rb"(?![\w$])", rest)
    shown = (
        rest[max(0, each.start() - 200) : each.start()].rstrip()[-1:] + b"@" + rest[each.end() : each.end() + 200]
        for each in uses
    )
    return all(_KEY.match(each) or unlooked.uses.match(each) for each in shown)


def _ask_callers(file: _File) -> None:
    """Show the callers of functions that hand a parameter on to the rules of what it is handed to."""
    named: dict[str, tuple[Call, int]] = {}
    for rule, place in file.handing[:_MAX_HANDED]:
        function = _enclosing(file, place) if place.type in file.texts.writing.names else None
        at = None if function is None else _parameter(file, function, file.text(place, 100))
        if function is not None and at is not None:
            name = _name(file, function, function.start_byte)
            if name is not None and name in file.called and file.texts.parameter(place):
                named[name] = (rule, at)
    for name, (rule, at) in named.items():
        for node in file.calls_of(file.called[name]):
            arguments = _arguments(file, node)
            if len(arguments) > at and all(
                each.reads is None
                or each.place != 0
                or each.reads.search(file.texts.reads(arguments[at], told_apart=each.told_apart))
                for each in rule.when
            ):
                file.see(rule.probe, node, rule.statement, name, rule.confidence, rule.because)


def _enclosing(file: _File, place: Node) -> Node | None:
    """The innermost function around a place."""
    start = place.start_byte
    before = file.functions[: bisect_right(file.functions, start, key=_START)]
    return next((each for each in reversed(before[-_MAX_BEFORE:]) if start < each.end_byte), None)


def _parameter(file: _File, function: Node, name: str) -> int | None:
    """The place of a parameter among those of its function."""
    held = function.child_by_field_name("parameters")
    for number, each in enumerate(held.named_children[:20] if held is not None else ()):
        if re.search(rf"(?<![\w$.]){re.escape(name)}(?![\w$])", file.text(each, 200)):
            return number
    return None


def _resolved(file: _File, named: str) -> str:
    """The name with its first part looked up among the imports."""
    if named.startswith(("require(", "(")):
        named = _REQUIRED.sub(r"\1", named)
    packages = file.language.packages
    if packages is not None and "." in named:
        named = packages.sub("", named)
    head, mark, rest = named.partition(".")
    return f"{file.names.get(head, head)}{mark}{rest}" if head in file.names else named


def _arguments(file: _File, node: Node) -> list[Node]:
    held = node.child_by_field_name(file.language.arguments)
    if held is None:
        return [each for each in node.children_by_field_name("argument") if each.is_named]
    return [each for each in held.named_children[:50] if each.type not in file.language.comments]


def _fits(file: _File, node: Node, arguments: list[Node], wanted: Argument) -> bool:
    if wanted.place in _BESIDE:
        return wanted.form is not None and wanted.form.search(_beside(file, node, wanted.place)) is not None
    if wanted.place == ALL:
        return wanted.reads is not None and wanted.reads.search(file.texts.listed(arguments)) is not None
    for each in _places(file, node, arguments, wanted.place):
        if wanted.kinds and each.type not in wanted.kinds:
            continue
        if wanted.form is not None and not wanted.form.search(file.text(each)):
            continue
        if wanted.made_of is not None and not wanted.made_of.search(file.texts.sources(each)):
            continue
        if _reads_like(file, each, wanted):
            return True
    return False


def _reads_like(file: _File, node: Node, wanted: Argument) -> bool:
    """Is what an expression stands for, or the type that its name is declared with, as it must be?"""
    if wanted.reads is None and wanted.typed is None:
        return True
    if wanted.reads is not None and wanted.reads.search(file.texts.reads(node, told_apart=wanted.told_apart)):
        return True
    return wanted.typed is not None and any(map(wanted.typed.search, file.types_of(node)))


def _places(file: _File, node: Node, arguments: list[Node], place: int | None) -> list[Node]:
    """The nodes at a place of a call."""
    if place is None:
        return arguments
    if place == RECEIVER:
        return file.texts.receiver(node)
    return [node] if place == ITSELF else arguments[place : place + 1]


_BESIDE = {BEFORE, BEHIND}


def _beside(file: _File, node: Node, place: int | None) -> str:
    """The source right before or behind a node."""
    start, end = node.byte_range
    told = file.source[max(0, start - _MAX_BESIDE) : start] if place == BEFORE else file.source[end : end + _MAX_BESIDE]
    return told.decode("utf-8", errors="replace")


def _value(file: _File, node: Node) -> None:
    name, mark, value = _split(file.text(node, 300))
    for rule in file.language.of_values if mark else ():
        if not rule.name.search(name) or file.holds(rule.without):
            continue
        if rule.value.search(value) or (_NAMED_VALUE.match(value) and rule.value.search(_stands_for(file, node))):
            file.see(rule.probe, node, rule.statement, name.strip()[:80], rule.confidence, rule.because)


def _stands_for(file: _File, node: Node) -> str:
    """What the name that is the value of a key stands for."""
    held = node.child_by_field_name("value") or node.child_by_field_name("right")
    told = "" if held is None else file.texts.reads(held)
    return "" if told == "0" else told  # a constant that nobody here gives a value to reads so


def _split(text: str) -> tuple[str, str, str]:
    """Name, sign and value of `name: value` and `name = value`."""
    found = re.search(r"\s*(?::=|=(?![=>])|(?<![:]):(?!:))\s*", text)
    return (text[: found.start()], found[0], text[found.end() :]) if found else (text, "", "")


def _handler(file: _File, node: Node) -> None:
    body = node.child_by_field_name(file.language.handler_body)
    if body is None:
        body = next(
            (each for each in reversed(node.children) if each.type in {"block", "then", "statement_block"}), None
        )
    bare = body is None or body.named_child_count == 0
    for rule in file.language.of_handlers:
        file.looked.candidates[rule.probe] += 1
        if (
            rule.empty is bare
            and (rule.form is None or rule.form.search(file.text(node)))
            and (rule.header is None or _is_headed(file, node, rule.header))
            and (rule.tried is None or _tried(file, node, rule.tried))
            and not (
                rule.unless is not None and rule.unless.search(file.text(node)) and _is_within(file, node, rule.within)
            )
        ):
            file.see(rule.probe, node, rule.statement, "", rule.confidence, rule.because)


def _is_headed(file: _File, node: Node, header: re.Pattern[bytes]) -> bool:
    """Has the function around it a header of that form?"""
    around = _enclosing(file, node)
    body = None if around is None else around.child_by_field_name("body")
    if around is None or body is None:
        return False
    return header.search(file.source[around.start_byte : body.start_byte][-_TEXT:]) is not None


def _tried(file: _File, node: Node, form: re.Pattern[str]) -> bool:
    """Does all that stands before a handler fit a form? What is too long to be looked at does not."""
    around = file.around(node)
    if around is None or node.start_byte - around.start_byte > _TEXT:
        return False
    told = file.source[around.start_byte : node.start_byte].decode("utf-8", errors="replace")
    return form.search(told) is not None


def _is_within(file: _File, node: Node, form: re.Pattern[str] | None) -> bool:
    """Does something that stands around a place, up to its function, begin like this?"""
    around = file.around(node)
    for _ in range(_MOST_AROUND):
        if around is None or form is None:
            return False
        if form.match(file.text(around, _BEGINNING)):
            return True
        if around.type in file.language.functions and around.child_by_field_name("name") is not None:
            return False
        around = file.around(around)
    return False


def _pieces(file: _File, kind: str, rules: Sequence[Piece], nodes: Sequence[Node]) -> None:
    """Show all nodes of a kind to its rules; those that cannot fit anything in the file are not asked one by one."""
    if not nodes:
        return
    whole: Sequence[Node] | None = None if kind in file.language.calls else nodes
    for rule in rules:
        file.looked.candidates[rule.probe] += len(nodes)
        if rule.beside and not file.has(rule.beside):
            continue
        if not rule.may_fit(file.source) or file.holds(rule.without):
            continue
        whole = file.calls_of(nodes) if whole is None else whole
        places = _standing(file.source, rule.words[0]) if rule.words else None
        for node in whole:
            start, end = node.byte_range
            if places is not None and places[bisect_left(places, start)] >= end:
                continue
            if (
                rule.may_fit(file.source, start, min(end, start + _TEXT))
                and (rule.form is None or rule.form.search(file.text(node)))
                and _reads(file, rule, node)
                and _stands(file, rule, node)
                and not (rule.without_near is not None and _is_excused(file, node, rule.without_near))
                and not _is_said(file, rule, node)
            ):
                file.see(rule.probe, node, rule.statement, node.type, rule.confidence, rule.because)


def _standing(source: bytes, words: Iterable[bytes]) -> list[int]:
    """Where any of some words stands, in order; the last place is behind all of the source."""
    found = [len(source)]
    for word in words:
        place = source.find(word)
        while place >= 0:
            found.append(place)
            place = source.find(word, place + 1)
    return sorted(found)


def _is_said(file: _File, rule: Piece, node: Node) -> bool:
    """Is it told of that line already, or does somebody tell why?"""
    told = (rule.probe, node.start_point[0] + 1) in file.told
    return told or (rule.says_nothing and file.is_explained(node))


def _reads(file: _File, rule: Piece, node: Node) -> bool:
    """Does what a piece holds read as its rule asks?"""
    if rule.reads is None:
        return True
    name, wanted = rule.reads
    held = node.child_by_field_name(name) or _keyed(file, node, name)
    return held is not None and wanted.search(file.texts.reads(held)) is not None


def _keyed(file: _File, node: Node, key: str) -> Node | None:
    """What a record holds by a key."""
    body = node.child_by_field_name("body") or node
    for each in body.named_children[:_MAX_KEYS]:
        name, value = each.child_by_field_name("key"), each.child_by_field_name("value")
        if name is None and each.named_child_count == 2:
            name, value = each.named_children
        if name is not None and file.text(name, 80) == key:
            return value
    return None


def _stands(file: _File, rule: Piece, node: Node) -> bool:
    """Does a piece stand where its rule asks?"""
    start = node.start_byte
    before = file.source[max(0, start - 200) : start]
    if rule.unless_before is not None and rule.unless_before.search(before):
        return False
    if rule.unless_behind is not None and rule.unless_behind.match(file.source, node.end_byte):
        return False
    return not rule.alone or ((around := file.around(node)) is not None and around.type in file.language.statements)


def _functions(file: _File, nodes: Sequence[Node], branches: Sequence[Node]) -> tuple[Function, ...]:
    """Functions with their lines and branches; each branch counts for the innermost function around it."""
    if not nodes:
        return ()
    spans = sorted([(start, -end, place) for place, (start, end) in enumerate(node.byte_range for node in nodes)])
    counts = _counted(spans, sorted([node.start_byte for node in branches]))
    found = []
    for (start, _, place), count in zip(spans, counts, strict=True):
        node = nodes[place]
        line = node.start_point[0] + 1
        name = _name(file, node, start)
        found.append(
            Function(
                f"line {line}" if name is None else name, line, node.end_point[0] + 1, True, True, True, "", (), count
            )
        )
    return tuple(found)


def _counted(spans: Sequence[tuple[int, int, int]], places: Sequence[int]) -> list[int]:
    """One more than the branches of each function."""
    counts = [1] * len(spans)
    around: list[int] = []
    begun = 0
    for place in places:
        while begun < len(spans) and spans[begun][0] <= place:
            around.append(begun)
            begun += 1
        while around and -spans[around[-1]][1] <= place:
            around.pop()
        if around:
            counts[around[-1]] += 1
    return counts


def _name(file: _File, node: Node, start: int) -> str | None:
    """What a function is called by its declaration, or by what it is given to at once."""
    name = node.child_by_field_name("name")
    if name is None and not file.source[max(0, start - 40) : start].rstrip().endswith((b"(", b",")):
        around = file.around(node)
        name = around and (around.child_by_field_name("name") or around.child_by_field_name("key"))
    return None if name is None else file.text(name, 100)


def _tests(
    file: _File, callees: Sequence[Node], functions: Sequence[Node], groups: Sequence[Node], *, compared: bool
) -> tuple[Case, ...]:
    """The tests of the file; one that checks nothing is noted, one that does not run is not claimed to check."""
    testing = file.language.testing
    if testing is None or not testing.is_in(file.source):
        return ()
    found = tests_of(file.source, file.language, file.with_calls(callees), functions, groups, compared=compared)
    for each in found:
        if each.case.runs is Runs.NEVER:
            continue
        file.looked.candidates["tests.without_assertions"] += 1
        if each.verdict != "something" and "tests.without_assertions" in file.wanted:
            says, doubt, why = _BARE[each.verdict]
            end = min(each.end, each.case.line + 5)
            file.looked.sites["tests.without_assertions"].append(Site(each.case.line, end, says, "", doubt, why))
    return tuple(each.case for each in found)


_BARE = {
    "nothing": ("A test checks nothing", 0.7, _UNSURE_CHECK),
    "trivially": ("A test only asserts what is always true", 1.0, ""),
}


__all__ = ["MAX_CODE", "Call", "Looked", "look"]
