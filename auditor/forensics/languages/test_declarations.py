"""Where tests are written down: calls with a title and a function, and functions with the name or mark of a test."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from auditor.forensics.languages.argument_wrappers import unwrapped_arguments
from auditor.forensics.languages.keyword_gated_patterns import find_word_offsets
from auditor.forensics.languages.language_type import Language
from auditor.forensics.languages.test_syntax import TestSyntax

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_HEADER = 600
_MAX_CALLEE = 400
_MAX_ARGUMENTS = 20
MAX_ABOVE = 10
_STRINGS = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`]*`")
_WHITESPACE = re.compile(r"\s+")
_QUOTATION_MARK = re.compile(rb"[\"'`]")
new_tuple = tuple.__new__
"""Makes a named tuple of all its parts, in half the time that it takes by name."""
_CLOSING_PARENTHESIS = ord(")")
_RUNTIME_SKIPS = frozenset({"skip", "pending"})
_TEST_FACTORIES = frozenset({b"each", b"for", b"skipIf", b"runIf"})
"""Methods whose result is called to write the test down."""


class TestDeclaration(NamedTuple):
    """A test, or a group of tests, before what encloses it is known."""

    node: Node
    title: str
    header: str
    body: Node | None
    announced: bool = False
    """Has it a title and nothing to run?"""


def tests_from_calls(
    source: bytes, language: Language, testing: TestSyntax, nodes: Sequence[tuple[Node, Node]]
) -> tuple[list[TestDeclaration], list[TestDeclaration]]:
    """Tests that are calls, and calls that hold several tests together."""
    tests: list[TestDeclaration] = []
    holders: list[TestDeclaration] = []
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


def tests_from_functions(
    source: bytes, testing: TestSyntax, pattern: re.Pattern[str], nodes: Sequence[Node]
) -> Iterator[TestDeclaration]:
    """Tests that are functions. A header is only assembled where the words of a test are."""
    words = testing.header_words
    for node in nodes_near_words(source, words[0], nodes) if testing.above and words else nodes:
        if node.type in testing.function_kinds and (testing.above or _may_be_test_header(source, node, testing)):
            made = declared_by_function(source, node, testing)
            if pattern.search(made.header):
                yield made


def nodes_near_words(source: bytes, words: Iterable[bytes], nodes: Iterable[Node]) -> Iterator[Node]:
    """The nodes, in order, that have one of some words in their header or right above it."""
    places, size = find_word_offsets(source, words), len(source)
    first = last = 0
    for node in nodes:
        start, end = node.byte_range
        above = last if last <= start else first  # after what precedes it, or inside what contains it
        if places[bisect_left(places, above)] < min(size, start + MAX_HEADER):
            yield node
        first, last = start, end


def _may_be_test_header(source: bytes, node: Node, testing: TestSyntax) -> bool:
    """Does a header hold the words of a test?"""
    start, end = node.byte_range
    body = node.child_by_field_name("body")
    end = min(end if body is None else body.start_byte, start + MAX_HEADER)
    return all(any(source.find(word, start, end) >= 0 for word in words) for words in testing.header_words)


def text_between(source: bytes, start: int, end: int, most: int) -> str:
    """The source between two bytes, up to a length."""
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


def _declared_by_call(source: bytes, node: Node, name: str, language: Language) -> TestDeclaration | None:
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
    title = text_between(source, *first, 300).strip("\"'`") if given and given[0] is not body else ""
    said = ""
    if len(given) > 2 or body is None or block is not None:
        options = (text_between(source, *each.byte_range, 300) for each in given[1:] if each.type not in functions)
        said = _blank_strings(" ".join(options))
    return new_tuple(
        TestDeclaration,
        (
            node,
            title or text_between(source, node.start_byte, end, 80),
            f"{name} {said}",
            body,
            body is None and len(given) == 1,
        ),
    )


def declared_by_function(source: bytes, node: Node, testing: TestSyntax) -> TestDeclaration:
    """What a function declares, with what is written above it."""
    start = node
    for _ in range(MAX_ABOVE if testing.above else 0):
        before = start.prev_named_sibling
        if before is None or before.type not in testing.above:
            break
        start = before
    body = node.child_by_field_name("body")
    end = node.end_byte if body is None else body.start_byte
    named = node.child_by_field_name("name")
    title = "" if named is None else text_between(source, named.start_byte, named.end_byte, 200)
    above = text_between(source, start.start_byte, node.start_byte, MAX_HEADER) if start is not node else ""
    header = text_between(source, node.start_byte, end, MAX_HEADER)
    said = f"{above} " if testing.annotations_in_comments else ""
    header = said + replace_comments(testing, header if said else above + header, " ")
    return TestDeclaration(node, title, _blank_strings(_WHITESPACE.sub(" ", header)), body)


def _blank_strings(text: str) -> str:
    return _STRINGS.sub('""', text)


def replace_comments(testing: TestSyntax, text: str, replacement: str) -> str:
    """A text without its comments. Behind the last one that ends, what looks like the beginning of another opens none.

    Looked for from each of them, the end that is not there would take the square of their number.
    """
    end = text.rfind("*/") + 2 if "*/" in text else 0
    rest = text[end:].replace("/*", "/ ")
    return testing.comments.sub(replacement, text[:end]) + testing.comments.sub(replacement, rest)
