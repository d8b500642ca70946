"""The tests of a file: what each is called, whether it runs, how much it checks.

A test is a call with a title and a function, or a function with the name or mark of a test. What switches it off may be on
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

from auditor.forensics.languages.argument_wrappers import unwrapped_arguments
from auditor.forensics.languages.keyword_gated_patterns import PatternSearch, find_word_offsets
from auditor.forensics.languages.language_type import Language
from auditor.forensics.languages.test_syntax import TestSyntax
from auditor.forensics.source_text.file_outline import DeclaredTest, RunCondition

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_BODY = 200_000
_MAX_HEADER = 600
_MAX_CALLEE = 400
_MAX_ARGUMENTS = 20
_MAX_STATEMENTS = 60
_MAX_ABOVE = 10
_MAX_TESTS = 20_000
_MAX_HELPERS = 2_000
_MAX_HELPER = 4_000
_MAX_HELPER_DEPTH = 3
_LONG_NAME = re.compile(r"[A-Za-z_$][\w$]{2,}")
_STRINGS = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`]*`")
_WHITESPACE = re.compile(r"\s+")
_RETURN = re.compile(r"return\b")
_QUOTATION_MARK = re.compile(rb"[\"'`]")


class ParsedTest(NamedTuple):
    """A test, its last line, and what its body checks: `something`, `trivially`, or `nothing`."""

    case: DeclaredTest
    end: int
    verdict: str


class _TestDeclaration(NamedTuple):
    """A test, or a group of tests, before what encloses it is known."""

    node: Node
    title: str
    header: str
    body: Node | None
    announced: bool = False
    """Has it a title and nothing to run?"""


def find_tests(
    source: bytes,
    language: Language,
    keywords: frozenset[str],
    calls: Sequence[tuple[Node, Node]],
    functions: Sequence[Node],
    groups: Sequence[Node],
    *,
    compared: bool,
) -> list[ParsedTest]:
    """Every test of a file of some words, from the calls that may be tests with what they call, the functions, and what holds several tests.

    Only where two versions are compared it is counted how much each checks, and marked what its body is.
    """
    testing = language.test_syntax
    if testing is None:
        return []
    if testing.first_line_pattern is not None:
        return list(_tests_by_lines(source, testing, compared=compared))
    tests, holders = _tests_from_calls(source, language, testing, calls)
    if testing.heading is not None:
        tests += _tests_from_functions(source, testing, testing.heading.form, functions)
        holders += [_declared_by_function(source, node, testing) for node in groups]
    tests.sort(key=lambda each: each.node.start_byte)
    if all(each.announced for each in tests):
        return []  # something else with the name of a test
    around = [(each.node.start_byte, each.node.end_byte, *_run_condition(each.header, testing)) for each in holders]
    around += _skipped_groups(source, testing, keywords, functions, groups)
    around = [each for each in around if each[2] is not RunCondition.ALWAYS or each[3]][:_MAX_ABOVE]
    least = _file_condition(source, testing)
    helpers = _AssertionHelpers(source, testing, functions)
    stopping = None if testing.stop_words and testing.stop_words.isdisjoint(keywords) else testing.stops_search
    return [
        _parse_test(source, each, testing, around, least, helpers, stopping, compared=compared)
        for each in tests[:_MAX_TESTS]
    ]


def _skipped_groups(
    source: bytes, testing: TestSyntax, keywords: frozenset[str], functions: Sequence[Node], groups: Sequence[Node]
) -> Iterator[tuple[int, int, RunCondition, bool]]:
    """What holds tests that are all skipped by what runs before each of them: `setUp`."""
    if testing.preparations is None or testing.stops is None or testing.stop_words.isdisjoint(keywords):
        return
    for node in functions[:_MAX_TESTS]:
        body = node.child_by_field_name("body")
        if body is None or node.type not in testing.function_kinds:
            continue
        if not any(testing.stops.match(first) for first in _statements(source, body)):
            continue
        holders = [each for each in groups if each.start_byte <= node.start_byte < each.end_byte]
        if holders and testing.preparations.search(_declared_by_function(source, node, testing).header):
            holder = min(holders, key=lambda each: each.end_byte - each.start_byte)
            yield holder.start_byte, holder.end_byte, RunCondition.NEVER, False


def test_lines(
    source: bytes, language: Language, functions: Sequence[Node], groups: Sequence[Node]
) -> list[tuple[int, int]]:
    """First and last lines of the tests of a file, and of what is built for them only, where a language has both beside the product."""
    testing = language.test_syntax
    if testing is None or testing.beside is None or b"test" not in source:
        return []
    if testing.test_only_file is not None and testing.test_only_file.search(_text(source, 0, len(source), _MAX_HEADER)):
        return [(1, source.count(b"\n") + 1)]
    marked = [each for each in functions if each.type in testing.function_kinds]
    found: list[tuple[int, int]] = []
    nodes = sorted([*groups, *marked], key=lambda each: each.start_byte)[:_MAX_TESTS]
    for node in _nodes_near_words(source, testing.beside_words, nodes):
        first = node.start_point[0] + 1
        if found and first <= found[-1][1]:
            continue  # inside one that is known
        if testing.beside.search(_declared_by_function(source, node, testing).header):
            found.append((first, node.end_point[0] + 1))
    return found


def _tests_from_calls(
    source: bytes, language: Language, testing: TestSyntax, nodes: Sequence[tuple[Node, Node]]
) -> tuple[list[_TestDeclaration], list[_TestDeclaration]]:
    """Tests that are calls, and calls that hold several tests together."""
    tests: list[_TestDeclaration] = []
    holders: list[_TestDeclaration] = []
    if testing.calls is None or testing.holders is None:
        return tests, holders
    for called, node in nodes:
        start = node.start_byte
        kept, found = tests, testing.calls.match(source, start)
        if found is None:
            kept, found = holders, testing.holders.match(source, start)
        name = None if found is None else _test_call_name(source, called, node, found, language)
        written = None if name is None else _declared_by_call(source, node, name, language)
        if written is not None:
            kept.append(written)
    return tests, holders


def _tests_from_functions(
    source: bytes, testing: TestSyntax, pattern: re.Pattern[str], nodes: Sequence[Node]
) -> Iterator[_TestDeclaration]:
    """Tests that are functions. A header is only assembled where the words of a test are."""
    words = testing.header_words
    for node in _nodes_near_words(source, words[0], nodes) if testing.above and words else nodes:
        if node.type in testing.function_kinds and (testing.above or _may_be_test_header(source, node, testing)):
            made = _declared_by_function(source, node, testing)
            if pattern.search(made.header):
                yield made


def _nodes_near_words(source: bytes, words: Iterable[bytes], nodes: Iterable[Node]) -> Iterator[Node]:
    """The nodes, in order, that have one of some words in their header or right above it."""
    places, size = find_word_offsets(source, words), len(source)
    first = last = 0
    for node in nodes:
        start, end = node.byte_range
        above = last if last <= start else first  # after what precedes it, or inside what contains it
        if places[bisect_left(places, above)] < min(size, start + _MAX_HEADER):
            yield node
        first, last = start, end


def _may_be_test_header(source: bytes, node: Node, testing: TestSyntax) -> bool:
    """Does a header hold the words of a test?"""
    start, end = node.byte_range
    body = node.child_by_field_name("body")
    end = min(end if body is None else body.start_byte, start + _MAX_HEADER)
    return all(any(source.find(word, start, end) >= 0 for word in words) for words in testing.header_words)


def _text(source: bytes, start: int, end: int, most: int) -> str:
    return source[start : min(end, start + most)].decode("utf-8", errors="replace")


def _test_call_name(source: bytes, called: Node, node: Node, found: re.Match[bytes], language: Language) -> str | None:
    """The name of what a call calls that begins with a form, or makes what is called, if it is no more than that form."""
    if called.byte_range == found.span():
        made = None if _is_test_factory(found[0]) else found[0]
    else:
        made = _matching_callee(source, node, found.re, language)
    return made.decode("ascii", errors="replace") if made is not None and len(made) <= _MAX_CALLEE else None


def _matching_callee(source: bytes, node: Node, pattern: re.Pattern[bytes], language: Language) -> bytes | None:
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
    found = pattern.match(source, made.start_byte, end)
    if found is None or found.end() != end:
        return None
    return None if made is called and _is_test_factory(found[0]) else found[0]


def _is_test_factory(name: bytes) -> bool:
    """Is it a method whose result is called to declare the test?"""
    return name.rpartition(b".")[2] in _TEST_FACTORIES


def _declared_by_call(source: bytes, node: Node, name: str, language: Language) -> _TestDeclaration | None:
    """The test that a call of that name declares."""
    held = node.child_by_field_name(language.arguments)
    given: list[Node] = []
    function: Node | None = None
    functions, comments = language.functions, language.comments
    for each in (
        () if held is None else unwrapped_arguments(held.named_children[:_MAX_ARGUMENTS], language.argument_wrappers)
    ):
        kind = each.type
        if function is None and kind in functions:
            function = each
        elif kind in comments:
            continue
        given.append(each)
    end = node.end_byte
    block = None if source[end - 1] == _CLOSING_PARENTHESIS else node.child_by_field_name("block")
    body = block if block is not None or function is None else function.child_by_field_name("body")
    first = given[0].byte_range if given else (0, 0)
    if body is None and (name in _RUNTIME_SKIPS or not given or _QUOTATION_MARK.match(source, first[0]) is None):
        return None  # a condition for skipping, a matcher, a word to the running test: no test is written down
    title = _text(source, *first, 300).strip("\"'`") if given and given[0] is not body else ""
    said = ""
    if len(given) > 2 or body is None or block is not None:
        options = (_text(source, *each.byte_range, 300) for each in given[1:] if each.type not in functions)
        said = _blank_strings(" ".join(options))
    return _new_tuple(
        _TestDeclaration,
        (
            node,
            title or _text(source, node.start_byte, end, 80),
            f"{name} {said}",
            body,
            body is None and len(given) == 1,
        ),
    )


_new_tuple = tuple.__new__
"""Makes a named tuple of all its parts, in half the time that it takes by name."""
_CLOSING_PARENTHESIS = ord(")")
_RUNTIME_SKIPS = frozenset({"skip", "pending"})
_TEST_FACTORIES = frozenset({b"each", b"for", b"skipIf", b"runIf"})
"""Methods whose result is called to write the test down."""


def _declared_by_function(source: bytes, node: Node, testing: TestSyntax) -> _TestDeclaration:
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
    header = _text(source, node.start_byte, end, _MAX_HEADER)
    said = f"{above} " if testing.annotations_in_comments else ""
    header = said + _replace_comments(testing, header if said else above + header, " ")
    return _TestDeclaration(node, title, _blank_strings(_WHITESPACE.sub(" ", header)), body)


def _blank_strings(text: str) -> str:
    return _STRINGS.sub('""', text)


@dataclass(frozen=True, eq=False)
class _AssertionHelpers:
    """Functions of the file that check something, whatever they are called."""

    source: bytes
    test_syntax: TestSyntax
    functions: Sequence[Node]

    @cached_property
    def names(self) -> frozenset[str]:
        """What they are called. Those that only call another one count as well.

        Where tests are in the file of what they test, only what checks beyond doubt does: what is tested may unwrap, too.
        """
        bodies = {told[0]: body for name, body in self._bodies() if (told := _LONG_NAME.match(name))}
        sought = self.test_syntax.checks_search if self.test_syntax.beside is None else self.test_syntax.counting
        checking = {name for name, body in bodies.items() if sought.occurs(body)}
        said = {name: frozenset(_LONG_NAME.findall(body)) for name, body in bodies.items() if name not in checking}
        for _ in range(_MAX_HELPER_DEPTH if checking else 0):
            more = {name for name, words in said.items() if name not in checking and not words.isdisjoint(checking)}
            if not more:
                break
            checking |= more
        return frozenset(checking)

    def called(self, text: str) -> bool:
        """Does a text name one of them?"""
        return bool(self.names) and not self.names.isdisjoint(_LONG_NAME.findall(text))

    def _bodies(self) -> Iterator[tuple[str, str]]:
        for node in self.functions[:_MAX_HELPERS]:
            named = node.child_by_field_name("name")
            if named is None and node.parent is not None and node.parent.type == "variable_declarator":
                named = node.parent.child_by_field_name("name")
            body = node.child_by_field_name("body")
            if named is not None and body is not None:
                yield (
                    _node_text(self.source, named, 80),
                    _body_code(_node_text(self.source, body, _MAX_HELPER), self.test_syntax),
                )
        for found in self.test_syntax.made.finditer(self.source) if self.test_syntax.made is not None else ():
            yield tuple(each.decode("utf-8", errors="replace") for each in found.group("name", "body"))  # type: ignore[misc]


def _node_text(source: bytes, node: Node, most: int) -> str:
    return _text(source, node.start_byte, node.end_byte, most)


@lru_cache(maxsize=4_096)
def _run_condition(header: str, testing: TestSyntax) -> tuple[RunCondition, bool]:
    """What the marks of a test or holder say: does it run, and does it run alone? Most headers are alike."""
    alone = testing.alone is not None and testing.alone.search(header) is not None
    if testing.skipped is not None and testing.skipped.search(header):
        return RunCondition.NEVER, alone
    if testing.conditional is not None and testing.conditional.search(header):
        return RunCondition.CONDITIONALLY, alone
    return RunCondition.ALWAYS, alone


def _parse_test(
    source: bytes,
    written: _TestDeclaration,
    testing: TestSyntax,
    around: Sequence[tuple[int, int, RunCondition, bool]],
    file_condition: RunCondition,
    helpers: _AssertionHelpers,
    stopping: PatternSearch | None,
    *,
    compared: bool,
) -> ParsedTest:
    node, body = written.node, written.body
    runs, alone = _run_condition(written.header, testing)
    for start, end, their_runs, their_alone in around:
        if start <= node.start_byte < end:
            runs, alone = max(runs, their_runs), alone or their_alone
    runs = max(runs, file_condition)
    text, verdict, count = "", "something", 0
    if written.announced:
        runs = RunCondition.NEVER
    elif body is not None:
        text = _body_code(_text(source, body.start_byte, body.end_byte, _MAX_BODY), testing)
        verdict, count = _assess_checks(text, testing, compared=compared)
        if verdict == "nothing" and _checks_indirectly(written, text, testing, helpers):
            verdict = "something"
        if _may_stop(text, stopping) and _ends_early(source, body, testing):
            runs = RunCondition.NEVER
    mark = _body_digest(text or written.header) if compared else ""
    case = _new_tuple(DeclaredTest, (written.title, node.start_point[0] + 1, runs, alone, count, mark))
    return _new_tuple(ParsedTest, (case, node.end_point[0] + 1, verdict))


def _body_code(text: str, testing: TestSyntax) -> str:
    """A body without its comments. Strings stay: in them may be what is checked."""
    return _replace_comments(testing, text, "") if "//" in text or "/*" in text or "#" in text else text


def _assess_checks(text: str, testing: TestSyntax, *, compared: bool) -> tuple[str, int]:
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


def _checks_indirectly(written: _TestDeclaration, text: str, testing: TestSyntax, helpers: _AssertionHelpers) -> bool:
    """Does the header say that the test checks, or does the body call a helper that does?"""
    if testing.announced is not None and testing.announced.search(written.header):
        return True
    return helpers.called(text)


def _body_digest(text: str) -> str:
    """A digest that distinguishes one body from another; whitespace makes no difference."""
    if text.isascii():
        bare = text.encode().translate(None, _WHITESPACE_BYTES)
    else:
        bare = "".join(text.split()).encode("utf-8", errors="replace")
    return hashlib.blake2b(bare, digest_size=8).hexdigest()


_WHITESPACE_BYTES = bytes(each for each in range(128) if chr(each).isspace())


def _may_stop(text: str, stopping: PatternSearch | None) -> bool:
    return "return" in text or (stopping is not None and stopping.occurs(text))


def _ends_early(source: bytes, body: Node, testing: TestSyntax) -> bool:
    """Does a body always skip itself or return before its end? Only statements at its own depth count."""
    statements = _statements(source, body)
    for number, first in enumerate(statements):
        if testing.stops is not None and testing.stops.match(first):
            return True
        if _RETURN.match(first) and number + 1 < len(statements):
            return True
    return False


def _statements(source: bytes, body: Node) -> list[str]:
    """How the statements at the own depth of a body begin."""
    for _ in range(2):
        body = next((each for each in body.named_children[:5] if each.type in _BODY_WRAPPER_KINDS), body)
    held = [each for each in body.named_children[:_MAX_STATEMENTS] if "comment" not in each.type]
    return [_text(source, each.start_byte, each.end_byte, 200) for each in held]


_BODY_WRAPPER_KINDS = frozenset({"statement_list", "body_statement", "block_body"})


def _file_condition(source: bytes, testing: TestSyntax) -> RunCondition:
    """What a build condition of the whole file means for its tests."""
    if testing.constraint is None:
        return RunCondition.ALWAYS
    found = testing.constraint.search(source[:4_000].decode("utf-8", errors="replace"))
    if found is None:
        return RunCondition.ALWAYS
    return RunCondition.NEVER if found["never"] else RunCondition.CONDITIONALLY


def _tests_by_lines(source: bytes, testing: TestSyntax, *, compared: bool) -> Iterator[ParsedTest]:
    """Tests that begin with a line of their form and end with a closing bracket alone."""
    assert testing.first_line_pattern is not None
    opened: tuple[int, str] | None = None
    held: list[str] = []
    for number, line in enumerate(source.decode("utf-8", errors="replace").split("\n"), start=1):
        begun = testing.first_line_pattern.match(line[:_MAX_HEADER])
        if begun is not None:
            opened, held = (number, begun["title"].strip("\"'")), []
        elif opened is not None and line.rstrip() == "}":
            text = _body_code("\n".join(held), testing)
            off = testing.stops is not None and any(
                testing.stops.match(each.strip()) for each in _outermost_lines(text)
            )
            runs = RunCondition.NEVER if off else RunCondition.ALWAYS
            verdict, count = _assess_checks(text, testing, compared=compared)
            mark = _body_digest(text) if compared else ""
            yield ParsedTest(DeclaredTest(opened[1], opened[0], runs, False, count, mark), number, verdict)
            opened = None
        elif opened is not None and len(held) < 5_000:
            held.append(line[:2_000])


def _outermost_lines(text: str) -> list[str]:
    """Lines at least depth of a body."""
    kept = [line for line in text.split("\n") if line.strip()]
    depth = min((len(line) - len(line.lstrip()) for line in kept), default=0)
    return [line for line in kept if len(line) - len(line.lstrip()) == depth]


def _replace_comments(testing: TestSyntax, text: str, replacement: str) -> str:
    """A text without its comments. Behind the last one that ends, what looks like the beginning of another opens none.

    Looked for from each of them, the end that is not there would take the square of their number.
    """
    end = text.rfind("*/") + 2 if "*/" in text else 0
    rest = text[end:].replace("/*", "/ ")
    return testing.comments.sub(replacement, text[:end]) + testing.comments.sub(replacement, rest)
