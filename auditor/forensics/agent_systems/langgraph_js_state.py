"""The shared state of a LangGraph.js graph: an annotation, a zod object, or a table of channels."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.forensics.agent_systems.abstract_values import (
    Attr,
    Call,
    Choice,
    Const,
    External,
    Function,
    Item,
    Map,
    Op,
    Place,
    Seq,
    Unknown,
    Value,
)
from auditor.forensics.agent_systems.lossy_reducers import keeps_one_value
from auditor.forensics.agent_systems.system_report_types import StateData, StateField
from auditor.forensics.agent_systems.value_contents import constant, first_known_place, options, text_of, walk

_MESSAGES = {
    "MessagesAnnotation",
    "MessagesZodState",
    "MessagesZodMeta",
    "MessagesValue",
    "MessagesState",
    "AgentState",
}
_NAMED_STATES = _MESSAGES
_MAX_FIELDS = 300
_REDUCERS = ("reducer", "value")
KINDS = ("Annotation.Root", "zod object", "StateSchema", "channels")
"""What a state is made of in LangGraph.js."""


def last_part(value: Value) -> str:
    """The last part of the name of what is imported or called."""
    if isinstance(value, Call):
        return value.last
    return value.name.rpartition(".")[2] if isinstance(value, (External, Attr)) else ""


def declared_name(place: Place) -> str:
    """The name that what is made at a place is given; empty when none."""
    for each in (place.node, *place.unit.around(place.node)):
        if isinstance(each, (ast.Assign, ast.AnnAssign)):
            target = each.targets[0] if isinstance(each, ast.Assign) else each.target
            return target.id if isinstance(target, ast.Name) else ""
        if isinstance(each, ast.Return):  # what a function makes goes by the function's name
            made = place.unit.function_of(each)
            return "" if made is None else f"{made.name}()"
        if isinstance(each, ast.stmt):
            return ""
    return ""


def state_of_schema(schema: Value, place: Place) -> StateData | None:
    """The state that a schema describes; None when it is none of LangGraph.js."""
    for each in options(schema):
        found = _read_state(each, place)
        if found is not None:
            return found
    return None


def _read_state(schema: Value, place: Place) -> StateData | None:
    own = _place(schema) or place
    name = declared_name(own) if own is not place else ""
    if isinstance(schema, External) and last_part(schema) in _MESSAGES:
        field = StateField(reducer="custom:messagesStateReducer", line=place.line)
        kind = "zod object" if "Zod" in schema.name else "Annotation.Root"
        return _state_data(last_part(schema), kind, place, {"messages": field}, ())
    if isinstance(schema, Map):
        inner = next(
            (schema.get(key) for key in ("stateSchema", "state", "input", "channels") if schema.get(key) is not None),
            None,
        )
        if schema.get("channels") is not None:
            return _state_of_table(schema.get("channels") or Unknown(), place, name)
        return state_of_schema(inner, place) if inner is not None else None
    if isinstance(schema, Call) and schema.last in {"Root", "StateSchema"}:
        kind = "Annotation.Root" if schema.last == "Root" else "StateSchema"
        return _state_with_fields(name, kind, own, schema.args[0] if schema.args else Unknown())
    if is_object(schema):
        return _state_with_fields(name, "zod object", own, *field_tables(schema))
    return None


def is_object(value: Value) -> bool:
    """Is it an object that zod describes, also one that extends another?"""
    return isinstance(value, Call) and any(
        last_part(each) in {"object", "strictObject", "looseObject"} and "zod" in _root_name(each)
        for each in _call_chain(value)
    )


def _call_chain(value: Value) -> Iterator[Value]:
    """A call, and what each of its methods was called on."""
    for _ in range(60):
        yield value
        if isinstance(value, Call):
            value = value.func
        elif isinstance(value, (Attr, Item)):
            value = value.base
        else:
            return


def _root_name(value: Value) -> str:
    root = list(_call_chain(value))[-1]
    return root.name if isinstance(root, External) else ""


def field_tables(schema: Value) -> tuple[Value, ...]:
    """The tables of fields of a zod object, those it extends first."""
    found: list[Value] = []
    for each in _call_chain(schema):
        if isinstance(each, Call) and each.last in {
            "object",
            "strictObject",
            "looseObject",
            "extend",
            "merge",
            "safeExtend",
            "and",
        }:
            for given in each.args[:1]:
                found += reversed(field_tables(given)) if is_object(given) else [given]
    return tuple(reversed(found))


def _place(value: Value) -> Place | None:
    return value.place if isinstance(value, (Call, Map, Seq, Const)) else None


def _state_of_table(table: Value, place: Place, name: str) -> StateData:
    own = _place(table)
    told = declared_name(own) if own is not None else name
    return _state_with_fields(told, "channels", own or place, table)


def _state_with_fields(name: str, kind: str, place: Place, *tables: Value) -> StateData:
    fields: dict[str, StateField] = {}
    unresolved: list[str] = []
    for table in tables:
        _fill_fields(fields, unresolved, table, place, 0)
    return _state_data(name or kind, kind, place, fields, tuple(dict.fromkeys(unresolved)))


def _fill_fields(fields: dict[str, StateField], unresolved: list[str], table: Value, place: Place, depth: int) -> None:
    if isinstance(table, Choice):
        table = table.options[0]
    if not isinstance(table, Map) or depth > 8:
        inherited = _library_state(table)
        if inherited is None:
            unresolved.append(f"fields of the state ({place.unit.path}:{place.line})")
        else:
            fields["messages"] = StateField(reducer="custom:messagesStateReducer", line=place.line)
        return
    for key, value in table.items[:_MAX_FIELDS]:
        known = text_of(key)
        if known is not None:
            where = first_known_place(value)
            fields[known] = _state_field(field_reducer(value), (where or place).line)
            continue
        spread = key.operands[0] if isinstance(key, Op) and key.sign == "**" else Unknown()
        inner = _spread(spread)
        if inner is None:
            unresolved.append(f"fields of the state ({place.unit.path}:{place.line})")
        else:
            for each in inner:
                _fill_fields(fields, unresolved, each, place, depth + 1)


def _library_state(value: Value) -> str | None:
    """The library's own state that a value stands for, `MessagesAnnotation.spec` for one."""
    names = (part for each in _call_chain(value) if isinstance(each, External) for part in each.name.split("."))
    return next((part for part in names if part in _MESSAGES), None)


def _spread(value: Value) -> tuple[Value, ...] | None:
    """The tables that `...Other.spec` and `...other.shape` bring in."""
    if _library_state(value) is not None:
        return (value,)
    if isinstance(value, Attr) and value.name in {"spec", "shape", "fields"} and isinstance(value.base, Call):
        return value.base.args[:1] if value.base.last in {"Root", "StateSchema"} else field_tables(value.base)
    return None


def _state_field(joins: Value | None, line: int) -> StateField:
    if joins is None:
        return StateField(reducer="none", line=line)
    return StateField(reducer=_reducer_name(joins), line=line, keeps_one=keeps_one_value(joins))


_MESSAGES_REDUCER = External("messagesStateReducer")


def field_reducer(value: Value) -> Value | None:
    """The reducer of one field; None when it is written over."""
    for each in options(value):
        if last_part(each) in _NAMED_STATES:
            return _MESSAGES_REDUCER
        if isinstance(each, Map):
            return _reducer_in_options(each)
        taken = _field_of_other_state(each)
        if taken is not None:
            return field_reducer(taken)
        for part in _call_chain(each):
            joins = _reducer_of_call(part) if isinstance(part, Call) else None
            if joins is not None:
                return joins
    return None


def _field_of_other_state(value: Value) -> Value | None:
    """The field that `Other.spec.messages` takes over from another state."""
    library = _library_state(value)
    if library is not None:
        return None if isinstance(value, External) and last_part(value) == library else External(library)
    name = value.name if isinstance(value, Attr) else text_of(value.key) if isinstance(value, Item) else None
    inner = value.base if isinstance(value, (Attr, Item)) else None
    if name is None or not isinstance(inner, Attr) or inner.name not in {"spec", "shape", "fields"}:
        return None
    found = [held for table in _spread(inner) or () if isinstance(table, Map) and (held := table.get(name)) is not None]
    return found[-1] if found else None


def _reducer_of_call(call: Call) -> Value | None:
    given = (*call.args, *(value for _, value in call.named))
    if call.last == "reducer":  # z.array(...).langgraph.reducer(fn)
        return call.args[0] if call.args else Unknown("reducer")
    for each in given:
        for part in options(each):
            if isinstance(part, Map) and (joins := _reducer_in_options(part)) is not None:
                return joins
            if last_part(part) in _NAMED_STATES:
                return _MESSAGES_REDUCER
    if call.last in {"Annotation", "ReducedValue"} and len(call.args) == 1 and isinstance(call.args[0], Function):
        return call.args[0]
    return None


def _reducer_in_options(table: Map) -> Value | None:
    for key in _REDUCERS:
        held = table.get(key)
        if isinstance(held, Map):
            held = held.get("fn")
        if held is not None and constant(held) is None and not (isinstance(held, Const) and held.value is None):
            return held
    return None


def _reducer_name(value: Value) -> str:
    """What a reducer is called: by its name, else by what it does where that is plain."""
    if isinstance(value, Function):
        if isinstance(value.node, ast.Lambda):
            return f"custom:{_inline_reducer_effect(value.node, value.unit.text)}"
        return f"custom:{value.name.partition(' on line ')[0]}"
    if isinstance(value, Call) and value.last:
        return f"custom:{value.last}"
    return f"custom:{last_part(value) or getattr(value, 'hint', '') or 'reducer'}"


def _inline_reducer_effect(node: ast.Lambda, text: str) -> str:
    """What a reducer without a name does: put lists together, merge objects, add up, or something of its own."""
    if isinstance(node.body, ast.BinOp):
        return "concat" if ".concat" in (ast.get_source_segment(text, node.body) or "") else "add"
    return "concat" if isinstance(node.body, ast.List) else "merge" if isinstance(node.body, ast.Dict) else "reducer"


def _state_data(
    name: str, kind: str, place: Place, fields: dict[str, StateField], unresolved: tuple[str, ...]
) -> StateData:
    return StateData(
        class_name=name, kind=kind, path=place.unit.path, line=place.line, fields=fields, unresolved=unresolved
    )


def named_schema(value: Value) -> str:
    """The name of the zod object in a value; empty when there is none."""
    for each in walk(value, lambda part: isinstance(part, (Call, Map, Seq, Choice, Attr))):
        if isinstance(each, Call) and is_object(each):
            return declared_name(each.place)
    return ""
