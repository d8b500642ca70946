"""Whether something that stands elsewhere in a file may be about a value: a limit set on a client, a list of allowed types.

In the function that makes the value it is. Elsewhere it may be where the value goes there: to a field, to another
function, to who asked for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

Span = tuple[int, int]
_BEFORE = 200
_MAX_CALLERS = 50
_MOST_PLACES = 2_000
_LETTER = re.compile(rb"\w")
_LONGEST = 100_000
"""Bytes of a function that are looked through for what it does with a name."""
_LOCAL = re.compile(
    rb"(?:\A|[;{}(\n])\s*(?:(?:let(?:\s+mut)?|var|val|const|final)\s+)?(?:[\w.]+(?:<[^<>=;]{0,80}>)?(?:\[\])?\s+)?(?P<name>[A-Za-z_]\w*)\s*(?::\s*[\w:<>, &]{1,80})?(?:,\s*\w+\s*)?:?=\s*(?:&|\([\w.]{1,60}\)\s*|await\s+){0,2}\Z"
)
"""What stands before a value that a name of the function is given."""
_GIVEN_BACK = re.compile(rb"(?:\breturn\b[\s&(]*|->\s*|=>\s*|\)\s*->\s*[\w:<>, ]{1,80}\{\s*|[{;]\s*Ok\(\s*)\Z")
_NAME = re.compile(
    rb"(?:\bfn|\bfunc(?:\s*\([^)]{0,100}\))?|[\w>\]])\s+(?P<name>[A-Za-z_]\w*)\s*(?:<[^<>()]{0,80}>\s*)?\("
)
_TAKES = re.compile(rb"(?:\.\w+)?\(\s*&?(?P<name>[A-Za-z_]\w*)\s*[,)]")
_OF_A_FIELD = re.compile(rb"[A-Za-z_]\w*\s*\.\s*\w+\s*\.")
_CALLED_ON = re.compile(rb"(?:(?!this\b|self\b)(?P<name>[A-Za-z_]\w*)|\(?new\b[^;]{0,200}?\))\s*\.")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a source whose comments are blanked."""

    source: bytes
    start: int
    end: int
    method: bool = False
    """Is it a method that matters for what it is called on?"""


def places_of(name: bytes, source: bytes) -> Iterator[int]:
    """Where a name stands by itself, of the first thousands of places."""
    place = -1
    for _ in range(_MOST_PLACES):
        place = source.find(name, place + 1)
        if place < 0:
            return
        end = place + len(name)
        if not (_LETTER.match(source, end) or (place and _LETTER.match(source, place - 1))):
            yield place


def excuses(form: re.Pattern[bytes], value: Stretch, around: Span, outermost: Callable[[int], Span | None]) -> bool:
    """May what a file holds somewhere be about a value that is made in a function?

    `outermost` gives the outermost function around a place.
    """
    source, (first, last) = value.source, around
    if form.search(source, first, last) is not None or last - first > _LONGEST or _comes_in(value, around):
        return True
    if value.method:
        return False
    before = source[max(first, value.start - _BEFORE) : value.start]
    if _GIVEN_BACK.search(before) is not None:
        return _by_callers(form, value, around, outermost)
    local = _LOCAL.search(before)
    if local is None:
        return not _is_statement(before)
    name = re.escape(local["name"])
    rest = source[value.end : last]
    if re.search(rb"\breturn\s+(?:Ok\(\s*)?&?%b\b(?!\s*\.)" % name, rest) or re.search(
        rb"[;}\n]\s*%b\s*\}\Z" % name, rest
    ):
        return _by_callers(form, value, around, outermost)
    return re.search(rb"[(,:={\[]\s*(?:&(?:mut\s+)?)?%b\s*[,;)}\]\n]" % name, rest) is not None


def _is_statement(before: bytes) -> bool:
    """Does it begin a statement, so that nothing takes what it gives?"""
    return before.rstrip(b" \t").endswith((b"\n", b";", b"{", b"}")) or not before.strip()


def _comes_in(value: Stretch, around: Span) -> bool:
    """Is it handed, or called on, something that the function did not make, and that may bring what it needs?"""
    taken = _CALLED_ON.match(value.source, value.start) if value.method else _TAKES.match(value.source, value.end)
    if taken is None:
        return value.method
    if taken["name"] is None:
        return False  # made right there
    if value.method and _OF_A_FIELD.match(value.source, value.start):
        return True
    header = value.source[around[0] : value.start].partition(b"{")[0]
    if value.method and re.search(rb"\b%b\b" % re.escape(taken["name"]), header):
        return False  # a parameter: of it, only this function tells
    made = rb"\b%b\b[^=\n;]{0,80}:?=" % re.escape(taken["name"])
    return re.search(made, value.source[around[0] : value.start]) is None


def _by_callers(form: re.Pattern[bytes], value: Stretch, around: Span, outermost: Callable[[int], Span | None]) -> bool:
    """Does a function hold it that calls the one around?"""
    source, (first, _) = value.source, around
    named = _NAME.search(source, first, value.start)
    if named is None:
        return True
    for place in islice(places_of(named["name"], source), _MAX_CALLERS):
        if not source.startswith(b"(", place + len(named["name"])):
            continue
        caller = outermost(place)
        if caller is None and place != named.start("name"):
            return True  # kept where the whole file sees it
        if caller is not None and caller != around and form.search(source, *caller) is not None:
            return True
    return False
