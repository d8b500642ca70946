"""Expressions of any language in one form: what a value is made of, without how a grammar spells it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """A value of which nothing is known but its place."""

    node: Node


@dataclass(frozen=True, slots=True, eq=False)
class Name(Expression):
    """A variable, a class, `this`, or a method that is called without arguments."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Member(Expression):
    """What has a fixed name inside another value."""

    owner: Expression
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Item(Expression):
    """What a collection holds under a key."""

    owner: Expression
    key: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Call(Expression):
    """A call; `constructs` where it makes an object of a class."""

    callee: Expression
    arguments: tuple[Expression, ...]
    constructs: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Expression):
    """A number, a truth value or nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Text(Expression):
    """A text that is written out."""

    value: str


@dataclass(frozen=True, slots=True, eq=False)
class Pattern(Expression):
    """A regular expression that is written out, with its flags."""

    value: str
    flags: str


@dataclass(frozen=True, slots=True, eq=False)
class Joined(Expression):
    """A text that holds other values."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Choice(Expression):
    """One of several values."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Operation(Expression):
    """Two values and an operator."""

    left: Expression
    operator: str
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Not(Expression):
    """The opposite of a condition."""

    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Entry(Expression):
    """A value with its key: in a collection, or a named argument."""

    key: Expression | None
    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Spread(Expression):
    """All that a collection holds."""

    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Collection(Expression):
    """A list, a table or an object that is written out."""

    entries: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FunctionValue(Expression):
    """A function that is written out where it is used."""


@dataclass(frozen=True, slots=True, eq=False)
class Filled(Expression):
    """What a call puts into one of its arguments."""

    call: Call


def last_name(expression: Expression | None) -> str:
    """The name, or the member, that an expression ends in; empty for any other kind."""
    return expression.name if isinstance(expression, (Name, Member)) else ""
