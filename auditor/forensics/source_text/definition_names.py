"""The functions and classes that a file defines, by the names that people call them."""

from __future__ import annotations

from auditor.forensics.source_text.file_outline import Class, Function, Outline
from auditor.lazy_regex import lazy_compile

_SEPARATOR = lazy_compile(r"\.|::|#|\\")


def unqualified(name: str) -> str:
    """The last part of a qualified name: `close` of `Client.close`, of `client::Client::close` and of `Client#close`."""
    return _SEPARATOR.split(name)[-1]


def definitions(outline: Outline) -> tuple[Function | Class, ...]:
    """All functions and classes, members among them."""
    return *outline.functions, *outline.classes


def definition_names(outline: Outline) -> list[str]:
    """The name of each definition, as often as it is there; a function without one is known by its line, which says nothing."""
    told = [*(each.name for each in outline.functions), *(each.qualname.rpartition(".")[2] for each in outline.classes)]
    return [each for each in told if " " not in each]


def unnested_names(outline: Outline) -> list[str]:
    """The names of definitions that are not inside another named function, so that other code can call them."""
    end = 0
    apart = [each.qualname.rpartition(".")[2] for each in outline.classes]
    for each in sorted(outline.functions, key=lambda function: (function.line, -function.end)):
        if " " not in each.name and each.line > end:
            apart.append(each.name)
            end = each.end
    return apart
