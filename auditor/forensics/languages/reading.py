"""One file of a covered language: parsed once, walked once, asked all that its page of rules asks.

Nothing here recurses, and every stretch that is looked at is bounded, so a hostile file costs no more than its length.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from operator import attrgetter
from typing import TYPE_CHECKING

from auditor.forensics.languages.callees import named_calls
from auditor.forensics.languages.cases import tests_of
from auditor.forensics.languages.offered import offers_of
from auditor.forensics.languages.rules import Argument, Call, Language, Piece
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
_MAX_FOLLOWED = 200
"""Names of queries that are followed in a file: finding the block around a node costs a walk from the root."""
_QUERIES = re.compile(rb"[\"'`]\s{0,100}(?:select|insert|update|delete|drop|alter)\s", re.IGNORECASE)
_LAST = re.compile(r"\.|::")
_PLACE = attrgetter("byte_range")
"""The order of nodes: by where they begin, what ends first before what holds it. Tree-sitter gives them in an order that
differs from run to run."""
_PARTLY = "a part of the file could not be parsed"
_UNSURE_CHECK = "a helper whose name does not say so may check something"


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


@dataclass
class _File:
    language: Language
    source: bytes
    names: dict[str, str]
    looked: Looked
    wanted: frozenset[str]
    root: Node
    grammar: object
    followed: int = 0
    """How many names were followed so far."""
    fitting: dict[tuple[int, re.Pattern[str]], bool] = field(default_factory=dict)
    """Does the value that begins there fit the form? Asked once of each, however often its name is used."""

    @cached_property
    def named(self) -> dict[str, list[tuple[Node, Node]]]:
        """Name -> nodes that give it a value, in their order, and the values. Few files have queries, so few are asked."""
        if self.language.naming is None or _QUERIES.search(self.source) is None:
            return {}
        return _named_values(self, *self.language.naming)

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


def look(content: bytes, language: Language, wanted: frozenset[str]) -> Looked:
    """What the rules of a language see in a file."""
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
    calls = _ordered(seen, language.calls)
    _ask(file, seen, calls)
    functions = _ordered(seen, language.functions)
    cases = _tests(file, calls, functions, _ordered(seen, language.groups))
    shape = _functions(file, functions, [each for kind in language.branches for each in seen.get(kind, ())])
    looked.outline = Outline(
        documented=True, functions=shape, tests=cases, offers=offers_of(content, language.name, root)
    )
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
    for node, named in named_calls(file.source, language, file.names, calls):
        _call(file, node, named)
    for kinds, show in ((language.values if language.of_values else (), _value), (language.handlers, _handler)):
        for kind in kinds:
            for node in seen.get(kind, ()):
                show(file, node)
    for kind, rules in language.of_pieces.items():
        _pieces(file, rules, seen.get(kind, ()))


def _ordered(seen: Mapping[str, list[Node]], kinds: Iterable[str]) -> list[Node]:
    """The nodes of some kinds in their order."""
    found = [node for kind in kinds if kind in seen for node in seen[kind]]
    return sorted(found, key=_PLACE) if len(found) > 1 else found


def _parsed(parser: Parser, content: bytes) -> Tree | None:
    """The tree; None when recovering from errors takes longer than any honest file does."""
    if len(content) <= _SMALL:
        return parser.parse(content)
    end = time.process_time() + PARSE_SECONDS
    try:
        return parser.parse(
            lambda offset, _point: content[offset : offset + _CHUNK],
            progress_callback=lambda _offset, _has_error: time.process_time() > end,
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
    """Kinds of nodes that are walked for; values only where a rule can speak of them."""
    return language.kinds_and_values if any(word in content for word in language.value_words) else language.kinds


@cache
def _query(grammar: object, kinds: frozenset[str]) -> Query:
    """Nodes by their kind: each is given once, however many rules it is shown to."""
    import tree_sitter

    return tree_sitter.Query(grammar, "\n".join(f"({kind}) @{kind}" for kind in sorted({_BROKEN, *kinds})))  # type: ignore[arg-type]


def _call(file: _File, node: Node, named: str) -> None:
    resolved = _resolved(file, named)
    rules = file.language.by_name.get(_LAST.split(resolved)[-1])
    if not rules:
        return
    arguments: list[Node] | None = None
    for rule in rules:
        if not any(_is_named(resolved, name) for name in rule.names):
            continue
        if arguments is None:
            arguments = _arguments(file, node)
        file.looked.candidates[rule.probe] += 1
        if all(_fits(file, arguments, each) for each in rule.when) and not any(
            _fits(file, arguments, each) for each in rule.unless
        ):
            file.see(rule.probe, node, rule.statement, resolved, rule.confidence, rule.because)
            return


def _resolved(file: _File, named: str) -> str:
    """The name with its first part looked up among the imports."""
    head, mark, rest = named.partition(".")
    return f"{file.names.get(head, head)}{mark}{rest}" if head in file.names else named


def _is_named(resolved: str, name: str) -> bool:
    if name.startswith("."):
        return resolved.endswith(name) and len(resolved) > len(name)
    return resolved == name or resolved.endswith(f"::{name}")


def _arguments(file: _File, node: Node) -> list[Node]:
    held = node.child_by_field_name(file.language.arguments)
    if held is None:
        return [each for each in node.children_by_field_name("argument") if each.is_named]
    return [each for each in held.named_children[:50] if each.type not in file.language.comments]


def _fits(file: _File, arguments: list[Node], wanted: Argument) -> bool:
    places = arguments if wanted.place is None else arguments[wanted.place : wanted.place + 1]
    for each in places:
        if wanted.kinds and each.type not in wanted.kinds:
            continue
        if wanted.named:
            if wanted.form is not None and each.type == "identifier" and _was_given(file, each, wanted.form):
                return True
            continue
        if wanted.form is None or wanted.form.search(file.text(each)):
            return True
    return False


def _named_values(file: _File, kind: str, name_field: str, value_field: str) -> dict[str, list[tuple[Node, Node]]]:
    import tree_sitter

    found: dict[str, list[tuple[Node, Node]]] = defaultdict(list)
    cursor = tree_sitter.QueryCursor(_query(file.grammar, frozenset({kind})), match_limit=_MATCHES)
    for node in _ordered(cursor.captures(file.root), (kind,)):
        name, value = node.child_by_field_name(name_field), node.child_by_field_name(value_field)
        if name is not None and value is not None:
            found[file.text(name, 100)].append((node, value))
    return found


def _was_given(file: _File, name: Node, form: re.Pattern[str]) -> bool:
    """Was a name given what fits the form by the last node before that gives it a value, in a block around its use?"""
    given = file.named.get(file.text(name, 100), [])
    last = bisect_left(given, name.start_byte, key=lambda each: each[0].start_byte) - 1
    if last < 0 or file.followed >= _MAX_FOLLOWED:
        return False
    value = given[last][1]
    key = (value.start_byte, form)
    if key not in file.fitting:
        file.fitting[key] = form.search(file.text(value)) is not None
    if not file.fitting[key]:
        return False
    file.followed += 1
    place: Node | None = given[last][0]
    while place is not None and place.type.endswith(("declarator", "declaration")):
        place = place.parent
    return place is not None and place.end_byte > name.start_byte


def _value(file: _File, node: Node) -> None:
    name, mark, value = _split(file.text(node, 300))
    for rule in file.language.of_values if mark else ():
        if rule.name.search(name) and rule.value.search(value):
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
        if not rule.may_fit(file.source):
            continue
        for node in nodes:
            start, end = node.byte_range
            if rule.may_fit(file.source, start, min(end, start + _TEXT)) and (
                rule.form is None or rule.form.search(file.text(node))
            ):
                file.see(rule.probe, node, rule.statement, node.type, rule.confidence, rule.because)


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


def _tests(file: _File, calls: list[Node], functions: list[Node], groups: list[Node]) -> tuple[Case, ...]:
    """The tests of the file; one that checks nothing is noted, one that does not run is not claimed to check."""
    found = tests_of(file.source, file.language, calls, functions, groups)
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
