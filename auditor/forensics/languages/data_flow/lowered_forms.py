"""Forms of expressions that few languages have: named arguments, casts, keywords that call, tests of patterns, and macros."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.forensics.languages.data_flow.expressions import (
    Call,
    Collection,
    Constant,
    Entry,
    Expression,
    Joined,
    Name,
    Operation,
    Text,
)
from auditor.forensics.languages.data_flow.node_reader import NodeReader
from auditor.forensics.languages.data_flow.token_trees import formatted, macro_arguments
from auditor.forensics.languages.grammar_kinds import child_part

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_NAME_BYTES = 200


def argument(to: NodeReader, node: Node) -> Expression:
    """An argument, which may have a name."""
    parts = to.named_children(node)
    name = node.child_by_field_name(to.kinds.arguments[node.type][0])
    if not parts:
        return Expression(node)
    value = to.lower(parts[-1])
    return value if name is None else Entry(node, Text(name, to.source_of(name, MAX_NAME_BYTES)), value)


def keyword_call(to: NodeReader, node: Node) -> Expression:
    """`include $file`, as a call."""
    parts = to.named_children(node)
    given = (to.lower(parts[-1]),) if parts else ()
    return Call(node, Name(node, to.kinds.keyword_calls[node.type]), given)


def cast(to: NodeReader, node: Node) -> Expression:
    """A value of another type; of that of numbers, a number."""
    typed, value = (child_part(node, each) for each in to.kinds.casts[node.type])
    if value is None or (typed is not None and to.source_of(typed, 40).lower() in to.kinds.number_types):
        return Constant(node)
    return to.lower(value)


def pattern_test(to: NodeReader, node: Node) -> Expression:
    """`x is "a" or "b"`."""
    value, pattern = (child_part(node, each) for each in to.kinds.pattern_tests[node.type])
    if value is None or pattern is None:
        return Expression(node)
    return Operation(node, to.lower(value), "is", to.lower(pattern))


def macro(to: NodeReader, node: Node) -> Expression:
    """A call whose arguments are tokens; a text that is formatted is joined of its parts."""
    named = child_part(node, to.kinds.macros[node.type][0])
    tokens = node.named_children[-1] if node.named_children else None
    if named is None or tokens is None or tokens.id == named.id:
        return Expression(node)
    given = macro_arguments(to, tokens)
    name = to.source_of(named, MAX_NAME_BYTES).rpartition("::")[2]
    if name in to.kinds.format_macros:
        return Joined(node, given if name == "concat" else formatted(given))
    if name in to.kinds.list_macros:
        return Collection(node, given)
    return Call(node, Name(named, f"{name}!"), given)


def block_argument(to: NodeReader, node: Node) -> Expression:
    """A function that a call is given beside its arguments."""
    parts = to.named_children(node)
    return Entry(node, None, to.lower(parts[0])) if parts else Expression(node)
