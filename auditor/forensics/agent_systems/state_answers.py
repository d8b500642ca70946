"""Answers about data: the shared state, its reducers, the models of evidence and opinions."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.english_counts import pluralize
from auditor.forensics.agent_systems import langgraph_js_state
from auditor.forensics.agent_systems.abstract_values import External, Item, Unknown, Value
from auditor.forensics.agent_systems.concurrent_writes import no_shared_state, protected_fields
from auditor.forensics.agent_systems.count_phrases import with_article
from auditor.forensics.agent_systems.main_graph_analysis import Answers, ProgramStudy
from auditor.forensics.agent_systems.model_validation import validated_models
from auditor.forensics.agent_systems.parsed_unit import Unit
from auditor.forensics.agent_systems.state_schemas import state_data, state_schema
from auditor.forensics.agent_systems.system_report_types import ProbeAnswer, Spot, StateData

_TYPED_STATE_KINDS = {"TypedDict", "BaseModel", "dataclass", *langgraph_js_state.KINDS}


def state_answers(study: ProgramStudy) -> Answers:
    """All answers about state and models."""
    return {
        "swarm.state": (_state_answer(study),),
        "swarm.reducers": (protected_fields(study),),
        "swarm.models": (validated_models(study),),
    }


def _state_answer(study: ProgramStudy) -> ProbeAnswer:
    main = study.main_graph
    if main is None:
        return no_shared_state(study)
    data = state_data(study, main)
    place = main.builder.place
    here = study.place_spot(place)
    if data is None:
        schema = state_schema(main)
        if isinstance(schema, Unknown) or not _is_type_name(schema):
            return ProbeAnswer(
                answer=False, statement="The class of the graph's shared state could not be resolved.", spots=(here,), confidence=0.4,
                because="the origin of the state's class is not known",
            )  # fmt: skip
        return ProbeAnswer(answer=False, statement="The graph's shared state is a plain dictionary.", spots=(here,))
    sure, why = (1.0, "") if not data.unresolved else (0.8, "; ".join(data.unresolved[:2]))
    unit = study.program.units.get(data.path)
    spot = study.line(unit, data.line) if unit else here
    if data.kind not in _TYPED_STATE_KINDS:
        statement = f"The graph's shared state `{data.class_name}` is not a typed class but a {data.kind}."
        return ProbeAnswer(
            answer=False,
            statement=statement,
            data=data,
            spots=(spot,),
            confidence=0.9,
            because="LangGraph reads the annotations of any class",
        )
    statement = f"The graph's shared state is `{data.class_name}`, {with_article(data.kind)} with {pluralize(len(data.fields), 'field')}, {_reducer_counts(data)}."
    return ProbeAnswer(
        answer=True,
        statement=statement,
        data=data,
        spots=(spot, *_field_spots(unit, data)),
        confidence=sure,
        because=why,
    )


def _reducer_counts(data: StateData) -> str:
    """How many fields have a reducer, and how many of these only keep one of two values."""
    fields = [each for each in data.fields.values() if each.reducer != "none"]
    keeping = sum(1 for each in fields if each.keeps_one)
    if not fields:
        return "none of them with a reducer" if len(data.fields) > 1 else "without a reducer"
    told = "with a reducer" if len(data.fields) == 1 else f"{len(fields)} of them with a reducer"
    return f"{told} ({keeping} of which {'keeps' if keeping == 1 else 'keep'} one of two values)" if keeping else told


def _field_spots(unit: Unit | None, data: StateData) -> Iterator[Spot]:
    if unit is not None:
        for field in list(data.fields.values())[:60]:
            if field.line <= len(unit.lines):
                yield Spot(path=unit.path, line=field.line, end=field.line, quote=unit.quote(field.line))


def _is_type_name(value: Value) -> bool:
    return (isinstance(value, External) and value.name.rpartition(".")[2] in {"dict", "Dict"}) or (
        isinstance(value, Item)
        and isinstance(value.base, External)
        and value.base.name.rpartition(".")[2] in {"dict", "Dict"}
    )
