"""Whether an expression is made of nothing but constants of the program, as far as a file shows."""

from __future__ import annotations

import ast

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.library_models.plain_values import plain_values
from auditor.forensics.library_models.text_methods import text_methods
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scope_bindings import SELF_NAMES, last_name
from auditor.forensics.python.scoped_nodes import Scope
from auditor.forensics.python.unknown_value import UNKNOWN
from auditor.row_tables import names_of

_REQUEST_ATTRIBUTES = names_of(plain_values().request_attributes)


def _is_constant_by_name(match: Match, expression: ast.expr) -> bool:
    """`TABLE` of another module, `settings.SCHEMA`, `Status.ACTIVE.value`: what is written in capitals is set by the program."""
    if isinstance(expression, ast.Attribute) and expression.attr in {"value", "name"}:
        if _is_enum_member(match, expression.value):
            return True
        expression = expression.value if isinstance(expression.value, ast.Attribute) else expression
    if isinstance(expression, ast.Attribute):
        return (
            expression.attr.isupper()
            and expression.attr not in _REQUEST_ATTRIBUTES
            and expression.attr not in _assigned_attributes(match.module)
        )
    if not isinstance(expression, ast.Name) or not expression.id.isupper():
        return False
    found = match.module.lookup(expression.id, match.scope)
    return found is not None and found[0].qualified_name is not None


@remembered
def _assigned_attributes(module: Module) -> frozenset[str]:
    """Attributes in capitals that the file assigns something else than a constant."""
    return frozenset(
        target.attr
        for node, _ in module.nodes.get(ast.Assign, ())
        for target in node.targets
        if isinstance(target, ast.Attribute) and target.attr.isupper() and not isinstance(node.value, ast.Constant)
    )


def _is_enum_member(match: Match, owner: ast.expr) -> bool:
    """`column.value` of a parameter with a class of its own: a member of an enumeration."""
    found = match.module.lookup(owner.id, match.scope) if isinstance(owner, ast.Name) else None
    of = found[0].type if found is not None else None
    if not isinstance(of, ast.Name) or of.id in {"str", "bytes", "dict", "Any"}:
        return False
    made = next(
        (each for each in match.module.scopes if isinstance(each.node, ast.ClassDef) and each.node.name == of.id), None
    )
    if made is None or not isinstance(made.node, ast.ClassDef):
        return True  # a class of another module
    bases = [match.module.resolve(base, made.parent or made) or "" for base in made.node.bases]
    return any(each.partition(".")[0] == "enum" or each.endswith(_ENUM_NAMES) for each in bases)


def is_fixed(match: Match, expression: ast.expr) -> bool:
    """Is a value, or all that a collection holds, one that the program itself sets?"""
    return is_constant_expression(match, expression) or _is_constant_by_name(match, expression)


_ENUM_NAMES = ("Enum", "TextChoices", "IntegerChoices")
_MAX_DEPTH = 6


def is_constant_expression(match: Match, expression: ast.expr | None, depth: int = _MAX_DEPTH) -> bool:
    """Is an expression made only of constants: a string, a join of a list of names, a choice from a table?"""
    if expression is None or match.value(expression) is not UNKNOWN:
        return expression is not None
    if depth == 0:
        return False
    if isinstance(expression, (ast.Name, ast.Attribute)):
        return is_constant_expression(match, _bound_expression(match, expression), depth - 1)
    if isinstance(expression, (ast.GeneratorExp, ast.ListComp, ast.SetComp)):
        return _iterates_over_constants(match, expression, depth)
    if isinstance(expression, ast.Call):
        return _returns_constant(match, expression, depth)
    parts = _parts(expression)
    return parts is not None and all(is_constant_expression(match, each, depth - 1) for each in parts)


def _parts(expression: ast.expr) -> list[ast.expr] | None:
    """What has to be fixed for the whole to be; None for what cannot be determined. How often, and which, is no matter."""
    if isinstance(expression, (ast.List, ast.Tuple, ast.Set)):
        return expression.elts
    if isinstance(expression, ast.Dict):
        return expression.values
    if isinstance(expression, ast.Subscript):
        return [expression.value]
    if isinstance(expression, ast.IfExp):
        return [expression.body, expression.orelse]
    if isinstance(expression, ast.BinOp):
        return [expression.left] if isinstance(expression.op, ast.Mult) else [expression.left, expression.right]
    return None


def _bound_expression(match: Match, expression: ast.Name | ast.Attribute) -> ast.expr | None:
    """The expression that a name is bound to once, or a constant of a class for `self` and `cls`."""
    if isinstance(expression, ast.Name):
        found = match.module.lookup(expression.id, match.scope)
        if found is None or found[0].value is not None:
            return found[0].value if found else None
        return _loop_iterable(expression.id, found[1])
    owner = expression.value
    scope = match.scope
    while isinstance(owner, ast.Name) and owner.id in SELF_NAMES and scope is not None:
        if isinstance(scope.node, ast.ClassDef):
            bound = scope.bindings().get(expression.attr, [])
            return bound[0].value if len(bound) == 1 else None
        scope = scope.parent  # type: ignore[assignment]
    return None


def _loop_iterable(name: str, scope: Scope) -> ast.expr | None:
    """The iterable that a loop takes a name from, when nothing else binds it."""
    loops = [each for each in scope.binding_nodes if isinstance(each, (ast.For, ast.AsyncFor, ast.comprehension))]
    drawn = [each.iter for each in loops if _first_target(each.target) == name]
    if drawn and isinstance(drawn[0], ast.Call) and last_name(drawn[0].func) == "enumerate":
        return ast.Constant(0) if any(isinstance(each.target, ast.Tuple) for each in loops) else None
    drawn = [each.iter for each in loops if isinstance(each.target, ast.Name) and each.target.id == name]
    if len(drawn) != len(scope.bindings().get(name, ())):
        return None
    return drawn[0] if len(drawn) == 1 else ast.Tuple(drawn, ast.Load()) if drawn else None


def _first_target(target: ast.expr) -> str:
    """The name that a loop gives to what it draws, of several the first."""
    first = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
    return first.id if isinstance(first, ast.Name) else ""


def _iterates_over_constants(match: Match, made: ast.GeneratorExp | ast.ListComp | ast.SetComp, depth: int) -> bool:
    """Is each element a constant, or made of what loops over constants yield?"""
    if match.value(made.elt) is not UNKNOWN:
        return True
    drawn = {each.id for loop in made.generators for each in ast.walk(loop.target) if isinstance(each, ast.Name)}
    used = [each for each in ast.walk(made.elt) if isinstance(each, (ast.Name, ast.Call))]
    return all(is_constant_expression(match, loop.iter, depth - 1) for loop in made.generators) and all(
        isinstance(each, ast.Name) and each.id in drawn for each in used
    )


_NUMBER_CALLS = frozenset({"range", "len", "int", "float"})
_FIELD_CALLS = frozenset({"dataclasses.fields", "attrs.fields", "attr.fields"})
"""Calls that return the fields of a class, which are written in the code."""


def _returns_constant(match: Match, call: ast.Call, depth: int) -> bool:
    """`", ".join(COLUMNS)`, `sorted(COLUMNS)` and the like."""
    func = call.func
    if isinstance(func, ast.Attribute) and func.attr in {"join", "keys", "values", "upper", "lower"}:
        return all(is_constant_expression(match, each, depth - 1) for each in (func.value, *call.args))
    if isinstance(func, ast.Attribute) and func.attr == "get" and call.args:
        return all(is_constant_expression(match, each, depth - 1) for each in (func.value, *call.args[1:]))
    name = match.resolve(func)
    if name in _NUMBER_CALLS or name in _FIELD_CALLS:
        return True
    plain = name in {"sorted", "list", "tuple", "str", "set", "frozenset"}
    return plain and bool(call.args) and all(is_constant_expression(match, each, depth - 1) for each in call.args)


_LAYOUT_METHODS = names_of(text_methods().layout_methods)
_LAYOUT_CALLS = names_of(text_methods().layout_calls)


def is_laid_out_constant(match: Match, expression: ast.expr, depth: int = _MAX_DEPTH) -> bool:
    """Is it a constant text that is only laid out again or filled in with constants, so that it can be read as it is?

    Texts that are decoded, cut or turned round are not: what they say cannot be read.
    """
    expression = match.module.behind(expression, match.scope)
    if match.value(expression) is not UNKNOWN:
        return True
    if depth == 0:
        return False
    parts: list[ast.expr] = []
    if isinstance(expression, ast.BinOp) and isinstance(expression.op, (ast.Add, ast.Mod)):
        parts = [expression.left, expression.right]
    elif isinstance(expression, (ast.Tuple, ast.List)):
        parts = expression.elts
    elif isinstance(expression, ast.JoinedStr):
        parts = [each.value for each in expression.values if isinstance(each, ast.FormattedValue)]
    elif isinstance(expression, ast.Call):
        func = expression.func
        given = [*expression.args, *(each.value for each in expression.keywords)]
        if match.resolve(func) in _LAYOUT_CALLS:
            parts = given
        elif isinstance(func, ast.Attribute) and func.attr in _LAYOUT_METHODS:
            parts = [func.value, *given]
    return bool(parts) and all(is_laid_out_constant(match, each, depth - 1) for each in parts)
