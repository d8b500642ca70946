"""Answers about data: the shared state, its reducers, the models of evidence and opinions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from auditor.forensics.systems import channels, topology
from auditor.forensics.systems.findings import (
    Judged,
    ModelEntry,
    ModelsData,
    ReducersData,
    Spot,
    StateData,
    StateField,
)
from auditor.forensics.systems.flows import cut_off, silent, sureness
from auditor.forensics.systems.graphs import Graph, function_of
from auditor.forensics.systems.interpreter import Frame, annotated_names
from auditor.forensics.systems.keeping import keeps_one
from auditor.forensics.systems.program import Unit
from auditor.forensics.systems.study import Answers, Study
from auditor.forensics.systems.values import (
    Attr,
    Call,
    Choice,
    Class,
    Const,
    External,
    Function,
    Instance,
    Item,
    Map,
    Op,
    Seq,
    Unknown,
    Value,
    Yielded,
    options,
    text_of,
    walk,
)

_TYPED = {"TypedDict", "BaseModel", "dataclass", *channels.KINDS}
_MODEL_BASES = frozenset({"BaseModel", "RootModel", "SQLModel", "BaseSettings", "GenericModel", "Serializable"})
_EVIDENCE = re.compile(r"evidence|finding|fact\b|observation|artifact", re.IGNORECASE)
_OPINION = re.compile(
    r"(?i:opinion|verdict|judge?ment|argument|critique|assessment|ruling|score|vote|evaluation)|Review|(?<![A-Za-z])review"
)
_COPIES = frozenset({"dict", "copy", "deepcopy", "model_dump", "asdict", "model_copy"})
_OVERWRITTEN = frozenset({"LastValue", "LastValueAfterFinish", "EphemeralValue", "AnyValue", "UntrackedValue"})
"""Channels of the library that hold what was written last."""
_MAX_FIELDS = 300


def answers(study: Study) -> Answers:
    """All answers about state and models."""
    return {
        "swarm.state": (_state(study),),
        "swarm.reducers": (_reducers(study),),
        "swarm.models": (_models(study),),
    }


# -- kinds of classes -------------------------------------------------------------------------------------------------


def kind_of(study: Study, cls: Class) -> str:
    """TypedDict, BaseModel, dataclass, NamedTuple or class, by its bases and decorators, inherited ones included."""
    for each in study.run.lineage(cls):
        for base in study.run.bases(each):
            last = base.name.rpartition(".")[2] if isinstance(base, External) else ""
            if last in _MODEL_BASES:
                return "BaseModel"
            if last in {"TypedDict", "MessagesState", "AgentState"}:
                return "TypedDict"
            if last == "NamedTuple":
                return "NamedTuple"
        if each.unit.script:
            return "interface" if each.node.decorator_list else "class"
        if _dataclass(study, each) is not None:
            return "dataclass"
    return "class"


def _dataclass(study: Study, cls: Class) -> ast.expr | None:
    """The decorator that makes it a data class."""
    frame = Frame(cls.unit, cls.node, cls.env.parent or cls.env)
    for decorator in cls.node.decorator_list:
        value = study.run.value(decorator.func if isinstance(decorator, ast.Call) else decorator, frame)
        name = value.name if isinstance(value, (External, Attr)) else ""
        if name.rpartition(".")[2] in {"dataclass", "define", "frozen", "attrs"}:
            return decorator
    return None


def is_validated(study: Study, cls: Class) -> bool:
    """Does making one check its values?"""
    if kind_of(study, cls) == "BaseModel":
        return True
    decorator = _dataclass(study, cls)
    frame = Frame(cls.unit, cls.node, cls.env.parent or cls.env)
    value = (
        study.run.value(decorator.func if isinstance(decorator, ast.Call) else decorator, frame) if decorator else None
    )
    return isinstance(value, External) and "pydantic" in value.name


def is_frozen(study: Study, cls: Class) -> bool:
    """Can one not be changed after it is made?"""
    for each in study.run.lineage(cls):
        keywords = [*each.node.keywords]
        decorator = _dataclass(study, each)
        if isinstance(decorator, ast.Call):
            keywords += decorator.keywords
        if (
            isinstance(decorator, (ast.Name, ast.Attribute))
            and getattr(decorator, "attr", getattr(decorator, "id", "")) == "frozen"
        ):
            return True
        keywords += _configured(each.node)
        for keyword in keywords:
            if isinstance(keyword.value, ast.Constant):
                if keyword.arg == "frozen":
                    return bool(keyword.value.value)
                if keyword.arg == "allow_mutation":
                    return not keyword.value.value
    return False


def _configured(node: ast.ClassDef) -> list[ast.keyword]:
    """What `model_config` or an inner `Config` sets."""
    found: list[ast.keyword] = []
    for each in node.body:
        if isinstance(each, (ast.Assign, ast.AnnAssign)):
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            if any(isinstance(target, ast.Name) and target.id == "model_config" for target in targets):
                found += each.value.keywords if isinstance(each.value, ast.Call) else _pairs(each.value)
        elif isinstance(each, ast.ClassDef) and each.name == "Config":
            for line in each.body:
                if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
                    found.append(ast.keyword(arg=line.targets[0].id, value=line.value))
    return found


def _pairs(value: ast.expr | None) -> list[ast.keyword]:
    if not isinstance(value, ast.Dict):
        return []
    return [
        ast.keyword(arg=key.value, value=each)
        for key, each in zip(value.keys, value.values, strict=True)
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    ]


# -- the state --------------------------------------------------------------------------------------------------------


def schema_of(graph: Graph) -> Value:
    """What a graph's builder was given as its state."""
    named = dict(graph.builder.named)
    return graph.builder.args[0] if graph.builder.args else named.get("state_schema", named.get("schema", Unknown()))


def state_data(study: Study, graph: Graph) -> StateData | None:
    """The class of a graph's state with its fields; None when it is no class."""
    if graph.builder.place.unit.script:
        return channels.described(schema_of(graph), graph.builder.place)
    schema = schema_of(graph)
    for each in options(study.run.class_from(schema.hint) if isinstance(schema, Unknown) else schema):
        if isinstance(each, Class):
            return _described(study, each)
        if isinstance(each, Call) and each.last == "TypedDict":
            return _functional(each)
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


def _described(study: Study, cls: Class) -> StateData:
    fields: dict[str, StateField] = {}
    unresolved: list[str] = []
    for each in reversed(study.run.lineage(cls)):
        for base in study.run.bases(each):
            if isinstance(base, External) and base.name.rpartition(".")[2] in {"MessagesState", "AgentState"}:
                fields["messages"] = StateField(reducer="custom:add_messages", line=each.node.lineno)
            elif not isinstance(base, (Class, External)):
                unresolved.append(f"a base of {each.name} ({each.unit.path}:{each.node.lineno})")
        for name, node in annotated_names(each)[:_MAX_FIELDS]:
            value = annotation(study, each, node.annotation)
            fields[name] = _field(value, node.lineno)
    return StateData(
        class_name=cls.name,
        kind=kind_of(study, cls),
        path=cls.unit.path,
        line=cls.node.lineno,
        fields=fields,
        unresolved=tuple(unresolved),
    )


def _functional(call: Call) -> StateData:
    mapping = call.argument("fields", 1)
    items = mapping.items if isinstance(mapping, Map) else []
    fields = {name: _field(value, call.place.line) for key, value in items if (name := text_of(key)) is not None}
    name = text_of(call.argument("typename", 0)) or ""
    return StateData(class_name=name, kind="TypedDict", path=call.place.unit.path, line=call.place.line, fields=fields)


def annotation(study: Study, cls: Class, node: ast.expr) -> Value:
    """What an annotation in a class stands for."""
    return annotated(study, Frame(cls.unit, cls.node, cls.env.parent or cls.env), node)


def annotated(study: Study, frame: Frame, node: ast.expr) -> Value:
    """What an annotation stands for, also when it is written as a text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 2_000:
        try:
            node = ast.parse(node.value, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return Unknown()
    return study.run.value(node, frame)


def _field(value: Value, line: int) -> StateField:
    """A field by its annotation: its reducer stands behind aliases and wrappers such as `NotRequired`."""
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
                    return StateField(reducer=name, line=line, keeps_one=keeps_one(mark))
    return StateField(reducer="none", line=line)


def _reducer_name(mark: Value) -> str:
    """What a mark in `Annotated` is called as a reducer; empty when it is none."""
    if isinstance(mark, Choice):
        return next((name for each in mark.options if (name := _reducer_name(each))), "")
    if isinstance(mark, Call) and mark.last == "BinaryOperatorAggregate":
        joined = mark.argument("operator", 1)
        return "" if joined is None else _reducer_name(joined)
    if isinstance(mark, (Call, External)) and _last(mark) in _OVERWRITTEN:
        return ""
    if isinstance(mark, External):
        module, _, last = mark.name.rpartition(".")
        return f"operator.{last}" if module in {"operator", "_operator"} else f"custom:{last}"
    name = _own_reducer(mark)
    return f"custom:{name}" if name else ""


def _last(mark: Call | External) -> str:
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


def _state(study: Study) -> Judged:
    main = study.main
    if main is None:
        return _no_graph(study)
    data = state_data(study, main)
    place = main.builder.place
    here = study.line(place.unit, place.line)
    if data is None:
        schema = schema_of(main)
        if isinstance(schema, Unknown) or not _plain(schema):
            return Judged(
                answer=False, statement="The class of the graph's shared state could not be followed.", spots=(here,), confidence=0.4,
                because="the state's class comes from somewhere the code does not show",
            )  # fmt: skip
        return Judged(answer=False, statement="The graph's shared state is a plain dictionary.", spots=(here,))
    sure, why = (1.0, "") if not data.unresolved else (0.8, "; ".join(data.unresolved[:2]))
    unit = study.program.units.get(data.path)
    spot = study.line(unit, data.line) if unit else here
    reduced = sum(1 for each in data.fields.values() if each.reducer != "none")
    if data.kind not in _TYPED:
        statement = f"The graph's shared state {data.class_name} is no typed class but a {data.kind}."
        return Judged(
            answer=False,
            statement=statement,
            data=data,
            spots=(spot,),
            confidence=0.9,
            because="LangGraph reads the annotations of any class",
        )
    statement = f"The graph's shared state is {data.class_name}, {_one(data.kind)} with {len(data.fields)} fields, {reduced} of them with a reducer."
    return Judged(
        answer=True,
        statement=statement,
        data=data,
        spots=(spot, *_field_spots(unit, data)),
        confidence=sure,
        because=why,
    )


def _one(kind: str) -> str:
    return f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind}"


def _field_spots(unit: Unit | None, data: StateData) -> Iterator[Spot]:
    if unit is not None:
        for field in list(data.fields.values())[:60]:
            if field.line <= len(unit.lines):
                yield Spot(path=unit.path, line=field.line, end=field.line, quote=unit.quote(field.line))


def _plain(value: Value) -> bool:
    return (isinstance(value, External) and value.name.rpartition(".")[2] in {"dict", "Dict"}) or (
        isinstance(value, Item)
        and isinstance(value.base, External)
        and value.base.name.rpartition(".")[2] in {"dict", "Dict"}
    )


def _no_graph(study: Study) -> Judged:
    if not study.python:
        return Judged(answer=None, statement="There is no product code in Python or for LangGraph.js.")
    return cut_off(study) or silent(study, "No graph with a shared state is built in the product code.", of=0.9)


# -- writers and reducers ---------------------------------------------------------------------------------------------


def writes(result: Value) -> tuple[set[str], bool, bool]:
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
                more, all_of_it, seen = writes(update)
                keys, whole, known = keys | more, whole or all_of_it, known and seen
        elif isinstance(each, Unknown) and each.hint == "state":
            whole = True
        elif isinstance(each, (Seq, Yielded)):
            for item in each.items if isinstance(each, Seq) else each.values:
                more, all_of_it, seen = writes(item)
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
        elif _is_state(each):
            whole = True
        else:
            known = False
    return keys, whole, known


def _is_state(value: Value) -> bool:
    if isinstance(value, Call) and value.last in _COPIES:
        value = value.args[0] if value.args else value.func.base if isinstance(value.func, Attr) else value
    return isinstance(value, Unknown) and value.hint == "state"


def _reducers(study: Study) -> Judged:
    main = study.main
    if main is None:
        return _no_graph(study)
    if not main.handlers and main.unresolved:
        told = "; ".join(dict.fromkeys(main.unresolved[:3]))
        return Judged(answer=None, unanswered=True, statement=f"None of the graph's nodes could be followed: {told}.")
    graph = _parallel_graph(study, main)
    if graph is None:
        return Judged(
            answer=None, statement="No two nodes of the graph run in parallel, so none can overwrite another."
        )
    return _of_parallel(study, graph)


def _parallel_graph(study: Study, main: Graph) -> Graph | None:
    """The first graph in which nodes run in parallel: the main one, else one that is a node of it."""
    waiting, seen = [main], set[int]()
    while waiting:
        graph = waiting.pop(0)
        if topology.parallel_pairs(graph.topology()):
            return graph
        seen.add(id(graph))
        within = {id(builder.place.node) for builder in graph.inner.values()}
        waiting += [each for each in study.graphs if id(each.builder.place.node) in within and id(each) not in seen]
    return None


def _of_parallel(study: Study, main: Graph) -> Judged:
    pairs = topology.parallel_pairs(main.topology())
    data = state_data(study, main)
    fields = {**_of_inputs(study, main), **data.fields} if data is not None else {}
    writers: dict[str, list[str]] = {}
    unknown: list[str] = []
    parallel = sorted({node for pair in pairs for node in pair}, key=list(main.handlers).index)
    for node in parallel:
        keys, whole, known = writes(main.results.get(node, Unknown()))
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
    return _reducers_judged(study, main, data, clashing, unprotected, unknown)


def _of_inputs(study: Study, graph: Graph) -> dict[str, StateField]:
    """Fields that nodes bring in by what their functions say they take: LangGraph adds them to those of the state."""
    found: dict[str, StateField] = {}
    for function in map(function_of, graph.handlers.values()):
        if function is None or function.unit.script:
            continue
        spec = function.node.args
        taken = [*spec.posonlyargs, *spec.args][function.bound is not None :][:1]
        for written in (each.annotation for each in taken if each.annotation is not None):
            value = annotated(study, Frame(function.unit, function.node, function.env), written)
            for cls in (each for each in options(value) if isinstance(each, Class)):
                found = {**_described(study, cls).fields, **found}
    return found


def _reducers_judged(
    study: Study, main: Graph, data: StateData | None, clashing: dict[str, tuple[str, ...]], unprotected: dict[str, tuple[str, ...]],
    unknown: list[str],
) -> Judged:  # fmt: skip
    facts = ReducersData(
        unprotected=unprotected,
        protected={field: nodes for field, nodes in clashing.items() if field not in unprotected},
    )
    sure, why = sureness(main)
    if unknown:
        sure, why = (
            round(min(sure, 0.75), 4),
            why or f"what {', '.join(unknown[:3])} hands back was not followed to the end",
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
            sure, why = min(sure, 0.8), why or "that one of two values is dropped may be meant"
        told = "; ".join(f"{field} by {', '.join(nodes)}" for field, nodes in list(unprotected.items())[:3])
        lines = [data.fields[field].line for field in unprotected if data and field in data.fields]
        places = tuple(study.line(unit, line) for line in lines) if unit else ()
        return Judged(
            answer=False, statement=f"Nodes that run in parallel write fields {lack}: {told}.", data=facts,
            spots=places or (study.line(main.builder.place.unit, main.builder.place.line),), confidence=sure, because=why,
            measure=round(1 - len(unprotected) / max(1, len(clashing)), 4),
        )  # fmt: skip
    if not clashing and unknown:
        reduced = [name for name, field in (data.fields.items() if data else ()) if field.reducer != "none"]
        statement = "What parallel nodes write could not be followed; " + (
            f"the state has reducers for {', '.join(reduced[:4])}." if reduced else "the state has no reducer at all."
        )
        return Judged(answer=bool(reduced), statement=statement, data=facts, confidence=0.5, because=why,
                      spots=(study.line(main.builder.place.unit, main.builder.place.line),))  # fmt: skip
    lines = [data.fields[field].line for field in clashing if data and field in data.fields]
    told = (
        f"all {len(clashing)} fields that nodes write in parallel have a reducer"
        if clashing
        else "no field is written by two nodes in parallel"
    )
    return Judged(
        answer=True, statement=f"Parallel writes are safe: {told}.", data=facts, confidence=sure, because=why, measure=1.0,
        spots=tuple(study.line(unit, line) for line in lines) if unit else (),
    )  # fmt: skip


# -- models -----------------------------------------------------------------------------------------------------------


def all_classes(study: Study) -> Iterator[Class]:
    """Every class of product code that was followed."""
    for unit in study.program.product:
        for node in unit.each(ast.ClassDef):
            assert isinstance(node, ast.ClassDef)
            if unit.function_of(node) is None and unit.class_of(node) is None:
                found = study.run.member(unit, node.name)
                if isinstance(found, Class) and found.node is node:
                    yield found


def _models(study: Study) -> Judged:
    if not study.python:
        return Judged(answer=None, statement="There is no product code in Python or for LangGraph.js.")
    state = schema_of(study.main) if study.main else None
    inside_state = list(dict.fromkeys(_named_by_state(study)))
    entries: list[_Model] = []
    for cls in all_classes(study):
        kind = kind_of(study, cls)
        about = (
            _EVIDENCE.search(cls.name)
            or _OPINION.search(cls.name)
            or any(cls.node is each.node for each in inside_state)
        )
        if isinstance(state, Class) and cls.node is state.node:
            continue
        if kind == "BaseModel" or (kind in {"dataclass", "TypedDict", "NamedTuple", "interface"} and about):
            entry = ModelEntry(
                name=cls.name, kind=kind, frozen=is_frozen(study, cls), path=cls.unit.path, line=cls.node.lineno
            )
            entries.append(_Model(entry, cls.node, is_validated(study, cls)))
    entries += _zod_objects(study)
    return _models_judged(
        study, entries, [cls for cls in inside_state if not (isinstance(state, Class) and cls.node is state.node)]
    )


def _named_by_state(study: Study) -> Iterator[Class]:
    """Classes that the annotations of the state name."""
    for graph in study.live_graphs[:1]:
        for each in options(schema_of(graph)):
            if isinstance(each, Class):
                for cls in study.run.lineage(each):
                    for _, node in annotated_names(cls)[:_MAX_FIELDS]:
                        value = annotation(study, cls, node.annotation)
                        yield from (
                            part
                            for part in walk(value, lambda part: not isinstance(part, Instance))
                            if isinstance(part, Class)
                        )


@dataclass(frozen=True)
class _Model:
    """A description of data, where it stands in the code, and whether it checks what it is given."""

    entry: ModelEntry
    node: ast.AST
    validated: bool


def _zod_objects(study: Study) -> Iterator[_Model]:
    """Objects that zod describes at the top of a script, the state itself left out."""
    schema = schema_of(study.main) if study.main else None
    for unit in study.program.product:
        for name, value in study.run.module(unit).names.items() if unit.script else ():
            if (
                isinstance(value, Call)
                and value.place.unit is unit
                and value is not schema
                and channels.is_object(value)
            ):
                frozen = value.last == "readonly"
                entry = ModelEntry(name=name, kind="zod object", frozen=frozen, path=unit.path, line=value.place.line)
                yield _Model(entry, value.place.node, validated=True)


def _models_judged(study: Study, entries: list[_Model], inside_state: list[Class]) -> Judged:
    data = ModelsData(models=tuple(each.entry for each in entries))
    validated = [each for each in entries if each.validated]
    plain = [each for each in entries if not each.validated]
    places = _places(study, [each.entry for each in entries])
    evidence = [each.entry.name for each in validated if _EVIDENCE.search(each.entry.name)]
    opinions = [each.entry.name for each in validated if _OPINION.search(each.entry.name)]
    if evidence and opinions:
        return Judged(
            answer=True, statement=f"Evidence and opinions are validated models ({evidence[0]}, {opinions[0]}) among {len(validated)} models.",
            data=data, spots=places,
        )  # fmt: skip
    carried = [cls for cls in inside_state if any(cls.node is known.node for known in validated)]
    if carried and not any(cls.node is known.node for cls in inside_state for known in plain):
        names = ", ".join(dict.fromkeys(cls.name for cls in carried))
        return Judged(
            answer=True, statement=f"What the state carries are validated models: {names}.", data=data, spots=places, confidence=0.7,
            because="by their names, they are not told apart as evidence and opinions",
        )  # fmt: skip
    return _unvalidated(study, data, validated, plain, places, evidence, opinions)


def _unvalidated(
    study: Study, data: ModelsData, validated: list[_Model], plain: list[_Model],
    places: tuple[Spot, ...], evidence: list[str], opinions: list[str],
) -> Judged:  # fmt: skip
    if study.run.tired():
        return Judged(
            answer=None, unanswered=True, data=data, spots=places,
            statement="Whether evidence and opinions are validated models is open: there are more classes than are read.",
        )  # fmt: skip
    sure, why = (0.9, "what happens at run time only is not seen") if study.run.exhausted else study.doubt(of=0.9)
    if evidence or opinions:
        have, lack = ("evidence", "opinions") if evidence else ("opinions", "evidence")
        statement = f"Only {have} is validated ({(evidence or opinions)[0]}); no validated model of {lack} was seen."
        return Judged(
            answer=False,
            statement=statement,
            data=data,
            spots=places,
            confidence=min(sure, 0.75),
            because=why,
            measure=0.5,
        )
    if plain:
        named = [each for each in plain if _EVIDENCE.search(each.entry.name) or _OPINION.search(each.entry.name)]
        told = ", ".join(f"{each.entry.name} is {_one(each.entry.kind)}" for each in (named or plain)[:3])
        statement = f"{'Evidence and opinions are' if named else 'What the state carries is'} not validated: {told}."
        if not named:
            sure, why = min(sure, 0.6), "by their names, they are not told apart as evidence and opinions"
    elif validated:
        there = "is one validated model" if len(validated) == 1 else f"are {len(validated)} validated models"
        statement = f"There {there}, but none of evidence or opinions."
        sure, why = min(sure, 0.6), "a model may carry evidence under another name"
    else:
        statement = "No validated model is defined in the product code."
    return Judged(answer=False, statement=statement, data=data, spots=places, confidence=sure, because=why, measure=0.0)


def _places(study: Study, entries: Iterable[ModelEntry]) -> tuple[Spot, ...]:
    return tuple(
        study.line(study.program.units[entry.path], entry.line)
        for entry in list(entries)[:60]
        if entry.path in study.program.units
    )
