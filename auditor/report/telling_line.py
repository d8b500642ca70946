"""The line to quote beside a finding: one that says more than its statement does."""

from __future__ import annotations

import re

from auditor.domain import CodeLocation, Location
from auditor.report.code_lines import CodeFinder

_WORD = re.compile(r"\w+")
_TEST_MARK = re.compile(r"(?:@|#\[|\[)(?:\w+(?:\.|::))*\w*(?:test|fact|theory)\w*(?:\(\))?\]?", re.IGNORECASE)
"""A line with nothing but the mark of a test: `@Test`, `#[tokio::test]`, `[Fact]`."""
_MAX_MARK = 80
"""Characters of such a line."""
_BESIDE_MARKS = ("@", "#[", "[", "//", "/*", "*")
"""Begin further annotations and comments between a mark and the signature."""
_KEYWORDS = frozenset(
    {"async", "class", "const", "def", "describe", "export", "final", "fn", "fun", "func", "function", "it", "let"}
    | {"private", "protected", "pub", "public", "self", "static", "test", "this", "void"}
)
_MAX_TEXT = 2_000
"""Characters of a quote or statement that are compared."""


def telling_line(statement: str, place: Location | None, code: CodeFinder) -> str:
    """The quote of a place on one line, or the line of code there where the quote only repeats the statement.

    Of a test the signature, not its annotation. Empty where no line says more than the statement.
    """
    quote = " ".join(place.quote.split()) if place is not None else ""
    is_mark = len(quote) <= _MAX_MARK and _TEST_MARK.fullmatch(quote) is not None
    if quote and not is_mark and not _repeats(quote, statement):
        return quote
    if not quote or not isinstance(place, CodeLocation):
        return ""
    lines = [" ".join(each.split()) for each in code.lines_from(place)]
    if is_mark:
        lines = [each for each in lines if not each.startswith(_BESIDE_MARKS)]
    line = next(filter(None, lines), "")
    return "" if _repeats(line, statement) else line


def _repeats(line: str, statement: str) -> bool:
    """Are all words of a line in the statement, but for words that every definition has?"""
    said = set(_WORD.findall(statement[:_MAX_TEXT]))
    return said.issuperset(set(_WORD.findall(line[:_MAX_TEXT])) - _KEYWORDS)
