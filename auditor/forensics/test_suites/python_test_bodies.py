"""What the text of a test's body shows without parsing it again: does it stop before it begins, how often does it check?"""

from __future__ import annotations

from collections.abc import Sequence

from auditor.forensics.source_text.file_outline import Function
from auditor.lazy_regex import lazy_compile

_ASSERTION = lazy_compile(
    r"\bassert\b|\b(?:self|cls|case|t)\.(?:assert|fail)\w*\(|\.assert_\w+\(|\b(?:pytest\.)?(?:raises|warns)\(|\b(?:assert|check|verify|expect)_\w+\("
)
_SKIP_CALL = lazy_compile(
    r"(?:pytest\s*\.\s*(?:skip|xfail)|(?:self|cls)\s*\.\s*skipTest|skip|xfail|skipTest)\s*\(|raise\s+(?:\w+\s*\.\s*){0,3}(?:SkipTest|Skipped)\b"
)
_RETURN_STATEMENT = lazy_compile(r"return\b")
_EARLY_STOP_WORDS = lazy_compile(r"[sS]kip|xfail|return")
"""Stands in every text that one of the two finds something in."""
_DOCSTRING_START = lazy_compile(r"[rRuU]?(\"\"\"|''')")


def function_lines(source: Sequence[str], function: Function) -> Sequence[str]:
    """The lines of a function."""
    return source[function.line - 1 : function.end]


def count_assertion_lines(source: Sequence[str], function: Function) -> int:
    """How many lines of a function, comments left out, assert something."""
    body = source[function.line : function.end] or source[function.line - 1 : function.end]
    return sum(1 for line in body if _ASSERTION.search(line.partition("#")[0]))


def always_stops_early(source: Sequence[str], function: Function) -> bool:
    """Does a body always skip itself or return before its end?

    Only statements at the body's own depth count: what stands under an `if` depends on it.
    """
    whole = function_lines(source, function)
    if _EARLY_STOP_WORDS.search("\n".join(whole)) is None:
        return False
    body = _top_level_statements(whole)
    return any(_SKIP_CALL.match(line) for line in body) or any(_RETURN_STATEMENT.match(line) for line in body[:-1])


def always_skips(source: Sequence[str], function: Function) -> bool:
    """Does a body always skip what it prepares, as `setUp` may do for every test of its class?"""
    whole = function_lines(source, function)
    if _EARLY_STOP_WORDS.search("\n".join(whole)) is None:
        return False
    return any(_SKIP_CALL.match(line) for line in _top_level_statements(whole))


def _top_level_statements(source: Sequence[str]) -> list[str]:
    """First lines of the statements at the top level of a function's body, without docstring and comments."""
    inside, kept, depth = "", [], None
    for line in source[_header_length(source) :]:
        text = line.strip()
        if inside:
            inside = "" if inside in text else inside
            continue
        if not text or text.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        depth = indent if depth is None else depth
        opened = _DOCSTRING_START.match(text)
        if opened and text.count(opened[1]) % 2:
            inside = opened[1]
        if indent == depth and not opened:
            kept.append(text)
    return kept


def _header_length(source: Sequence[str]) -> int:
    """How many lines a `def` takes, up to the colon that ends it."""
    for number, line in enumerate(source):
        if line.partition("#")[0].rstrip().endswith(":"):
            return number + 1
    return len(source)
