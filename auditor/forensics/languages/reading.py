"""One file of a covered language: parsed once, walked once, asked all that its page of rules asks.

Nothing here recurses, and every stretch that is looked at is bounded, so a hostile file costs no more than its length.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING

from auditor.forensics.languages.cases import tests_of
from auditor.forensics.languages.offered import offers_of
from auditor.forensics.languages.rules import Argument, Call, Language
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
_MAX_CHILDREN = 40_000
_MAX_NODES = 400_000
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
    named: dict[str, list[tuple[Node, Node]]] = field(default_factory=dict)
    """Name -> nodes that give it a value, in their order, and the values."""
    followed: int = 0
    """How many names were followed so far."""
    fitting: dict[tuple[int, re.Pattern[str]], bool] = field(default_factory=dict)
    """Does the value that begins there fit the form? Asked once of each, however often its name is used."""

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
    looked = Looked()
    names = language.imports(content.decode("utf-8", errors="replace"))
    file = _File(language, content, names, looked, wanted)
    if _is_tangled(tree):
        return Looked(unread="nested too deeply to be looked at")
    cursor = tree_sitter.QueryCursor(_query(language, grammar, _skipped(content, language)), match_limit=100_000)
    captures = {name: sorted(nodes, key=_PLACE) for name, nodes in cursor.captures(tree.root_node).items()}
    refused = _refused(captures, content, language)
    if refused:
        return Looked(unread=refused)
    file.named.update(_named_values(file, captures.get("naming", [])))
    _ask(file, captures)
    shape = _outline(file, captures.get("function", []), captures.get("branch", []))
    looked.outline = replace(
        shape, tests=_tests(file, captures), offers=offers_of(content, language.name, tree.root_node)
    )
    if tree.root_node.has_error:
        looked.reason = _PARTLY
    return looked


def _beyond(content: bytes, language: Language) -> str:
    """Why a file is not even parsed; empty for any that people write."""
    if len(content) > MAX_CODE:
        return f"larger than {MAX_CODE:,} bytes, so it is only read as text"
    return "statements too long to be parsed in time" if language.endless(content) else ""


def _ask(file: _File, captures: dict[str, list[Node]]) -> None:
    """Show each node to the rules of its sort."""
    for node, named in _named_calls(file, captures.get("call", [])):
        _call(file, node, named)
    for what, see in (("value", _value), ("handler", _handler), ("piece", _piece)):
        for node in captures.get(what, ()):
            see(file, node)


def _named_calls(file: _File, nodes: list[Node]) -> Iterator[tuple[Node, str]]:
    """Calls that a rule may speak of, with what is called. Most are told by the bytes they begin with.

    Of calls that begin at the same place, the inner one comes first: it is what the name at that place stands for, and
    the next goes on where it ends.
    """
    plain, further = file.language.plain, file.language.further
    if plain is None or further is None:
        yield from ((node, named) for node in nodes if (named := _callee(file, node)) and _is_wanted(file, named))
        return
    source, words, heads = file.source, file.language.last_words, frozenset(name.encode() for name in file.names)
    inner: tuple[int, int] | None = None
    for node in nodes:
        start, end = node.byte_range
        goes_on = inner is not None and inner[0] == start and inner[1] < end
        found = further.match(source, inner[1]) if goes_on and inner is not None else plain.match(source, start)
        inner = (start, end)
        if found is None:
            named = _callee(file, node)
            if named is not None and _is_wanted(file, named):
                yield node, named
        elif found[1].rpartition(b".")[2] in words or found[1] in heads:
            named = _callee(file, node)
            if named is not None:
                yield node, named


def _is_wanted(file: _File, named: str) -> bool:
    last = named.rpartition(".")[2].rpartition("::")[2]
    return last in file.language.by_name or named.partition(".")[0] in file.names


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


def _is_tangled(tree: Tree) -> bool:
    """Does the tree nest or spread as no honest file does? Looking for nodes then takes time that grows with the square."""
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


def _refused(captures: dict[str, list[Node]], content: bytes, language: Language) -> str:
    """Why nothing is said of a file; empty for any that can be followed."""
    if sum(map(len, captures.values())) > _MAX_NODES:
        return "too many statements to be looked at one by one"
    broken = sum(node.end_byte - node.start_byte for node in captures.get("broken", ()))
    return f"not valid {language.name} for the most part" if broken > _MAX_BROKEN * len(content) else ""


def _skipped(content: bytes, language: Language) -> frozenset[str]:
    """What need not be walked for, as no rule can speak of it in this content."""
    values = any(word in content for word in language.value_words)
    queries = _QUERIES.search(content) is not None
    return frozenset({*(() if values else ("value",)), *(() if queries else ("naming",))})


@cache
def _query(language: Language, grammar: object, skipped: frozenset[str]) -> Query:
    """What is walked for, without what is skipped."""
    import tree_sitter

    kinds = {kind: tuple(each for each in wanted if each not in skipped) for kind, wanted in language.kinds.items()}
    patterns = "(ERROR) @broken\n" + "\n".join(
        f"({kind}) {' '.join(f'@{what}' for what in wanted)}" for kind, wanted in sorted(kinds.items()) if wanted
    )
    return tree_sitter.Query(grammar, patterns)  # type: ignore[arg-type]


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


def _callee(file: _File, node: Node) -> str | None:
    parts = []
    for name in file.language.callee:
        part = node.child_by_field_name(name)
        if part is not None:
            if part.end_byte - part.start_byte > 400:
                tail = file.source[max(part.start_byte, part.end_byte - 80) : part.end_byte].decode(
                    "utf-8", errors="replace"
                )
                found = re.search(r"[.:](\w+)$", tail)
                return f"?.{found[1]}" if found else None
            parts.append(file.text(part))
    return ".".join(parts).replace("?.", ".") if parts else None


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


def _named_values(file: _File, nodes: list[Node]) -> dict[str, list[tuple[Node, Node]]]:
    found: dict[str, list[tuple[Node, Node]]] = defaultdict(list)
    _, name_field, value_field = file.language.naming or ("", "", "")
    for node in nodes:
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
    text = file.text(node)
    inside = [] if body is None else body.named_children[:20]
    bare = not inside
    for rule in file.language.of_handlers:
        file.looked.candidates[rule.probe] += 1
        if rule.form is not None and not rule.form.search(text):
            continue
        if rule.empty is bare:
            file.see(rule.probe, node, rule.statement, "", rule.confidence, rule.because)


def _piece(file: _File, node: Node) -> None:
    text = file.text(node)
    for rule in file.language.of_pieces[node.type]:
        file.looked.candidates[rule.probe] += 1
        if rule.form is None or rule.form.search(text):
            file.see(rule.probe, node, rule.statement, node.type, rule.confidence, rule.because)


def _outline(file: _File, functions: list[Node], branches: list[Node]) -> Outline:
    """Functions with their lines and branches; each branch counts for the innermost function around it."""
    spans = sorted(functions, key=lambda each: (each.start_byte, -each.end_byte))
    counts = dict.fromkeys((each.id for each in spans), 1)
    places = sorted(each.start_byte for each in branches)
    open_: list[Node] = []
    waiting = list(reversed(spans))
    for place in places:
        while waiting and waiting[-1].start_byte <= place:
            open_.append(waiting.pop())
        while open_ and open_[-1].end_byte <= place:
            open_.pop()
        inner = next((each for each in reversed(open_) if each.end_byte > place), None)
        if inner is not None:
            counts[inner.id] += 1
    return Outline(
        documented=True,
        functions=tuple(
            Function(
                qualname=_name(file, each),
                line=each.start_point[0] + 1,
                end=each.end_point[0] + 1,
                public=True,
                documented=True,
                annotated_return=True,
                signature="",
                decorators=(),
                complexity=counts[each.id],
                is_async=False,
                nested=False,
            )
            for each in spans
        ),
    )


def _name(file: _File, node: Node) -> str:
    name = node.child_by_field_name("name")
    if name is None and node.parent is not None:
        name = node.parent.child_by_field_name("name") or node.parent.child_by_field_name("key")
    return file.text(name, 100) if name is not None else f"line {node.start_point[0] + 1}"


def _tests(file: _File, captures: dict[str, list[Node]]) -> tuple[Case, ...]:
    """The tests of the file; one that checks nothing is noted, one that does not run is not claimed to check."""
    found = tests_of(file.source, file.language, captures)
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
