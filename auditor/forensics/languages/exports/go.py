"""Exported names of Go packages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from auditor.forensics.languages.exports.signature_text import MAX_OFFERS, Source, line_of, members, positional
from auditor.forensics.source_text.file_outline import Export

if TYPE_CHECKING:
    from tree_sitter import Node


def offers(source: Source, root: Node) -> Iterator[Export]:
    """What the file offers."""
    package = next((each for each in root.named_children[:50] if each.type == "package_clause"), None)
    if package is None or source.text(package).removeprefix("package ") in {"main", ""}:
        return
    for node in members(root, MAX_OFFERS):
        read = _DECLARATIONS.get(node.type)
        if read is not None:
            yield from read(source, node)


def _function(source: Source, node: Node) -> Iterator[Export]:
    if _is_upper(name := source.named(node)):
        yield _positional(source, name, "function", node)


def _method(source: Source, node: Node) -> Iterator[Export]:
    owner = re.search(r"(\w+)\s*(?:\[[^\]]*\])?\s*\)$", source.text(node.child_by_field_name("receiver")))
    name = source.named(node)
    if owner is not None and _is_upper(owner[1]) and _is_upper(name):
        yield _positional(source, f"{owner[1]}.{name}", "method", node)


def _types(source: Source, node: Node) -> Iterator[Export]:
    for each in members(node):
        name, kind = source.named(each), each.child_by_field_name("type")
        if _is_upper(name):
            alias = f"= {source.text(kind, _WIDEST)}" if each.type == "type_alias" else ""
            yield Export(name, "type", line_of(each), gives=alias)
            yield from () if kind is None else _members(source, name, kind)


def _members(source: Source, owner: str, kind: Node) -> Iterator[Export]:
    """Exported fields of a struct, and what an interface asks of those who implement it."""
    if kind.type == "struct_type":
        held = [each for part in kind.named_children[:1] for each in members(part)]
        for each in held:
            given = source.text(each.child_by_field_name("type"))
            for member in each.children_by_field_name("name"):
                if _is_upper(said := source.text(member)):
                    yield Export(f"{owner}.{said}", "field", line_of(member), gives=given)
    elif kind.type == "interface_type":
        for each in members(kind):
            if each.type in {"method_elem", "method_spec"} and _is_upper(said := source.named(each)):
                yield _positional(source, f"{owner}.{said}", "asked", each)


def _values(source: Source, node: Node) -> Iterator[Export]:
    for each in members(node):
        for spec in members(each) if each.type.endswith("_list") else [each]:
            for name in spec.children_by_field_name("name"):
                if _is_upper(said := source.text(name)):
                    yield Export(said, "value", line_of(name))


_DECLARATIONS: dict[str, Callable[[Source, Node], Iterator[Export]]] = {
    "function_declaration": _function,
    "method_declaration": _method,
    "type_declaration": _types,
    "const_declaration": _values,
    "var_declaration": _values,
}


def _positional(source: Source, name: str, kind: str, node: Node) -> Export:
    """A function with its results, without their names."""
    result = node.child_by_field_name("result")
    if result is None:
        given = ""
    elif result.type == "parameter_list":
        types = [said for each in members(result) for said in _go_types(source, each)]
        given = types[0] if len(types) == 1 else f"({', '.join(types)})"
    else:
        given = source.text(result)
    return positional(source, name, kind, node, "parameters", _go_types)._replace(gives=given)


def _go_types(source: Source, parameter: Node) -> list[str]:
    kind = source.text(parameter.child_by_field_name("type")).replace("interface{}", "any")
    if parameter.type == "variadic_parameter_declaration":
        return [f"...{kind}"]
    return [kind] * max(1, len(parameter.children_by_field_name("name")))


_WIDEST = 1_000
"""Bytes of a type that another name stands for."""


def _is_upper(name: str) -> bool:
    return name[:1].isupper()
