"""Answers about the synthesis: who decides the final scores, and by which rules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from auditor.forensics.agent_systems import synthesis_rules
from auditor.forensics.agent_systems.abstract_interpreter import annotated_names
from auditor.forensics.agent_systems.abstract_values import (
    Call,
    Class,
    Const,
    Function,
    Instance,
    Map,
    Value,
    known_words,
    options,
    text_of,
    walk,
)
from auditor.forensics.agent_systems.agent_graph import function_of
from auditor.forensics.agent_systems.called_functions import reachable_functions
from auditor.forensics.agent_systems.judge_detection import judge_nodes
from auditor.forensics.agent_systems.main_graph_analysis import Answers, ProgramStudy
from auditor.forensics.agent_systems.model_calls import AskedModel, model_calls
from auditor.forensics.agent_systems.report_answers import MAX_VALUE_PARTS, REPORT_NAME, report_answer
from auditor.forensics.agent_systems.syntax_queries import descendants
from auditor.forensics.agent_systems.system_report_types import (
    NO_PRODUCT_CODE,
    RULES,
    ProbeAnswer,
    Rule,
    RulesData,
    Spot,
    SynthesisData,
)
from auditor.forensics.agent_systems.whole_program import FunctionDefinition, Unit

_SYNTHESIS_NAMES = (
    re.compile(r"chief|justice|supreme|presiding", re.IGNORECASE),
    re.compile(r"synthes|verdict|arbit|adjudicat|magistrate|moderator|resolve", re.IGNORECASE),
    re.compile(r"final|decision|decide|consensus|portfolio_manager|scor", re.IGNORECASE),
    re.compile(r"aggregat|combine|report", re.IGNORECASE),
)
_OTHER_NODE_NAME = re.compile(
    r"evidence|detect|collect|error|fallback|degrad|entry|dispatch|context|investigat|serializ|writer|render",
    re.IGNORECASE,
)
_SCORE = re.compile(r"score|rating|grade|points", re.IGNORECASE)
_VOTE = re.compile(rf"{_SCORE.pattern}|vote(?!r)|ranking", re.IGNORECASE)
_SCORE_REQUEST = re.compile(r"\b(?:scor(?:es?|ed|ing)|grad(?:es?|ing)|ratings?)\b", re.IGNORECASE)
_MIN_RULES = 3
"""Rules of the five that must be able to fire for the answer to be yes; fewer earn their share."""


@dataclass(eq=False)
class Synthesizer:
    """The function that decides, and everything it reaches."""

    function: Function
    name: str
    node: str = ""
    reach: dict[FunctionDefinition, Unit] = field(default_factory=dict)
    own: set[FunctionDefinition] = field(default_factory=set)
    """What it reaches itself, other nodes of the synthesis left out."""
    dead: str = ""


def synthesis_answers(study: ProgramStudy) -> Answers:
    """All answers about the synthesis."""
    chief = find_synthesizer(study)
    return {
        "swarm.synthesis": (_synthesis(study, chief),),
        "swarm.synthesis_rules": (_rules(study, chief),),
        "swarm.report_written": (report_answer(study),),
    }


# -- who decides ------------------------------------------------------------------------------------------------------


def find_synthesizer(study: ProgramStudy) -> Synthesizer | None:
    """The function that decides the final scores: a node of the graph by its name, else a function or class by its name."""
    found = _synthesis_node(study) or _synthesizer_by_name(study)
    if found is not None:
        followed = dict(study.run.by_context.get(found.node, {}))
        found.function, found.name = _wrapped_function(found, followed)
        found.reach = {**followed, **reachable_functions(study, found.function)}
        found.own = set(found.reach)
        for place in _other_synthesis_nodes(study, found.node):
            followed.update(study.run.by_context.get(place, {}))
        for node, unit in followed.items():
            found.reach.setdefault(node, unit)
            found.reach.update(reachable_functions(study, Function(unit, node, study.run.module(unit))))
    return found


def _other_synthesis_nodes(study: ProgramStudy, chief: str) -> list[str]:
    """What else of the graph takes part in the synthesis: nodes after the judges, and the routers among them."""
    judges = set(judge_nodes(study))
    main = study.main_graph
    if main is None or not judges or not chief:
        return []
    shape = main.topology()
    after = {each for judge in judges for each in shape.reach(judge)} - judges
    early = {node for node in main.handlers if judges & shape.reach(node)} - after
    nodes = [node for node in main.handlers if node in after and node not in early]
    return [*nodes, *(f"router:{node}" for node in (*nodes, *sorted(judges)))]


def _wrapped_function(chief: Synthesizer, followed: dict[FunctionDefinition, Unit]) -> tuple[Function, str]:
    """The function that a wrapper hands the work to, where the node's own function is one."""
    own = chief.function
    if (
        any(pattern.search(_qualified_title(own)) for pattern in _SYNTHESIS_NAMES[:2])
        or own.unit.function_of(own.node) is None
    ):
        return own, chief.name
    for node, unit in followed.items():
        name = getattr(node, "name", "")
        if node is not own.node and any(pattern.search(name) for pattern in _SYNTHESIS_NAMES[:2]):
            return Function(unit, node, own.env), name
    return own, chief.name


def _synthesis_node(study: ProgramStudy) -> Synthesizer | None:
    judges = set(judge_nodes(study))
    for graph in study.live_graphs[:3]:
        for pattern in _SYNTHESIS_NAMES:
            for node, handler in reversed(list(graph.handlers.items())):
                function = function_of(handler)
                if function is None or node in judges or _OTHER_NODE_NAME.search(node):
                    continue
                if pattern.search(node) or pattern.search(function.name):
                    return Synthesizer(function, _function_title_of_node(function, node), node)
    return _node_after_judges(study, judges)


def _node_after_judges(study: ProgramStudy, judges: set[str]) -> Synthesizer | None:
    """The node where the judges meet, when none is named for it."""
    main = study.main_graph
    if main is None or not judges:
        return None
    shape = main.topology()
    for node in main.handlers:
        if node not in judges and not _OTHER_NODE_NAME.search(node) and len(judges & set(shape.predecessors(node))) > 1:
            function = function_of(main.handlers[node])
            if function is not None:
                return Synthesizer(function, _function_title_of_node(function, node), node)
    return None


def _function_title_of_node(function: Function, node: str) -> str:
    """What a reader knows a node's function by: the node, where the function is only a wrapper that another one makes."""
    return _qualified_title(function) if function.unit.function_of(function.node) is None else node


def _qualified_title(function: Function) -> str:
    return f"{function.bound.cls.name}.{function.name}" if function.bound is not None else function.name


def _synthesizer_by_name(study: ProgramStudy) -> Synthesizer | None:
    """By its name; one that reaches code which gives a score is before those that only bear the name."""
    bests: list[Synthesizer] = []
    for pattern in _SYNTHESIS_NAMES[:2]:
        found = [each for unit in study.program.product for each in _candidates(study, unit, pattern)]
        if found:
            ranked = {id(each): _synthesizer_rank(study, each) for each in found}
            best = max(found, key=lambda each: ranked[id(each)])
            if ranked[id(best)][:2] == (True, True):
                return best
            bests.append(best)
    return bests[0] if bests else None


def _synthesizer_rank(study: ProgramStudy, chief: Synthesizer) -> tuple[bool, bool, int, str]:
    reach = reachable_functions(study, chief.function)
    return not chief.dead, any(_assigns_score(node) for node in reach), len(reach), chief.name


def _assigns_score(node: ast.AST) -> bool:
    """Does code give something a score: assign it, hand it on by name, or put it under a key?"""
    for each in descendants(node):
        given: list[ast.AST | None] = []
        if isinstance(each, ast.Assign):
            given = [*each.targets]
        elif isinstance(each, (ast.AnnAssign, ast.AugAssign)):
            given = [each.target]
        elif isinstance(each, ast.keyword):
            given = [each]
        elif isinstance(each, ast.Dict):
            given = [*each.keys]
        if any(_SCORE.search(_spelled(part)) for place in given if place is not None for part in descendants(place)):
            return True
    return False


def _candidates(study: ProgramStudy, unit: Unit, pattern: re.Pattern[str]) -> Iterator[Synthesizer]:
    for node in (*unit.nodes_of_kinds(ast.FunctionDef), *unit.nodes_of_kinds(ast.AsyncFunctionDef)):
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        cls = unit.class_of(node)
        name = f"{cls.name}.{node.name}" if cls is not None else node.name
        if (
            pattern.search(name)
            and not _OTHER_NODE_NAME.search(node.name)
            and (pattern is _SYNTHESIS_NAMES[0] or _about_scores(node))
        ):
            owner = study.run.member(unit, cls.name) if cls is not None else None
            bound = Instance(owner) if isinstance(owner, Class) else None
            function = Function(unit, node, study.run.module(unit), bound)
            yield Synthesizer(function, name, dead=study.unused_reason(unit, node))


def _about_scores(node: ast.AST) -> bool:
    """Does code handle scores or votes: by a name, an attribute, an argument or a key?"""
    return any(_VOTE.search(_spelled(each)) for each in descendants(node))


def _spelled(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.keyword):
        return node.arg or ""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 30 else ""


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
        *(study.line(each.place.unit, each.place.line) for each in asked),
    )
    if chief.dead:
        return ProbeAnswer(answer=False, statement=f"`{chief.name}`, which decides the scores, is dead code: {chief.dead}.", data=data, spots=places,
                      confidence=0.8, because="code outside this repository may use it")  # fmt: skip
    if sets and _speaks_of_scores(chief, asked):
        return ProbeAnswer(answer=False, statement=f"A model decides the final scores in `{chief.name}`.", data=data, spots=places, confidence=0.85,
                      because="the path from the model's answer to the score was analysed without running it")  # fmt: skip
    if not any(_about_scores(node) for node in chief.reach):
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
        _SYNTHESIS_NAMES[0].search(f"{chief.name} {chief.node}") is not None
        or any(each.schema_class is not None for each in asked)
        or any(_about_scores(node) for node in chief.own if chief.reach.get(node) is chief.function.unit)
        or any(_SCORE_REQUEST.search(known_words(part)) for part in told if isinstance(part, Const))
    )


def _asked(study: ProgramStudy, chief: Synthesizer) -> list[AskedModel]:
    found: dict[ast.AST, AskedModel] = {}
    for each in model_calls(study):
        function = each.event.function
        if (chief.node and each.event.context == chief.node) or (function is not None and function in chief.own):
            found.setdefault(each.place.node, each)
    return _outermost(study, chief, list(found.values()))


def _outermost(study: ProgramStudy, chief: Synthesizer, asked: list[AskedModel]) -> list[AskedModel]:
    """The calls without those by which a client of the project carries another one of them out."""
    within: set[FunctionDefinition] = set()
    for name in {each.event.call.last for each in asked}:
        for node, unit in chief.reach.items():
            if getattr(node, "name", "") == name:
                within.update(reachable_functions(study, Function(unit, node, study.run.module(unit))))
    kept = [each for each in asked if each.event.function not in within]
    return kept or asked


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
        if _SCORE.search(name):
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
                    _SCORE.search(name)
                    for cls in study.run.class_hierarchy(asking.schema_class)
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


# -- the rules --------------------------------------------------------------------------------------------------------


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
    told = "; ".join(f"{state}: {', '.join(_TITLES[name] for name in names)}" for state, names in by_state.items())
    places = tuple(_rule_spots(study, found))
    sure, why = 0.8, "rules are recognised by what their conditions check and what they change"
    enough = len(present) >= _MIN_RULES
    if not enough and len(present) + len(in_doubt) >= _MIN_RULES:
        reasons = "; ".join(sorted({found[name].reason for name in in_doubt}))
        return ProbeAnswer(
            answer=None, unanswered=True, data=data, spots=places, measure=share,
            statement=f"Whether the named rules of synthesis can fire could not be determined ({told}): {reasons}.",
        )  # fmt: skip
    if not enough and study.run.exhausted:
        sure, why = study.doubt(of=sure)
    elif in_doubt:
        sure, why = 0.6, "; ".join(sorted({found[name].reason for name in in_doubt}))
    return ProbeAnswer(
        answer=enough, statement=f"{len(present) or 'None'} of the {len(RULES)} named rules of synthesis can fire ({told}).", data=data,
        spots=places, confidence=sure, because=why, measure=share,
    )  # fmt: skip


_TITLES = {**{name: name.replace("_", " ") for name in RULES}, "variance_re_evaluation": "re-evaluation on spread"}


def _rule_spots(study: ProgramStudy, found: dict[str, Rule]) -> Iterator[Spot]:
    for rule in found.values():
        unit = study.program.units.get(rule.path)
        if unit is not None:
            yield study.line(unit, rule.line)


# -- the report -------------------------------------------------------------------------------------------------------
