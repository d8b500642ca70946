"""Who judges in an agent system: the nodes that return opinions or are named as judges."""

from __future__ import annotations

import ast
import re

from auditor.forensics.agent_systems import graph_topology
from auditor.forensics.agent_systems.abstract_values import (
    Class,
    Value,
)
from auditor.forensics.agent_systems.agent_graph import Graph, function_of
from auditor.forensics.agent_systems.graph_answers import all_stages
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.model_calls import model_calls
from auditor.forensics.agent_systems.syntax_queries import descendants

JUDGE_NAME = re.compile(
    r"judge|prosecut|defen[cs]e|defender|tech_?lead|critic|juror|jury|advocate|grader|evaluator|reviewer|persona|opponent|bull|bear|skeptic|optimist"
    r"|accuser|plaintiff|counsel|attorney|assessor",
    re.IGNORECASE,
)
NOT_JUDGE_NAME = re.compile(
    r"collect|aggregat|dispatch|entry|router|merge|barrier|sync|chief|justice|synthes|gather|join|combine|hub|start|report",
    re.IGNORECASE,
)


def judge_nodes(study: ProgramStudy) -> list[str]:
    """The nodes that judge: by their names, else the branches of the last parallel stage."""
    main = study.main_graph
    if main is None:
        return []
    graphs = [main, *(each for each in study.live_graphs if each.is_subgraph)]
    named = [
        node
        for graph in graphs
        for node, handler in graph.handlers.items()
        if JUDGE_NAME.search(_node_and_function(node, handler)) and not NOT_JUDGE_NAME.search(node)
    ]
    if named:
        return _without_join_node(main, list(dict.fromkeys(named)))
    stages = all_stages(study, main)
    branches = [branch.rpartition("/")[2] for branch in stages[-1].branches] if stages else []
    return branches if len(stages) > 1 or _all_return_opinions(study, branches) else []


_OPINION_FIELD = re.compile(r"scor|rating|grade|vote|points|verdict|stance|ranking|approv", re.IGNORECASE)


_SEARCH_HIT_KEYS = frozenset({"url", "link", "href", "title", "snippet", "page_content"})
"""Keys of what a search found: its score says how near it is, not what somebody thinks of it."""


def _all_return_opinions(study: ProgramStudy, nodes: list[str]) -> bool:
    """Does each ask a model for something that has a score, or another field of an opinion, or put such a thing into the state?

    Then they judge, whatever their names.
    """
    asked = {
        each.event.context
        for each in model_calls(study)
        if (each.schema_class is not None and _OPINION_FIELD.search(_annotated_names(each.schema_class)))
        or any(_returns_opinion(node) for node in study.run.by_context.get(each.event.context, ()))
    }
    return len(nodes) > 1 and set(nodes) <= asked


def _returns_opinion(function: ast.AST) -> bool:
    """Does it return a dict with a key that speaks of an opinion?"""
    returned = (each.value for each in descendants(function) if isinstance(each, ast.Return))
    records = ([key.value for key in each.keys if isinstance(key, ast.Constant)] for each in returned if isinstance(each, ast.Dict))  # fmt: skip
    return any(_OPINION_FIELD.search(str(key)) for keys in records if not _SEARCH_HIT_KEYS & set(keys) for key in keys)


def _annotated_names(schema: Class) -> str:
    """The names that a class annotates, as one text."""
    targets = (each.target for each in schema.node.body if isinstance(each, ast.AnnAssign))
    return " ".join(each.id for each in targets if isinstance(each, ast.Name))


def _without_join_node(main: Graph, named: list[str]) -> list[str]:
    """The judges without a node at which another judge and somebody beside it meet: that one hears them."""
    joins = {each.target for each in graph_topology.find_fan_ins(main.topology()) if set(each.sources) & set(named)}
    return [node for node in named if node not in joins] or named


def _node_and_function(node: str, handler: Value) -> str:
    function = function_of(handler)
    return node if function is None else f"{node} {function.name}"
