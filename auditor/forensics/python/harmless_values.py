"""What may be inserted into a text as it is, because it can be nothing but a number, a day, or one of a few words."""

from __future__ import annotations

import ast

from auditor.forensics.library_models.plain_values import plain_values
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.parameter_values import function_of_parameter
from auditor.forensics.python.scoped_nodes import Scope
from auditor.row_tables import names_of

_MAX_DEPTH = 4
_MAX_ALTERNATIVES = 3
"""Things that one is chosen from: with the depth a bound of what one expression costs."""
_ROWS = plain_values()
NUMBER_CALLS = names_of(_ROWS.number_calls)
"""Calls that give a number, or what is written like one, whatever they are given."""
_SELECTING_CALLS = frozenset({"min", "max"})
"""Calls that give one of what they are given, which compares with numbers only where all of it is numbers."""
_NUMERIC_OPERATORS = (ast.Sub, ast.FloorDiv, ast.Pow, ast.LShift, ast.RShift)
"""Operators of numbers that texts do not have; a slash also joins paths."""
_CLOCK_CALLS = names_of(_ROWS.clock_calls)
_DATETIME_MEMBERS = names_of(_ROWS.clock_members)
"""What a point in time is asked for."""
_NUMBER_FORMATS = ("d", "f", "x", "X", "e", "g", "n", "%")
_NUMBER_TYPES = frozenset({"int", "float", "bool"})


def is_number(  # noqa: PLR0911 - a table of the ways in which numbers are written
    module: Module, expression: ast.expr | None, scope: Scope, depth: int = _MAX_DEPTH
) -> bool:
    """Can an expression stand for nothing but a number, or a point in time that a clock gave?"""
    if expression is None or depth <= 0:
        return False
    if isinstance(expression, ast.Constant):
        return isinstance(expression.value, (int, float))
    if isinstance(expression, (ast.UnaryOp, ast.Compare)):
        return True
    if isinstance(expression, ast.BinOp):
        sides = (is_number(module, each, scope, depth - 1) for each in (expression.left, expression.right))
        return isinstance(expression.op, _NUMERIC_OPERATORS) or all(sides)
    if isinstance(expression, ast.Call):
        return _returns_number(module, expression, scope, depth) or _is_clock_value(module, expression, scope, depth)
    if isinstance(expression, ast.Attribute):
        return _is_clock_value(module, expression, scope, depth)
    if not isinstance(expression, ast.Name):
        return False
    found = module.lookup(expression.id, scope)
    return found is not None and is_number(module, found[0].value, found[1], depth - 1)


def is_number_field(field: ast.FormattedValue) -> bool:
    """Does a field of a text in the source take nothing but a number, as `{count:d}` does?"""
    form = field.format_spec
    last = form.values[-1] if isinstance(form, ast.JoinedStr) and form.values else None
    return isinstance(last, ast.Constant) and str(last.value).endswith(_NUMBER_FORMATS)


def _returns_number(module: Module, call: ast.Call, scope: Scope, depth: int) -> bool:
    called = module.resolve(call.func, scope)
    if called in _SELECTING_CALLS:
        return len(call.args) > 1 and any(
            is_number(module, each, scope, depth - 1) for each in call.args[:_MAX_ALTERNATIVES]
        )
    if called == "str" and len(call.args) == 1:
        return is_number(module, call.args[0], scope, depth - 1)
    return called in NUMBER_CALLS


def _is_clock_value(module: Module, expression: ast.Call | ast.Attribute, scope: Scope, depth: int) -> bool:
    """`date.today()`, `datetime.now().isoformat()`, `date.today().year`."""
    if isinstance(expression, ast.Call) and module.resolve(expression.func, scope) in _CLOCK_CALLS:
        return True
    taken = expression.func if isinstance(expression, ast.Call) else expression
    if not isinstance(taken, ast.Attribute) or taken.attr not in _DATETIME_MEMBERS:
        return False
    given = (
        [*expression.args, *(each.value for each in expression.keywords)] if isinstance(expression, ast.Call) else []
    )
    constant = all(isinstance(each, ast.Constant) for each in given)
    return (
        constant
        and not isinstance(taken.value, ast.Constant)
        and _is_point_in_time(module, taken.value, scope, depth - 1)
    )


def _is_point_in_time(module: Module, owner: ast.expr, scope: Scope, depth: int) -> bool:
    """Is it a point in time from a clock, or one moved by a duration?"""
    if isinstance(owner, ast.BinOp) and isinstance(owner.op, (ast.Add, ast.Sub)):
        owner = owner.left
    if isinstance(owner, ast.Name):
        found = module.lookup(owner.id, scope)
        value = found[0].value if found is not None else None
        return (
            found is not None
            and value is not None
            and depth > 0
            and _is_point_in_time(module, value, found[1], depth - 1)
        )
    return isinstance(owner, (ast.Call, ast.Attribute)) and depth > 0 and _is_clock_value(module, owner, scope, depth)


def has_safe_annotation(module: Module, name: str, scope: Scope) -> bool:
    """Is a parameter annotated as a number, or with `Literal`?"""
    function = function_of_parameter(name, scope)
    if function is None:
        return False
    own = function.args
    every = (*own.posonlyargs, *own.args, *own.kwonlyargs)
    annotation = next((each.annotation for each in every if each.arg == name), None)
    if isinstance(annotation, ast.Subscript):
        return (module.resolve(annotation.value, scope) or "").rpartition(".")[2] == "Literal"
    return isinstance(annotation, ast.Name) and module.resolve(annotation, scope) in _NUMBER_TYPES
