"""What is known of values by themselves: whether they hold, what they list and hold, and what a block of code is sure to do."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from auditor.forensics.agent_systems.abstract_values import (
    Builder,
    Call,
    Choice,
    Class,
    Compiled,
    Const,
    External,
    Function,
    Instance,
    Item,
    Map,
    Seq,
    Value,
    Yielded,
)
from auditor.forensics.agent_systems.syntax_queries import nested_statements
from auditor.forensics.agent_systems.value_contents import choice, constant
from auditor.forensics.python.scope_bindings import callee_name

_MAX_RANGE = 32


def truth_value(value: Value) -> bool | None:
    """Is it true for sure, false for sure, or up to the run?"""
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, (Function, Class, Instance, Builder, Compiled)):
        return True
    if isinstance(value, Seq) and value.items and not value.open and not value.may_be_empty:
        return True
    if isinstance(value, External) and value.name.rpartition(".")[2] == "TYPE_CHECKING":
        return True
    return None


def contains(container: Value, item: Value) -> bool | None:
    """Is a known value among those of a list, or not for sure? A table is often filled later on: what it lacks now is open."""
    known = item.value if isinstance(item, Const) else None
    if known is None:
        return None
    if isinstance(container, Map):
        return True if any(isinstance(key, Const) and key.value == known for key, _ in container.items) else None
    if not isinstance(container, Seq) or not container.items or container.may_be_empty:
        return None
    values = [each.value for each in container.items if isinstance(each, Const)]
    if known in values:
        return True
    return None if container.open or len(values) < len(container.items) else False


def iterated_elements(value: Value, *, count: bool = False) -> Seq:
    """The elements one gets by going through a value; with `count`, a short range counts up.

    A script's `Map` gives pairs where a dictionary gives keys.
    """
    found = Seq([], open=True)
    if isinstance(value, Seq):
        found = value
    elif isinstance(value, Map):
        pairs = value.place is not None and value.place.unit.is_script
        found = Seq([Seq([key, each]) if pairs else key for key, each in value.items], value.open)
    elif isinstance(value, Const) and isinstance(value.value, str) and len(value.value) <= _MAX_RANGE:
        found = Seq([Const(letter) for letter in value.value])
    elif isinstance(value, Yielded):
        found = Seq(list(value.values), open=True)
    elif isinstance(value, Choice):
        found = Seq([], open=True)
        for each in value.options:
            found.add(iterated_elements(each, count=count))
    elif isinstance(value, Class):
        members = [each for name, each in value.env.names.items() if not name.startswith("_")]
        found = Seq([each for each in members if isinstance(each, Const)])
    elif isinstance(value, Call) and value.name == "range" and count:
        found = _range_numbers(value) or found
    return found


def _range_numbers(call: Call) -> Seq | None:
    """The numbers of a `range` with known bounds, up to a limit."""
    bounds = [constant(each) for each in call.args]
    whole = [each for each in bounds if isinstance(each, int)]
    if len(whole) != len(bounds) or not 1 <= len(whole) <= 3 or (len(whole) == 3 and whole[2] == 0):
        return None
    return Seq([Const(number) for number in range(*whole)[:_MAX_RANGE]])


def element_value(base: Value, key: Value) -> Value:
    """An element of a value by its key or position; any of them where the key is not known."""
    if isinstance(base, Choice):
        return choice(*(element_value(each, key) for each in base.options))
    known = constant(key)
    if isinstance(base, Map):
        if isinstance(key, Const):
            found = base.get(known)
            return found if found is not None else Item(base, key)
        return choice(*(value for _, value in base.items)) if 0 < len(base.items) <= 12 else Item(base, key)
    if (
        isinstance(base, Seq)
        and isinstance(known, int)
        and (not base.open or known >= 0)
        and -len(base.items) <= known < len(base.items)
    ):
        return base.items[known]
    if isinstance(base, Class) and isinstance(known, str):
        return base.env.names.get(known, Item(base, key))
    return Item(base, key)


def always_completes(body: Sequence[ast.stmt]) -> bool:
    """Does every turn of a loop come to the end of its block, or to an error?"""
    return not any(isinstance(each, (ast.Break, ast.Continue, ast.Return)) for each in nested_statements(body))


def ends_early_on_condition(body: Sequence[ast.stmt]) -> bool:
    """Does a block end early only on a condition?"""
    return not any(isinstance(each, (ast.Return, ast.Raise)) for each in body)


def has_decorator(function: Function, names: Iterable[str]) -> bool:
    """Does it carry a decorator of such a name?"""
    return not set(names).isdisjoint(map(callee_name, getattr(function.node, "decorator_list", ())))
