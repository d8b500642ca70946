"""What the text of a test's body tells without parsing it again: does it stop before it begins, how often does it check?"""

from __future__ import annotations

from collections.abc import Sequence

from auditor.forensics.source_text.file_outline import Function
from auditor.lazy_regex import lazy_compile

_CHECK = lazy_compile(
    r"\bassert\b|\b(?:self|cls|case|t)\.(?:assert|fail)\w*\(|\.assert_\w+\(|\b(?:pytest\.)?(?:raises|warns)\(|\b(?:assert|check|verify|expect)_\w+\("
)
_STOP = lazy_compile(
    r"(?:pytest\s*\.\s*(?:skip|xfail)|(?:self|cls)\s*\.\s*skipTest|skip|xfail|skipTest)\s*\(|raise\s+(?:\w+\s*\.\s*){0,3}(?:SkipTest|Skipped)\b"
)
_LEAVE = lazy_compile(r"return\b")
_MAY_STOP = lazy_compile(r"[sS]kip|xfail|return")
"""Stands in every text that one of the two finds something in."""
_STRING = lazy_compile(r"[rRuU]?(\"\"\"|''')")


def lines_of(source: Sequence[str], function: Function) -> Sequence[str]:
    """The lines of a function."""
    return source[function.line - 1 : function.end]


def checks(source: Sequence[str], function: Function) -> int:
    """Lines of a function, comments left out, on which something is checked."""
    body = source[function.line : function.end] or source[function.line - 1 : function.end]
    return sum(1 for line in body if _CHECK.search(line.partition("#")[0]))


def stops_early(source: Sequence[str], function: Function) -> bool:
    """Does a body, whatever happens, skip itself or return before its end?

    Only statements at the body's own depth count: what stands under an `if` depends on it.
    """
    whole = lines_of(source, function)
    if _MAY_STOP.search("\n".join(whole)) is None:
        return False
    body = _statements(whole)
    return any(_STOP.match(line) for line in body) or any(_LEAVE.match(line) for line in body[:-1])


def _statements(source: Sequence[str]) -> list[str]:
    """First lines of the statements at the depth of a function's body, without its docstring and comments."""
    inside, kept, depth = "", [], None
    for line in source[_header(source) :]:
        text = line.strip()
        if inside:
            inside = "" if inside in text else inside
            continue
        if not text or text.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        depth = indent if depth is None else depth
        opened = _STRING.match(text)
        if opened and text.count(opened[1]) % 2:
            inside = opened[1]
        if indent == depth and not opened:
            kept.append(text)
    return kept


def _header(source: Sequence[str]) -> int:
    """Lines that a `def` takes, up to the colon that ends it."""
    for number, line in enumerate(source):
        if line.partition("#")[0].rstrip().endswith(":"):
            return number + 1
    return len(source)
