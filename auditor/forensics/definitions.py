"""The functions and classes that a file defines, by the names that people call them."""

from __future__ import annotations

from auditor.forensics.outline import Class, Function, Outline
from auditor.late import late

_SEPARATOR = late(r"\.|::|#")


def unqualified(name: str) -> str:
    """The last part of a qualified name: `close` of `Client.close`, of `client::Client::close` and of `Client#close`."""
    return _SEPARATOR.split(name)[-1]


def definitions(outline: Outline) -> tuple[Function | Class, ...]:
    """All functions and classes, members among them."""
    return *outline.functions, *outline.classes


def spans(outline: Outline, name: str) -> list[tuple[int, int]]:
    """The first and last lines of the functions and classes that go by an unqualified name."""
    return [(each.line, each.end) for each in definitions(outline) if unqualified(each.qualname) == name]
