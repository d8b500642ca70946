"""Exports of JavaScript and TypeScript modules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from auditor.forensics.languages.exports.signature_text import (
    MAX_EXPORTS,
    MAX_PARAMETERS,
    ExportSource,
    child_nodes,
    node_line,
)
from auditor.forensics.languages.keyword_gated_patterns import PatternSearch
from auditor.forensics.source_text.file_outline import Export
from auditor.lazy_regex import lazy_compile

if TYPE_CHECKING:
    from tree_sitter import Node


_DEFAULT_SEARCH_BYTES = 400
"""Bytes in which `default` is looked for."""


def find_exports(source: ExportSource, root: Node) -> Iterator[Export]:
    """The symbols that the file exports."""
    content = source.content
    if "export" not in source.said:
        return
    if "exports" in source.said:
        yield from _commonjs_exports(source, root)
    later: list[Export] = []
    for node in _export_statements(content, root):
        if not source.keeps(node):
            yield from _exports_of_statement(source, node, later)
    if later:
        yield from _resolve_local_exports(
            source, later, [each for each in child_nodes(root, MAX_EXPORTS) if each.type != _EXPORT_KIND]
        )


_EXPORT_KIND = "export_statement"


def _export_statements(content: bytes, root: Node) -> Iterator[Node]:
    """Statements at the top of the file that export something: looked up where the word is, of which there are few."""
    if root.child_count > MAX_EXPORTS:
        yield from (each for each in child_nodes(root, MAX_EXPORTS) if each.type == _EXPORT_KIND)
        return
    cursor = root.walk()
    place = content.find(b"export")
    while place >= 0 and cursor.goto_first_child_for_byte(place) is not None:
        node = cursor.node
        cursor.goto_parent()
        if node is None:
            return
        if node.type == _EXPORT_KIND:
            yield node
        place = content.find(b"export", max(node.end_byte, place + 1))


def _resolve_local_exports(source: ExportSource, later: list[Export], others: list[Node]) -> Iterator[Export]:
    """`export { a as b }`: what `a` is is elsewhere in the file."""
    imported: set[str] = set()
    defined: dict[str, list[Export]] = {}
    for node in others:
        if node.type == "import_statement":
            imported.update(re.findall(r"[\w$]+", source.text(node, 2_000).partition("from")[0]))
        else:
            for each in _declared_exports(source, node):
                defined.setdefault(each.name.partition(".")[0], []).append(each)
    for each in later:
        own = defined.get(each.kind, ())
        for meant in own:
            yield meant._replace(name=each.name + meant.name[len(each.kind) :])
        if not own:
            yield Export(each.name, "passed" if each.kind in imported else "value", each.line)


def _exports_of_statement(source: ExportSource, node: Node, later: list[Export]) -> Iterator[Export]:
    declaration = node.child_by_field_name("declaration")
    start = node.start_byte
    default = b"default" in source.content[start : start + _DEFAULT_SEARCH_BYTES] and any(
        each.type == "default" for each in node.children[:3]
    )
    if declaration is not None:
        declared = _declared_exports(source, declaration)
        yield from (_as_default_export(each) for each in declared) if default else declared
    elif default:
        value = node.child_by_field_name("value")
        if value is not None and value.type == "identifier":
            later.append(Export("default", source.text(value), node_line(node)))
        elif value is not None:
            yield _value_export(source, "default", value, typed=True)
    else:
        yield from _listed_exports(source, node, later)


def _as_default_export(export: Export) -> Export:
    """The export under the name `default`."""
    return export._replace(name="default" + export.name[len(export.name.partition(".")[0]) :])


def _listed_exports(source: ExportSource, node: Node, later: list[Export]) -> Iterator[Export]:
    """`export { a as b }`, with or without a module that it comes from, and `export * from` one."""
    origin = node.child_by_field_name("source")
    clause = next(
        (each for each in node.named_children[:20] if each.type in {"export_clause", "namespace_export"}), None
    )
    if clause is None:
        if origin is not None:
            yield Export(source.text(origin).strip("\"'"), "all", node_line(node))
        return
    if clause.type == "namespace_export":
        yield Export(source.text(clause).removeprefix("* as ").strip(), "passed", node_line(node))
        return
    for each in child_nodes(clause):
        name = source.text(each.child_by_field_name("alias")) or source.named(each)
        if origin is not None:
            yield Export(name, "passed", node_line(each))
        else:
            later.append(Export(name, source.named(each), node_line(each)))


_COMMONJS_TARGET = lazy_compile(r"(?:module\.)?exports(?:\.(?P<name>[\w$]+))?$")


def _commonjs_exports(source: ExportSource, root: Node) -> Iterator[Export]:
    """`exports.name = ...` and `module.exports = { ... }`."""
    for node in child_nodes(root, MAX_EXPORTS):
        given = node.named_children[0] if node.type == "expression_statement" and node.named_children else None
        if given is None or given.type != "assignment_expression":
            continue
        told = _COMMONJS_TARGET.match(source.text(given.child_by_field_name("left")))
        value = given.child_by_field_name("right")
        if told is None or value is None:
            continue
        if told["name"]:
            yield _value_export(source, told["name"], value, typed=True, line=node_line(node))
        elif value.type == "object":
            for each in child_nodes(value):
                name = source.text(each.child_by_field_name("key") or each.child_by_field_name("name") or each)
                if name.isidentifier():
                    yield Export(name, "value", node_line(each))


_TYPE_KINDS = {"interface_declaration", "type_alias_declaration", "enum_declaration", "internal_module", "module"}
_FUNCTION_DECLARATION_KINDS = {"function_declaration", "generator_function_declaration", "function_signature"}
_CLASS_KINDS = {"class_declaration", "abstract_class_declaration", "class"}
_VARIABLE_KINDS = {"lexical_declaration", "variable_declaration"}
_FUNCTION_EXPRESSION_KINDS = {"function_expression", "arrow_function"}


def _declared_exports(source: ExportSource, node: Node) -> Iterator[Export]:
    kind = node.type
    if kind == "ambient_declaration" and node.named_children:
        node = node.named_children[-1]
        kind = node.type
    if kind in _FUNCTION_DECLARATION_KINDS:
        yield _callable_export(source, source.named(node) or "default", "function", node)
    elif kind in _CLASS_KINDS:
        yield from _class_exports(source, node)
    elif kind in _TYPE_KINDS:
        yield from _type_exports(source, node)
    elif kind in _VARIABLE_KINDS:
        for each in child_nodes(node):
            name, value = each.child_by_field_name("name"), each.child_by_field_name("value")
            if name is None or each.type != "variable_declarator":
                continue
            if name.type == "identifier":
                typed = each.child_by_field_name("type") is not None
                bound = _value_export(source, source.text(name), value, typed=typed, line=node_line(each))
                yield _typed_function_export(source, bound, value) if typed and bound.takes is not None else bound
            else:
                yield from (Export(word, "value", node_line(each)) for word in re.findall(r"[\w$]+", source.text(name)))
    elif kind in _FUNCTION_EXPRESSION_KINDS:
        yield _callable_export(source, "default", "function", node)


def _type_exports(source: ExportSource, node: Node) -> Iterator[Export]:
    """A type and its members: those of an interface and of an object, and the names of an enum."""
    name = source.named(node)
    value = node.child_by_field_name("value")
    written = value is not None and value.type not in {"object_type", "intersection_type"}
    yield Export(name, "type", node_line(node), gives=source.text(value, _MAX_TYPE_BYTES) if written else "")
    body = node.child_by_field_name("body") if value is None else value
    for each in [] if node.type.endswith("module") else child_nodes(body):
        kind = each.type
        if source.keeps(each):
            continue
        if kind == "property_signature":
            asked = 0 if any(part.type == "?" for part in each.children[:4]) else 1
            member = f"{name}.{source.named(each)}"
            yield Export(member, "property", node_line(each), None, asked, gives=_annotation(source, each, "type"))
        elif kind == "method_signature":
            yield _callable_export(source, f"{name}.{source.named(each)}", "asked", each)
        elif body is not None and body.type == "enum_body" and kind in {"enum_assignment", "property_identifier"}:
            yield Export(f"{name}.{source.named(each) or source.text(each)}", "value", node_line(each))


_MAX_TYPE_BYTES = 1_000


def _annotation(source: ExportSource, node: Node, field: str) -> str:
    """A written type without its colon."""
    if not source.compared:
        return ""
    return source.text(node.child_by_field_name(field), _MAX_TYPE_BYTES).removeprefix(":").strip()


def _value_export(
    source: ExportSource, name: str, value: Node | None, *, typed: bool, line: int | None = None
) -> Export:
    """A name and the value it is given; a function by what it takes, unless its type is given beside it."""
    if value is not None and value.type in _FUNCTION_VALUE_KINDS:
        return _callable_export(source, name, "function", value, typed=typed, line=line)
    return Export(name, "value", line or (1 if value is None else node_line(value)))


def _typed_function_export(source: ExportSource, bound: Export, function: Node | None) -> Export:
    """A function whose variable has a type annotation: that decides what has to be passed and awaited."""
    gives = "" if function is None else _annotation(source, function, "return_type")
    return bound._replace(required_count=0, endless=True, gives=gives)


_FUNCTION_VALUE_KINDS = {"arrow_function", "function_expression", "function"}


_MEMBER_KINDS = {"method_definition", "abstract_method_signature", "public_field_definition", "field_definition"}


_INACCESSIBLE_MEMBER = re.compile(rb"(?:\w+\s+)*(?:private|protected|set)\s+[\w$\[]")
_GETTER = re.compile(rb"(?:\w+\s+)*get\s+[\w$\[]")
"""Beginnings of members that nobody outside calls, and of those that are read like a field."""


def _class_exports(source: ExportSource, node: Node) -> Iterator[Export]:
    name = source.named(node) or "default"
    yield Export(name, "type", node_line(node))
    body = node.child_by_field_name("body")
    for each in child_nodes(body):
        kind = each.type
        if kind not in _MEMBER_KINDS or source.keeps(each):
            continue
        member = source.named(each) or source.text(each.child_by_field_name("property"))
        head = source.content[each.start_byte : each.start_byte + 60]
        if member.startswith(("#", "_")) or _INACCESSIBLE_MEMBER.match(head):
            continue
        if kind.endswith("field_definition"):
            yield Export(f"{name}.{member}", "field", node_line(each), gives=_annotation(source, each, "type"))
        elif b"get" in head and _GETTER.match(head):
            yield Export(f"{name}.{member}", "field", node_line(each), gives=_annotation(source, each, "return_type"))
        else:
            yield _callable_export(source, f"{name}.{member}", "method", each)


def _callable_export(
    source: ExportSource, name: str, kind: str, node: Node, *, typed: bool = False, line: int | None = None
) -> Export:
    """What can be called, with what it takes; `typed` when its type is given beside it."""
    takes: list[str] = []
    types: list[str] = []
    least, endless, told = 0, False, True
    for each in _parameters(node):
        pattern = each.child_by_field_name("pattern") or each
        said = source.text(pattern, 200)
        own = each.type
        if "comment" in own or said == "this":
            continue
        if pattern.type == "rest_pattern":
            endless = True
            continue
        given = each.child_by_field_name("value") is not None
        optional = given or own in _OPTIONAL_KINDS
        told = told and (given or each.child_by_field_name("type") is not None)
        types.append(_annotation(source, each, "type"))
        takes.append(said.partition("=")[0].strip() if _PLAIN_PARAMETER.match(said) else "{}")
        if not optional:
            least = len(takes)
    gives = (_annotation(source, node, "return_type") or _inferred_result(source, node)) if source.compared else ""
    return Export(name, kind, line or node_line(node), tuple(takes), least, endless, typed or told, gives, tuple(types))


_OPTIONAL_KINDS = {"optional_parameter", "assignment_pattern"}
_PLAIN_PARAMETER = re.compile(r"[\w$]+\s*(?:=|$)")


def _parameters(node: Node) -> list[Node]:
    """The parameters of a function; an arrow may have one without brackets."""
    held = node.child_by_field_name("parameters")
    if held is not None:
        return held.named_children[:MAX_PARAMETERS]
    single = node.child_by_field_name("parameter")
    return [] if single is None else [single]


_AWAITED_CALL = PatternSearch(lazy_compile(r"\bawait\s+(?:[\w$]+\.){0,6}([\w$]+)\("))
_RETURNED_CALL = PatternSearch(lazy_compile(r"(?:\breturn|=>)\s+(?:[\w$]+\.){0,6}([\w$]+)\("))
_PROMISE_SIGN = PatternSearch(lazy_compile(r"\bPromise\b|\.then\(|\bfetch\(|\baxios\b|\bawait\b|\basync\b|\bimport\("))
_MAX_BODY_BYTES = 20_000
_MAX_CALL_NAMES = 20


def _inferred_result(source: ExportSource, node: Node) -> str:
    """Of a function that does not say what it gives: whether it has to be awaited, with the calls that it awaits or passes on."""
    if not source.compared:
        return ""
    start, end = node.byte_range
    text = source.content[start : min(end, start + _MAX_BODY_BYTES)].decode("utf-8", errors="replace")
    if b"async" in source.content[start : start + 40].partition(b"(")[0]:
        return f"async {_call_names(_AWAITED_CALL, text)}"
    return "" if _PROMISE_SIGN.occurs(text) else f"at once {_call_names(_RETURNED_CALL, text)}"


def _call_names(sought: PatternSearch, text: str) -> str:
    """The names of the calls that fit."""
    return " ".join(fit[1] for fit in islice(sought.fits(text), _MAX_CALL_NAMES))
