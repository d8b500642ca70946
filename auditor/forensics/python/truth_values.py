"""Expressions that can only be true or false, whatever runs: a negation or a comparison of constants, and `bool` of one."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from auditor.forensics.python.unknown_value import UNKNOWN

_MAX_NEGATIONS = 20
_COMPARISONS: dict[type[ast.cmpop], Callable[[object, object], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}


def truth_value(expression: ast.expr, value: Callable[[ast.expr], object]) -> object:
    """True or False where an expression of constants says so, UNKNOWN otherwise; `value` gives what an operand stands for."""
    negations = 0
    while isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.Not) and negations < _MAX_NEGATIONS:
        expression, negations = expression.operand, negations + 1
    said = _compared(expression, value) if isinstance(expression, ast.Compare) else _constant(expression, value)
    if said is UNKNOWN:
        return UNKNOWN
    return bool(said) != bool(negations % 2)


def _compared(expression: ast.Compare, value: Callable[[ast.expr], object]) -> object:
    if len(expression.ops) != 1:
        return UNKNOWN
    compare = _COMPARISONS.get(type(expression.ops[0]))
    left, right = _constant(expression.left, value), _constant(expression.comparators[0], value)
    return UNKNOWN if compare is None or UNKNOWN in (left, right) else compare(left, right)


def _constant(expression: ast.expr, value: Callable[[ast.expr], object]) -> object:
    if isinstance(expression, ast.Call):
        is_bool = isinstance(expression.func, ast.Name) and expression.func.id == "bool" and len(expression.args) == 1
        return bool(said) if is_bool and (said := _constant(expression.args[0], value)) is not UNKNOWN else UNKNOWN
    if isinstance(expression, (ast.UnaryOp, ast.Compare)):
        return UNKNOWN
    return value(expression)
