"""Public methods, accessors and constants of Ruby classes and modules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.forensics.languages.exports.signature_text import MAX_OFFERS, MAX_PARAMETERS, Source, line_of, members
from auditor.forensics.source_text.file_outline import Export

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_PLACES = 500
_ACCESSORS = frozenset({"attr_reader", "attr_accessor", "attr", "attr_writer", "cattr_accessor", "mattr_accessor", "class_attribute"})  # fmt: skip
_PASSED_ON = frozenset({"delegate", "def_delegators", "def_delegator", "alias_method", "def_instance_delegators", "define_method"})  # fmt: skip
_HIDING = {"private": "#", "protected": "#", "private_class_method": ".", "private_constant": "::"}


class _Place:
    """A class or module, and which of its methods are open from where the reader stands on."""

    def __init__(self, body: Node, owner: str, mark: str, *, is_open: bool = True) -> None:
        self.body = body
        self.owner = owner
        self.mark = mark
        self.open = is_open
        self.on_itself = False


def offers(source: Source, root: Node) -> Iterator[Export]:
    """What the file offers. What is made private by name afterwards is offered to nobody."""
    found: list[Export] = []
    hidden: set[str] = set()
    waiting = [_Place(root, "", "#")]
    for _ in range(_MAX_PLACES):
        if not waiting or len(found) > MAX_OFFERS:
            break
        place = waiting.pop()
        for node in members(place.body):
            found += _statement(source, node, place, waiting, hidden)
    yield from (each for each in found if each.name not in hidden)


def _statement(source: Source, node: Node, place: _Place, waiting: list[_Place], hidden: set[str]) -> Iterator[Export]:
    kind = node.type
    if kind in _NAMED and source.keeps(node):
        return
    if kind in {"class", "module"}:
        name = f"{place.owner}::{source.named(node)}".removeprefix("::")
        yield Export(name, "type", line_of(node))
        _wait(node, _Place(node, name, "#"), waiting)
    elif kind == "singleton_class":
        _wait(node, _Place(node, place.owner, "."), waiting)
    elif kind in _BRANCHES:
        waiting.append(_Place(node, place.owner, place.mark, is_open=place.open))
    elif place.owner:  # what stands outside of all classes is seen by scripts alone
        yield from _member(source, node, place, waiting, hidden)


def _member(source: Source, node: Node, place: _Place, waiting: list[_Place], hidden: set[str]) -> Iterator[Export]:
    kind = node.type
    if kind == "method":
        yield from _method(source, node, place)
    elif kind == "singleton_method":
        yield _callable(source, f"{place.owner}.{source.named(node)}", node)
    elif kind == "alias":
        yield Export(f"{place.owner}{place.mark}{source.named(node)}".rstrip(), "method", line_of(node))
    elif kind == "assignment":
        yield from _constant(source, node, place.owner, waiting)
    elif kind == "identifier":
        _opened(source.text(node), place)
    elif kind == "call":
        yield from _called(source, node, place, hidden)


_NAMED = frozenset({"class", "module", "method", "singleton_method", "alias", "assignment", "call"})
_BRANCHES = frozenset({"if", "unless", "elsif", "else", "then", "case", "when", "begin"})
"""What stands in one of them is offered where its condition holds."""


def _wait(node: Node, place: _Place, waiting: list[_Place]) -> None:
    body = node.child_by_field_name("body")
    if body is not None:
        place.body = body
        waiting.append(place)


def _opened(word: str, place: _Place) -> None:
    """`private`, `protected` and `public` alone in a line hold for the methods below; `module_function` makes them the module's own."""
    if word in {"private", "protected", "public"}:
        place.open = word == "public"
    elif word == "module_function":
        place.on_itself = True


def _method(source: Source, node: Node, place: _Place) -> Iterator[Export]:
    name = source.named(node)
    if name == "initialize" and place.mark == "#":
        yield _callable(source, f"{place.owner}.new", node)
    elif place.open and not name.startswith("_") and name not in _BY_RUBY:
        yield _callable(source, f"{place.owner}{'.' if place.on_itself else place.mark}{name}", node)


_BY_RUBY = frozenset(
    {"initialize_copy", "initialize_dup", "initialize_clone", "method_missing", "respond_to_missing?", "inherited", "included", "extended", "prepended", "inspect", "hash"}
)  # fmt: skip
"""Methods that Ruby calls by itself, or that every object has."""


def _constant(source: Source, node: Node, owner: str, waiting: list[_Place]) -> Iterator[Export]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or left.type != "constant":
        return
    name = f"{owner}::{source.text(left)}"
    yield Export(name, "value", line_of(node))
    if right is None or right.type != "call" or not re.match(r"(?:Struct\.new|Data\.define)\b", source.text(right, 20)):
        return
    for said in _symbols(source, right):
        yield Export(f"{name}#{said}", "method", line_of(node))
    block = right.child_by_field_name("block")
    if block is not None:
        _wait(block, _Place(block, name, "#"), waiting)


def _called(source: Source, node: Node, place: _Place, hidden: set[str]) -> Iterator[Export]:
    word = source.text(node.child_by_field_name("method"), 60)
    inner = _given(node)[:1]
    if word in _HIDING:
        named = [source.named(each) for each in inner if each.type in {"method", "singleton_method"}]
        mark = "." if place.mark == "." and word in {"private", "protected"} else _HIDING[word]
        hidden.update(f"{place.owner}{mark}{each}" for each in (*_symbols(source, node), *named))
    elif word in _AROUND:
        for each in inner:
            yield from _method(source, each, place) if each.type == "method" else ()
    elif place.open:
        for said in _made(word, _symbols(source, node)):
            yield Export(f"{place.owner}{place.mark}{said}", "method", line_of(node))


_AROUND = frozenset({"public", "memoize", "deprecate", "module_function"})
"""Words that stand before a method and leave it open."""


def _made(word: str, symbols: list[str]) -> list[str]:
    """The methods that a class asks for by a call."""
    if word in _ACCESSORS:
        read = [] if word == "attr_writer" else symbols
        return [*read, *([] if word in {"attr_reader", "attr"} else [f"{each}=" for each in symbols])]
    if word in {"alias_method", "define_method"}:
        return symbols[:1]
    if word == "def_delegator":
        return symbols[-1:]
    return symbols if word in _PASSED_ON else []


def _given(call: Node) -> list[Node]:
    given = call.child_by_field_name("arguments")
    return [] if given is None else list(given.named_children[:MAX_PARAMETERS])


def _symbols(source: Source, call: Node) -> list[str]:
    return [
        source.text(each).lstrip(":").strip("\"'") for each in _given(call) if each.type in {"simple_symbol", "string"}
    ]


def _callable(source: Source, name: str, node: Node) -> Export:
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
    return Export(name, "method", line_of(node), tuple(takes), least, "*" in takes)
