"""Arguments of macros, which a grammar gives as tokens only: names, members, calls and what is built of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from auditor.forensics.languages.data_flow.expressions import (
    Call,
    Collection,
    Expression,
    Item,
    Joined,
    Member,
    Name,
    Text,
)
from auditor.forensics.languages.data_flow.node_reader import NodeReader

if TYPE_CHECKING:
    from tree_sitter import Node

TOKENS = "token_tree"
"""The kind of node that holds the arguments of a macro, and of each call in them."""
_MAX_TOKENS = 400
_MAX_NESTING = 8
_MAX_MARKS = 60
_MAX_DIGITS = 4
_MAX_CHAIN = 60
"""Members and calls of one expression that are gone through."""
_MARK = re.compile(r"\{\{|\}\}|\{(\w{0,80})(?::[^{}]{0,40})?\}")
_PREFIXES = frozenset({"&", "*", "mut"})


def macro_arguments(to: NodeReader, tokens: Node, depth: int = _MAX_NESTING) -> tuple[Expression, ...]:
    """What a macro is given, one expression for each part between commas."""
    if depth <= 0:
        return ()
    held = tokens.children[1:-1][:_MAX_TOKENS]
    return tuple(_expression(to, part, depth) for part in _parts(held) if part)


def formatted(given: Sequence[Expression]) -> tuple[Expression, ...]:
    """A text with marks in its parts, each mark replaced by what it stands for: `"ls {x} {}"`."""
    first = given[0] if given else None
    if not isinstance(first, Text):
        return tuple(given)
    parts: list[Expression] = []
    marks, place = list(islice(_MARK.finditer(first.value), _MAX_MARKS)), 0
    numbers = [int(each[1]) + 1 for each in marks if each[1] and each[1].isdecimal() and len(each[1]) < _MAX_DIGITS]
    without_name = max(sum(each[1] == "" for each in marks), *numbers, 0)
    left, named = list(given[1 : without_name + 1]), list(given[without_name + 1 :])
    for found in marks:
        begin, end = found.span()
        if found[0] in {"{{", "}}"}:
            parts.append(Text(first.node, first.value[place : begin + 1]))
        else:
            parts.append(Text(first.node, first.value[place:begin]))
            parts += _filled(first, found[1], given, left, named)
        place = end
    return (*parts, Text(first.node, first.value[place:]), *named)


def _filled(
    form: Text, mark: str, given: Sequence[Expression], left: list[Expression], named: list[Expression]
) -> list[Expression]:
    """The values of a mark. Arguments with a name are given to the first mark with a name: their own names are not kept."""
    if not mark:
        return [left.pop(0)] if left else []
    if mark.isdecimal():
        number = int(mark) + 1 if len(mark) < _MAX_DIGITS else len(given)
        return list(given[number : number + 1])
    found = [*named, Name(form.node, mark)]
    named.clear()
    return found


def _parts(tokens: Sequence[Node]) -> Iterator[list[Node]]:
    part: list[Node] = []
    for each in tokens:
        if each.type == ",":
            yield part
            part = []
        else:
            part.append(each)
    yield part


def _expression(to: NodeReader, tokens: list[Node], depth: int) -> Expression:
    """A chain of names, members and calls; of all else what it is made of."""
    while tokens[1:] and tokens[0].type in _PREFIXES:
        tokens = tokens[1:]
    if len(tokens) > 2 and tokens[1].type == "=" and tokens[0].type == "identifier":  # `name = value`
        return _expression(to, tokens[2:], depth)
    made, place = to.lower(tokens[0]), 1
    if tokens[0].type == TOKENS:
        inner = macro_arguments(to, tokens[0], depth - 1)
        made = Collection(tokens[0], inner) if tokens[0].children[0].type == "[" else Joined(tokens[0], inner)
    while place < len(tokens):
        sign, after = tokens[place], tokens[place + 1] if place + 1 < len(tokens) else None
        if sign.type in {".", "::"} and after is not None and after.is_named:
            made = Member(sign, made, to.source_of(after, 100))
            place += 2
        elif sign.type == TOKENS:
            given = macro_arguments(to, sign, depth - 1)
            is_item = sign.children[0].type == "["
            made = Item(sign, made, given[0]) if is_item and given else Call(sign, made, given)
            place += 1
        elif sign.type == "?":
            place += 1
        elif sign.type == "!" and after is not None and after.type == TOKENS:
            made = Joined(after, macro_arguments(to, after, depth - 1))
            place += 2
        else:
            rest = [each for each in tokens[place:] if each.is_named]
            return Joined(tokens[0], (made, *(_expression(to, [each], depth - 1) for each in rest[:20])))
    return made


def spelled(made: Expression) -> str:
    """A chain of names, members and calls without arguments as it is written; empty for all else."""
    if isinstance(made, Name):
        return made.name
    if isinstance(made, Member) and (owner := spelled(made.owner)):
        return f"{owner}.{made.name}"
    callee = spelled(made.callee) if isinstance(made, Call) and not made.arguments else ""
    return f"{callee}()" if callee else ""


def calls_in(made: Expression, depth: int = _MAX_CHAIN) -> Iterator[Call]:
    """The calls among the arguments of a macro: an expression, and all that it is made of."""
    if depth <= 0:
        return
    parts: tuple[Expression, ...] = ()
    if isinstance(made, Call):
        if made.node.type == TOKENS:
            yield made
        parts = (made.callee, *made.arguments)
    elif isinstance(made, (Member, Item)):
        parts = (made.owner,)
    elif isinstance(made, Joined):
        parts = made.parts
    elif isinstance(made, Collection):
        parts = made.entries
    for each in parts:
        yield from calls_in(each, depth - 1)


def chain_start(made: Expression) -> Expression:
    """The name with which a chain of members and calls begins."""
    while isinstance(made, (Member, Call)):
        made = made.owner if isinstance(made, Member) else made.callee
    return made
