"""The names that a pattern binds, each with the way to what it holds inside the value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from auditor.forensics.languages.data_flow.expressions import Text
from auditor.forensics.languages.data_flow.scope_types import Step

if TYPE_CHECKING:
    from tree_sitter import Node

    from auditor.forensics.languages.data_flow.lowering import Lowering
    from auditor.forensics.languages.grammar_kinds import GrammarKinds

Path = tuple[Step, ...]


class Target(NamedTuple):
    """A name that a pattern binds, the way to it, and what it is taken from where there is nothing."""

    name: str
    path: Path
    default: Node | None = None
    path_in_default: Path = ()


_MAX_PATTERN_DEPTH = 8
_MAX_NAME_BYTES = 200


def binding_targets(lowering: Lowering, node: Node, path: Path = (), depth: int = 0) -> Iterator[Target]:
    """The names that a pattern binds."""
    kinds, kind = lowering.kinds, node.type
    if depth > _MAX_PATTERN_DEPTH:
        return
    if kind in kinds.identifiers or kind in kinds.keys:
        yield Target(_named(lowering, node), path)
    elif kind in kinds.transparent_targets:
        for each in _patterns(lowering, node):
            is_variant = each.type in kinds.identifiers and _named(lowering, each)[:1].isupper()  # `None` of Rust
            yield from () if is_variant else binding_targets(lowering, each, path, depth + 1)
    elif kind in kinds.defaults:
        yield from _with_default(lowering, node, path, depth)
    elif kind in kinds.entries:
        yield from _of_entry(lowering, node, path, depth)
    elif kind in kinds.targets:
        yield from _of_list(lowering, node, path, depth)
    elif kind in kinds.spreads or kind in kinds.typed_parameters:
        inner = lowering.named_children(node)
        yield from binding_targets(lowering, inner[0], path, depth + 1) if inner else ()


def _named(lowering: Lowering, node: Node) -> str:
    return lowering.source_of(node, _MAX_NAME_BYTES)


def _patterns(lowering: Lowering, node: Node) -> list[Node]:
    """The parts of a pattern without its type, its name or a condition behind it."""
    beside = [node.child_by_field_name(each) for each in ("type", "name", "condition")]
    return [each for each in lowering.named_children(node) if each not in beside]


def _with_default(lowering: Lowering, node: Node, path: Path, depth: int) -> Iterator[Target]:
    left, right = (node.child_by_field_name(each) for each in lowering.kinds.defaults[node.type])
    if left is None:
        return
    short = left.type.startswith("short")
    own = (*path, _named(lowering, left)) if short else path
    for each in binding_targets(lowering, left, own, depth + 1):
        if short:
            yield Target(each.name, each.path[: len(own)], right)
        elif each.default is None or (right is not None and right.named_child_count):
            yield Target(each.name, each.path, right, each.path[len(own) :])
        else:  # `{a = 1} = {}`: nothing is taken from an empty table
            yield each


def _of_entry(lowering: Lowering, node: Node, path: Path, depth: int) -> Iterator[Target]:
    key, value = (node.child_by_field_name(each) for each in lowering.kinds.entries[node.type])
    if key is not None and value is not None:
        yield from binding_targets(lowering, value, (*path, _key(lowering, key)), depth + 1)
    elif key is not None:
        name = _named(lowering, key)
        yield Target(name, (*path, name))


def _of_list(lowering: Lowering, node: Node, path: Path, depth: int) -> Iterator[Target]:
    kinds = lowering.kinds
    for number, each in enumerate(_patterns(lowering, node)):
        short = each.type == "shorthand_property_identifier_pattern"
        name = _named(lowering, each) if short else str(number)
        listed = node.type != "object_pattern" and each.type not in {*kinds.spreads, *kinds.entries}
        yield from binding_targets(lowering, each, (*path, name) if short or listed else path, depth + 1)


def _key(lowering: Lowering, key: Node) -> Step:
    """The name that a key of a pattern is, or the expression that it is computed from."""
    told = lowering.lower(key)
    if isinstance(told, Text):
        return told.value
    return told if key.type in lowering.kinds.computed_keys else _named(lowering, key)


def optional_operand(kinds: GrammarKinds, node: Node) -> Node | None:
    """The operand of an operation or a choice around an assignment that need not run: `(x = y)` of `ok && (x = y)`."""
    inner, around = node, node.parent
    for _ in range(_MAX_PATTERN_DEPTH):
        if around is None or around.type not in {*kinds.wrappers, *kinds.operations, *kinds.choices}:
            break
        if around.type not in kinds.wrappers and around.named_children[0] != inner:
            return inner
        inner, around = around, around.parent
    return None
