"""Public and protected members of Java types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.forensics.languages.exports.signature_text import MAX_MEMBERS, Source, line_of, members, positional
from auditor.forensics.source_text.file_outline import Export

if TYPE_CHECKING:
    from tree_sitter import Node

_JAVA_TYPES = {"class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration"}  # fmt: skip


def offers(source: Source, root: Node) -> Iterator[Export]:
    """What the file offers."""
    package = ""
    waiting: list[tuple[Node, str, bool]] = []
    for node in members(root):
        if node.type == "package_declaration":
            package = source.text(node).removeprefix("package ").rstrip("; ") + "."
        elif node.type in _JAVA_TYPES:
            waiting.append((node, package, False))
    for _ in range(MAX_MEMBERS):
        if not waiting:
            return
        node, owner, implied = waiting.pop()
        if not (implied or _is_open(source, node)):
            continue
        name = owner + source.named(node)
        yield Export(name, "type", line_of(node))
        if node.type == "record_declaration":
            yield positional(source, f"{name}.new", "method", node, "parameters", _java_types)
        contract = node.type in {"interface_declaration", "annotation_type_declaration"}
        held = _held(node.child_by_field_name("body"))
        yield from _java_members(source, node, held, name, contract=contract)
        waiting += [(each, f"{name}.", contract) for each in held if each.type in _JAVA_TYPES]


def _held(body: Node | None) -> list[Node]:
    """What a body declares; an enum's methods stand one level deeper."""
    held = members(body)
    deeper = [each for part in held if part.type == "enum_body_declarations" for each in members(part)]
    return [*held, *deeper[:MAX_MEMBERS]]


def _java_members(source: Source, node: Node, held: list[Node], name: str, *, contract: bool) -> Iterator[Export]:
    closed = node.type == "record_declaration" or _is_final(source, node)
    for each in held:
        if contract or each.type == "enum_constant" or _is_open(source, each, closed=closed):
            yield from _java_member(source, each, name, contract=contract)


def _java_member(source: Source, node: Node, owner: str, *, contract: bool) -> Iterator[Export]:
    if node.type == "enum_constant":
        yield Export(f"{owner}.{source.named(node)}", "value", line_of(node))
        return
    if node.type in {"method_declaration", "annotation_type_element_declaration"}:
        asked = contract and node.child_by_field_name("body") is None
        kind = "asked" if asked else "method"
        made = positional(source, f"{owner}.{source.named(node)}", kind, node, "parameters", _java_types)
        yield made._replace(gives=_given(source, node))
    elif node.type == "constructor_declaration":
        made = positional(source, f"{owner}.new", "method", node, "parameters", _java_types)
        yield made._replace(gives=_given(source, node))
    elif node.type in {"field_declaration", "constant_declaration"}:
        kept = source.text(node.child_by_field_name("type"))
        for each in node.children_by_field_name("declarator"):
            yield Export(f"{owner}.{source.named(each)}", "field", line_of(each), gives=kept)


def _given(source: Source, node: Node) -> str:
    """The type of a result, before it whether no object is needed for it, and behind it what may be thrown."""
    shared = "static " if re.search(r"\bstatic\b", _modifiers(source, node)) else ""
    thrown = next((source.text(each) for each in node.named_children[:20] if each.type == "throws"), "")
    return f"{shared}{source.text(node.child_by_field_name('type'))} {thrown}".rstrip()


def _java_types(source: Source, parameter: Node) -> list[str]:
    if parameter.type == "receiver_parameter":
        return []
    kind = parameter.child_by_field_name("type")
    if parameter.type == "spread_parameter":
        kind = next((each for each in parameter.named_children if each.type != "modifiers"), None)
        return [f"{source.text(kind)}..."]
    return [re.sub(r"@\w+(?:\([^)]*\))?\s*", "", source.text(kind)).rpartition(".")[2]]


def _is_open(source: Source, node: Node, *, closed: bool = False) -> bool:
    """Can others reach it? What is protected they reach through a type of their own, unless the class is closed to any."""
    said = _modifiers(source, node)
    return re.search(r"\bpublic\b" if closed else r"\b(?:public|protected)\b", said) is not None


def _is_final(source: Source, node: Node) -> bool:
    return re.search(r"\bfinal\b", _modifiers(source, node)) is not None


def _modifiers(source: Source, node: Node) -> str:
    return source.text(next((each for each in node.children[:2] if each.type == "modifiers"), None), 1_000)
