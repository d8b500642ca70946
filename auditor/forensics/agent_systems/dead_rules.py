"""Why a rule of synthesis can never fire, although it is written down and something calls its function."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from auditor.forensics.agent_systems.impossible_conditions import (
    impossible_reason,
    path_in,
    scope_of,
    uncallable_reason,
)
from auditor.forensics.agent_systems.judge_names import nobody_reason
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.path_conditions import Condition
from auditor.forensics.agent_systems.spread_rules import following
from auditor.forensics.agent_systems.undefined_rule_names import undefined_name_reason
from auditor.forensics.agent_systems.whole_program import FunctionDefinition, Unit


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
        if not reason:
            return uncallable_reason(study, function, reach)
        reasons.append(reason)
    return reasons[0]


def _ways(unit: Unit, place: ast.AST) -> tuple[bool, ...]:
    """The outcomes of its condition in which a rule may act: it holds, or it lets the code after it run by not holding."""
    if isinstance(place, ast.If) and (place.orelse or following(unit, place, place.body)):
        return (True, False)
    return (True, False) if isinstance(place, ast.IfExp) else (True,)
