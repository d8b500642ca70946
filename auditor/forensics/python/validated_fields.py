"""Fields of attrs classes that only hold a fixed set of values, or numbers, by their validator or converter."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scope_bindings import SELF_NAMES, keyword_argument
from auditor.forensics.python.scoped_nodes import Scope
from auditor.forensics.python.taint_models import harmless_calls

_MAX_VALIDATORS = 20


def is_validated_field(module: Module, expression: ast.expr | None, scope: Scope) -> bool:
    """Is it a field with the validator `in_` of constants: `self.name` that no method sets, or the call that describes it?"""
    if isinstance(expression, ast.Call):
        return _has_fixed_values(module, expression, scope)
    if not isinstance(expression, ast.Attribute) or not isinstance(expression.value, ast.Name):
        return False
    around = scope.enclosing_class
    if around is None or expression.value.id not in SELF_NAMES or not isinstance(around.node, ast.ClassDef):
        return False
    field = _field(around.node, expression.attr)
    given = module.attribute_values(around.qualname, expression.attr)
    is_set_elsewhere = any(value is not field for value, _ in given)
    return field is not None and not is_set_elsewhere and _has_fixed_values(module, field, around)


def _has_fixed_values(module: Module, field: ast.Call, scope: Scope) -> bool:
    if (module.resolve(field.func, scope) or "").partition(".")[0] not in {"attr", "attrs"}:
        return False
    validator, converter = keyword_argument(field, "validator"), keyword_argument(field, "converter")
    if converter is not None:  # it runs before the validator
        return _is_number_type(module, converter, scope)
    return validator is not None and any(_holds_value(module, each, scope) for each in _validators(validator))


def _is_number_type(module: Module, named: ast.expr, scope: Scope) -> bool:
    """Is it a type of numbers and the like, or several of them?"""
    if isinstance(named, ast.Tuple):
        return bool(named.elts) and all(_is_number_type(module, each, scope) for each in named.elts)
    name = module.resolve(named, scope)
    if name is None and isinstance(named, ast.Name) and module.lookup(named.id, scope) is None:
        name = named.id
    return name in harmless_calls("")


def _field(definition: ast.ClassDef, name: str) -> ast.Call | None:
    """The call that describes a field of a class."""
    for each in definition.body:
        targets = (
            each.targets if isinstance(each, ast.Assign) else [each.target] if isinstance(each, ast.AnnAssign) else []
        )
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            value = each.value if isinstance(each, (ast.Assign, ast.AnnAssign)) else None
            return value if isinstance(value, ast.Call) else None
    return None


def _validators(given: ast.expr) -> Iterator[ast.Call]:
    """The validators of a field that all hold: the one, those of a list, and those that `and_` joins."""
    waiting = [given]
    for _ in range(_MAX_VALIDATORS):
        if not waiting:
            return
        each = waiting.pop()
        if isinstance(each, (ast.List, ast.Tuple)):
            waiting += each.elts
        elif isinstance(each, ast.Call):
            is_sum = isinstance(each.func, ast.Attribute) and each.func.attr == "and_"
            waiting += each.args if is_sum else []
            yield each


def _holds_value(module: Module, validator: ast.Call, scope: Scope) -> bool:
    """Is a validator `in_` of a collection of constants, written there or bound once to a name, or a type of numbers?"""
    name = module.resolve(validator.func, scope) or ""
    if name.endswith("validators.instance_of") and validator.args:
        return _is_number_type(module, validator.args[0], scope)
    if not name.endswith("validators.in_") or not validator.args:
        return False
    options = module.behind(validator.args[0], scope)
    return isinstance(options, (ast.List, ast.Tuple, ast.Set)) and all(
        isinstance(each, ast.Constant) for each in options.elts
    )
