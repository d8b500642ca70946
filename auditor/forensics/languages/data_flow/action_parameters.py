"""Parameters that a framework fills from a request, because of an attribute or the class of the function that has them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from auditor.forensics.languages.data_flow.flow_models import Source
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.imported_names import superclass_of
from auditor.forensics.languages.data_flow.scope_types import Parameter, Scope

if TYPE_CHECKING:
    from tree_sitter import Node

_ATTRIBUTE = re.compile(r"(?:\[|,\s|@)\s*(?:\w{1,60}(?:\.|::))?(\w{1,60})(?=[\s(\],])")
_LINE_OF_ATTRIBUTE = re.compile(r"#\[(?:\w{1,60}::)?(\w{1,60})\(")
_PUBLIC = re.compile(r"\bpublic\b")
_NEVER_CALLED = re.compile(r"\bstatic\b|\bNonAction\b")
"""What a public method of a controller bears that no request calls."""
_MAX_HEADER = 1_000
_MAX_BEFORE = 400
"""Bytes before a function in which its attributes may be."""


def is_action(file: FollowedFile, row: Source, function: Scope) -> bool:
    """Does a framework call a function for a request: by its attribute, or as a public method of a controller?"""
    if not function.name:
        return False
    header = _header(file, function.node)
    if not row.names.isdisjoint(_ATTRIBUTE.findall(header)) or not row.names.isdisjoint(_before(file, function.node)):
        return True
    if _NEVER_CALLED.search(header) is not None or function.node.type == "constructor_declaration":
        return False
    return _PUBLIC.search(header) is not None and _is_in_class(file, row, function.node)


def has_wanted_type(file: FollowedFile, row: Source, parameter: Parameter) -> bool:
    """Is a parameter of a type that a row names, or of a class of the file? A row without types wants none."""
    if not row.types:
        return True
    name = file.full_type(parameter.type).rpartition(".")[2]
    if not name:
        return False
    return file.is_own_class(name) or any(
        name == each or (each.startswith("*") and name.endswith(each[1:])) for each in row.types
    )


def _header(file: FollowedFile, node: Node) -> str:
    """The source before the parameters of a function."""
    held = node.child_by_field_name("parameters")
    written = file.scopes.lowering.source_of(node, _MAX_HEADER)
    return written[: held.start_byte - node.start_byte] if held is not None else written[:0]


def _before(file: FollowedFile, node: Node) -> list[str]:
    """Attributes on the lines right above a function."""
    above = file.file.source[max(0, node.start_byte - _MAX_BEFORE) : node.start_byte].decode("utf-8", errors="replace")
    found: list[str] = []
    for line in reversed(above.rstrip().split("\n")):
        if not line.strip().startswith("#["):
            break
        found += _LINE_OF_ATTRIBUTE.findall(line)
    return found


def _is_in_class(file: FollowedFile, row: Source, node: Node) -> bool:
    """Does the class around a function extend one of those that a row names with a star?"""
    endings = tuple(each[1:] for each in row.names if each.startswith("*"))
    for each in file.scopes.classes if endings else ():
        if each.start_byte < node.start_byte < each.end_byte:
            above = superclass_of(file.scopes.lowering.source_of(each, _MAX_HEADER), file.file.language.name)
            if above.endswith(endings):
                return True
    return False
