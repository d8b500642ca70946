"""The model calls of an agent system that judge, and how a sentence counts them."""

from __future__ import annotations

import ast
import re

from auditor.forensics.agent_systems.abstract_values import Call
from auditor.forensics.agent_systems.count_phrases import Wording
from auditor.forensics.agent_systems.judge_detection import judge_nodes
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.model_calls import METHODS_BY_STRENGTH, SCHEMA_METHODS, AskedModel, model_calls
from auditor.forensics.agent_systems.value_contents import walk

_JUDGING_FILE = re.compile(r"judge|prosecut|defen[cs]e|tech_?lead|critic|juror|opinion", re.IGNORECASE)
_SYNTHESIS_NAME = re.compile(r"chief|justice|synthes|verdict|supreme", re.IGNORECASE)
_MAX_VALUE_PARTS = 2_000
"""Parts of an argument that are looked at."""


def judging_calls(study: ProgramStudy) -> list[AskedModel]:
    """The model calls of the judges: by the node they run in, else by the names around them, else all."""
    every = [each for each in model_calls(study) if not each.event.context.startswith("router:")]
    prepared = _preparing_calls(every)
    every = [
        each for each in every if each.method in SCHEMA_METHODS or (each.event.context, each.place.node) not in prepared
    ]
    nodes = set(judge_nodes(study))
    in_nodes = [each for each in every if each.event.context in nodes]
    if in_nodes:
        return _weakest_by_place(in_nodes)
    named = [
        each
        for each in every
        if _JUDGING_FILE.search(_names_around(each)) and not _SYNTHESIS_NAME.search(_names_around(each))
    ]
    return _weakest_by_place(named if named or nodes else every)


def _preparing_calls(every: list[AskedModel]) -> set[tuple[str, ast.AST]]:
    """Calls whose answer becomes part of what is asked next, in the same node, of a model that is bound to a schema."""
    found: set[tuple[str, ast.AST]] = set()
    for each in every:
        if each.method in SCHEMA_METHODS:
            call = each.event.call
            for value in (*call.args, *(named for _, named in call.named)):
                parts = walk(value, limit=_MAX_VALUE_PARTS)
                found.update((each.event.context, part.place.node) for part in parts if isinstance(part, Call))
    return found


def _names_around(asking: AskedModel) -> str:
    unit, node = asking.place.unit, asking.place.node
    names = [
        getattr(each, "name", "")
        for each in unit.around(node)
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    ]
    return " ".join((unit.stem, *names))


def _weakest_by_place(calls: list[AskedModel]) -> list[AskedModel]:
    """One entry for each place, the weakest of what different nodes make of it."""
    by_place: dict[ast.AST, AskedModel] = {}
    for each in calls:
        known = by_place.get(each.place.node)
        if known is None or METHODS_BY_STRENGTH.index(each.method) < METHODS_BY_STRENGTH.index(known.method):
            by_place[each.place.node] = each
    return list(by_place.values())


def calls_wording(whose: str) -> Wording:
    """How model calls are counted in a sentence; `whose` is empty or ` of the judges`."""
    return Wording((f"model call{whose}", "is"), (f"model calls{whose}", "are"))


def are_judge_calls(study: ProgramStudy, calls: list[AskedModel]) -> bool:
    """Is any of these calls known as a judge's, by its node or by the names around it?"""
    nodes = set(judge_nodes(study))
    return any(each.event.context in nodes or _JUDGING_FILE.search(_names_around(each)) for each in calls)


def is_fallback_call(asking: AskedModel, bound: list[AskedModel]) -> bool:
    """Is a call where the usual one has failed: in the handler of an error, or after the bound call of its function?"""
    unit, node = asking.place.unit, asking.place.node
    if any(isinstance(each, ast.ExceptHandler) for each in unit.around(node)):
        return True
    function = unit.function_of(node)
    return any(
        each.place.unit.function_of(each.place.node) is function and each.place.line < asking.place.line
        for each in bound
    )
