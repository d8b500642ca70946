"""The tests of a file: what each is called, whether it runs, how much it checks.

A test is a call with a title and a function, or a function with a telling name or mark. What switches it off may stand on
itself, on what holds it, in its first statements, or above the whole file.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from auditor.forensics.languages.keyword_search import Sought, standing
from auditor.forensics.languages.language_rule_types import Language, TestSyntax
from auditor.forensics.source_text.file_outline import DeclaredTest, RunCondition

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_BODY = 200_000
_MAX_HEADER = 600
_MAX_CALLEE = 400
_MAX_GIVEN = 20
_MAX_STATEMENTS = 60
_MAX_ABOVE = 10
_MAX_TESTS = 20_000
_MAX_HELPERS = 2_000
_MAX_HELPER = 4_000
_MAX_HANDED_ON = 3
_TELLING_NAME = re.compile(r"[A-Za-z_$][\w$]{2,}")
_STRINGS = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`]*`")
_BLANK = re.compile(r"\s+")
_RETURN = re.compile(r"return\b")
_TITLE = re.compile(rb"[\"'`]")


class SeenTest(NamedTuple):
    """A test, its lines from 1, and what its body checks: `something`, `trivially`, or `nothing`."""

    case: DeclaredTest
    end: int
    verdict: str


class _Written(NamedTuple):
    """A test or what holds several, before it is known what stands around it."""

    node: Node
    title: str
    header: str
    body: Node | None
    announced: bool = False
    """Has it a title and nothing to run?"""


def tests_of(
    source: bytes,
    language: Language,
    said: frozenset[str],
    calls: Sequence[tuple[Node, Node]],
    functions: Sequence[Node],
    groups: Sequence[Node],
    *,
    compared: bool,
) -> list[SeenTest]:
    """Every test of a file of some words, from the calls that may be tests with what they call, the functions, and what holds several tests.

    Only where two versions are compared it is counted how much each checks, and marked what its body is.
    """
    testing = language.testing
    if testing is None:
        return []
    if testing.first_line_pattern is not None:
        return list(_by_lines(source, testing, compared=compared))
    tests, holders = _of_calls(source, language, testing, calls)
    if testing.heading is not None:
        tests += _of_functions(source, testing, testing.heading.form, functions)
        holders += [_function(source, node, testing) for node in groups]
    tests.sort(key=lambda each: each.node.start_byte)
    if all(each.announced for each in tests):
        return []  # something else that goes by the name of a test
    around = [(each.node.start_byte, each.node.end_byte, *_marks(each.header, testing)) for each in holders]
    around = [each for each in around if each[2] is not RunCondition.ALWAYS or each[3]][:_MAX_ABOVE]
    least = _constraint(source, testing)
    helpers = _Helpers(source, testing, functions)
    stopping = None if testing.stop_words and testing.stop_words.isdisjoint(said) else testing.stops_search
    return [
        _seen(source, each, testing, around, least, helpers, stopping, compared=compared) for each in tests[:_MAX_TESTS]
    ]


def test_lines(
    source: bytes, language: Language, functions: Sequence[Node], groups: Sequence[Node]
) -> list[tuple[int, int]]:
    """First and last lines of the tests of a file, and of what is built for them only, where a language has both beside the product."""
    testing = language.testing
    if testing is None or testing.beside is None or b"test" not in source:
        return []
    if testing.test_only_file is not None and testing.test_only_file.search(_text(source, 0, len(source), _MAX_HEADER)):
        return [(1, source.count(b"\n") + 1)]
    marked = [each for each in functions if each.type in testing.function_kinds]
    found: list[tuple[int, int]] = []
    nodes = sorted([*groups, *marked], key=lambda each: each.start_byte)[:_MAX_TESTS]
    for node in _beside_words(source, testing.beside_words, nodes):
        first = node.start_point[0] + 1
        if found and first <= found[-1][1]:
            continue  # inside one that is known
        if testing.beside.search(_function(source, node, testing).header):
            found.append((first, node.end_point[0] + 1))
    return found


def _of_calls(
    source: bytes, language: Language, testing: TestSyntax, nodes: Sequence[tuple[Node, Node]]
) -> tuple[list[_Written], list[_Written]]:
    """Tests that are calls, and calls that hold several tests together."""
    tests: list[_Written] = []
    holders: list[_Written] = []
    if testing.calls is None or testing.holders is None:
        return tests, holders
    for called, node in nodes:
        start = node.start_byte
        kept, found = tests, testing.calls.match(source, start)
        if found is None:
            kept, found = holders, testing.holders.match(source, start)
        name = None if found is None else _name(source, called, node, found, language)
        written = None if name is None else _called(source, node, name, language)
        if written is not None:
            kept.append(written)
    return tests, holders


def _of_functions(
    source: bytes, testing: TestSyntax, form: re.Pattern[str], nodes: Sequence[Node]
) -> Iterator[_Written]:
    """Tests that are functions. A header is only put together where the words of a test stand."""
    words = testing.header_words
    for node in _beside_words(source, words[0], nodes) if testing.above and words else nodes:
        if node.type in testing.function_kinds and (testing.above or _may_head(source, node, testing)):
            made = _function(source, node, testing)
            if form.search(made.header):
                yield made


def _beside_words(source: bytes, words: Iterable[bytes], nodes: Iterable[Node]) -> Iterator[Node]:
    """Of nodes in their order those that have one of some words in their header or above it, up to what stands before."""
    places, size = standing(source, words), len(source)
    first = last = 0
    for node in nodes:
        start, end = node.byte_range
        above = last if last <= start else first  # behind what stands before it, or inside what stands around it
        if places[bisect_left(places, above)] < min(size, start + _MAX_HEADER):
            yield node
        first, last = start, end


def _may_head(source: bytes, node: Node, testing: TestSyntax) -> bool:
    """Does a header hold the words of a test?"""
    start, end = node.byte_range
    body = node.child_by_field_name("body")
    end = min(end if body is None else body.start_byte, start + _MAX_HEADER)
    return all(any(source.find(word, start, end) >= 0 for word in words) for words in testing.header_words)


def _text(source: bytes, start: int, end: int, most: int) -> str:
    return source[start : min(end, start + most)].decode("utf-8", errors="replace")


def _name(source: bytes, called: Node, node: Node, found: re.Match[bytes], language: Language) -> str | None:
    """The name of what a call calls that begins with a form, or makes what is called, if it is no more than that form."""
    if called.byte_range == found.span():
        made = None if _makes(found[0]) else found[0]
    else:
        made = _made_by(source, node, found.re, language)
    return made.decode("ascii", errors="replace") if made is not None and len(made) <= _MAX_CALLEE else None


def _made_by(source: bytes, node: Node, form: re.Pattern[bytes], language: Language) -> bytes | None:
    """What a call calls, if it is that form and no more, or what such a call makes."""
    called = node.child_by_field_name(language.callee_fields[0]) or node.child_by_field_name(language.callee_fields[-1])
    if called is None:
        return None
    end = called.end_byte
    if len(language.callee_fields) > 1 and source[end : end + 1] != b"(":
        last = node.child_by_field_name(language.callee_fields[-1])
        end = max(end, last.end_byte) if last is not None and last.start_byte > called.start_byte else end
    made = called
    if called.type in language.calls:  # `it.each(rows)(title, run)`: what is called is a call itself
        inner = called.child_by_field_name(language.callee_fields[0])
        if inner is None:
            return None
        made, end = inner, inner.end_byte
    found = form.match(source, made.start_byte, end)
    if found is None or found.end() != end:
        return None
    return None if made is called and _makes(found[0]) else found[0]


def _makes(name: bytes) -> bool:
    """Is it what that makes which is called to write the test down?"""
    return name.rpartition(b".")[2] in _MAKERS


def _called(source: bytes, node: Node, name: str, language: Language) -> _Written | None:
    """The test that a call of that name writes down."""
    held = node.child_by_field_name(language.arguments)
    given: list[Node] = []
    function: Node | None = None
    functions, comments = language.functions, language.comments
    for each in () if held is None else held.named_children[:_MAX_GIVEN]:
        kind = each.type
        if function is None and kind in functions:
            function = each
        elif kind in comments:
            continue
        given.append(each)
    end = node.end_byte
    block = None if source[end - 1] == _BRACKET else node.child_by_field_name("block")
    body = block if block is not None or function is None else function.child_by_field_name("body")
    first = given[0].byte_range if given else (0, 0)
    if body is None and (name in _SPOKEN or not given or _TITLE.match(source, first[0]) is None):
        return None  # a condition for skipping, a matcher, a word to the running test: no test is written down
    title = _text(source, *first, 300).strip("\"'`") if given and given[0] is not body else ""
    said = ""
    if len(given) > 2 or body is None or block is not None:
        options = (_text(source, *each.byte_range, 300) for each in given[1:] if each.type not in functions)
        said = _without_strings(" ".join(options))
    return _made(
        _Written,
        (
            node,
            title or _text(source, node.start_byte, end, 80),
            f"{name} {said}",
            body,
            body is None and len(given) == 1,
        ),
    )


_made = tuple.__new__
"""Makes a named tuple of all its parts, in half the time that it takes by name."""
_BRACKET = ord(")")
_SPOKEN = frozenset({"skip", "pending"})
_MAKERS = frozenset({b"each", b"for", b"skipIf", b"runIf"})
"""Methods whose result is called to write the test down."""


def _function(source: bytes, node: Node, testing: TestSyntax) -> _Written:
    start = node
    for _ in range(_MAX_ABOVE if testing.above else 0):
        before = start.prev_named_sibling
        if before is None or before.type not in testing.above:
            break
        start = before
    body = node.child_by_field_name("body")
    end = node.end_byte if body is None else body.start_byte
    named = node.child_by_field_name("name")
    title = "" if named is None else _text(source, named.start_byte, named.end_byte, 200)
    above = _text(source, start.start_byte, node.start_byte, _MAX_HEADER) if start is not node else ""
    header = above + _text(source, node.start_byte, end, _MAX_HEADER)
    return _Written(node, title, _without_strings(_BLANK.sub(" ", _uncommented(testing, header, " "))), body)


def _without_strings(text: str) -> str:
    return _STRINGS.sub('""', text)


@dataclass(frozen=True, eq=False)
class _Helpers:
    """Functions of the file that check something, whatever they are called."""

    source: bytes
    testing: TestSyntax
    functions: Sequence[Node]

    @cached_property
    def names(self) -> frozenset[str]:
        """What they are called. Those that only call another one count as well.

        Where tests stand beside what they test, only what checks beyond doubt does: what is tested may unwrap, too.
        """
        bodies = {told[0]: body for name, body in self._bodies() if (told := _TELLING_NAME.match(name))}
        sought = self.testing.checks_search if self.testing.beside is None else self.testing.counting
        checking = {name for name, body in bodies.items() if sought.occurs(body)}
        said = {name: frozenset(_TELLING_NAME.findall(body)) for name, body in bodies.items() if name not in checking}
        for _ in range(_MAX_HANDED_ON if checking else 0):
            more = {name for name, words in said.items() if name not in checking and not words.isdisjoint(checking)}
            if not more:
                break
            checking |= more
        return frozenset(checking)

    def called(self, text: str) -> bool:
        """Does a text name one of them?"""
        return bool(self.names) and not self.names.isdisjoint(_TELLING_NAME.findall(text))

    def _bodies(self) -> Iterator[tuple[str, str]]:
        for node in self.functions[:_MAX_HELPERS]:
            named = node.child_by_field_name("name")
            if named is None and node.parent is not None and node.parent.type == "variable_declarator":
                named = node.parent.child_by_field_name("name")
            body = node.child_by_field_name("body")
            if named is not None and body is not None:
                yield _read(self.source, named, 80), _code(_read(self.source, body, _MAX_HELPER), self.testing)
        for found in self.testing.made.finditer(self.source) if self.testing.made is not None else ():
            yield tuple(each.decode("utf-8", errors="replace") for each in found.group("name", "body"))  # type: ignore[misc]


def _read(source: bytes, node: Node, most: int) -> str:
    return _text(source, node.start_byte, node.end_byte, most)


@lru_cache(maxsize=4_096)
def _marks(header: str, testing: TestSyntax) -> tuple[RunCondition, bool]:
    """What the marks of a test or holder say: does it run, and does it run alone? Most headers are alike."""
    alone = testing.alone is not None and testing.alone.search(header) is not None
    if testing.skipped is not None and testing.skipped.search(header):
        return RunCondition.NEVER, alone
    if testing.conditional is not None and testing.conditional.search(header):
        return RunCondition.CONDITIONALLY, alone
    return RunCondition.ALWAYS, alone


def _seen(
    source: bytes,
    written: _Written,
    testing: TestSyntax,
    around: Sequence[tuple[int, int, RunCondition, bool]],
    least: RunCondition,
    helpers: _Helpers,
    stopping: Sought | None,
    *,
    compared: bool,
) -> SeenTest:
    node, body = written.node, written.body
    runs, alone = _marks(written.header, testing)
    for start, end, their_runs, their_alone in around:
        if start <= node.start_byte < end:
            runs, alone = max(runs, their_runs), alone or their_alone
    runs = max(runs, least)
    text, verdict, count = "", "something", 0
    if written.announced:
        runs = RunCondition.NEVER
    elif body is not None:
        text = _code(_text(source, body.start_byte, body.end_byte, _MAX_BODY), testing)
        verdict, count = _checked(text, testing, compared=compared)
        if verdict == "nothing" and _checks_otherwise(written, text, testing, helpers):
            verdict = "something"
        if _may_stop(text, stopping) and _stops(source, body, testing):
            runs = RunCondition.NEVER
    mark = _mark(text or written.header) if compared else ""
    case = _made(DeclaredTest, (written.title, node.start_point[0] + 1, runs, alone, count, mark))
    return _made(SeenTest, (case, node.end_point[0] + 1, verdict))


def _code(text: str, testing: TestSyntax) -> str:
    """A body without its comments. Strings stay: in them may stand what is checked."""
    return _uncommented(testing, text, "") if "//" in text or "/*" in text or "#" in text else text


def _checked(text: str, testing: TestSyntax, *, compared: bool) -> tuple[str, int]:
    """What a body checks, and, where that is compared, on how many lines something that could be otherwise."""
    rest, counting = text, testing.counting
    places = counting.places(text) if compared else None
    if testing.trivial_search is not None and testing.has_trivial_check(text, places):
        rest = testing.trivial_search.form.sub("", text)
        places = counting.places(rest)
    count = counting.lines(rest, places) if compared else 0
    if (count and testing.is_counted_always_check) or testing.checks_search.occurs(rest):
        return "something", count
    return "trivially" if rest is not text and testing.checks_search.occurs(text) else "nothing", count


def _checks_otherwise(written: _Written, text: str, testing: TestSyntax, helpers: _Helpers) -> bool:
    """Does its header say that it checks, or does it call what does?"""
    if testing.announced is not None and testing.announced.search(written.header):
        return True
    return helpers.called(text)


def _mark(text: str) -> str:
    """Tells a body from another one; blanks make no difference."""
    if text.isascii():
        bare = text.encode().translate(None, _BLANKS)
    else:
        bare = "".join(text.split()).encode("utf-8", errors="replace")
    return hashlib.blake2b(bare, digest_size=8).hexdigest()


_BLANKS = bytes(each for each in range(128) if chr(each).isspace())


def _may_stop(text: str, stopping: Sought | None) -> bool:
    return "return" in text or (stopping is not None and stopping.occurs(text))


def _stops(source: bytes, body: Node, testing: TestSyntax) -> bool:
    """Does a body, whatever happens, skip itself or return before its end? Only statements at its own depth count."""
    for _ in range(2):
        body = next((each for each in body.named_children[:5] if each.type in _WRAPPERS), body)
    statements = [each for each in body.named_children[:_MAX_STATEMENTS] if "comment" not in each.type]
    for number, each in enumerate(statements):
        first = _text(source, each.start_byte, each.end_byte, 200)
        if testing.stops is not None and testing.stops.match(first):
            return True
        if _RETURN.match(first) and number + 1 < len(statements):
            return True
    return False


_WRAPPERS = frozenset({"statement_list", "body_statement", "block_body"})


def _constraint(source: bytes, testing: TestSyntax) -> RunCondition:
    """What a condition on the whole file leaves of its tests."""
    if testing.constraint is None:
        return RunCondition.ALWAYS
    found = testing.constraint.search(source[:4_000].decode("utf-8", errors="replace"))
    if found is None:
        return RunCondition.ALWAYS
    return RunCondition.NEVER if found["never"] else RunCondition.CONDITIONALLY


def _by_lines(source: bytes, testing: TestSyntax, *, compared: bool) -> Iterator[SeenTest]:
    """Tests that begin with a line of their form and end with a closing bracket alone."""
    assert testing.first_line_pattern is not None
    opened: tuple[int, str] | None = None
    held: list[str] = []
    for number, line in enumerate(source.decode("utf-8", errors="replace").split("\n"), start=1):
        begun = testing.first_line_pattern.match(line[:_MAX_HEADER])
        if begun is not None:
            opened, held = (number, begun["title"].strip("\"'")), []
        elif opened is not None and line.rstrip() == "}":
            text = _code("\n".join(held), testing)
            off = testing.stops is not None and any(testing.stops.match(each.strip()) for each in _shallow(text))
            runs = RunCondition.NEVER if off else RunCondition.ALWAYS
            verdict, count = _checked(text, testing, compared=compared)
            mark = _mark(text) if compared else ""
            yield SeenTest(DeclaredTest(opened[1], opened[0], runs, False, count, mark), number, verdict)
            opened = None
        elif opened is not None and len(held) < 5_000:
            held.append(line[:2_000])


def _shallow(text: str) -> list[str]:
    """Lines at the least depth of a body."""
    kept = [line for line in text.split("\n") if line.strip()]
    depth = min((len(line) - len(line.lstrip()) for line in kept), default=0)
    return [line for line in kept if len(line) - len(line.lstrip()) == depth]


def _uncommented(testing: TestSyntax, text: str, instead: str) -> str:
    """A text without its comments. Behind the last one that ends, what looks like the beginning of another opens none.

    Looked for from each of them, the end that is not there would take the square of their number.
    """
    end = text.rfind("*/") + 2 if "*/" in text else 0
    rest = text[end:].replace("/*", "/ ")
    return testing.comments.sub(instead, text[:end]) + testing.comments.sub(instead, rest)
