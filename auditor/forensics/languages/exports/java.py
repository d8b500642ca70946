"""Public and protected members of Java types."""

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

_TYPE_KINDS = {"class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration"}  # fmt: skip


def find_exports(source: ExportSource, root: Node) -> Iterator[Export]:
    """The symbols that the file exports."""
    package = ""
    waiting: list[tuple[Node, str, bool]] = []
    for node in child_nodes(root):
        if node.type == "package_declaration":
            package = source.text(node).removeprefix("package ").rstrip("; ") + "."
        elif node.type in _TYPE_KINDS:
            waiting.append((node, package, False))
    for _ in range(MAX_MEMBERS):
        if not waiting:
            return
        node, owner, implied = waiting.pop()
        if not (implied or _is_accessible(source, node)):
            continue
        name = owner + source.named(node)
        yield Export(name, "type", node_line(node))
        if node.type == "record_declaration":
            yield positional_export(source, f"{name}.new", "method", node, _parameter_types)
        contract = node.type in {"interface_declaration", "annotation_type_declaration"}
        held = _declared_members(node.child_by_field_name("body"))
        yield from _member_exports(source, node, held, name, contract=contract)
        waiting += [(each, f"{name}.", contract) for each in held if each.type in _TYPE_KINDS]


def _declared_members(body: Node | None) -> list[Node]:
    """The declarations of a body; an enum's methods are one level deeper."""
    held = child_nodes(body)
    deeper = [each for part in held if part.type == "enum_body_declarations" for each in child_nodes(part)]
    return [*held, *deeper[:MAX_MEMBERS]]


def _member_exports(
    source: ExportSource, node: Node, held: list[Node], name: str, *, contract: bool
) -> Iterator[Export]:
    closed = node.type == "record_declaration" or re.search(r"\bfinal\b", _modifiers(source, node)) is not None
    for each in held:
        if contract or each.type == "enum_constant" or _is_accessible(source, each, closed=closed):
            yield from _exports_of_member(source, each, name, contract=contract)


def _exports_of_member(source: ExportSource, node: Node, owner: str, *, contract: bool) -> Iterator[Export]:
    if node.type == "enum_constant":
        yield Export(f"{owner}.{source.named(node)}", "value", node_line(node))
        return
    if node.type in {"method_declaration", "annotation_type_element_declaration"}:
        asked = contract and node.child_by_field_name("body") is None
        kind = "asked" if asked else "method"
        made = positional_export(source, f"{owner}.{source.named(node)}", kind, node, _parameter_types)
        yield made._replace(gives=_result_signature(source, node))
    elif node.type == "constructor_declaration":
        made = positional_export(source, f"{owner}.new", "method", node, _parameter_types)
        yield made._replace(gives=_result_signature(source, node))
    elif node.type in {"field_declaration", "constant_declaration"}:
        kept = source.text(node.child_by_field_name("type"))
        for each in node.children_by_field_name("declarator"):
            yield Export(f"{owner}.{source.named(each)}", "field", node_line(each), gives=kept)


def _result_signature(source: ExportSource, node: Node) -> str:
    """The type of a result, before it whether no object is needed for it, and behind it what may be thrown."""
    shared = "static " if re.search(r"\bstatic\b", _modifiers(source, node)) else ""
    thrown = next((source.text(each) for each in node.named_children[:20] if each.type == "throws"), "")
    return f"{shared}{source.text(node.child_by_field_name('type'))} {thrown}".rstrip()


def _parameter_types(source: ExportSource, parameter: Node) -> list[str]:
    if parameter.type == "receiver_parameter":
        return []
    kind = parameter.child_by_field_name("type")
    if parameter.type == "spread_parameter":
        kind = next((each for each in parameter.named_children if each.type != "modifiers"), None)
        return [f"{source.text(kind)}..."]
    return [re.sub(r"@\w+(?:\([^)]*\))?\s*", "", source.text(kind)).rpartition(".")[2]]


def _is_accessible(source: ExportSource, node: Node, *, closed: bool = False) -> bool:
    """Can others reach it? Protected members only through subclasses, unless the class is final."""
    said = _modifiers(source, node)
    return re.search(r"\bpublic\b" if closed else r"\b(?:public|protected)\b", said) is not None


def _modifiers(source: ExportSource, node: Node) -> str:
    return source.text(next((each for each in node.children[:2] if each.type == "modifiers"), None), 1_000)
