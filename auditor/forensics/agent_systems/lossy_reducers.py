"""Which reducers keep one of the two values that they are given and drop the other."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from auditor.forensics.agent_systems.abstract_values import Choice, Function, Map, Value
from auditor.forensics.agent_systems.syntax_queries import descendants
from auditor.forensics.agent_systems.value_contents import walk

_HARMLESS_STATEMENTS = (ast.If, ast.Return, ast.Pass)
"""Statements that change nothing: one that may is a sign that both values go into the result."""


def keeps_one_value(reducer: Value) -> bool:
    """Does a reducer hand back the one value or the other as it is, without holding them against each other?

    What two nodes write at the same time is then lost but for the last; a choice of the larger or the newer one is
    a choice, and counts as joining them.
    """
    functions = [
        each for each in walk(reducer, lambda part: isinstance(part, (Choice, Map))) if isinstance(each, Function)
    ]
    return len(functions) == 1 and _returns_one_value(functions[0])


def _returns_one_value(function: Function) -> bool:
    spec = function.node.args
    names = [each.arg for each in (*spec.posonlyargs, *spec.args)][1 if function.bound is not None else 0 :][:2]
    if len(names) < 2 or spec.vararg is not None:
        return False
    pair = frozenset(names)
    if isinstance(function.node, ast.Lambda):
        return _is_one_value(function.node.body, pair)
    return _block_returns_one(function.node.body, pair)


def _block_returns_one(body: Iterable[ast.stmt], pair: frozenset[str]) -> bool:
    """Does every way through a block only look at one of the values and return one of them?"""
    returned = False
    waiting = [*body]
    while waiting:  # a chain of `elif` is as deep as it is long
        each = waiting.pop()
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
            continue  # a docstring
        if not isinstance(each, _HARMLESS_STATEMENTS):
            return False
        if isinstance(each, ast.If):
            if _compares_both(each.test, pair):
                return False
            waiting += [*each.body, *each.orelse]
        elif isinstance(each, ast.Return):
            if not _is_one_value(each.value, pair):
                return False
            returned = True
    return returned


def _is_one_value(value: ast.expr | None, pair: frozenset[str]) -> bool:
    """Is it one of the values, or a choice between them by whether one is there?"""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.IfExp):
            if _compares_both(each.test, pair):
                return False
            waiting += [each.body, each.orelse]
        elif isinstance(each, ast.BoolOp):
            waiting += each.values
        elif not isinstance(each, ast.Name) or each.id not in pair:
            return False
    return True


def _compares_both(test: ast.expr, pair: frozenset[str]) -> bool:
    return pair <= {each.id for each in descendants(test) if isinstance(each, ast.Name)}
