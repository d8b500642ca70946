"""What functions and classes of Python say of types: read from their text by forms, where both sides of a change are at hand.

Nothing is parsed here. A signature ends at the first colon outside of brackets, and whatever does not fit is taken as
not written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from auditor.forensics.public_api.type_narrowing import split
from auditor.forensics.source_text.file_outline import Class, Function
from auditor.lazy_regex import lazy_compile

_MOST_ROWS = 80
_MOST_TEXT = 6_000
_MOST_RETURNS = 40
_ROWS_GIVEN = 20
_GIVEN = 1_000
"""Bounds of what is read of a function's results: a source that never closes a bracket is read again for each of them."""
_SIGNATURE = lazy_compile(r"\s*(?:async\s+)?def\s+\w+\s{0,20}(?:\[[^\]]{0,300}\])?\s{0,20}\(")
_PARAMETER = lazy_compile(r"\*{0,2}(?P<name>\w+)\s*:\s*(?P<type>.+)$", re.DOTALL)
_DEFAULT = lazy_compile(r"(?<![=!<>])=(?!=)")
_RETURN = lazy_compile(r"[ \t]*return\b(?P<given>.*)$")
_YIELD = lazy_compile(r"^[^\"']*\byield\b")
_FIELD = lazy_compile(r"[ \t]+(?P<name>[A-Za-z]\w*)[ \t]*:")
_SET_APART = lazy_compile(r"\b(?:ClassVar|InitVar|NotRequired)\b|\bdefault(?:_factory)?\s*=")
_MAKER = lazy_compile(r"(?:\w{1,60}\.){0,3}(?:[Ff]ield|attrib|ib)\(")
_VALUE = lazy_compile(r"(?:default|default_factory|factory|init)\s*=(?!\s*\.\.\.$)|(?!\w+\s*=(?!=))(?!\.\.\.$)\S")
"""What among the arguments of `Field(...)` says that a field need not be given: a default by name or as the first, or `init=False`."""


class Written(NamedTuple):
    """The written types of a function's parameters, and of what it gives; empty where there is none."""

    types: dict[str, str]
    result: str


def written(rows: Sequence[str], function: Function) -> Written:
    """The types in the signature of a function, whose source has those rows."""
    text = "\n".join(rows[function.line - 1 : function.line - 1 + _MOST_ROWS])[:_MOST_TEXT]
    begin = _SIGNATURE.match(text)
    if begin is None:
        return Written({}, "")
    end = _closing(text, begin.end())
    types: dict[str, str] = {}
    for each in split(text[begin.end() : end], ","):
        told = _PARAMETER.match(_DEFAULT.split(each, maxsplit=1)[0].strip())
        if told is not None:
            types[told["name"]] = _unquoted(told["type"])
    behind = re.match(r"\)\s*->\s*", text[end:])
    if behind is None:
        return Written(types, "")
    start = end + behind.end()
    return Written(types, _unquoted(text[start : _closing(text, start, ":")]))


def _unquoted(written: str) -> str:
    """A type on one line; what is quoted in it stands for itself, but for texts that are meant as such."""
    said = " ".join(written.split())
    return said if "Literal" in said else said.replace('"', "").replace("'", "")


def _closing(text: str, begin: int, mark: str = ")") -> int:
    """Where the mark stands outside of all brackets and quotes that open behind `begin`."""
    depth, quote = 0, ""
    for at in range(begin, len(text)):
        each = text[at]
        if quote:
            quote = "" if each == quote else quote
        elif each in "\"'":
            quote = each
        elif each == mark and depth == 0:
            return at
        elif each in "([{":
            depth += 1
        elif each in ")]}":
            depth -= 1
    return len(text)


def shapes(rows: Sequence[str], function: Function, inner: Sequence[tuple[int, int]]) -> frozenset[str]:
    """In which shapes a function gives something back: `yield`, `nothing`, `some`, `call`, or a number of things side by side.

    `rows` are without comments and docstrings; `inner` are the lines of functions and classes inside of it.
    """
    found: set[str] = set()
    returns = 0
    for number in range(function.line, min(function.end, len(rows))):
        if any(begin <= number + 1 <= end for begin, end in inner):
            continue
        row = rows[number]
        if _YIELD.match(row):
            found.add("yield")
        elif (told := _RETURN.match(row)) and returns < _MOST_RETURNS:
            returns += 1
            text = "\n".join([told["given"], *rows[number + 1 : number + _ROWS_GIVEN]])[:_GIVEN]
            found.add(_shape(text[: _ending(text)].strip()))
    return frozenset(found or {"nothing"})


def _ending(text: str) -> int:
    """The end of the line outside of brackets."""
    return _closing(text, 0, "\n")


def _shape(given: str) -> str:
    if given in {"", "None"}:
        return "nothing"
    if given.startswith("(") and _closing(given, 1) == len(given) - 1:
        given = given[1:-1].strip().removesuffix(",")
    parts = list(split(given, ",")) if not re.match(r"lambda\b", given) else [given]
    if len(parts) > 1:
        return f"{len(parts)} things" if not any(each.startswith("*") for each in parts) else "some"
    return "call" if re.search(r"[\w\])]\s*\(", given) or given.startswith("await ") else "some"


def demanded(rows: Sequence[str], owner: Class) -> Iterator[str]:
    """Fields of a class that have no default: whoever makes one must give them."""
    depth, seen = -1, 0
    for number in range(owner.line, min(owner.end, owner.line + 500, len(rows))):
        row = rows[number]
        if number < seen or not row.strip():
            continue
        indent = len(row) - len(row.lstrip())
        depth = indent if depth < 0 else depth
        told = _FIELD.match(row) if indent == depth else None
        if told is None:
            continue
        text = "\n".join(rows[number : number + _ROWS_GIVEN])[:_GIVEN]
        text = text[: _ending(text)]
        seen = number + text.count("\n") + 1
        if _must_be_given(text[told.end() :]):
            yield told["name"]


def _must_be_given(declared: str) -> bool:
    """Has a field no default, by what is written behind its name and colon?"""
    end = _closing(declared, 0, "=")
    kind, default = declared[:end].strip(), declared[end + 1 :].strip()
    if not kind or _SET_APART.search(kind):
        return False
    made = _MAKER.match(default)
    if made is None:
        return not default
    return not any(map(_VALUE.match, split(default[made.end() : _closing(default, made.end())], ",")))
