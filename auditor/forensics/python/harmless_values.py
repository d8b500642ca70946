"""What may be put into a text as it is, because it can be nothing but a number, a day, or one of a few words."""

from __future__ import annotations

import ast

from auditor.forensics.python.parameter_values import function_with
from auditor.forensics.python.parsed_module import Module, Scope
from auditor.forensics.python.scope_bindings import last_name

_DEPTH = 4
_MOST = 3
"""Things that one is chosen from: with the depth a bound of what one expression costs."""
AS_NUMBERS = frozenset({"int", "float", "len", "bool", "round", "decimal.Decimal", "uuid.UUID", "hash", "ord", "abs", "sum"})  # fmt: skip
"""Calls that give a number, or what is written like one, whatever they are given."""
_ANY_NUMBER = frozenset({"min", "max"})
"""Calls that give one of what they are given, which compares with numbers only where all of it is numbers."""
_OF_NUMBERS = (ast.Sub, ast.FloorDiv, ast.Pow, ast.LShift, ast.RShift)
"""Signs that stand between numbers and never between texts; a slash also stands between paths."""
_CLOCKS = frozenset(
    {"datetime.date.today", "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "time.time", "time.time_ns",
     "time.monotonic", "django.utils.timezone.now", "pendulum.now", "arrow.utcnow", "arrow.now"}
)  # fmt: skip
_OF_CLOCKS = frozenset(
    {"year", "month", "day", "hour", "minute", "second", "date", "time", "timestamp", "isoformat", "strftime", "replace", "toordinal", "weekday", "astimezone"}
)  # fmt: skip
"""What a point in time is asked for."""
_NUMBER_TYPES = frozenset({"int", "float", "bool"})


def is_number(  # noqa: PLR0911 - a table of the ways in which numbers are written
    module: Module, expression: ast.expr | None, scope: Scope, depth: int = _DEPTH
) -> bool:
    """Can an expression stand for nothing but a number, or a point in time that a clock gave?"""
    if expression is None or depth <= 0:
        return False
    if isinstance(expression, ast.Constant):
        return isinstance(expression.value, (int, float))
    if isinstance(expression, ast.UnaryOp):
        return True
    if isinstance(expression, ast.BinOp):
        sides = (is_number(module, each, scope, depth - 1) for each in (expression.left, expression.right))
        return isinstance(expression.op, _OF_NUMBERS) or all(sides)
    if isinstance(expression, ast.Call):
        return _gives_number(module, expression, scope, depth) or _is_of_a_clock(module, expression, scope, depth)
    if isinstance(expression, ast.Attribute):
        return _is_of_a_clock(module, expression, scope, depth)
    if not isinstance(expression, ast.Name):
        return False
    found = module.lookup(expression.id, scope)
    return found is not None and is_number(module, found[0].value, found[1], depth - 1)


def _gives_number(module: Module, call: ast.Call, scope: Scope, depth: int) -> bool:
    called = module.resolve(call.func, scope)
    if called in _ANY_NUMBER:
        return len(call.args) > 1 and any(is_number(module, each, scope, depth - 1) for each in call.args[:_MOST])
    return called in AS_NUMBERS


def _is_of_a_clock(module: Module, expression: ast.Call | ast.Attribute, scope: Scope, depth: int) -> bool:
    """`date.today()`, `datetime.now().isoformat()`, `date.today().year`."""
    if isinstance(expression, ast.Call) and module.resolve(expression.func, scope) in _CLOCKS:
        return True
    taken = expression.func if isinstance(expression, ast.Call) else expression
    if not isinstance(taken, ast.Attribute) or taken.attr not in _OF_CLOCKS:
        return False
    given = (
        [*expression.args, *(each.value for each in expression.keywords)] if isinstance(expression, ast.Call) else []
    )
    constant = all(isinstance(each, ast.Constant) for each in given)
    return constant and not isinstance(taken.value, ast.Constant) and _is_moment(module, taken.value, scope, depth - 1)


def _is_moment(module: Module, owner: ast.expr, scope: Scope, depth: int) -> bool:
    """Is it what a clock gave, or that moved by a while?"""
    if isinstance(owner, ast.BinOp) and isinstance(owner.op, (ast.Add, ast.Sub)):
        owner = owner.left
    if isinstance(owner, ast.Name):
        found = module.lookup(owner.id, scope)
        value = found[0].value if found is not None else None
        return found is not None and value is not None and depth > 0 and _is_moment(module, value, found[1], depth - 1)
    return isinstance(owner, (ast.Call, ast.Attribute)) and depth > 0 and _is_of_a_clock(module, owner, scope, depth)


def is_typed(name: str, scope: Scope) -> bool:
    """Is a parameter declared as a number, or as one of a few words: `int`, `Literal["asc", "desc"]`?"""
    function = function_with(name, scope)
    if function is None:
        return False
    own = function.args
    every = (*own.posonlyargs, *own.args, *own.kwonlyargs)
    annotation = next((each.annotation for each in every if each.arg == name), None)
    if isinstance(annotation, ast.Subscript):
        return last_name(annotation.value) == "Literal"
    return isinstance(annotation, ast.Name) and annotation.id in _NUMBER_TYPES
