"""Public methods, accessors and constants of Ruby classes and modules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.forensics.languages.exports.signature_text import (
    MAX_EXPORTS,
    MAX_PARAMETERS,
    ExportSource,
    child_nodes,
    node_line,
)
from auditor.forensics.source_text.file_outline import Export

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_BODIES = 500
_ACCESSOR_CALLS = frozenset({"attr_reader", "attr_accessor", "attr", "attr_writer", "cattr_accessor", "mattr_accessor", "class_attribute"})  # fmt: skip
_DELEGATION_CALLS = frozenset({"delegate", "def_delegators", "def_delegator", "alias_method", "def_instance_delegators", "define_method"})  # fmt: skip
_PRIVACY_CALLS = {"private": "#", "protected": "#", "private_class_method": ".", "private_constant": "::"}


class _ClassBody:
    """The body of a class or module, and whether the methods read next are public."""

    def __init__(self, body: Node, owner: str, mark: str, *, is_open: bool = True) -> None:
        self.body = body
        self.owner = owner
        self.mark = mark
        self.open = is_open
        self.is_module_function = False


def find_exports(source: ExportSource, root: Node) -> Iterator[Export]:
    """The symbols that the file exports. What is made private by name afterwards is left out."""
    found: list[Export] = []
    hidden: set[str] = set()
    waiting = [_ClassBody(root, "", "#")]
    for _ in range(_MAX_BODIES):
        if not waiting or len(found) > MAX_EXPORTS:
            break
        place = waiting.pop()
        for node in child_nodes(place.body):
            found += _exports_of_statement(source, node, place, waiting, hidden)
    yield from (each for each in found if each.name not in hidden)


def _exports_of_statement(
    source: ExportSource, node: Node, place: _ClassBody, waiting: list[_ClassBody], hidden: set[str]
) -> Iterator[Export]:
    kind = node.type
    if kind in _MARKABLE_KINDS and source.keeps(node):
        return
    if kind in {"class", "module"}:
        name = f"{place.owner}::{source.named(node)}".removeprefix("::")
        yield Export(name, "type", node_line(node))
        _enqueue_body(node, _ClassBody(node, name, "#"), waiting)
    elif kind == "singleton_class":
        _enqueue_body(node, _ClassBody(node, place.owner, "."), waiting)
    elif kind in _BRANCH_KINDS:
        waiting.append(_ClassBody(node, place.owner, place.mark, is_open=place.open))
    elif place.owner:  # what is outside all classes is seen by scripts alone
        yield from _exports_of_member(source, node, place, waiting, hidden)


def _exports_of_member(
    source: ExportSource, node: Node, place: _ClassBody, waiting: list[_ClassBody], hidden: set[str]
) -> Iterator[Export]:
    kind = node.type
    if kind == "method":
        yield from _method_exports(source, node, place)
    elif kind == "singleton_method":
        yield _callable_export(source, f"{place.owner}.{source.named(node)}", node)
    elif kind == "alias":
        yield Export(f"{place.owner}{place.mark}{source.named(node)}".rstrip(), "method", node_line(node))
    elif kind == "assignment":
        yield from _constant_exports(source, node, place.owner, waiting)
    elif kind == "identifier":
        _set_visibility(source.text(node), place)
    elif kind == "call":
        yield from _exports_of_call(source, node, place, hidden)


_MARKABLE_KINDS = frozenset({"class", "module", "method", "singleton_method", "alias", "assignment", "call"})
_BRANCH_KINDS = frozenset({"if", "unless", "elsif", "else", "then", "case", "when", "begin"})
"""What is inside one of them is exported where its condition holds."""


def _enqueue_body(node: Node, place: _ClassBody, waiting: list[_ClassBody]) -> None:
    body = node.child_by_field_name("body")
    if body is not None:
        place.body = body
        waiting.append(place)


def _set_visibility(word: str, place: _ClassBody) -> None:
    """`private`, `protected` and `public` alone in a line hold for the methods below; `module_function` makes them the module's own."""
    if word in {"private", "protected", "public"}:
        place.open = word == "public"
    elif word == "module_function":
        place.is_module_function = True


def _method_exports(source: ExportSource, node: Node, place: _ClassBody) -> Iterator[Export]:
    name = source.named(node)
    if name == "initialize" and place.mark == "#":
        yield _callable_export(source, f"{place.owner}.new", node)
    elif place.open and not name.startswith("_") and name not in _IMPLICIT_METHODS:
        yield _callable_export(source, f"{place.owner}{'.' if place.is_module_function else place.mark}{name}", node)


_IMPLICIT_METHODS = frozenset(
    {"initialize_copy", "initialize_dup", "initialize_clone", "method_missing", "respond_to_missing?", "inherited", "included", "extended", "prepended", "inspect", "hash"}
)  # fmt: skip
"""Methods that Ruby calls by itself, or that every object has."""


def _constant_exports(source: ExportSource, node: Node, owner: str, waiting: list[_ClassBody]) -> Iterator[Export]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or left.type != "constant":
        return
    name = f"{owner}::{source.text(left)}"
    yield Export(name, "value", node_line(node))
    if right is None or right.type != "call" or not re.match(r"(?:Struct\.new|Data\.define)\b", source.text(right, 20)):
        return
    for said in _symbol_arguments(source, right):
        yield Export(f"{name}#{said}", "method", node_line(node))
    block = right.child_by_field_name("block")
    if block is not None:
        _enqueue_body(block, _ClassBody(block, name, "#"), waiting)


def _exports_of_call(source: ExportSource, node: Node, place: _ClassBody, hidden: set[str]) -> Iterator[Export]:
    word = source.text(node.child_by_field_name("method"), 60)
    inner = _arguments(node)[:1]
    if word in _PRIVACY_CALLS:
        named = [source.named(each) for each in inner if each.type in {"method", "singleton_method"}]
        mark = "." if place.mark == "." and word in {"private", "protected"} else _PRIVACY_CALLS[word]
        hidden.update(f"{place.owner}{mark}{each}" for each in (*_symbol_arguments(source, node), *named))
    elif word in _METHOD_MODIFIERS:
        for each in inner:
            yield from _method_exports(source, each, place) if each.type == "method" else ()
    elif place.open:
        for said in _generated_methods(word, _symbol_arguments(source, node)):
            yield Export(f"{place.owner}{place.mark}{said}", "method", node_line(node))


_METHOD_MODIFIERS = frozenset({"public", "memoize", "deprecate", "module_function"})
"""Words that precede a method and leave it public."""


def _generated_methods(word: str, symbols: list[str]) -> list[str]:
    """The methods that a call in a class body generates."""
    if word in _ACCESSOR_CALLS:
        read = [] if word == "attr_writer" else symbols
        return [*read, *([] if word in {"attr_reader", "attr"} else [f"{each}=" for each in symbols])]
    if word in {"alias_method", "define_method"}:
        return symbols[:1]
    if word == "def_delegator":
        return symbols[-1:]
    return symbols if word in _DELEGATION_CALLS else []


def _arguments(call: Node) -> list[Node]:
    given = call.child_by_field_name("arguments")
    return [] if given is None else list(given.named_children[:MAX_PARAMETERS])


def _symbol_arguments(source: ExportSource, call: Node) -> list[str]:
    return [
        source.text(each).lstrip(":").strip("\"'")
        for each in _arguments(call)
        if each.type in {"simple_symbol", "string"}
    ]


def _callable_export(source: ExportSource, name: str, node: Node) -> Export:
    """A method by what it takes: `a` and `a=` by place, `a:` and `a:=` by name, `*` and `**` for any number."""
    held = node.child_by_field_name("parameters")
    takes: list[str] = []
    for each in [] if held is None else held.named_children[:MAX_PARAMETERS]:
        if each.type == "identifier":
            takes.append(source.text(each))
        elif each.type == "destructured_parameter":
            takes.append("()")
        elif each.type == "optional_parameter":
            takes.append(f"{source.named(each)}=")
        elif each.type == "keyword_parameter":
            optional = "=" if each.child_by_field_name("value") is not None else ""
            takes.append(f"{source.named(each)}:{optional}")
        elif each.type in {"splat_parameter", "hash_splat_parameter", "forward_parameter"}:
            takes.append("*" if each.type == "splat_parameter" else "**")
            if each.type == "forward_parameter":
                takes.append("*")
    least = sum(not each.endswith(("=", ":", "*")) for each in takes)
    return Export(name, "method", node_line(node), tuple(takes), least, "*" in takes)
