"""What functions and classes of Python say of types: read from their text by forms, where both sides of a change are at hand.

Nothing is parsed here. A signature ends at the first colon outside of brackets, and whatever does not fit is taken as
not written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from auditor.forensics.public_api.written_type_comparison import split_top_level
from auditor.forensics.source_text.file_outline import Class, Function
from auditor.lazy_regex import lazy_compile

_MAX_ROWS = 80
_MAX_TEXT_LENGTH = 6_000
_MAX_FIELD_ROWS = 20
_MAX_FIELD_LENGTH = 1_000
"""Bounds of what is read of a field: a source that never closes a bracket is read again for each of them."""
_SIGNATURE = lazy_compile(r"\s*(?:async\s+)?def\s+\w+\s{0,20}(?:\[[^\]]{0,300}\])?\s{0,20}\(")
_PARAMETER = lazy_compile(r"\*{0,2}(?P<name>\w+)\s*:\s*(?P<type>.+)$", re.DOTALL)
_DEFAULT = lazy_compile(r"(?<![=!<>])=(?!=)")
_FIELD = lazy_compile(r"[ \t]+(?P<name>[A-Za-z]\w*)[ \t]*:")
_NOT_REQUIRED_MARK = lazy_compile(r"\b(?:ClassVar|InitVar|NotRequired)\b|\bdefault(?:_factory)?\s*=")
_FIELD_CALL = lazy_compile(r"(?:\w{1,60}\.){0,3}(?:[Ff]ield|attrib|ib)\(")
_FIELD_DEFAULT = lazy_compile(
    r"(?:default|default_factory|factory|init)\s*=(?!\s*\.\.\.$)|(?!\w+\s*=(?!=))(?!\.\.\.$)\S"
)
"""Arguments of `Field(...)` that make a field optional: a default by name or as the first, or `init=False`."""


class WrittenTypes(NamedTuple):
    """The written types of a function's parameters, and of its result; empty where there is none."""

    types: dict[str, str]
    result: str


def written_types(rows: Sequence[str], function: Function) -> WrittenTypes:
    """The types in the signature of a function, whose source has those rows."""
    text = "\n".join(rows[function.line - 1 : function.line - 1 + _MAX_ROWS])[:_MAX_TEXT_LENGTH]
    begin = _SIGNATURE.match(text)
    if begin is None:
        return WrittenTypes({}, "")
    end = _find_closing(text, begin.end())
    types: dict[str, str] = {}
    for each in split_top_level(text[begin.end() : end], ","):
        told = _PARAMETER.match(_DEFAULT.split(each, maxsplit=1)[0].strip())
        if told is not None:
            types[told["name"]] = _unquote_type(told["type"])
    behind = re.match(r"\)\s*->\s*", text[end:])
    if behind is None:
        return WrittenTypes(types, "")
    start = end + behind.end()
    return WrittenTypes(types, _unquote_type(text[start : _find_closing(text, start, ":")]))


def _unquote_type(written: str) -> str:
    """A type on one line without quotes, except in literal strings."""
    said = " ".join(written.split())
    return said if "Literal" in said else said.replace('"', "").replace("'", "")


def _find_closing(text: str, begin: int, mark: str = ")") -> int:
    """The position of the mark outside of all brackets and quotes that open after `begin`."""
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


def _logical_line_end(text: str) -> int:
    """The end of the line outside of brackets."""
    return _find_closing(text, 0, "\n")


def required_fields(rows: Sequence[str], owner: Class) -> Iterator[str]:
    """Fields of a class that have no default: a caller of its constructor must pass them."""
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
        text = "\n".join(rows[number : number + _MAX_FIELD_ROWS])[:_MAX_FIELD_LENGTH]
        text = text[: _logical_line_end(text)]
        seen = number + text.count("\n") + 1
        if _is_required(text[told.end() :]):
            yield told["name"]


def _is_required(declaration: str) -> bool:
    """Has a field no default, by what is written after its name and colon?"""
    end = _find_closing(declaration, 0, "=")
    kind, default = declaration[:end].strip(), declaration[end + 1 :].strip()
    if not kind or _NOT_REQUIRED_MARK.search(kind):
        return False
    made = _FIELD_CALL.match(default)
    if made is None:
        return not default
    return not any(
        map(_FIELD_DEFAULT.match, split_top_level(default[made.end() : _find_closing(default, made.end())], ","))
    )
