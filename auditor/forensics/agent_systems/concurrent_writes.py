"""What nodes that run in parallel write, and whether a reducer joins it."""

from __future__ import annotations

from auditor.forensics.agent_systems import graph_topology
from auditor.forensics.agent_systems.abstract_values import (
    Attr,
    Call,
    Class,
    Const,
    Instance,
    Map,
    Op,
    Seq,
    Unknown,
    Value,
    Yielded,
)
from auditor.forensics.agent_systems.agent_graph import Graph, function_of
from auditor.forensics.agent_systems.call_frames import Frame
from auditor.forensics.agent_systems.count_phrases import name_some
from auditor.forensics.agent_systems.graph_answers import incomplete_reading_answer, no_graph_answer, reading_confidence
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.state_schemas import annotation_or_text_value, describe_state_class, state_data
from auditor.forensics.agent_systems.system_report_types import (
    NO_PRODUCT_CODE,
    ProbeAnswer,
    ReducersData,
    StateData,
    StateField,
)
from auditor.forensics.agent_systems.value_contents import options, text_of

_COPIES = frozenset({"dict", "copy", "deepcopy", "model_dump", "asdict", "model_copy"})


def node_writes(result: Value) -> tuple[set[str], bool, bool]:
    """What a node writes by what it hands back: its keys, whether it hands back the whole state, whether all was followed."""
    keys: set[str] = set()
    whole, known = False, True
    for each in options(result):
        if isinstance(each, (Map, Instance)):
            more, all_of_it, seen = _written_keys(each)
            keys |= more
            whole, known = whole or all_of_it, known and seen
        elif isinstance(each, Call) and each.last == "Command":
            update = each.argument("update")
            if update is not None:
                more, all_of_it, seen = node_writes(update)
                keys, whole, known = keys | more, whole or all_of_it, known and seen
        elif isinstance(each, Unknown) and each.hint == "state":
            whole = True
        elif isinstance(each, (Seq, Yielded)):
            for item in each.items if isinstance(each, Seq) else each.values:
                more, all_of_it, seen = node_writes(item)
                keys, whole, known = keys | more, whole or all_of_it, known and seen
        elif not (isinstance(each, Const) and each.value is None):
            known = False
    return keys, whole, known


def _written_keys(value: Map | Instance) -> tuple[set[str], bool, bool]:
    if isinstance(value, Instance):
        return set(value.attrs), False, bool(value.attrs)
    keys: set[str] = set()
    whole, known = False, True
    for key, _ in value.items:
        name = text_of(key)
        if name is not None:
            keys.add(name)
        elif isinstance(key, Op) and key.sign == "**":
            more, state, seen = _spread_keys(key.operands[0])
            keys, whole, known = keys | more, whole or state, known and seen
        else:
            known = False
    return keys, whole, known


def _spread_keys(spread: Value) -> tuple[set[str], bool, bool]:
    """What `**other` writes: the keys of a record, or all fields where it is the state itself or a copy of it."""
    keys: set[str] = set()
    whole, known = False, True
    for each in options(spread):
        if isinstance(each, (Map, Instance)):
            more, state, seen = _written_keys(each)
            keys, whole, known = keys | more, whole or state, known and (seen or isinstance(each, Map))
        elif _is_whole_state(each):
            whole = True
        else:
            known = False
    return keys, whole, known


def _is_whole_state(value: Value) -> bool:
    if isinstance(value, Call) and value.last in _COPIES:
        value = value.args[0] if value.args else value.func.base if isinstance(value.func, Attr) else value
    return isinstance(value, Unknown) and value.hint == "state"


def no_shared_state(study: ProgramStudy) -> ProbeAnswer:
    """The answer where no graph shares a state."""
    if not study.python:
        return NO_PRODUCT_CODE
    return incomplete_reading_answer(study) or no_graph_answer(
        study, "No graph with a shared state is built in the product code.", of=0.9
    )


def protected_fields(study: ProgramStudy) -> ProbeAnswer:
    """Is what nodes write in parallel joined by a reducer, field by field?"""
    main = study.main_graph
    if main is None:
        return no_shared_state(study)
    if not main.handlers and main.unresolved:
        told = "; ".join(dict.fromkeys(main.unresolved[:3]))
        return ProbeAnswer(
            answer=None, unanswered=True, statement=f"None of the graph's nodes could be resolved: {told}."
        )
    graph = _parallel_graph(study, main)
    if graph is None:
        return ProbeAnswer(
            answer=None, statement="No two nodes of the graph run in parallel, so none can overwrite another."
        )
    return _judge_parallel_writes(study, graph)


def _parallel_graph(study: ProgramStudy, main: Graph) -> Graph | None:
    """The first graph in which nodes run in parallel: the main one, else one that is a node of it."""
    waiting, seen = [main], set[int]()
    while waiting:
        graph = waiting.pop(0)
        if graph_topology.parallel_pairs(graph.topology()):
            return graph
        seen.add(id(graph))
        within = {id(builder.place.node) for builder in graph.inner.values()}
        waiting += [each for each in study.graphs if id(each.builder.place.node) in within and id(each) not in seen]
    return None


def _judge_parallel_writes(study: ProgramStudy, main: Graph) -> ProbeAnswer:
    pairs = graph_topology.parallel_pairs(main.topology())
    data = state_data(study, main)
    fields = {**_node_input_fields(study, main), **data.fields} if data is not None else {}
    writers: dict[str, list[str]] = {}
    unknown: list[str] = []
    parallel = sorted({node for pair in pairs for node in pair}, key=list(main.handlers).index)
    for node in parallel:
        keys, whole, known = node_writes(main.results.get(node, Unknown()))
        for key in sorted(keys | (set(fields) if whole else set())):
            if key in fields or data is None or data.unresolved:
                writers.setdefault(key, []).append(node)
        if not known and node not in main.inner:
            unknown.append(node)
    clashing = {
        field: tuple(nodes)
        for field, nodes in writers.items()
        if any((one, other) in pairs for one in nodes for other in nodes)
    }
    unprotected = {
        field: nodes for field, nodes in clashing.items() if (field not in fields or not fields[field].joined)
        and (field in fields or data is None or not data.unresolved)
    }  # fmt: skip
    return _reducers_answer(study, main, data, clashing, unprotected, unknown)


def _node_input_fields(study: ProgramStudy, graph: Graph) -> dict[str, StateField]:
    """Fields that nodes bring in by what their functions say they take: LangGraph adds them to those of the state."""
    found: dict[str, StateField] = {}
    for function in map(function_of, graph.handlers.values()):
        if function is None or function.unit.is_script:
            continue
        spec = function.node.args
        taken = [*spec.posonlyargs, *spec.args][function.bound is not None :][:1]
        for written in (each.annotation for each in taken if each.annotation is not None):
            value = annotation_or_text_value(study, Frame(function.unit, function.node, function.env), written)
            for cls in (each for each in options(value) if isinstance(each, Class)):
                found = {**describe_state_class(study, cls).fields, **found}
    return found


def _keeps_one_note(field: str, bare: list[str]) -> str:
    return " (its reducer keeps one of two values)" if bare and field not in bare else ""


def _reducers_answer(
    study: ProgramStudy, main: Graph, data: StateData | None, clashing: dict[str, tuple[str, ...]], unprotected: dict[str, tuple[str, ...]],
    unknown: list[str],
) -> ProbeAnswer:  # fmt: skip
    facts = ReducersData(
        unprotected=unprotected,
        protected={field: nodes for field, nodes in clashing.items() if field not in unprotected},
    )
    sure, why = reading_confidence(main)
    if unknown:
        sure, why = (
            round(min(sure, 0.75), 4),
            why or f"what {', '.join(unknown[:3])} returns was not fully resolved",
        )
    unit = study.program.units.get(data.path) if data else None
    if unprotected:
        bare = [
            field
            for field in unprotected
            if data is None or field not in data.fields or data.fields[field].reducer == "none"
        ]
        lack = "without a reducer" if bare else "whose reducer keeps one of two values"
        if not bare:
            sure, why = min(sure, 0.8), why or "dropping one of two values may be intended"
        first = [*bare, *(field for field in unprotected if field not in bare)]
        told = "; ".join(
            f"{field} by {name_some(unprotected[field])}{_keeps_one_note(field, bare)}" for field in first[:3]
        )
        lines = [data.fields[field].line for field in unprotected if data and field in data.fields]
        places = tuple(study.line(unit, line) for line in lines) if unit else ()
        return ProbeAnswer(
            answer=False, statement=f"Nodes that run in parallel write fields {lack}: {told}.", data=facts,
            spots=places or (study.place_spot(main.builder.place),), confidence=sure, because=why,
            measure=round(1 - len(unprotected) / max(1, len(clashing)), 4),
        )  # fmt: skip
    if not clashing and unknown:
        reduced = [name for name, field in (data.fields.items() if data else ()) if field.reducer != "none"]
        statement = "What parallel nodes write could not be resolved; " + (
            f"the state has reducers for {', '.join(reduced[:4])}." if reduced else "the state has no reducer at all."
        )
        return ProbeAnswer(answer=bool(reduced), statement=statement, data=facts, confidence=0.5, because=why,
                      spots=(study.place_spot(main.builder.place),))  # fmt: skip
    lines = [data.fields[field].line for field in clashing if data and field in data.fields]
    every = "both" if len(clashing) == 2 else f"all {len(clashing)}"
    told = (
        f"{'the one field that nodes write in parallel has' if len(clashing) == 1 else f'{every} fields that nodes write in parallel have'} a reducer"
        if clashing
        else "no field is written by two nodes in parallel"
    )
    return ProbeAnswer(
        answer=True, statement=f"Parallel writes are safe: {told}.", data=facts, confidence=sure, because=why, measure=1.0,
        spots=tuple(study.line(unit, line) for line in lines) if unit else (),
    )  # fmt: skip
