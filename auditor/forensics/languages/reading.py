"""One file of a covered language: parsed once, walked once, asked all that its page of rules asks.

Nothing here recurses, and every stretch that is looked at is bounded, so a hostile file costs no more than its length.
"""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import cycle
from operator import attrgetter
from typing import TYPE_CHECKING

from auditor.forensics.languages.callees import callee, calls_to_ask, last_part
from auditor.forensics.languages.cases import test_lines, tests_of
from auditor.forensics.languages.offered import TYPED, offers_of
from auditor.forensics.languages.rules import (
    ALL,
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
    from tree_sitter import Node, Parser, Query, Tree

MAX_CODE = 2_000_000
"""Bytes of a file that is parsed; generated bundles lie above it, what people write far below."""
PARSE_SECONDS = 3.0
"""Processor seconds; whoever reads is a process with one thread."""
_CHUNK = 1 << 16
_SMALL = 15_000
"""Bytes up to which even recovering from errors all the way ends within those seconds."""
_MAX_DEPTH = 3_000
_DEEPEST = 8
"""Nodes inside each other that one byte may open; the grammars open three."""
_MAX_CHILDREN = 40_000
_MAX_NODES = 400_000
_MATCHES = 100_000
_BROKEN = "ERROR"
_MAX_BROKEN = 0.5
"""Share of a file that may lie in broken stretches; beyond it the rest says little."""
_TEXT = 2_000
_MAX_DROPPED = 200
"""Calls of a file of which it is looked up what stands around them: that costs a walk from the root."""
_REQUIRED = re.compile(r"^\(?(?:await\s+import|require)\(\s*['\"](?:node:)?([\w@/-]+)['\"]\s*\)\)?")
"""A module that is named where it is used."""
_GIVEN_TO = re.compile(
    rb"(?P<declared>[\w>\]]\s+)?(?<![\w$.@])(?P<name>[A-Za-z_$][\w$]*)(?:\s*:\s*[\w.<>\[\]& ]{1,80})?\s*(?P<sign>:?=)\s*(?:await\s+)?\Z"
)
"""What stands before a call whose result is given to a name."""
_MAX_USES = 20_000
"""Bytes behind a call in which the uses of that name are looked at."""
_START = attrgetter("start_byte")
"""The order of nodes; tree-sitter gives them in one that differs from run to run. A node knows where it begins, and has
to look up in the tree where it ends, which takes ten times as long."""
_END = attrgetter("end_byte")
_PARTLY = "a part of the file could not be parsed"
_UNSURE_CHECK = "a helper whose name does not say so may check something"


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
class _File:
    language: Language
    source: bytes
    names: dict[str, str]
    looked: Looked
    wanted: frozenset[str]
    root: Node
    grammar: object
    calls: Sequence[Node] = ()
    functions: Sequence[Node] = ()
    handing: list[tuple[Call, Node]] = field(default_factory=list)
    """Rules, and the names that were handed to what they speak of, where nothing in the file gives those a value."""
    dropped: int = 0
    """How many calls it was looked up for who wants what they give."""

    @cached_property
    def texts(self) -> Texts:
        """What its texts read like."""
        writing = self.language.writing or _NO_WRITING
        return Texts(writing, self.source, [each.byte_range for each in self.functions], self._naming, self.calls)

    held: dict[re.Pattern[bytes], bool] = field(default_factory=dict)

    def holds(self, form: re.Pattern[bytes] | None) -> bool:
        """Does the file hold that anywhere? Each form is looked for once."""
        if form is None:
            return False
        if form not in self.held:
            self.held[form] = form.search(self.source) is not None
        return self.held[form]

    @cached_property
    def queries(self) -> bool:
        """Does some text begin like a query?"""
        return holds_queries(self.source)

    def _naming(self) -> list[Node]:
        import tree_sitter

        kinds = frozenset() if self.language.writing is None else self.language.writing.kinds
        seen = tree_sitter.QueryCursor(_query(self.grammar, kinds), match_limit=_MATCHES).captures(self.root)
        return _ordered(seen, kinds)

    def text(self, node: Node, most: int = _TEXT) -> str:
        """The source of a node, up to a length."""
        return self.source[node.start_byte : min(node.end_byte, node.start_byte + most)].decode(
            "utf-8", errors="replace"
        )

    def see(self, probe: str, node: Node, statement: str, call: str, confidence: float, because: str) -> None:
        """Note a place; nobody asked for it, nothing is noted."""
        if probe in self.wanted:
            line = node.start_point[0] + 1
            end = min(node.end_point[0] + 1, line + 5)
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
    tree = _parsed(tree_sitter.Parser(grammar), language.prepared(content))
    if tree is None:
        return Looked(unread=f"parsing it took longer than {PARSE_SECONDS:g} seconds")
    if _is_tangled(tree, len(content)):
        return Looked(unread="nested too deeply to be looked at")
    looked, root = Looked(), tree.root_node
    seen = tree_sitter.QueryCursor(_query(grammar, _kinds(content, language)), match_limit=_MATCHES).captures(root)
    refused = _refused(seen, content, language)
    if refused:
        return Looked(unread=refused)
    file = _File(language, content, _imports(content, language), looked, wanted, root, grammar)
    calls = file.calls = _ordered(seen, language.calls)
    functions = file.functions = _ordered(seen, language.functions)
    heads = {name for name, stands_for in file.names.items() if last_of(stands_for) in language.by_name}
    asked, may_test = calls_to_ask(content, language, heads, calls, lambda: file.queries)
    _ask(file, seen, asked)
    groups = _ordered(seen, language.groups)
    looked.tests = test_lines(content, language, functions, groups)
    cases = _tests(file, may_test, functions, groups, compared=compared)
    shape = _functions(file, functions, [each for kind in language.branches for each in seen.get(kind, ())])
    offers = offers_of(content, language.name, root) if compared or language.name in TYPED else ()
    looked.outline = Outline(documented=True, functions=shape, tests=cases if compared else (), offers=offers)
    if root.has_error:
        looked.reason = _PARTLY
    return looked


def _beyond(content: bytes, language: Language) -> str:
    """Why a file is not even parsed; empty for any that people write."""
    if len(content) > MAX_CODE:
        return f"larger than {MAX_CODE:,} bytes, so it is only read as text"
    return "statements too long to be parsed in time" if language.endless(content) else ""


def _imports(content: bytes, language: Language) -> dict[str, str]:
    return {} if language.imports is None else language.imports(content.decode("utf-8", errors="replace"))


def _ask(file: _File, seen: Mapping[str, Sequence[Node]], calls: Sequence[Node]) -> None:
    """Show each node to the rules of its sort."""
    language = file.language
    for node in calls:
        _call(file, node)
    _ask_callers(file)
    for kinds, show in ((language.values if language.of_values else (), _value), (language.handlers, _handler)):
        for kind in kinds:
            for node in seen.get(kind, ()):
                show(file, node)
    for kind, rules in language.of_pieces.items():
        _pieces(file, rules, seen.get(kind, ()))


def _ordered(seen: Mapping[str, list[Node]], kinds: Iterable[str]) -> list[Node]:
    """The nodes of some kinds by where they begin; of those that begin together, what ends first before what holds it."""
    found = [node for kind in kinds if kind in seen for node in seen[kind]]
    found.sort(key=_END)
    found.sort(key=_START)
    return found


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
        return None


def _is_tangled(tree: Tree, size: int) -> bool:
    """Does the tree nest or spread as no honest file does? Looking for nodes then takes time that grows with the square."""
    if size < _MAX_DEPTH // _DEEPEST:
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
    return False


def _refused(seen: Mapping[str, Sequence[Node]], content: bytes, language: Language) -> str:
    """Why nothing is said of a file; empty for any that can be followed."""
    if sum(map(len, seen.values())) > _MAX_NODES:
        return "too many statements to be looked at one by one"
    broken = sum(node.end_byte - node.start_byte for node in seen.get(_BROKEN, ()))
    return f"not valid {language.name} for the most part" if broken > _MAX_BROKEN * len(content) else ""


def _kinds(content: bytes, language: Language) -> frozenset[str]:
    """Kinds of nodes that are walked for; values and rare pieces only where a rule can speak of them."""
    kinds = language.kinds_and_values if language.may_give(content) else language.kinds
    rare = [kind for kind, rules in language.of_rare.items() if any(each.may_fit(content) for each in rules)]
    return kinds.union(rare) if rare else kinds


@cache
def _query(grammar: object, kinds: frozenset[str]) -> Query:
    """Nodes by their kind: each is given once, however many rules it is shown to."""
    import tree_sitter

    return tree_sitter.Query(grammar, "\n".join(f"({kind}) @{kind}" for kind in sorted({_BROKEN, *kinds})))  # type: ignore[arg-type]


def _call(file: _File, node: Node) -> None:
    named = callee(file.source, file.language, node)
    resolved = "" if named is None else _resolved(file, named)
    arguments: list[Node] | None = None
    told: set[str] = set()
    for rule, of_queries in file.language.speaking[resolved]:
        if rule.probe in told or (of_queries and not file.queries):
            continue
        if arguments is None:
            arguments = _arguments(file, node)
        file.looked.candidates[rule.probe] += 1
        if rule.handed_on and arguments and file.texts.parameter(arguments[0]):
            file.handing.append((rule, arguments[0]))
        if _tells(file, rule, node, arguments):
            file.see(rule.probe, node, rule.statement, resolved, rule.confidence, rule.because)
            told.add(rule.probe)


def _tells(file: _File, rule: Call, node: Node, arguments: list[Node]) -> bool:
    """Does a rule speak of a call of that name?"""
    return (
        all(_fits(file, node, arguments, each) for each in rule.when)
        and not any(_fits(file, node, arguments, each) for each in rule.unless)
        and not file.holds(rule.without)
        and not (rule.dropped and not _is_dropped(file, node))
        and not (rule.unlooked is not None and not _is_unlooked(file, node, rule.unlooked))
    )


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
    around = node.parent
    while around is not None and around.type in file.language.passing:
        around = around.parent
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
    return all(
        unlooked.uses.match(
            rest[max(0, each.start() - 200) : each.start()].rstrip()[-1:] + b"@" + rest[each.end() : each.end() + 200]
        )
        for each in uses
    )


def _ask_callers(file: _File) -> None:
    """Show the callers of functions that hand a parameter on to the rules of what it is handed to."""
    handing = {_enclosing(file, place): (rule, place) for rule, place in file.handing[:50]}
    named = {
        name: (rule, at)
        for function, (rule, place) in handing.items()
        if function is not None
        and (name := _name(file, function, function.start_byte)).isidentifier()
        and (at := _parameter(file, function, file.text(place, 100))) is not None
    }
    for node in file.calls if named else ():
        called = last_part(file.source, file.language, node)
        if called not in named:
            continue
        rule, at = named[called]
        arguments = _arguments(file, node)
        if len(arguments) > at and all(
            each.reads is None
            or each.place != 0
            or each.reads.search(file.texts.reads(arguments[at], told_apart=each.told_apart))
            for each in rule.when
        ):
            file.see(rule.probe, node, rule.statement, called, rule.confidence, rule.because)


def _enclosing(file: _File, place: Node) -> Node | None:
    """The innermost function around a place."""
    around = [each for each in file.functions if each.start_byte <= place.start_byte < each.end_byte]
    return max(around, key=lambda each: each.start_byte, default=None)


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
    head, mark, rest = named.partition(".")
    return f"{file.names.get(head, head)}{mark}{rest}" if head in file.names else named


def _arguments(file: _File, node: Node) -> list[Node]:
    held = node.child_by_field_name(file.language.arguments)
    if held is None:
        return [each for each in node.children_by_field_name("argument") if each.is_named]
    return [each for each in held.named_children[:50] if each.type not in file.language.comments]


def _fits(file: _File, node: Node, arguments: list[Node], wanted: Argument) -> bool:
    places = arguments
    if wanted.place == RECEIVER:
        places = file.texts.receiver(node)
    elif wanted.place == ITSELF:
        places = [node]
    elif wanted.place == ALL:
        return wanted.reads is not None and wanted.reads.search(file.texts.listed(arguments)) is not None
    elif wanted.place is not None:
        places = arguments[wanted.place : wanted.place + 1]
    for each in places:
        if wanted.kinds and each.type not in wanted.kinds:
            continue
        if wanted.form is not None and not wanted.form.search(file.text(each)):
            continue
        if wanted.made_of is not None and not wanted.made_of.search(file.texts.sources(each)):
            continue
        if wanted.reads is None or wanted.reads.search(file.texts.reads(each, told_apart=wanted.told_apart)):
            return True
    return False


def _value(file: _File, node: Node) -> None:
    name, mark, value = _split(file.text(node, 300))
    for rule in file.language.of_values if mark else ():
        if rule.name.search(name) and rule.value.search(value) and not file.holds(rule.without):
            file.see(rule.probe, node, rule.statement, name.strip()[:80], rule.confidence, rule.because)


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
        if rule.empty is bare and (rule.form is None or rule.form.search(file.text(node))):
            file.see(rule.probe, node, rule.statement, "", rule.confidence, rule.because)


def _pieces(file: _File, rules: Sequence[Piece], nodes: Sequence[Node]) -> None:
    """Show all nodes of a kind to its rules; those that cannot fit anything in the file are not asked one by one."""
    if not nodes:
        return
    for rule in rules:
        file.looked.candidates[rule.probe] += len(nodes)
        if not rule.may_fit(file.source) or file.holds(rule.without):
            continue
        for node in nodes:
            start, end = node.byte_range
            if (
                rule.may_fit(file.source, start, min(end, start + _TEXT))
                and (rule.form is None or rule.form.search(file.text(node)))
                and _reads(file, rule, node)
                and _stands(file, rule, node)
            ):
                file.see(rule.probe, node, rule.statement, node.type, rule.confidence, rule.because)


def _reads(file: _File, rule: Piece, node: Node) -> bool:
    """Does what a piece holds read as its rule asks?"""
    if rule.reads is None:
        return True
    name, wanted = rule.reads
    held = node.child_by_field_name(name)
    return held is not None and wanted.search(file.texts.reads(held)) is not None


def _stands(file: _File, rule: Piece, node: Node) -> bool:
    """Does a piece stand where its rule asks?"""
    start = node.start_byte
    before = file.source[max(0, start - 200) : start]
    if rule.unless_before is not None and rule.unless_before.search(before):
        return False
    return not rule.alone or (node.parent is not None and node.parent.type in file.language.statements)


def _functions(file: _File, nodes: Sequence[Node], branches: Sequence[Node]) -> tuple[Function, ...]:
    """Functions with their lines and branches; each branch counts for the innermost function around it."""
    if not nodes:
        return ()
    spans = sorted([(start, -end, place) for place, (start, end) in enumerate(node.byte_range for node in nodes)])
    counts = _counted(spans, sorted(node.start_byte for node in branches))
    return tuple(
        Function(
            _name(file, node := nodes[place], start),
            node.start_point[0] + 1,
            node.end_point[0] + 1,
            public=True,
            documented=True,
            annotated_return=True,
            signature="",
            decorators=(),
            complexity=count,
        )
        for (start, _, place), count in zip(spans, counts, strict=True)
    )


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


def _name(file: _File, node: Node, start: int) -> str:
    name = node.child_by_field_name("name")
    if name is None and not file.source[max(0, start - 40) : start].rstrip().endswith((b"(", b",")):
        around = node.parent
        name = around and (around.child_by_field_name("name") or around.child_by_field_name("key"))
    return file.text(name, 100) if name is not None else f"line {node.start_point[0] + 1}"


def _tests(
    file: _File, calls: Sequence[Node], functions: Sequence[Node], groups: Sequence[Node], *, compared: bool
) -> tuple[Case, ...]:
    """The tests of the file; one that checks nothing is noted, one that does not run is not claimed to check."""
    found = tests_of(file.source, file.language, calls, functions, groups, compared=compared)
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
