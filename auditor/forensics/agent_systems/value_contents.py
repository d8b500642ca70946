"""What is in an abstract value: its constant, its text, what it may be, and the values within it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from auditor.forensics.agent_systems.abstract_values import (
    Attr,
    Call,
    Choice,
    Const,
    External,
    Instance,
    Item,
    Map,
    Op,
    Place,
    Seq,
    Text,
    Unknown,
    Value,
    Yielded,
)

_MAX_VISITED_PARTS = 600
"""Parts of a value that a question looks at; more cannot be told apart from unknown."""
_MAX_OPTIONS = 12


def choice(*options: Value) -> Value:
    """One of several values; equal ones count once."""
    kept: list[Value] = []
    for option in options:
        for each in option.options if isinstance(option, Choice) else (option,):
            if not any(_is_same_external(each, known) for known in kept):
                kept.append(each)
    if len(kept) == 1:
        return kept[0]
    return Choice(tuple(kept[:_MAX_OPTIONS]))


def _is_same_external(one: Value, other: Value) -> bool:
    if one is other:
        return True
    if isinstance(one, Const) and isinstance(other, Const):
        return type(one.value) is type(other.value) and one.value == other.value
    if isinstance(one, Unknown) and isinstance(other, Unknown):
        return one.hint == other.hint
    return isinstance(one, External) and isinstance(other, External) and one.name == other.name


def options(value: Value) -> tuple[Value, ...]:
    """The values it may be: itself, or the options of a choice."""
    return value.options if isinstance(value, Choice) else (value,)


def constant(value: Value | None) -> object:
    """The constant it is for sure; None for anything else."""
    return value.value if isinstance(value, Const) else None


def text_of(value: Value | None) -> str | None:
    """The text it is for sure."""
    known = constant(value)
    return known if isinstance(known, str) else None


def children(value: Value) -> tuple[Value, ...]:
    """What a value is made of, for looking into it."""
    if isinstance(value, Call):
        return (value.func, *value.args, *(each for _, each in value.named))
    if isinstance(value, (Attr, Item)):
        return (value.base,) if isinstance(value, Attr) else (value.base, value.key)
    return _child_values(value)


def _child_values(value: Value) -> tuple[Value, ...]:
    parts: Iterable[Value] = ()
    if isinstance(value, Op):
        parts = value.operands
    elif isinstance(value, Text):
        parts = value.parts
    elif isinstance(value, Seq):
        parts = value.items
    elif isinstance(value, Map):
        parts = (each for pair in value.items for each in pair)
    elif isinstance(value, Choice):
        parts = value.options
    elif isinstance(value, Yielded):
        parts = value.values
    elif isinstance(value, Instance):
        parts = (*value.attrs.values(), *((value.call,) if value.call else ()))
    return tuple(parts)


def walk(
    value: Value, enter: Callable[[Value], bool] = lambda _value: True, *, limit: int = _MAX_VISITED_PARTS
) -> Iterator[Value]:
    """A value and all it is made of, each part once, up to a bound. `enter` says which parts to look into."""
    seen: set[int] = set()
    waiting = [value]
    while waiting and len(seen) < limit:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        if enter(each):
            waiting += reversed(children(each))


def known_words(value: Value) -> str:
    """The known words of a value, a blank for each unknown part."""
    words: list[str] = []
    waiting = [value]
    while waiting and len(words) < _MAX_VISITED_PARTS:
        each = waiting.pop()
        if isinstance(each, Const):
            words.append(each.value if isinstance(each.value, str) else "")
        elif isinstance(each, Text):
            waiting += reversed(each.parts)
        elif isinstance(each, Op) and each.sign in {"+", "%", "format"}:
            waiting += reversed(each.operands)
        else:
            words.append(" ")
    return "".join(words)


def first_known_place(value: Value) -> Place | None:
    """Where the first known part of a value is."""
    for each in walk(value):
        if isinstance(each, (Const, Seq, Map)) and each.place is not None:
            return each.place
        if isinstance(each, Call):
            return each.place
    return None
