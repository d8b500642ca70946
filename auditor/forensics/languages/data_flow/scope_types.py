"""A function with its parameters, and the values that names are given in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auditor.forensics.languages.data_flow.expressions import Call, Entry, Expression, Item, Member, Name, Spread, Text

if TYPE_CHECKING:
    from tree_sitter import Node

Step = str | Expression
"""A part of a value: its name or number, or what its key is computed from."""
SELF_NAMES = frozenset({"this", "self", "$this", "static"})


@dataclass(frozen=True, slots=True)
class Binding:
    """A value that a name is given."""

    value: Expression | None
    place: int
    """Where the assignment ends."""
    line: int
    start: int
    end: int
    """The block that it is in."""
    adds: bool = False
    """Does it keep what was there before?"""
    each: bool = False
    """Is the name given each member of the value in turn?"""
    type: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function; with a path where it takes something out of the argument."""

    name: str
    position: int
    node: Node
    type: str = ""
    path: tuple[Step, ...] = ()
    default: Expression | None = None
    annotations: str = ""


@dataclass(eq=False)
class Scope:
    """A function, or the file as a whole."""

    node: Node
    start: int
    end: int
    parent: Scope | None
    name: str = ""
    parameters: dict[str, Parameter] = field(default_factory=dict)
    bindings: dict[str, list[Binding]] = field(default_factory=lambda: defaultdict(list))
    returns: list[Node] = field(default_factory=list)
    is_closed: bool = False
    """Does it not see the variables around it?"""

    def holder(self, name: str) -> Scope | None:
        """The innermost function around that gives the name a value."""
        place: Scope | None = self
        while place is not None:
            if name in place.parameters or name in place.bindings:
                return place
            place = None if place.is_closed else place.parent
        return None


def add_binding(scope: Scope, name: str, value: Expression) -> None:
    """Record that a call adds to what a name holds."""
    holder = scope.holder(name) or scope
    node = value.node
    holder.bindings[name].append(
        Binding(value, node.end_byte, node.start_point[0] + 1, holder.start, holder.end, adds=True)
    )


def self_member(target: Expression) -> str:
    """`this.name` as one name, for a member of the object itself; empty for all else."""
    if isinstance(target, Member) and isinstance(target.owner, Name) and target.owner.name in SELF_NAMES:
        return f"this.{target.name}"
    return ""


def held_under(value: Expression | None, path: Iterable[Step]) -> Expression | None:
    """What a value holds at the end of a way."""
    for each in path:
        if value is None:
            return None
        if isinstance(each, Expression):
            value = Item(value.node, value, each)
        elif each.isdigit():
            value = Item(value.node, value, Text(value.node, each))
        else:
            value = Member(value.node, value, each)
    return value


def argument_at(call: Call, parameter: Parameter) -> Expression | None:
    """The argument that a call passes to a parameter; None if it is unknown."""
    given = call.arguments
    named = next(
        (e.value for e in given if isinstance(e, Entry) and isinstance(e.key, Text) and e.key.value == parameter.name),
        None,
    )
    if named is not None:
        return named
    before = given[: parameter.position + 1]
    spread = next((each.value for each in before if isinstance(each, Spread)), None)
    if spread is not None:
        return spread
    value = given[parameter.position] if parameter.position < len(given) else None
    return held_under(value, parameter.path)
