"""Functions, types and their public and protected members of PHP files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.forensics.languages.exports.signature_text import (
    MAX_PARAMETERS,
    ExportSource,
    child_nodes,
    node_line,
)
from auditor.forensics.source_text.file_outline import Export

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPE_KINDS = frozenset({"class_declaration", "enum_declaration", "interface_declaration", "trait_declaration"})
_MARKABLE_KINDS = _TYPE_KINDS | {"const_declaration", "function_definition", "method_declaration"}
_IMPLICIT_METHODS = frozenset(
    {"__call", "__callStatic", "__clone", "__debugInfo", "__destruct", "__get", "__invoke", "__isset", "__serialize", "__set", "__set_state", "__sleep", "__toString", "__unserialize", "__unset", "__wakeup"}
)  # fmt: skip
"""Methods that PHP calls by itself."""


def find_exports(source: ExportSource, root: Node) -> Iterator[Export]:
    """The symbols that the file exports; what a comment marks as internal is left out."""
    namespace = ""
    for node in child_nodes(root):
        if node.type == "namespace_definition":
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            namespace = f"{source.text(name)}\\" if name is not None else ""
            for each in child_nodes(body):
                yield from _exports_of_statement(source, each, namespace)
        else:
            yield from _exports_of_statement(source, node, namespace)


_CLASS_ALIAS = re.compile(r"\\?class_alias\([^,]{1,200},\s*['\"]\\{0,2}(?P<name>\w[\w\\]{0,200})['\"]")


def _exports_of_statement(source: ExportSource, node: Node, namespace: str) -> Iterator[Export]:
    if node.type == "expression_statement" and (found := _CLASS_ALIAS.match(source.text(node))):
        yield Export(found["name"].replace("\\\\", "\\"), "passed", node_line(node))
    if node.type not in _MARKABLE_KINDS or source.keeps(node):
        return
    if node.type == "function_definition":
        yield _callable_export(source, f"{namespace}{source.named(node)}", "function", node)
    elif node.type == "const_declaration":
        yield from _constants(source, node, namespace)
    else:
        name = f"{namespace}{source.named(node)}"
        yield Export(name, "type", node_line(node))
        is_final = any(each.type == "final_modifier" for each in node.named_children[:8])
        for each in child_nodes(node.child_by_field_name("body")):
            if _is_accessible(source, each, is_final=is_final) and not source.keeps(each):
                yield from _exports_of_member(source, each, name)


def _is_accessible(source: ExportSource, member: Node, *, is_final: bool) -> bool:
    """Can others reach it? Protected members only through subclasses, unless the class is final."""
    said = {source.text(each) for each in member.named_children[:8] if each.type == "visibility_modifier"}
    return "private" not in said and not (is_final and "protected" in said)


def _exports_of_member(source: ExportSource, member: Node, name: str) -> Iterator[Export]:
    if member.type == "method_declaration":
        said = source.named(member)
        if said not in _IMPLICIT_METHODS:
            is_asked = member.child_by_field_name("body") is None
            yield _callable_export(source, f"{name}::{said}", "asked" if is_asked else "method", member)
        if said == "__construct":
            yield from _promoted_properties(source, member, name)
    elif member.type == "property_declaration":
        for each in child_nodes(member):
            if each.type == "property_element":
                yield Export(f"{name}::{source.named(each)}", "field", node_line(each))
    elif member.type == "enum_case":
        yield Export(f"{name}::{source.named(member)}", "value", node_line(member))
    elif member.type == "const_declaration":
        yield from _constants(source, member, f"{name}::")


def _promoted_properties(source: ExportSource, constructor: Node, name: str) -> Iterator[Export]:
    """Parameters of a constructor that are public or protected properties as well."""
    for each in child_nodes(constructor.child_by_field_name("parameters"), MAX_PARAMETERS):
        visibility = source.text(each.child_by_field_name("visibility"))
        if each.type == "property_promotion_parameter" and visibility != "private":
            yield Export(f"{name}::{source.named(each)}", "field", node_line(each))


def _constants(source: ExportSource, node: Node, owner: str) -> Iterator[Export]:
    for each in child_nodes(node):
        if each.type == "const_element":
            yield Export(f"{owner}{source.text(each.named_children[0])}", "value", node_line(each))


def _callable_export(source: ExportSource, name: str, kind: str, node: Node) -> Export:
    """A function by the names of its parameters, of which calls must give those without a default."""
    taken = child_nodes(node.child_by_field_name("parameters"), MAX_PARAMETERS)
    endless = any(each.type == "variadic_parameter" for each in taken)
    plain = [each for each in taken if each.type != "variadic_parameter"]
    required = [number for number, each in enumerate(plain, 1) if each.child_by_field_name("default_value") is None]
    takes = tuple(source.named(each) for each in plain)
    return Export(name, kind, node_line(node), takes, required[-1] if required else 0, endless)
