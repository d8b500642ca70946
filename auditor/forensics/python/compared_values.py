"""What is compared with what: values that are the same in any case, and values cut to the length of the other one."""

from __future__ import annotations

import ast

from auditor.forensics.library_models.checks_without_effect import checks_without_effect
from auditor.forensics.python.scope_bindings import DEFINITIONS, last_name
from auditor.forensics.python.statement_blocks import Blocks
from auditor.row_tables import names_of

_MAX_DEPTH = 20
_TEXT_METHODS = names_of(checks_without_effect().text_methods)
_CONVERSIONS = frozenset({"str", "bytes", "bytearray"})


def is_cut_to(value: ast.expr, other: ast.expr) -> bool:
    """Is a value `value[:len(other)]`?"""
    cut = value.slice if isinstance(value, ast.Subscript) else None
    upper = cut.upper if isinstance(cut, ast.Slice) and cut.step is None and _is_zero(cut.lower) else None
    return (
        isinstance(upper, ast.Call)
        and last_name(upper.func) == "len"
        and len(upper.args) == 1
        and _base(upper.args[0]) == _base(other)
    )


def _is_zero(expression: ast.expr | None) -> bool:
    return expression is None or (isinstance(expression, ast.Constant) and expression.value == 0)


def _base(expression: ast.expr) -> str:
    """The source of a value without the methods that only convert it."""
    for _ in range(_MAX_DEPTH):
        if (
            isinstance(expression, ast.Call)
            and isinstance(expression.func, ast.Attribute)
            and _is_conversion(expression)
        ):
            expression = expression.func.value
        else:
            break
    return ast.dump(expression)[:400]


def _is_conversion(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in _TEXT_METHODS


def is_same(left: ast.expr, right: ast.expr) -> bool:
    """Is it the same name or attribute on both sides?"""
    return isinstance(left, (ast.Name, ast.Attribute)) and _base(left) == _base(right)


def last_assignment(blocks: Blocks, call: ast.AST, name: str) -> ast.expr | None:
    """What a name was last set to before a call, in the blocks that the call is in; None where nothing is seen."""
    node = call
    for _ in range(_MAX_DEPTH):
        for each in blocks.preceding(node):
            if isinstance(each, ast.Assign) and any(isinstance(to, ast.Name) and to.id == name for to in each.targets):
                return each.value
        around = blocks.parents.get(node)
        if around is None or isinstance(around, (*DEFINITIONS, ast.Module)):
            return None
        node = around
    return None


def may_be_all_of(value: ast.expr, name: str) -> bool:
    """Can a value be what a name holds, converted at most: `name`, `given and name`, `name.lower()`?"""
    waiting: list[ast.expr] = [value]
    for _ in range(_MAX_DEPTH):
        if not waiting:
            return False
        each = waiting.pop()
        if isinstance(each, ast.Name) and each.id == name:
            return True
        if isinstance(each, ast.BoolOp):
            waiting += each.values
        elif isinstance(each, ast.IfExp):
            waiting += [each.body, each.orelse]
        elif isinstance(each, ast.NamedExpr):
            waiting.append(each.value)
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and _is_conversion(each):
            waiting.append(each.func.value)
        elif isinstance(each, ast.Call) and last_name(each.func) in _CONVERSIONS:
            waiting += each.args[:1]
    return False
