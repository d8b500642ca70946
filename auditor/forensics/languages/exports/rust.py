"""What Rust files declare `pub`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.forensics.languages.exports.rust_use import used_names
from auditor.forensics.languages.exports.signature_text import (
    MAX_EXPORTS,
    MAX_MEMBERS,
    ExportSource,
    child_nodes,
    node_line,
    positional_export,
)
from auditor.forensics.source_text.file_outline import Export
from auditor.lazy_regex import lazy_compile

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPE_KINDS = {"struct_item", "enum_item", "union_item", "type_item", "trait_item"}


def find_exports(source: ExportSource, root: Node) -> Iterator[Export]:
    """The symbols that the file exports."""
    waiting: list[tuple[Node, str]] = [(root, "")]
    for _ in range(MAX_MEMBERS):
        if not waiting:
            return
        place, owner = waiting.pop()
        for node in child_nodes(place, MAX_EXPORTS):
            body = node.child_by_field_name("body")
            if node.type == "mod_item" and body is not None and _is_pub(node):
                waiting.append((body, f"{owner}{source.named(node)}::"))
            else:
                yield from _exports_of_item(source, node, owner)


def _exports_of_item(source: ExportSource, node: Node, owner: str) -> Iterator[Export]:
    name = owner + source.named(node)
    if node.type == "impl_item":
        yield from _impl_exports(source, node, owner)
    elif node.type == "macro_definition" and "macro_export" in source.text(node.prev_named_sibling):
        yield Export(f"{name}!", "value", node_line(node))
    elif not _is_pub(node) or source.keeps(node):
        return
    elif node.type == "function_item":
        yield _callable_export(source, name, "function", node)
    elif node.type in _TYPE_KINDS:
        marks = _attributes(source, node)
        yield Export(name, "type", node_line(node), gives="" if "non_exhaustive" in marks else _public_contents(node))
        for derived in re.findall(r"\bderive ?\(([^)]{0,500})\)", marks):
            yield from (
                Export(f"{name}.{each}", "derived", node_line(node))
                for each in re.findall(r"\w+(?=\s*(?:,|$))", derived)
            )
        yield from _member_exports(source, node, name)
    elif node.type in {"const_item", "static_item"}:
        yield Export(name, "value", node_line(node))
    elif node.type == "use_declaration":
        for said in used_names(source.text(node, 4_000)).values():
            yield Export(owner + said, "all" if said == "*" else "passed", node_line(node))


def _member_exports(source: ExportSource, node: Node, owner: str) -> Iterator[Export]:
    body = node.child_by_field_name("body")
    for each in child_nodes(body):
        if each.type == "enum_variant":
            yield Export(f"{owner}::{source.named(each)}", "value", node_line(each))
        elif each.type == "field_declaration" and _is_pub(each):
            kept = source.text(each.child_by_field_name("type"))
            yield Export(f"{owner}.{source.named(each)}", "field", node_line(each), gives=kept)
        elif each.type in {"function_signature_item", "function_item"} and node.type == "trait_item":
            kind = "asked" if each.type == "function_signature_item" else "method"
            yield _callable_export(source, f"{owner}::{source.named(each)}", kind, each)


def _impl_exports(source: ExportSource, node: Node, owner: str) -> Iterator[Export]:
    """Public methods of a type; those of a trait belong to the trait."""
    body = node.child_by_field_name("body")
    if node.child_by_field_name("trait") is not None or body is None:
        return
    name = re.match(r"[\w:]+", source.text(node.child_by_field_name("type")))
    for each in child_nodes(body) if name is not None else []:
        if each.type == "function_item" and _is_pub(each) and name is not None and not source.keeps(each):
            said = f"{owner}{name[0].rpartition('::')[2]}::{source.named(each)}"
            yield _callable_export(source, said, "method", each)


def _public_contents(node: Node) -> str:
    """What others can rely on: all fields of a struct, or all variants of an enum."""
    if node.type == "enum_item":
        return "variants"
    body = node.child_by_field_name("body")
    fields = [each for each in child_nodes(body) if each.type == "field_declaration"]
    return "fields" if fields and node.type == "struct_item" and all(map(_is_pub, fields)) else ""


def _attributes(source: ExportSource, node: Node) -> str:
    """The text of the attributes that are above an item."""
    found: list[str] = []
    above = node.prev_named_sibling
    for _ in range(_MAX_ATTRIBUTES):
        if above is None or above.type not in {"attribute_item", "line_comment", "block_comment"}:
            break
        if above.type == "attribute_item":
            found.append(source.text(above, 1_000))
        above = above.prev_named_sibling
    return "\n".join(found)


_MAX_ATTRIBUTES = 30


def _callable_export(source: ExportSource, name: str, kind: str, node: Node) -> Export:
    """A function with its result, and with what else callers must know: whether it has to be awaited, or is unsafe."""
    modifiers = next((source.text(each) for each in node.named_children[:4] if each.type == "function_modifiers"), "")
    marks = [each for each in ("async", "unsafe") if each in modifiers.split()]
    given = " ".join([*marks, source.text(node.child_by_field_name("return_type"))])
    return positional_export(source, name, kind, node, _parameter_types)._replace(gives=given)


def _parameter_types(source: ExportSource, parameter: Node) -> list[str]:
    if parameter.type == "self_parameter":
        return [source.text(parameter)]
    if parameter.type != "parameter":
        return []
    return [_LIFETIME.sub("", source.text(parameter.child_by_field_name("type")))]


_LIFETIME = lazy_compile(r"'[a-z_]\w*\b(?!')\s?")


def _is_pub(node: Node) -> bool:
    """Is it for everybody? `pub(crate)` is not."""
    return any(each.type == "visibility_modifier" and each.child_count == 1 for each in node.children[:2])
