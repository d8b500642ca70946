"""What the callers of a private function give it: where all of them stand in its file, a parameter may stand for constants alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.forensics.languages.arguments import arguments_of
from auditor.forensics.languages.file import File
from auditor.forensics.languages.parsing import START
from auditor.forensics.languages.shape import name_of
from auditor.forensics.languages.writing import FILLED

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_AROUND = 3
"""Functions around a use that are asked for the name among their parameters."""
_MOST_BEFORE = 60
_MOST_PARAMETERS, _MOST_CALLS, _MOST_ASKED = 20, 40, 60
_HEADER, _ABOVE = 200, 40
_PRIVATE: dict[str, re.Pattern[str]] = {
    "go": re.compile(r"func\s+(?:\([^)]{0,80}\)\s*)?[a-z_]"),
    "java": re.compile(r"[^({]{0,160}\bprivate\b"),
    "javascript": re.compile(r"(?:async\s+)?(?:function\b|(?:static\s+|async\s+){0,2}[#_]\w)"),
    "typescript": re.compile(r"(?:async\s+)?(?:function\b|(?:static\s+|async\s+){0,2}[#_]\w|private\b)"),
    "rust": re.compile(r"(?!pub\b)(?:const\s+|async\s+|unsafe\s+){0,3}fn\b"),
    "ruby": re.compile(r"def\s+_\w"),
}
"""How the header of a function begins that nobody outside of its file calls."""
_OFFERED = re.compile(r"\bexport\s+(?:default\s+)?\Z")
_GIVEN_NAME = re.compile(rb"(?<!\w)(?P<name>\w{1,80})\s{0,20}:?=\s{0,20}(?:async\s{1,20})?\Z")
_PRIVATE_BELOW = re.compile(rb"^[ \t]*private[ \t]*(?:#[^\n]*)?$|\bprivate\s+\Z", re.MULTILINE)


def is_given_constants(file: File, name: str, place: int) -> bool:
    """Is a name, used at a place, a parameter of a private function that all its callers give a constant of the file?

    Asked of what would be told otherwise, so that it costs nothing where there is nothing to tell.
    """
    file.asked_of_callers += 1
    if file.asked_of_callers > _MOST_ASKED:
        return False
    for depth, function in enumerate(_around(file, place)):
        at = _parameter(file, function, name)
        if at is not None:
            return _all_give_constants(file, function, at)
        if depth >= _MOST_AROUND:
            break
    return False


def _around(file: File, place: int) -> Iterator[Node]:
    """The functions around a place, the innermost first."""
    before = file.functions[: bisect_right(file.functions, place, key=START)]
    return (each for each in reversed(before[-_MOST_BEFORE:]) if place < each.end_byte)


def _parameter(file: File, function: Node, name: str) -> int | None:
    """The place of a parameter among those of its function; several may be declared with one type."""
    held = function.child_by_field_name("parameters")
    declared = [] if held is None else held.named_children[:_MOST_PARAMETERS]
    names = [
        each
        for one in declared
        if one.type != "self_parameter"
        for each in (one.children_by_field_name("name") or one.children_by_field_name("pattern") or [one])
    ]
    form = re.compile(rf"(?:mut\s+)?{re.escape(name)}(?![\w$])")
    return next((number for number, each in enumerate(names) if form.match(file.text(each, 100))), None)


def _all_give_constants(file: File, function: Node, at: int) -> bool:
    named = _name(file, function)
    if named is None or not _is_private(file, function):
        return False
    callees = file.called.get(named, ())
    if not callees or len(callees) > _MOST_CALLS or _mentions(file, named) != len(callees) + 1:
        return False
    for call in file.calls_of(callees):
        given = arguments_of(file, call)
        if len(given) <= at or FILLED in file.texts.reads(given[at]):
            return False
    return True


def _name(file: File, function: Node) -> str | None:
    """What a function is called, or the name that it is given to."""
    given = _GIVEN_NAME.search(file.before(function))
    return given["name"].decode() if given is not None else name_of(file, function, function.start_byte)


def _is_private(file: File, function: Node) -> bool:
    """Does it stand inside another function, or say that it is for this file?"""
    start, end = function.byte_range
    around = file.outermost(start)
    if around is not None and around[0] < start and end <= around[1]:
        return True
    above = file.source[max(0, start - _ABOVE) : start].decode("utf-8", errors="replace")
    form = _PRIVATE.get(file.language.name)
    if form is not None and form.match(file.text(function, _HEADER)) and not _OFFERED.search(above):
        return True
    return file.language.name == "ruby" and _PRIVATE_BELOW.search(file.source, 0, start) is not None


def _mentions(file: File, name: str) -> int:
    """How often a name stands in the file."""
    return sum(1 for _ in re.finditer(rb"(?<!\w)%b(?!\w)" % re.escape(name.encode()), file.uncommented))
