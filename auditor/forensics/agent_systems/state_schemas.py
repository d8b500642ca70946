"""The class of a graph's shared state, and its fields with their reducers."""

from __future__ import annotations

import ast

from auditor.forensics.agent_systems import langgraph_js_state
from auditor.forensics.agent_systems.abstract_values import (
    Attr,
    Call,
    Choice,
    Class,
    External,
    Function,
    Instance,
    Item,
    Map,
    Op,
    Seq,
    Unknown,
    Value,
)
from auditor.forensics.agent_systems.agent_graph import Graph
from auditor.forensics.agent_systems.call_frames import Frame
from auditor.forensics.agent_systems.class_kinds import class_kind
from auditor.forensics.agent_systems.class_members import annotated_names, base_values, class_hierarchy
from auditor.forensics.agent_systems.lossy_reducers import keeps_one_value
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.system_report_types import StateData, StateField
from auditor.forensics.agent_systems.value_contents import options, text_of, walk

_LAST_VALUE_CHANNELS = frozenset({"LastValue", "LastValueAfterFinish", "EphemeralValue", "AnyValue", "UntrackedValue"})
"""Channels of the library that hold what was written last."""
MAX_FIELDS = 300


def state_schema(graph: Graph) -> Value:
    """What a graph's builder was given as its state."""
    named = dict(graph.builder.named)
    return graph.builder.args[0] if graph.builder.args else named.get("state_schema", named.get("schema", Unknown()))


def state_data(study: ProgramStudy, graph: Graph) -> StateData | None:
    """The class of a graph's state with its fields; None when it is no class."""
    if graph.builder.place.unit.is_script:
        return langgraph_js_state.state_of_schema(state_schema(graph), graph.builder.place)
    schema = state_schema(graph)
    for each in options(study.run.class_from(schema.hint) if isinstance(schema, Unknown) else schema):
        if isinstance(each, Class):
            return describe_state_class(study, each)
        if isinstance(each, Call) and each.last == "TypedDict":
            return _functional_typed_dict(each)
        if isinstance(each, External) and each.name.rpartition(".")[2] in {"MessagesState", "AgentState"}:
            place = graph.builder.place
            fields = {"messages": StateField(reducer="custom:add_messages", line=place.line)}
            return StateData(
                class_name=each.name.rpartition(".")[2],
                kind="TypedDict",
                path=place.unit.path,
                line=place.line,
                fields=fields,
            )
    return None


def describe_state_class(study: ProgramStudy, cls: Class) -> StateData:
    """A class of the repository as a state: its fields, inherited ones included."""
    fields: dict[str, StateField] = {}
    unresolved: list[str] = []
    for each in reversed(class_hierarchy(study.run, cls)):
        for base in base_values(study.run, each):
            if isinstance(base, External) and base.name.rpartition(".")[2] in {"MessagesState", "AgentState"}:
                fields["messages"] = StateField(reducer="custom:add_messages", line=each.node.lineno)
            elif not isinstance(base, (Class, External)):
                unresolved.append(f"a base of {each.name} ({each.unit.path}:{each.node.lineno})")
        for name, node in annotated_names(each)[:MAX_FIELDS]:
            value = annotation_value(study, each, node.annotation)
            fields[name] = _field(value, node.lineno)
    return StateData(
        class_name=cls.name,
        kind=class_kind(study, cls),
        path=cls.unit.path,
        line=cls.node.lineno,
        fields=fields,
        unresolved=tuple(unresolved),
    )


def _functional_typed_dict(call: Call) -> StateData:
    mapping = call.argument("fields", 1)
    items = mapping.items if isinstance(mapping, Map) else []
    fields = {name: _field(value, call.place.line) for key, value in items if (name := text_of(key)) is not None}
    name = text_of(call.argument("typename", 0)) or ""
    return StateData(class_name=name, kind="TypedDict", path=call.place.unit.path, line=call.place.line, fields=fields)


def annotation_value(study: ProgramStudy, cls: Class, node: ast.expr) -> Value:
    """What an annotation in a class stands for."""
    return annotation_or_text_value(study, Frame(cls.unit, cls.node, cls.env.parent or cls.env), node)


def annotation_or_text_value(study: ProgramStudy, frame: Frame, node: ast.expr) -> Value:
    """What an annotation stands for, also when it is written as a text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 2_000:
        try:
            node = ast.parse(node.value, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return Unknown()
    return study.run.value(node, frame)


def _field(value: Value, line: int) -> StateField:
    """A field by its annotation: its reducer is behind aliases and wrappers such as `NotRequired`."""
    for each in walk(value, lambda part: isinstance(part, (Item, Seq, Op, Choice))):
        if (
            isinstance(each, Item)
            and isinstance(each.base, External)
            and each.base.name.rpartition(".")[2] == "Annotated"
        ):
            metadata = each.key.items[1:] if isinstance(each.key, Seq) else []
            for mark in reversed(metadata):
                name = _reducer_name(mark)
                if name:
                    return StateField(reducer=name, line=line, keeps_one=keeps_one_value(mark))
    return StateField(reducer="none", line=line)


def _reducer_name(mark: Value) -> str:
    """What a mark in `Annotated` is called as a reducer; empty when it is none."""
    if isinstance(mark, Choice):
        return next((name for each in mark.options if (name := _reducer_name(each))), "")
    if isinstance(mark, Call) and mark.last == "BinaryOperatorAggregate":
        joined = mark.argument("operator", 1)
        return "" if joined is None else _reducer_name(joined)
    if isinstance(mark, (Call, External)) and _last_name(mark) in _LAST_VALUE_CHANNELS:
        return ""
    if isinstance(mark, External):
        module, _, last = mark.name.rpartition(".")
        return f"operator.{last}" if module in {"operator", "_operator"} else f"custom:{last}"
    name = _own_reducer(mark)
    return f"custom:{name}" if name else ""


def _last_name(mark: Call | External) -> str:
    return mark.last if isinstance(mark, Call) else mark.name.rpartition(".")[2]


def _own_reducer(mark: Value) -> str:
    name = ""
    if isinstance(mark, Function):
        spec = mark.node.args
        name = mark.name if len(spec.posonlyargs) + len(spec.args) >= 2 or spec.vararg else ""
    elif isinstance(mark, Call):
        name = "" if mark.last in {"Field", "Doc", "Query", "Body", "Parameter"} else mark.last
    elif isinstance(mark, Instance):
        name = mark.cls.name
    elif isinstance(mark, (Attr, Unknown)):
        name = mark.name if isinstance(mark, Attr) else mark.hint
    return name
