"""Who decides the final scores: a node of the graph by its name, else a function or class by its name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from auditor.forensics.agent_systems.abstract_values import Class, Function, Instance
from auditor.forensics.agent_systems.agent_graph import function_of
from auditor.forensics.agent_systems.called_functions import reachable_functions
from auditor.forensics.agent_systems.judge_detection import judge_nodes
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.parsed_unit import FunctionDefinition, Unit
from auditor.forensics.agent_systems.syntax_queries import descendants
from auditor.forensics.python.scope_bindings import text_constant

SYNTHESIS_NAMES = (
    re.compile(r"chief|justice|supreme|presiding", re.IGNORECASE),
    re.compile(r"synthes|verdict|arbit|adjudicat|magistrate|moderator|resolve", re.IGNORECASE),
    re.compile(r"final|decision|decide|consensus|portfolio_manager|scor", re.IGNORECASE),
    re.compile(r"aggregat|combine|report", re.IGNORECASE),
)
_OTHER_NODE_NAME = re.compile(
    r"evidence|detect|collect|error|fallback|degrad|entry|dispatch|context|investigat|serializ|writer|render",
    re.IGNORECASE,
)
SCORE_NAME = re.compile(r"score|rating|grade|points", re.IGNORECASE)
_VOTE = re.compile(rf"{SCORE_NAME.pattern}|vote(?!r)|ranking", re.IGNORECASE)


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
        any(pattern.search(_qualified_title(own)) for pattern in SYNTHESIS_NAMES[:2])
        or own.unit.function_of(own.node) is None
    ):
        return own, chief.name
    for node, unit in followed.items():
        name = getattr(node, "name", "")
        if node is not own.node and any(pattern.search(name) for pattern in SYNTHESIS_NAMES[:2]):
            return Function(unit, node, own.env), name
    return own, chief.name


def _synthesis_node(study: ProgramStudy) -> Synthesizer | None:
    judges = set(judge_nodes(study))
    for graph in study.live_graphs[:3]:
        for pattern in SYNTHESIS_NAMES:
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
    for pattern in SYNTHESIS_NAMES[:2]:
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
        if any(
            SCORE_NAME.search(_spelled(part)) for place in given if place is not None for part in descendants(place)
        ):
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
            and (pattern is SYNTHESIS_NAMES[0] or handles_scores(node))
        ):
            owner = study.run.member(unit, cls.name) if cls is not None else None
            bound = Instance(owner) if isinstance(owner, Class) else None
            function = Function(unit, node, study.run.module(unit), bound)
            yield Synthesizer(function, name, dead=study.unused_reason(unit, node))


def handles_scores(node: ast.AST) -> bool:
    """Does code handle scores or votes: by a name, an attribute, an argument or a key?"""
    return any(_VOTE.search(_spelled(each)) for each in descendants(node))


def _spelled(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.keyword):
        return node.arg or ""
    text = text_constant(node) or ""
    return text if len(text) < 30 else ""
