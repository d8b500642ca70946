"""Methods of containers and texts: each gives None where it has nothing to say."""

from __future__ import annotations

from collections.abc import Callable

from auditor.forensics.agent_systems.abstract_interpreter import Interpreter
from auditor.forensics.agent_systems.abstract_values import (
    MAX_ITEMS,
    MAX_TEXT,
    Attr,
    Call,
    Class,
    Const,
    Item,
    Map,
    Op,
    Seq,
    Text,
    Unknown,
    Value,
)
from auditor.forensics.agent_systems.value_contents import choice, constant, text_of
from auditor.forensics.agent_systems.value_properties import element_value, iterated_elements


def _append(run: Interpreter, call: Call, base: Value) -> Value | None:
    if not isinstance(base, Seq) or not call.args:
        return None
    base.may_be_empty = base.may_be_empty or run.is_conditional
    if len(base.items) < MAX_ITEMS:
        base.items.append(call.args[-1])
    return Const(None)


def _extend(_run: Interpreter, call: Call, base: Value) -> Value | None:
    if isinstance(base, Seq) and call.args:
        more = iterated_elements(call.args[0])
        base.add(more)
        base.may_be_empty = base.may_be_empty or more.may_be_empty or _run.is_conditional
        return Const(None)
    if isinstance(base, Map) and call.args:
        _update(_run, call, base)
        return Const(None)
    return None


def _update(_run: Interpreter, call: Call, base: Value) -> Value | None:
    if not isinstance(base, Map):
        return None
    for each in call.args:
        if isinstance(each, Map):
            for key, value in list(each.items):
                base.put(key, value)
            base.open = base.open or each.open
        else:
            base.open = True
    for name, value in call.named:
        base.put(Const(name), value)
    return Const(None)


def _get(_run: Interpreter, call: Call, base: Value) -> Value | None:
    if isinstance(base, Map) and call.args:
        if not isinstance(call.args[0], Const):
            return choice(element_value(base, call.args[0]), *call.args[1:2])
        found = base.get(constant(call.args[0]))
        if found is not None:
            return found
        return call.args[1] if len(call.args) > 1 and not base.open else None
    if isinstance(base, (Unknown, Item, Attr, Op)) and call.args:
        taken = Item(base, call.args[0])
        return choice(taken, call.args[1]) if len(call.args) > 1 and isinstance(call.args[1], Const) else taken
    return None


def _set(_run: Interpreter, call: Call, base: Value) -> Value | None:
    """`map.set(key, value)` of a script."""
    if isinstance(base, Map) and call.place.unit.is_script and len(call.args) == 2:
        base.put(*call.args)
        return base
    return None


def _items(_run: Interpreter, call: Call, base: Value) -> Value | None:
    if isinstance(base, Class) and base.unit.is_script:  # `Object.values(Names)` of an enumeration
        members = [(name, each) for name, each in base.env.names.items() if isinstance(each, Const)]
        base = Map([(Const(name), each) for name, each in members], False)
    if not isinstance(base, Map):
        return None
    method = call.last
    pairs: dict[str, list[Value]] = {
        "items": [Seq([key, value]) for key, value in base.items],
        "entries": [Seq([key, value]) for key, value in base.items],
        "keys": [key for key, _ in base.items],
        "values": [value for _, value in base.items],
    }
    return Seq(pairs[method], base.open)


def _copied(_run: Interpreter, _call: Call, base: Value) -> Value | None:
    if isinstance(base, Map):
        return Map(list(base.items), base.open, base.place)
    return Seq(list(base.items), base.open, base.place) if isinstance(base, Seq) else None


def _joined(_run: Interpreter, call: Call, base: Value) -> Value | None:
    glue = text_of(base)
    if glue is None or not call.args:
        return None
    parts: list[Value] = []
    for each in iterated_elements(call.args[0]).items[:MAX_ITEMS]:
        parts += [Const(glue), each] if parts else [each]
    return Text(tuple(parts)) if parts else None


def _formatted(_run: Interpreter, call: Call, base: Value) -> Value | None:
    if not isinstance(base, (Const, Text)):
        return None
    return Op("format", (base, *call.args, *(value for _, value in call.named)))


def _changed_case(_run: Interpreter, call: Call, base: Value) -> Value | None:
    text = text_of(base)
    if text is None:
        return None
    if call.last in {"lower", "upper", "strip", "title", "casefold", "lstrip", "rstrip"} and not call.args:
        return Const(getattr(text, call.last)(), base.place if isinstance(base, Const) else None)
    if call.last == "replace" and len(call.args) == 2:
        old, new = (text_of(each) for each in call.args)
        if old and new is not None and len(new) <= max(len(old), 40) and len(text) < MAX_TEXT:
            return Const(text.replace(old, new), base.place if isinstance(base, Const) else None)
    if call.last == "split" and len(text) < 10_000:
        mark = text_of(call.args[0]) if call.args else None
        return Seq([Const(each) for each in text.split(mark or None)]) if not call.args or mark else None
    return None


METHODS: dict[str, Callable[[Interpreter, Call, Value], Value | None]] = {
    "append": _append,
    "add": _append,
    "insert": _append,
    "appendleft": _append,
    "extend": _extend,
    "update": _extend,
    "get": _get,
    "set": _set,
    "entries": _items,
    "items": _items,
    "keys": _items,
    "values": _items,
    "copy": _copied,
    "join": _joined,
    "format": _formatted,
    **dict.fromkeys(
        ("lower", "upper", "strip", "title", "casefold", "lstrip", "rstrip", "replace", "split"), _changed_case
    ),
}
