"""Public and protected members of C# types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.forensics.languages.exports.signature_text import (
    MAX_MEMBERS,
    ExportSource,
    child_nodes,
    node_line,
    positional_export,
)
from auditor.forensics.source_text.file_outline import Export

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPE_KINDS = frozenset(
    {"class_declaration", "delegate_declaration", "enum_declaration", "interface_declaration", "record_declaration", "struct_declaration"}
)  # fmt: skip
_NAMESPACE_KINDS = frozenset({"file_scoped_namespace_declaration", "namespace_declaration"})
_BRANCH_KINDS = frozenset({"declaration_list", "preproc_elif", "preproc_else", "preproc_if", "preproc_region"})
"""What declarations may be in: the code of each branch of `#if` counts."""
_MAX_MODIFIERS = 20


def find_exports(source: ExportSource, root: Node) -> Iterator[Export]:
    """The symbols that the file exports."""
    waiting = [(each, owner, False) for each, owner in _top_level_types(source, root)]
    for _ in range(MAX_MEMBERS):
        if not waiting:
            return
        node, owner, implied = waiting.pop()
        if not _is_accessible(source, node, implied=implied):
            continue
        name = owner + source.named(node)
        yield Export(name, "type", node_line(node))
        held = _members(node.child_by_field_name("body"))
        contract = node.type == "interface_declaration"
        yield from _member_exports(source, node, held, name, contract=contract)
        waiting += [(each, f"{name}.", contract) for each in held if each.type in _TYPE_KINDS]


def _top_level_types(source: ExportSource, root: Node) -> Iterator[tuple[Node, str]]:
    """Types outside of others, each with its namespace."""
    around = ""
    waiting = [(each, "") for each in reversed(child_nodes(root))]
    for _ in range(MAX_MEMBERS):
        if not waiting:
            return
        node, owner = waiting.pop()
        if node.type in _TYPE_KINDS:
            yield node, owner or around
        elif node.type in _NAMESPACE_KINDS:
            name = f"{owner}{source.named(node)}."
            if node.type == "file_scoped_namespace_declaration":
                around = name
            waiting += [(each, name) for each in reversed(child_nodes(node.child_by_field_name("body") or node))]
        elif node.type in _BRANCH_KINDS:
            waiting += [(each, owner) for each in reversed(child_nodes(node))]


def _members(body: Node | None) -> list[Node]:
    """The members of a type, those under `#if` included."""
    found: list[Node] = []
    waiting = list(reversed(child_nodes(body)))
    while waiting and len(found) < MAX_MEMBERS:
        node = waiting.pop()
        if node.type in _BRANCH_KINDS:
            waiting += reversed(child_nodes(node))
        else:
            found.append(node)
    return found


def _member_exports(
    source: ExportSource, node: Node, held: list[Node], name: str, *, contract: bool
) -> Iterator[Export]:
    """The members of a type that others can reach."""
    closed = "sealed" in _modifiers(source, node) or node.type == "struct_declaration"
    constructors = [each for each in held if each.type == "constructor_declaration"]
    given = next((each for each in node.named_children if each.type == "parameter_list"), None)
    if given is not None:
        takes = tuple(said for each in child_nodes(given) for said in _parameter_types(source, each))
        yield Export(f"{name}.new", "method", node_line(node), takes, len(takes))
    elif (
        not constructors
        and node.type == "class_declaration"
        and not {"static", "abstract", "partial"} & _modifiers(source, node)
    ):
        yield Export(f"{name}.new", "method", node_line(node), (), 0)
    for each in held:
        implied = contract or node.type == "enum_declaration"
        if each.type not in _TYPE_KINDS and _is_accessible(source, each, implied=implied, closed=closed):
            yield from _exports_of_member(source, each, name, contract=contract)


def _exports_of_member(source: ExportSource, node: Node, owner: str, *, contract: bool) -> Iterator[Export]:
    if source.keeps(node) or any(each.type == "explicit_interface_specifier" for each in node.named_children):
        return
    if node.type == "enum_member_declaration":
        yield Export(f"{owner}.{source.named(node)}", "value", node_line(node))
    elif node.type == "method_declaration":
        kind = "asked" if contract and node.child_by_field_name("body") is None else "method"
        made = positional_export(source, f"{owner}.{source.named(node)}", kind, node, _parameter_types)
        yield made._replace(gives=_result_signature(source, node, "returns"))
    elif node.type == "constructor_declaration" and "static" not in _modifiers(source, node):
        yield positional_export(source, f"{owner}.new", "method", node, _parameter_types)
    elif node.type == "property_declaration":
        yield Export(f"{owner}.{source.named(node)}", "field", node_line(node), gives=_kept_type(source, node))
    elif node.type in {"field_declaration", "event_field_declaration"}:
        declared = next((each for each in node.named_children if each.type == "variable_declaration"), None)
        for each in child_nodes(declared):
            if each.type == "variable_declarator":
                kept = _kept_type(source, declared)
                yield Export(f"{owner}.{source.named(each)}", "field", node_line(each), gives=kept)


def _result_signature(source: ExportSource, node: Node, field: str) -> str:
    """The type of a result, and before it whether no object is needed for it."""
    shared = "static " if "static" in _modifiers(source, node) else ""
    return f"{shared}{_plain_type(source.text(node.child_by_field_name(field)))}"


def _kept_type(source: ExportSource, node: Node | None) -> str:
    return "" if node is None else _plain_type(source.text(node.child_by_field_name("type")))


def _plain_type(written: str) -> str:
    """A type without the mark of nullable references, which changes no call."""
    return written.replace("?", "")


def _parameter_types(source: ExportSource, parameter: Node) -> list[str]:
    """The type of a parameter, `=` behind it where callers may leave it out. One of `params` is a type alone in the grammar."""
    if parameter.type == "array_type":
        return [f"{_plain_type(source.text(parameter))}="]
    if parameter.type != "parameter":
        return []
    kind = parameter.child_by_field_name("type")
    optional = any(each.type == "=" for each in parameter.children)
    shared = next((word for each in parameter.children if (word := source.text(each, 5)) in {"ref", "out", "in"}), "")
    return [f"{shared} {_plain_type(source.text(kind))}".strip() + ("=" if optional else "")]


def _is_accessible(source: ExportSource, node: Node, *, implied: bool, closed: bool = False) -> bool:
    """Can others reach it? Members of interfaces say nothing; protected ones only through subclasses of a type that is not sealed."""
    said = _modifiers(source, node)
    if implied:
        return not said & {"private", "internal"}
    if "public" in said:
        return True
    return "protected" in said and "private" not in said and not closed


def _modifiers(source: ExportSource, node: Node) -> frozenset[str]:
    told = [source.text(each, 20) for each in node.children[:_MAX_MODIFIERS] if each.type == "modifier"]
    return frozenset(re.findall(r"\w+", " ".join(told)))
