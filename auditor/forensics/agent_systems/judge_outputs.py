"""Answers about how judges answer: bound to a schema or as free text."""

from __future__ import annotations

from auditor.forensics.agent_systems.count_phrases import name_some, share_phrase
from auditor.forensics.agent_systems.judge_detection import judge_nodes
from auditor.forensics.agent_systems.judging_calls import (
    are_judge_calls,
    calls_wording,
    is_fallback_call,
    judging_calls,
)
from auditor.forensics.agent_systems.main_graph_analysis import Answers, ProgramStudy
from auditor.forensics.agent_systems.model_calls import METHODS_BY_STRENGTH, SCHEMA_METHODS, AskedModel, model_calls
from auditor.forensics.agent_systems.output_retries import retry_answer
from auditor.forensics.agent_systems.system_report_types import NO_PRODUCT_CODE, ModelCall, OutputsData, ProbeAnswer


def judge_output_answers(study: ProgramStudy) -> Answers:
    """All answers about outputs of judges."""
    calls = judging_calls(study)
    return {
        "swarm.structured_output": (_structured_output_answer(study, calls),),
        "swarm.output_retry": (retry_answer(study, calls),),
    }


def _structured_output_answer(study: ProgramStudy, calls: list[AskedModel]) -> ProbeAnswer:
    if not study.python:
        return NO_PRODUCT_CODE
    if not calls:
        sure, why = study.doubt(of=0.7)
        nodes = judge_nodes(study)
        about = (
            f"No model call was found in the judges ({name_some(nodes)})"
            if nodes
            else "No judge that calls a model was found"
        )
        return ProbeAnswer(
            answer=False, statement=f"{about}, so no answer is bound to a schema.", data=OutputsData(method="none"), confidence=sure,
            because=why or "a function that could not be resolved may call a model", measure=0.0,
        )  # fmt: skip
    whose = " of the judges" if are_judge_calls(study, calls) else ""
    bound = [each for each in calls if each.method in SCHEMA_METHODS]
    weakest = min(calls, key=lambda each: METHODS_BY_STRENGTH.index(each.method))
    schema = next((each.schema for each in bound if each.schema), "")
    data = OutputsData(
        method=weakest.method,
        schema=schema,
        calls=tuple(
            ModelCall(
                path=each.place.unit.path,
                line=each.place.line,
                method=each.method,
                schema_name=each.schema,
                node=each.event.context,
            )
            for each in calls
        ),
        bound_elsewhere=any(each.method in SCHEMA_METHODS and each not in calls for each in model_calls(study)),
    )
    share = round(len(bound) / len(calls), 4)
    places = tuple(study.place_spot(each.place) for each in calls)
    if len(bound) == len(calls):
        doubtful = [each for each in bound if not each.sure]
        count = f"The model call{whose} is" if len(calls) == 1 else f"All {len(calls)} model calls{whose} are"
        return ProbeAnswer(
            answer=True, statement=f"{count} bound to {schema or 'a schema'} ({weakest.method}).", data=data, spots=places, measure=share,
            confidence=0.7 if doubtful else 0.95,
            because="one path through the code calls the model without the schema" if doubtful else "run-time behavior was not analysed",
        )  # fmt: skip
    loose = [each for each in calls if each.method not in SCHEMA_METHODS]
    if bound and all(is_fallback_call(each, bound) for each in loose):
        return ProbeAnswer(
            answer=True, statement=f"The judges' model calls are bound to {schema or 'a schema'}; free text is parsed only if that fails.",
            data=data.model_copy(update={"method": bound[0].method}), spots=places, confidence=0.7,
            because="if the bound call fails, an unbound one replaces it", measure=share,
        )  # fmt: skip
    return ProbeAnswer(
        answer=False,
        statement=_free_text_phrase(loose, calls, whose),
        data=data,
        spots=tuple(study.place_spot(each.place) for each in loose)
        + tuple(study.place_spot(each.place) for each in bound),
        confidence=0.85 if whose else 0.6,
        because="a schema may be bound at run time" if whose else "judges could not be distinguished from other nodes",
        measure=share,
    )


def _free_text_phrase(loose: list[AskedModel], calls: list[AskedModel], whose: str) -> str:
    """What becomes of answers that no schema binds."""
    by_hand = sum(1 for each in loose if each.method == "manual_parse")
    if by_hand in {0, len(loose)}:
        how = "parsed by hand" if by_hand else "taken as free text"
        return f"{share_phrase(len(loose), len(calls), calls_wording(whose))} {how}."
    none = f"None of the {len(calls)} model calls{whose} is bound to a schema"
    some = (
        none
        if len(loose) == len(calls)
        else f"{share_phrase(len(loose), len(calls), calls_wording(whose))} not bound to a schema"
    )
    return f"{some}: {by_hand} {'is' if by_hand == 1 else 'are'} parsed by hand, {len(loose) - by_hand} taken as free text."
