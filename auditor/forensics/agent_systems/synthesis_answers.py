"""Answers about the synthesis: whether code decides the final scores, and by which rules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.agent_systems import synthesis_rules
from auditor.forensics.agent_systems.abstract_values import Call, Const, Instance, Map, Value
from auditor.forensics.agent_systems.class_members import annotated_names, class_hierarchy
from auditor.forensics.agent_systems.main_graph_analysis import Answers, ProgramStudy
from auditor.forensics.agent_systems.model_calls import AskedModel, model_calls
from auditor.forensics.agent_systems.report_answers import MAX_VALUE_PARTS, REPORT_NAME, report_answer
from auditor.forensics.agent_systems.synthesizer_search import (
    SCORE_NAME,
    SYNTHESIS_NAMES,
    Synthesizer,
    find_synthesizer,
    handles_scores,
)
from auditor.forensics.agent_systems.system_report_types import (
    NO_PRODUCT_CODE,
    RULES,
    ProbeAnswer,
    Rule,
    RulesData,
    Spot,
    SynthesisData,
)
from auditor.forensics.agent_systems.value_contents import known_words, options, text_of, walk

_SCORE_REQUEST = re.compile(r"\b(?:scor(?:es?|ed|ing)|grad(?:es?|ing)|ratings?)\b", re.IGNORECASE)
_MIN_RULES = 3
"""Rules of the five that must be able to fire for the answer to be yes; fewer earn their share."""


def synthesis_answers(study: ProgramStudy) -> Answers:
    """All answers about the synthesis."""
    chief = find_synthesizer(study)
    return {
        "swarm.synthesis": (_synthesis(study, chief),),
        "swarm.synthesis_rules": (_rules(study, chief),),
        "swarm.report_written": (report_answer(study),),
    }


def _synthesis(study: ProgramStudy, chief: Synthesizer | None) -> ProbeAnswer:
    if not study.python:
        return NO_PRODUCT_CODE
    if chief is None:
        sure, why = study.doubt(of=0.75)
        return ProbeAnswer(
            answer=False, statement="No function that decides final scores was found.", confidence=sure, because=why
        )
    function = chief.function
    spot = study.spot(function.unit, function.node)
    asked = _asked(study, chief)
    sets = _model_sets(study, chief, asked)
    data = SynthesisData(
        function=chief.name, path=spot.path, line=spot.line, model_calls=len(asked), model_sets_scores=sets
    )
    places = (
        Spot(path=spot.path, line=spot.line, end=spot.line, quote=spot.quote),
        *(study.place_spot(each.place) for each in asked),
    )
    if chief.dead:
        return ProbeAnswer(answer=False, statement=f"`{chief.name}`, which decides the scores, is dead code: {chief.dead}.", data=data, spots=places,
                      confidence=0.8, because="code outside this repository may use it")  # fmt: skip
    if sets and _speaks_of_scores(chief, asked):
        return ProbeAnswer(answer=False, statement=f"A model decides the final scores in `{chief.name}`.", data=data, spots=places, confidence=0.85,
                      because="the path from the model's answer to the score was analysed without running it")  # fmt: skip
    if not any(handles_scores(node) for node in chief.reach):
        return ProbeAnswer(answer=False, statement=f"No code decides scores: `{chief.name}`, the closest match by name, computes no score.", data=data, spots=places, confidence=0.6,
                      because="scores may have another name")  # fmt: skip
    times = "once" if len(asked) == 1 else f"in {len(asked)} places"
    beside = f"; a model is called {times} for text only" if asked else ", and no model is called"
    return ProbeAnswer(answer=True, statement=f"`{chief.name}` decides the final scores in code{beside}.", data=data, spots=places,
                  confidence=0.9 if not asked else 0.8, because="run-time behavior was not analysed")  # fmt: skip


def _speaks_of_scores(chief: Synthesizer, asked: list[AskedModel]) -> bool:
    """Is a score at stake: by the name of who decides, in its code, or in what the model is asked?"""
    told = (
        part
        for each in asked
        for value in (*each.event.call.args, *(v for _, v in each.event.call.named))
        for part in walk(value)
    )
    return (
        SYNTHESIS_NAMES[0].search(f"{chief.name} {chief.node}") is not None
        or any(each.schema_class is not None for each in asked)
        or any(handles_scores(node) for node in chief.own if chief.reach.get(node) is chief.function.unit)
        or any(_SCORE_REQUEST.search(known_words(part)) for part in told if isinstance(part, Const))
    )


def _asked(study: ProgramStudy, chief: Synthesizer) -> list[AskedModel]:
    found: dict[ast.AST, AskedModel] = {}
    for each in model_calls(study):
        function = each.event.function
        if (chief.node and each.event.context == chief.node) or (function is not None and function in chief.own):
            found.setdefault(each.place.node, each)
    return list(found.values())


def _model_sets(study: ProgramStudy, chief: Synthesizer, asked: list[AskedModel]) -> bool:
    """Does an answer of a model become a score, or the whole verdict?"""
    if not asked:
        return False
    calls = {id(each.event.call) for each in model_calls(study)}
    places = {id(each.place.node) for each in asked}

    def said(value: Value) -> bool:
        return any(
            isinstance(part, Call) and (id(part) in calls or id(part.place.node) in places)
            for part in walk(value, _through, limit=MAX_VALUE_PARTS)
        )

    results = _results(study, chief)
    if any(_hands_back(study, value) for result in results for _, value in _named(result)):
        return True
    own, foreign = False, False
    for name, value in (pair for result in results for pair in _named(result)):
        if SCORE_NAME.search(name):
            foreign = foreign or said(value)
            own = own or not said(value)
    if foreign:
        return True
    if own:
        return False
    whole = [value for result in results for name, value in _named(result) if REPORT_NAME.search(name)]
    whole += [result for result in results if isinstance(result, Call)]
    return any(said(value) for value in whole)


def _hands_back(study: ProgramStudy, value: Value) -> bool:
    """Is a value the very answer of a model, in a shape that holds scores?"""
    for each in options(value):
        for asking in model_calls(study):
            if isinstance(each, Call) and asking.place.node is each.place.node and asking.schema_class is not None:
                return any(
                    SCORE_NAME.search(name)
                    for cls in class_hierarchy(study.run, asking.schema_class)
                    for name, _ in annotated_names(cls)
                )
    return False


def _through(part: Value) -> bool:
    """Scores do not come from what a record of many fields holds beside them."""
    return not isinstance(part, (Instance, Map)) or (isinstance(part, Map) and len(part.items) < 4)


def _results(study: ProgramStudy, chief: Synthesizer) -> list[Value]:
    found = [graph.results[chief.node] for graph in study.graphs if chief.node in graph.results]
    found += [returned.value for returned in study.run.returned if returned.frame.node in chief.reach]
    return found


def _named(result: Value) -> Iterator[tuple[str, Value]]:
    """Values with the names they are returned or built under."""
    for part in walk(result, limit=MAX_VALUE_PARTS):
        if isinstance(part, Map):
            yield from ((name, value) for key, value in part.items if (name := text_of(key)) is not None)
        elif isinstance(part, Instance):
            yield from part.attrs.items()
        elif isinstance(part, Call) and part.last[:1].isupper():
            yield from part.named


def _rules(study: ProgramStudy, chief: Synthesizer | None) -> ProbeAnswer:
    if not study.python:
        return NO_PRODUCT_CODE
    found = synthesis_rules.read_rules(study, chief.reach if chief is not None and not chief.dead else {})
    data = RulesData(**found)
    by_state: dict[str, list[str]] = {}
    for name in RULES:
        by_state.setdefault(found[name].state, []).append(name)
    present, partial = by_state.get("present", []), by_state.get("partial", [])
    in_doubt = by_state.get("unfollowed", [])
    share = round((len(present) + 0.5 * len(partial)) / len(RULES), 4)
    told = "; ".join(
        f"{_STATE_WORDS.get(state, state)}: {', '.join(_TITLES[name] for name in names)}"
        for state, names in by_state.items()
    )
    places = tuple(_rule_spots(study, found))
    sure, why = 0.8, "rules are recognised by what their conditions check and what they change"
    enough = len(present) >= _MIN_RULES
    if not enough and len(present) + len(in_doubt) >= _MIN_RULES:
        reasons = "; ".join(sorted({found[name].reason for name in in_doubt}))
        return ProbeAnswer(
            answer=None, unanswered=True, data=data, spots=places, measure=share,
            statement=f"Whether the rules for the final scores are in use could not be determined ({told}): {reasons}.",
        )  # fmt: skip
    if not enough and study.run.exhausted:
        sure, why = study.doubt(of=sure)
    elif in_doubt:
        sure, why = 0.6, "; ".join(sorted({found[name].reason for name in in_doubt}))
    return ProbeAnswer(
        answer=enough, statement=f"{len(present) or 'None'} of the {len(RULES)} rules for the final scores {'are' if len(present) > 1 else 'is'} in use ({told}).", data=data,
        spots=places, confidence=sure, because=why, measure=share,
    )  # fmt: skip


_TITLES = {**{name: name.replace("_", " ") for name in RULES}, "variance_re_evaluation": "re-evaluation on spread"}
_STATE_WORDS = {"dead": "never called", "unfollowed": "unknown"}


def _rule_spots(study: ProgramStudy, found: dict[str, Rule]) -> Iterator[Spot]:
    for rule in found.values():
        unit = study.program.units.get(rule.path)
        if unit is not None:
            yield study.line(unit, rule.line)
