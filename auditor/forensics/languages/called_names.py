"""What calls name: of the many calls in a file, those that a rule or a test may be about.

Of every call the query gives what is called, whose place tells its name: few calls are worth more than that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING

from auditor.forensics.languages.keyword_search import Remembered
from auditor.forensics.languages.language_rule_types import NOBODY, OF_QUERIES, RULES, TESTS, Language

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_NAME = 400
"""Bytes of what is called that are read as a name; of longer chains only the last part counts."""
_END = 80
_BROKEN_OFF = re.compile(r"(?<!\s)\s+\.\s*|\.\s+")
"""A dot at the begin or at the end of a line, where a chain goes on."""
_GENERIC = re.compile(r"::<.*>$", re.DOTALL)
"""Types that a call is told."""


def worth_asking(
    source: bytes,
    language: Language,
    heads: Collection[bytes],
    callees: Iterable[Node],
    has_queries: Callable[[], bool],
) -> tuple[list[Node], list[Node]]:
    """Of all that is called: what rules may speak of, and what may be a test or hold several.

    `heads` are names that stand for something imported and are called themselves.
    """
    speaks_of = language.speaks_of
    of_rules: list[Node] = []
    of_tests: list[Node] = []
    queries: bool | None = None
    for node in callees:
        start, end = node.byte_range
        last = source[start if end - start < _END else end - _END : end].rpartition(b".")[2]
        speaks = speaks_of[last]
        if speaks:
            if speaks & TESTS:
                of_tests.append(node)
            if speaks & OF_QUERIES:
                queries = has_queries() if queries is None else queries
                speaks = RULES if queries else NOBODY
            if speaks & RULES or last in heads:
                of_rules.append(node)
        elif heads and last in heads:
            of_rules.append(node)
    return of_rules, of_tests


def last_part(source: bytes, node: Node) -> str:
    """The last part of what is called."""
    start, end = node.byte_range
    told = source[max(start, end - _END) : end].rpartition(b".")[2].rpartition(b"::")[2]
    return told.decode("utf-8", errors="replace")


def called(source: bytes, node: Node) -> str:
    """What is called, where it stands in one piece; most calls of a file call the same again."""
    start, end = node.byte_range
    return _KNOWN[source[start:end]] if end - start <= _END else callee(source, [node])


def callee(source: bytes, parts: Iterable[Node]) -> str:
    """What is called, its parts joined by dots."""
    told: list[str] = []
    for part in parts:
        start, end = part.byte_range
        if end - start > _MAX_NAME:
            found = re.search(r"[.:](\w+)$", _text(source, max(start, end - _END), end))
            return f"?.{found[1]}" if found else ""
        told.append(_text(source, start, end))
    return _plain(".".join(told))


def _plain(named: str) -> str:
    named = named.replace("?.", ".")
    if "\n" in named:
        named = _BROKEN_OFF.sub(".", named)
    return _GENERIC.sub("", named) if "::<" in named else named


_KNOWN: Remembered[bytes, str] = Remembered(lambda raw: _plain(raw.decode("utf-8", errors="replace")))


def _text(source: bytes, start: int, end: int) -> str:
    return source[start:end].decode("utf-8", errors="replace")
