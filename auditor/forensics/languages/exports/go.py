"""Exported names of Go packages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from auditor.forensics.languages.exports.signature_text import (
    MAX_EXPORTS,
    ExportSource,
    child_nodes,
    node_line,
    positional_export,
)
from auditor.forensics.source_text.file_outline import Export

if TYPE_CHECKING:
    from tree_sitter import Node


def find_exports(source: ExportSource, root: Node) -> Iterator[Export]:
    """The symbols that the file exports."""
    package = next((each for each in root.named_children[:50] if each.type == "package_clause"), None)
    if package is None or source.text(package).removeprefix("package ") in {"main", ""}:
        return
    for node in child_nodes(root, MAX_EXPORTS):
        read = _DECLARATIONS.get(node.type)
        if read is not None:
            yield from read(source, node)


def _function_exports(source: ExportSource, node: Node) -> Iterator[Export]:
    if _is_exported(name := source.named(node)):
        yield _callable_export(source, name, "function", node)


def _method_exports(source: ExportSource, node: Node) -> Iterator[Export]:
    owner = re.search(r"(\w+)\s*(?:\[[^\]]*\])?\s*\)$", source.text(node.child_by_field_name("receiver")))
    name = source.named(node)
    if owner is not None and _is_exported(owner[1]) and _is_exported(name):
        yield _callable_export(source, f"{owner[1]}.{name}", "method", node)


def _type_exports(source: ExportSource, node: Node) -> Iterator[Export]:
    for each in child_nodes(node):
        name, kind = source.named(each), each.child_by_field_name("type")
        if _is_exported(name):
            alias = f"= {source.text(kind, _MAX_TYPE_BYTES)}" if each.type == "type_alias" else ""
            yield Export(name, "type", node_line(each), gives=alias)
            yield from () if kind is None else _member_exports(source, name, kind)


def _member_exports(source: ExportSource, owner: str, kind: Node) -> Iterator[Export]:
    """Exported fields of a struct, and what an interface asks of those who implement it."""
    if kind.type == "struct_type":
        held = [each for part in kind.named_children[:1] for each in child_nodes(part)]
        for each in held:
            given = source.text(each.child_by_field_name("type"))
            for member in each.children_by_field_name("name"):
                if _is_exported(said := source.text(member)):
                    yield Export(f"{owner}.{said}", "field", node_line(member), gives=given)
    elif kind.type == "interface_type":
        for each in child_nodes(kind):
            if each.type in {"method_elem", "method_spec"} and _is_exported(said := source.named(each)):
                yield _callable_export(source, f"{owner}.{said}", "asked", each)


def _value_exports(source: ExportSource, node: Node) -> Iterator[Export]:
    for each in child_nodes(node):
        for spec in child_nodes(each) if each.type.endswith("_list") else [each]:
            for name in spec.children_by_field_name("name"):
                if _is_exported(said := source.text(name)):
                    yield Export(said, "value", node_line(name))


_DECLARATIONS: dict[str, Callable[[ExportSource, Node], Iterator[Export]]] = {
    "function_declaration": _function_exports,
    "method_declaration": _method_exports,
    "type_declaration": _type_exports,
    "const_declaration": _value_exports,
    "var_declaration": _value_exports,
}


def _callable_export(source: ExportSource, name: str, kind: str, node: Node) -> Export:
    """A function with its results, without their names."""
    result = node.child_by_field_name("result")
    if result is None:
        given = ""
    elif result.type == "parameter_list":
        types = [said for each in child_nodes(result) for said in _parameter_types(source, each)]
        given = types[0] if len(types) == 1 else f"({', '.join(types)})"
    else:
        given = source.text(result)
    return positional_export(source, name, kind, node, _parameter_types)._replace(gives=given)


def _parameter_types(source: ExportSource, parameter: Node) -> list[str]:
    kind = source.text(parameter.child_by_field_name("type")).replace("interface{}", "any")
    if parameter.type == "variadic_parameter_declaration":
        return [f"...{kind}"]
    return [kind] * max(1, len(parameter.children_by_field_name("name")))


_MAX_TYPE_BYTES = 1_000
"""Bytes of a type that another name stands for."""


def _is_exported(name: str) -> bool:
    return name[:1].isupper()
