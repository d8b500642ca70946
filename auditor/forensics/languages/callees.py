"""What calls name: of the many calls in a file, those that a rule or a test may be about."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from auditor.forensics.languages.rules import ANYBODY, NOBODY, OF_QUERIES, RULES, TESTS, Language

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_NAME = 400
"""Bytes of what is called that are read as a name; of longer chains only the last part counts."""
_END = 80
_GENERIC = re.compile(r"::<.*>$", re.DOTALL)
"""Types that a call is told."""
_AROUND_NAME = b" \t\r\n("


def calls_to_ask(
    source: bytes, language: Language, heads: Collection[str], calls: Sequence[Node], has_queries: Callable[[], bool]
) -> tuple[Sequence[Node], Sequence[Node]]:
    """Calls that rules may speak of, and those that may be tests or hold several, of all calls by where they begin.

    `heads` are names that stand for something imported and are called themselves.
    """
    if language.plain is None or language.further is None:
        return list(_by_last_part(source, language, heads, calls)), calls
    return _by_first_bytes(source, language, {name.encode() for name in heads}, calls, has_queries)


def _by_first_bytes(
    source: bytes, language: Language, heads: Collection[bytes], calls: Sequence[Node], has_queries: Callable[[], bool]
) -> tuple[list[Node], list[Node]]:
    """Most calls are told by the bytes before their bracket, and most of these are alike, in other files too.

    Of calls that begin at the same place, the inner one comes first: it is what the name at that place stands for, and
    the next goes on where it ends.
    """
    begun, gone_on, find = language.begun, language.gone_on, source.find
    of_rules: list[Node] = []
    of_tests: list[Node] = []
    queries: bool | None = None
    begin, inner = -1, None
    for node in calls:
        start = node.start_byte
        if start == begin and inner is not None:
            first = inner.end_byte
            speaks = gone_on[source[first : find(b"(", first, first + _MAX_NAME) + 1]]
        else:
            told = source[start : find(b"(", start, start + _MAX_NAME) + 1]
            speaks = begun[told]
            tests = speaks & (TESTS | ANYBODY)
            if heads and told.removeprefix(b"new").strip(_AROUND_NAME) in heads:
                speaks |= RULES
        begin, inner = start, node
        if tests:
            of_tests.append(node)
        if speaks & OF_QUERIES:
            queries = has_queries() if queries is None else queries
            speaks |= RULES if queries else NOBODY
        if speaks & (RULES | ANYBODY):
            of_rules.append(node)
    return of_rules, of_tests


def _by_last_part(source: bytes, language: Language, heads: Collection[str], calls: Sequence[Node]) -> Iterator[Node]:
    """Calls whose last part a rule names, which is looked at alone."""
    words, fields = language.last_words, language.callee[::-1]
    for node in calls:
        part = next((held for name in fields if (held := node.child_by_field_name(name)) is not None), None)
        if part is None:
            continue
        start, end = part.byte_range
        told = source[max(start, end - _END) : end]
        if told.endswith(b">"):
            told = told.partition(b"::<")[0]
        if heads or told.rpartition(b".")[2].rpartition(b"::")[2] in words:
            yield node


def last_part(source: bytes, language: Language, node: Node) -> str:
    """The last part of what is called."""
    fields = language.callee[::-1]
    part = next((held for name in fields if (held := node.child_by_field_name(name)) is not None), None)
    if part is None:
        return ""
    start, end = part.byte_range
    told = source[max(start, end - _END) : end].rpartition(b".")[2].rpartition(b"::")[2]
    return told.decode("utf-8", errors="replace")


def callee(source: bytes, language: Language, node: Node) -> str | None:
    """What is called, its parts joined by dots."""
    parts = []
    for name in language.callee:
        part = node.child_by_field_name(name)
        if part is not None:
            start, end = part.byte_range
            if end - start > _MAX_NAME:
                found = re.search(r"[.:](\w+)$", _text(source, max(start, end - _END), end))
                return f"?.{found[1]}" if found else None
            parts.append(_text(source, start, end))
    named = ".".join(parts).replace("?.", ".")
    return (_GENERIC.sub("", named) if "::<" in named else named) or None


def _text(source: bytes, start: int, end: int) -> str:
    return source[start:end].decode("utf-8", errors="replace")
