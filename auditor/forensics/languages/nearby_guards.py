"""Whether something that is elsewhere in a file may be about a value: a limit set on a client, a list of allowed types.

In the function that makes the value it is. Elsewhere it may be where the value goes there: to a field, to another
function, to who asked for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

Span = tuple[int, int]
_BYTES_BEFORE = 200
_MAX_CALLERS = 50
_MAX_PLACES = 2_000
_WORD_BYTE = re.compile(rb"\w")
_MAX_FUNCTION_BYTES = 100_000
"""Bytes of a function that are looked through for what it does with a name."""
_LOCAL_ASSIGNMENT = re.compile(
    rb"(?:\A|[;{}(\n])\s*(?:(?:let(?:\s+mut)?|var|val|const|final)\s+)?(?:[\w.]+(?:<[^<>=;]{0,80}>)?(?:\[\])?\s+)?(?P<name>[A-Za-z_]\w*)\s*(?::\s*[\w:<>, &]{1,80})?(?:,\s*\w+\s*)?:?=\s*(?:&|\([\w.]{1,60}\)\s*|await\s+){0,2}\Z"
)
"""What precedes a value that is assigned to a name of the function."""
_RETURN_PREFIX = re.compile(rb"(?:\breturn\b[\s&(]*|->\s*|=>\s*|\)\s*->\s*[\w:<>, ]{1,80}\{\s*|[{;]\s*Ok\(\s*)\Z")
_FUNCTION_NAME = re.compile(
    rb"(?:\bfn|\bfunc(?:\s*\([^)]{0,100}\))?|[\w>\]])\s+(?P<name>[A-Za-z_]\w*)\s*(?:<[^<>()]{0,80}>\s*)?\("
)
_FIRST_ARGUMENT = re.compile(rb"(?:\.\w+)?\(\s*&?(?P<name>[A-Za-z_]\w*)\s*[,)]")
_FIELD_ACCESS = re.compile(rb"[A-Za-z_]\w*\s*\.\s*\w+\s*\.")
_CALL_RECEIVER = re.compile(rb"(?:(?!this\b|self\b)(?P<name>[A-Za-z_]\w*)|\(?new\b[^;]{0,200}?\))\s*\.")


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """A span of a source whose comments are blanked."""

    source: bytes
    start: int
    end: int
    method: bool = False
    """Is it a method that matters for what it is called on?"""


def find_name_offsets(name: bytes, source: bytes) -> Iterator[int]:
    """The offsets at which a name is as a whole word, up to a limit."""
    place = -1
    for _ in range(_MAX_PLACES):
        place = source.find(name, place + 1)
        if place < 0:
            return
        end = place + len(name)
        if not (_WORD_BYTE.match(source, end) or (place and _WORD_BYTE.match(source, place - 1))):
            yield place


def may_be_guarded(
    pattern: re.Pattern[bytes], value: SourceSpan, around: Span, outermost: Callable[[int], Span | None]
) -> bool:
    """May code that matches a pattern somewhere in the file be about a value that a function creates?

    `outermost` gives the outermost function around a place.
    """
    source, (first, last) = value.source, around
    if (
        pattern.search(source, first, last) is not None
        or last - first > _MAX_FUNCTION_BYTES
        or _comes_from_outside(value, around)
    ):
        return True
    if value.method:
        return False
    before = source[max(first, value.start - _BYTES_BEFORE) : value.start]
    if _RETURN_PREFIX.search(before) is not None:
        return _is_guarded_by_callers(pattern, value, around, outermost)
    local = _LOCAL_ASSIGNMENT.search(before)
    if local is None:
        return not _is_statement(before)
    name = re.escape(local["name"])
    rest = source[value.end : last]
    if re.search(rb"\breturn\s+(?:Ok\(\s*)?&?%b\b(?!\s*\.)" % name, rest) or re.search(
        rb"[;}\n]\s*%b\s*\}\Z" % name, rest
    ):
        return _is_guarded_by_callers(pattern, value, around, outermost)
    return re.search(rb"[(,:={\[]\s*(?:&(?:mut\s+)?)?%b\s*[,;)}\]\n]" % name, rest) is not None


def _is_statement(before: bytes) -> bool:
    """Does it begin a statement, so that nothing takes what it gives?"""
    return before.rstrip(b" \t").endswith((b"\n", b";", b"{", b"}")) or not before.strip()


def _comes_from_outside(value: SourceSpan, around: Span) -> bool:
    """Is it passed to, or called on, something that the function did not create and that may bring the guard?"""
    taken = (
        _CALL_RECEIVER.match(value.source, value.start)
        if value.method
        else _FIRST_ARGUMENT.match(value.source, value.end)
    )
    if taken is None:
        return value.method
    if taken["name"] is None:
        return False  # made right there
    if value.method and _FIELD_ACCESS.match(value.source, value.start):
        return True
    header = value.source[around[0] : value.start].partition(b"{")[0]
    if value.method and re.search(rb"\b%b\b" % re.escape(taken["name"]), header):
        return False  # a parameter: only this function is known to check it
    made = rb"\b%b\b[^=\n;]{0,80}:?=" % re.escape(taken["name"])
    return re.search(made, value.source[around[0] : value.start]) is None


def _is_guarded_by_callers(
    pattern: re.Pattern[bytes], value: SourceSpan, around: Span, outermost: Callable[[int], Span | None]
) -> bool:
    """Does a function that calls the enclosing one match the pattern?"""
    source, (first, _) = value.source, around
    named = _FUNCTION_NAME.search(source, first, value.start)
    if named is None:
        return True
    for place in islice(find_name_offsets(named["name"], source), _MAX_CALLERS):
        if not source.startswith(b"(", place + len(named["name"])):
            continue
        caller = outermost(place)
        if caller is None and place != named.start("name"):
            return True  # kept where the whole file sees it
        if caller is not None and caller != around and pattern.search(source, *caller) is not None:
            return True
    return False
