"""Settings that are written as an object of JavaScript or TypeScript, read without running it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.domain.frozen_model import Frozen
from auditor.forensics.source_text.syntax_trees import get_parser, is_too_complex, parse_tree
from auditor.forensics.source_text.tree_sitter_grammars import grammar
from auditor.forensics.test_suites.setting import Setting
from auditor.row_tables import Row, Source, read_table

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_NODES = 20_000
_MAX_SOURCE = 200
_MAX_HOPS = 8
_DATA = Path(__file__).with_name("vitest_exports.yaml")


class _Export(Row):
    name: str
    values: tuple[str, ...]
    source: Source


class _Exports(Frozen):
    exports: tuple[_Export, ...]


@cache
def _exports() -> Mapping[str, tuple[str, ...]]:
    """Values that Vitest exports, by name."""
    return {row.name: row.values for row in read_table(_DATA, _Exports).exports}


def read_javascript(text: str) -> Iterator[Setting]:
    """Every property of the objects in a file, by its path from the outermost object. Raises ValueError when it is broken."""
    content = text.encode()
    tree = parse_tree(get_parser(grammar("tree_sitter_typescript", "language_typescript")), content)
    if tree is None or is_too_complex(tree, len(content)) or tree.root_node.has_error:
        raise ValueError("not parsed")
    pairs, names = _find_pairs(tree.root_node)
    for path, value, line in pairs:
        if value.type == "object":
            yield Setting(".".join(path), (), line, is_table=True)
        else:
            values, unknown = _constants(value, names, _MAX_HOPS)
            yield Setting(".".join(path), values, line, unknown)


_Pair = tuple[tuple[str, ...], "Node", int]


def _find_pairs(root: Node) -> tuple[list[_Pair], dict[str, Node]]:
    """Properties with their path, value and line, and the values of the variables of the module."""
    names: dict[str, Node] = {}
    waiting: list[tuple[Node, tuple[str, ...]]] = [(root, ())]
    pairs: list[_Pair] = []
    seen = 0
    while waiting and seen < _MAX_NODES:
        node, path = waiting.pop()
        seen += 1
        if node.type == "variable_declarator" and not path:
            _remember(node, names)
        pair = _pair(node, path)
        if pair is not None:
            pairs.append(pair)
        inner = path if pair is None or node.type == "shorthand_property_identifier" else pair[0]
        if node.type != "method_definition" or not path:
            waiting += [(each, inner) for each in reversed(node.named_children)]
    return pairs, names


def _pair(node: Node, path: tuple[str, ...]) -> _Pair | None:
    """The property that a node writes."""
    line = node.start_point[0] + 1
    if node.type == "shorthand_property_identifier":
        return (*path, _text(node)), node, line
    value: Node | None = None
    whole: tuple[str, ...] = ()
    if node.type == "pair" and (key := _key(node.child_by_field_name("key"))):
        value, whole = node.child_by_field_name("value"), (*path, key)
    elif node.type == "assignment_expression" and (target := _target(node)):
        value, whole = node.child_by_field_name("right"), target
    return None if value is None else (whole, value, line)


def _remember(node: Node, names: dict[str, Node]) -> None:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is not None and value is not None:
        names.setdefault(_text(name), value)


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", errors="replace")


def _key(node: Node | None) -> str:
    if node is None or node.type not in {"property_identifier", "string", "number"}:
        return ""
    return _text(node).strip("\"'")[:120]


def _target(node: Node) -> tuple[str, ...]:
    """`testMatch` for `module.exports.testMatch = ...` and `config.testMatch = ...`."""
    left = node.child_by_field_name("left")
    if left is None or left.type != "member_expression":
        return ()
    parts = _text(left).split(".")
    parts = parts[2:] if parts[:2] == ["module", "exports"] else parts[1:]
    return tuple(parts[:8])


def _constants(node: Node, names: Mapping[str, Node], hops: int) -> tuple[tuple[str, ...], str]:
    """The constant values of an expression, and the source of what is not constant in it."""
    value = _literal(node)
    if value is not None:
        return value, ""
    if node.type == "array":
        return _joined(node, names, hops)
    inner = node.named_children[0] if node.type in _WRAPPERS and node.named_children else None
    if node.type in {"identifier", "member_expression", "shorthand_property_identifier"}:
        name = _text(node)
        if name in _exports():
            return _exports()[name], ""
        inner = names.get(name)
    if inner is not None and hops > 0:
        return _constants(inner, names, hops - 1)
    return (), _text(node)[:_MAX_SOURCE] or node.type


_WRAPPERS = frozenset({"as_expression", "satisfies_expression", "parenthesized_expression", "spread_element"})


def _literal(node: Node) -> tuple[str, ...] | None:
    """The value of a literal; None for what is none."""
    kind = node.type
    if kind in {"string", "template_string"}:
        plain = all(each.type in {"string_fragment", "escape_sequence"} for each in node.named_children)
        return (_unescape(_text(node)[1:-1]),) if plain else None
    if kind == "regex":
        pattern = node.child_by_field_name("pattern")
        return (_text(pattern) if pattern is not None else "",)
    if kind in {"null", "undefined"}:
        return ()
    return (_text(node),) if kind in {"true", "false", "number"} else None


def _joined(node: Node, names: Mapping[str, Node], hops: int) -> tuple[tuple[str, ...], str]:
    values: list[str] = []
    unknown = ""
    for each in node.named_children[:500]:
        if each.type == "comment":
            continue
        some, dark = _constants(each, names, hops)
        values += some
        unknown = unknown or dark
    return tuple(values), unknown


def _unescape(text: str) -> str:
    return text.replace("\\\\", "\\").replace("\\'", "'").replace('\\"', '"').replace("\\/", "/")
