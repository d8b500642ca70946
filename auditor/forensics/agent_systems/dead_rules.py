"""Why a rule of synthesis can never fire, although it is written down and something calls its function."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from auditor.forensics.agent_systems.impossible_conditions import (
    Scope,
    impossible_reason,
    path_in,
    scope_of,
    uncallable_reason,
)
from auditor.forensics.agent_systems.judge_names import nobody_reason
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.parsed_unit import FunctionDefinition, Unit
from auditor.forensics.agent_systems.path_conditions import Condition, guarded_statements, is_negated_test
from auditor.forensics.agent_systems.score_effects import score_changes
from auditor.forensics.agent_systems.undefined_rule_names import undefined_name_reason


def dead_rule_reason(study: ProgramStudy, unit: Unit, place: ast.AST, reach: Mapping[FunctionDefinition, Unit]) -> str:
    """Why nothing ever leads to a rule or makes its condition true; empty when something may."""
    switched_off = study.disabled_reason(unit, place) or undefined_name_reason(study, unit, place)
    function = unit.function_of(place)
    if switched_off or function is None:
        return switched_off
    path = path_in(study, unit, place)
    if path.blocked:
        return path.blocked
    scope = scope_of(study, unit, function)
    reasons = []
    for holds in _ways(unit, place):
        own = [Condition(place.test, holds)] if isinstance(place, (ast.If, ast.IfExp, ast.While)) else []
        conditions = [*path.conditions, *own]
        reason = impossible_reason(scope, conditions) or nobody_reason(scope, conditions, reach)
        reason = reason or (_effect_never_comes(scope, place, reach) if holds else "")
        if not reason:
            return uncallable_reason(study, function, reach)
        reasons.append(reason)
    return reasons[0]


def _effect_never_comes(scope: Scope, place: ast.AST, reach: Mapping[FunctionDefinition, Unit]) -> str:
    """Why none of the scores that a rule's block changes is ever changed: each is behind a further condition that never holds."""
    body = place.body if isinstance(place, (ast.If, ast.While, ast.For)) else []
    reason = ""
    for each in score_changes(body, scope.names, scope.function):
        path = path_in(scope.study, scope.unit, each)
        reason = path.blocked or impossible_reason(scope, path.conditions)
        reason = reason or nobody_reason(scope, path.conditions, reach)
        if not reason:
            return ""
    return reason


def _ways(unit: Unit, place: ast.AST) -> tuple[bool, ...]:
    """The outcomes of its condition in which a rule may act: it holds, or it lets the code after it run by not holding."""
    if isinstance(place, ast.IfExp):
        return (True, False)
    guarded = isinstance(place, ast.If) and is_negated_test(place.test) and guarded_statements(unit, place)
    return (True, False) if guarded else (True,)
