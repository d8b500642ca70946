"""Answers about models: whether evidence and opinions are validated."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from auditor.forensics.agent_systems import langgraph_js_state
from auditor.forensics.agent_systems.abstract_values import Call, Class, Instance
from auditor.forensics.agent_systems.class_kinds import class_kind, is_frozen, is_validated
from auditor.forensics.agent_systems.class_members import annotated_names, class_hierarchy
from auditor.forensics.agent_systems.count_phrases import with_article
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.state_schemas import MAX_FIELDS, annotation_value, state_schema
from auditor.forensics.agent_systems.system_report_types import (
    NO_PRODUCT_CODE,
    ModelEntry,
    ModelsData,
    ProbeAnswer,
    Spot,
)
from auditor.forensics.agent_systems.value_contents import options, walk

_EVIDENCE = re.compile(r"evidence|finding|fact\b|observation|artifact", re.IGNORECASE)
_OPINION = re.compile(
    r"(?i:opinion|verdict|judge?ment|argument|critique|critic(?!al)|assessment|ruling|score|vote|evaluation)|Review|(?<![A-Za-z])review"
)
_OTHER_PURPOSE = re.compile(
    r"(?:Request|Query|Params|Settings|Config|Options|Props|Page|PageData|Event|Error|Exception|Match|Hit|Args|Input)$"
)
"""Ends of names that say what a class is for: what is asked for, set or shown, and what a search found, is nobody's opinion."""


def _is_evidence(name: str) -> bool:
    return _EVIDENCE.search(name) is not None and not _OTHER_PURPOSE.search(name)


def _is_opinion(name: str) -> bool:
    return _OPINION.search(name) is not None and not _OTHER_PURPOSE.search(name)


def all_classes(study: ProgramStudy) -> Iterator[Class]:
    """Every class of product code that was followed."""
    for unit in study.program.product:
        for node in unit.nodes_of_kinds(ast.ClassDef):
            assert isinstance(node, ast.ClassDef)
            if unit.function_of(node) is None and unit.class_of(node) is None:
                found = study.run.member(unit, node.name)
                if isinstance(found, Class) and found.node is node:
                    yield found


def validated_models(study: ProgramStudy) -> ProbeAnswer:
    """Are evidence and opinions models that check what they are given?"""
    if not study.python:
        return NO_PRODUCT_CODE
    state = state_schema(study.main_graph) if study.main_graph else None
    inside_state = list(dict.fromkeys(_state_annotation_classes(study)))
    entries: list[_DataModel] = []
    for cls in all_classes(study):
        kind = class_kind(study, cls)
        about = _is_evidence(cls.name) or _is_opinion(cls.name) or any(cls.node is each.node for each in inside_state)
        if isinstance(state, Class) and cls.node is state.node:
            continue
        if kind == "BaseModel" or (kind in {"dataclass", "TypedDict", "NamedTuple", "interface"} and about):
            entry = ModelEntry(
                name=cls.name, kind=kind, frozen=is_frozen(study, cls), path=cls.unit.path, line=cls.node.lineno
            )
            entries.append(_DataModel(entry, cls.node, is_validated(study, cls)))
    entries += _zod_objects(study)
    return _models_answer(
        study, entries, [cls for cls in inside_state if not (isinstance(state, Class) and cls.node is state.node)]
    )


def _state_annotation_classes(study: ProgramStudy) -> Iterator[Class]:
    """Classes that the annotations of the state name."""
    for graph in study.live_graphs[:1]:
        for each in options(state_schema(graph)):
            if isinstance(each, Class):
                for cls in class_hierarchy(study.run, each):
                    for _, node in annotated_names(cls)[:MAX_FIELDS]:
                        value = annotation_value(study, cls, node.annotation)
                        yield from (
                            part
                            for part in walk(value, lambda part: not isinstance(part, Instance))
                            if isinstance(part, Class)
                        )


@dataclass(frozen=True)
class _DataModel:
    """A description of data, where it is in the code, and whether it checks what it is given."""

    entry: ModelEntry
    node: ast.AST
    is_validated: bool


def _zod_objects(study: ProgramStudy) -> Iterator[_DataModel]:
    """Objects that zod describes at the top of a script, the state itself left out."""
    schema = state_schema(study.main_graph) if study.main_graph else None
    for unit in study.program.product:
        for name, value in study.run.module(unit).names.items() if unit.is_script else ():
            if (
                isinstance(value, Call)
                and value.place.unit is unit
                and value is not schema
                and langgraph_js_state.is_object(value)
            ):
                frozen = value.last == "readonly"
                entry = ModelEntry(name=name, kind="zod object", frozen=frozen, path=unit.path, line=value.place.line)
                yield _DataModel(entry, value.place.node, is_validated=True)


def _models_answer(study: ProgramStudy, entries: list[_DataModel], inside_state: list[Class]) -> ProbeAnswer:
    data = ModelsData(models=tuple(each.entry for each in entries))
    validated = [each for each in entries if each.is_validated]
    plain = [each for each in entries if not each.is_validated]
    places = _model_spots(study, [each.entry for each in entries])
    evidence = [each.entry.name for each in validated if _is_evidence(each.entry.name)]
    opinions = [each.entry.name for each in validated if _is_opinion(each.entry.name)]
    if evidence and opinions:
        return ProbeAnswer(
            answer=True, statement=f"Evidence and opinions are validated models ({evidence[0]}, {opinions[0]}) among {len(validated)} models.",
            data=data, spots=places,
        )  # fmt: skip
    carried = [cls for cls in inside_state if any(cls.node is known.node for known in validated)]
    if carried and not any(cls.node is known.node for cls in inside_state for known in plain):
        names = ", ".join(dict.fromkeys(cls.name for cls in carried))
        return ProbeAnswer(
            answer=True, statement=f"The state contains validated models: {names}.", data=data, spots=places, confidence=0.7,
            because="evidence and opinions could not be recognised by name",
        )  # fmt: skip
    return _unvalidated_answer(study, data, validated, plain, places, evidence, opinions)


def _unvalidated_answer(
    study: ProgramStudy, data: ModelsData, validated: list[_DataModel], plain: list[_DataModel],
    places: tuple[Spot, ...], evidence: list[str], opinions: list[str],
) -> ProbeAnswer:  # fmt: skip
    if study.run.is_exhausted():
        return ProbeAnswer(
            answer=None, unanswered=True, data=data, spots=places,
            statement="Evidence and opinions could not be checked: there are more classes than the analysis limit.",
        )  # fmt: skip
    sure, why = (0.9, "run-time behavior was not analysed") if study.run.exhausted else study.doubt(of=0.9)
    if evidence or opinions:
        have, lack = ("evidence", "opinions") if evidence else ("opinions", "evidence")
        statement = f"Only {have} {'is' if have == 'evidence' else 'are'} validated ({(evidence or opinions)[0]}); no validated model of {lack} was found."
        return ProbeAnswer(
            answer=False,
            statement=statement,
            data=data,
            spots=places,
            confidence=min(sure, 0.75),
            because=why,
            measure=0.5,
        )
    if plain:
        named = [each for each in plain if _is_evidence(each.entry.name) or _is_opinion(each.entry.name)]
        told = ", ".join(f"{each.entry.name} is {with_article(each.entry.kind)}" for each in (named or plain)[:3])
        statement = (
            f"{'Evidence and opinions are' if named else 'The contents of the state are'} not validated: {told}."
        )
        if not named:
            sure, why = min(sure, 0.6), "evidence and opinions could not be recognised by name"
    elif validated:
        there = "is one validated model" if len(validated) == 1 else f"are {len(validated)} validated models"
        statement = f"There {there}, but none of evidence or opinions."
        sure, why = min(sure, 0.6), "a model may hold evidence under another name"
    else:
        statement = "No validated model is defined in the product code."
    return ProbeAnswer(
        answer=False, statement=statement, data=data, spots=places, confidence=sure, because=why, measure=0.0
    )


def _model_spots(study: ProgramStudy, entries: Iterable[ModelEntry]) -> tuple[Spot, ...]:
    return tuple(
        study.line(study.program.units[entry.path], entry.line)
        for entry in list(entries)[:60]
        if entry.path in study.program.units
    )
