"""What names of one parsed Python file are bound to: by scope, by class and by the functions that give values back."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cached_property
from typing import Any

from auditor.forensics.library_models.compatibility_modules import compatibility_modules
from auditor.forensics.python.scope_bindings import OPAQUE, SELF_NAMES, Binding, annotated_class, is_none, last_name
from auditor.forensics.python.scoped_nodes import Scope, ScopedNodes, own_statements
from auditor.row_tables import by_name

_MAX_HOPS = 20
BindingChooser = Callable[[list[Binding]], Binding]
_PROPERTY_DECORATORS = frozenset({"property", "cached_property"})
_ASSIGNMENT_NODES = (ast.Assign, ast.AnnAssign, ast.AugAssign)
_EQUIVALENT_MODULES = {
    name: row.stands_for for name, row in by_name(compatibility_modules().equivalent_modules).items()
}
"""Modules that replace one another, so that a name may be bound to either."""


class _NotComputed:
    """Stands for what was not looked for yet."""


_NOT_COMPUTED = _NotComputed()


class BoundNames(ScopedNodes):
    """A parsed file in which what a name is bound to can be looked up."""

    def _self_attribute(self, expression: ast.Attribute, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """The value that `self.name` or `cls.name` is set to, once, in the class or by its methods, and where."""
        if not isinstance(expression.value, ast.Name) or expression.value.id not in SELF_NAMES:
            return None
        held = self._attributes_by_class.get(_enclosing_class_name(scope), {}).get(expression.attr, [])
        if not held and expression.attr in self._defined:
            return self._property_value(expression.attr, scope)
        return held[0] if len(held) == 1 else None

    def attribute_values(self, class_name: str, name: str) -> list[tuple[ast.expr, Scope]]:
        """Every value that a class of the file, by its qualified name, or its methods give to an attribute, and where."""
        return self._attributes_by_class.get(class_name, {}).get(name, [])

    def _field(self, expression: ast.Attribute, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """The class that `self.name` is an instance of, by the annotation of a field, and where that is."""
        return self._fields.get(_enclosing_class_name(scope), {}).get(expression.attr)

    @cached_property
    def _fields(self) -> dict[str, dict[str, tuple[ast.expr, Scope]]]:
        """For each class the fields that it annotates with one class."""
        table: dict[str, dict[str, tuple[ast.expr, Scope]]] = {}
        for node, scope in self.nodes.get(ast.AnnAssign, ()):
            if type(scope.node) is ast.ClassDef and type(node.target) is ast.Name:
                kind = annotated_class(node.annotation)
                if kind is not None:
                    table.setdefault(_enclosing_class_name(scope), {}).setdefault(node.target.id, (kind, scope))
        return table

    def _property_value(self, name: str, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """The value that a property of the enclosing class returns."""
        around = scope.enclosing_class
        made = self._defined[name].get(id(around.node)) if around is not None else None
        if made is None or not isinstance(made.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return None
        decorators = {last_name(each) for each in made.node.decorator_list}
        return self._function_result(made) if not decorators.isdisjoint(_PROPERTY_DECORATORS) else None

    @cached_property
    def _attributes_by_class(self) -> dict[str, dict[str, list[tuple[ast.expr, Scope]]]]:
        """For each class, the attributes that it or its methods set, with all values.

        A name with an annotation in the class itself is left out: it may be a field that each instance is given.
        """
        table: dict[str, dict[str, list[tuple[ast.expr, Scope]]]] = {}
        assigned, name_, in_class = ast.Assign, ast.Name, ast.ClassDef
        for node, scope in [each for kind in _ASSIGNMENT_NODES for each in self.nodes.get(kind, ())]:
            if type(node) is assigned and type(node.targets[0]) is name_ and type(scope.node) is not in_class:
                continue  # as most do, and a name is set along with an attribute by nobody
            for target, value in _assigned_pairs(node):
                name = _assigned_attribute(target, scope)
                if name and not (type(target) is ast.Name and type(node) is ast.AnnAssign):
                    table.setdefault(_enclosing_class_name(scope), {}).setdefault(name, []).append((value, scope))
        return table

    def _call_result(self, call: ast.Call, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """The result of a call of a function of this file, by annotation or by its only return; None for other calls."""
        made = self._called(call, scope)
        return None if made is None else self._function_result(made)

    def returned(self, call: ast.Call, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """The one thing that a function of this file returns, whatever its annotation says, and where; None for other calls."""
        made = self._called(call, scope)
        return _single_result(made) if made is not None else None

    def _called(self, call: ast.Call, scope: Scope) -> Scope | None:
        """The function of this file that is called; None for others."""
        func = call.func
        if isinstance(func, ast.Name):
            found = self.lookup(func.id, scope) if func.id in self._defined else None
            place = found[1].node if found is not None else None
            name = func.id
        elif isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id in SELF_NAMES:
            around = scope.enclosing_class
            place, name = around.node if around is not None else None, func.attr
        else:
            return None
        return self._defined.get(name, {}).get(id(place))

    def _function_result(self, made: Scope) -> tuple[ast.expr, Scope] | None:
        """The result of a function; computed once."""
        known = self._function_results.get(id(made), _NOT_COMPUTED)
        if isinstance(known, _NotComputed):
            known = self._function_results[id(made)] = self._looked_for(made)
        return known

    def _looked_for(self, made: Scope) -> tuple[ast.expr, Scope] | None:
        node = made.node
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        told = annotated_class(node.returns)
        if told is not None and made.parent is not None:
            return told, made.parent
        return _single_result(made)

    @cached_property
    def _defined(self) -> dict[str, dict[int, Scope]]:
        """The functions and methods of the file by their names and by what they are in."""
        table: dict[str, dict[int, Scope]] = {}
        for scope in self.scopes:
            if type(scope.node) is ast.FunctionDef or type(scope.node) is ast.AsyncFunctionDef:
                table.setdefault(scope.node.name, {})[id(scope.parent.node)] = scope  # type: ignore[union-attr]
        return table

    @cached_property
    def _function_results(self) -> dict[int, tuple[ast.expr, Scope] | None]:
        return {}

    def lookup(self, name: str, scope: Scope, choose: BindingChooser | None = None) -> tuple[Binding, Scope] | None:
        """What a name is bound to where it is used, and in which scope; None for a builtin or unknown name.

        `choose` makes one binding of several; by default they have to say the same.
        """
        place: Scope | None = scope
        while place is not None:
            if place is scope or not isinstance(place.node, ast.ClassDef):
                bound = place.bindings().get(name)
                if bound:
                    return ((choose or _common_binding)(bound), place)
            place = place.parent
        return None

    def behind(self, expression: ast.expr, scope: Scope) -> ast.expr:
        """What a name, or an attribute of `self`, was set to once; the expression itself for anything else."""
        for _ in range(_MAX_HOPS):
            if isinstance(expression, ast.Name):
                found = self.lookup(expression.id, scope)
                if found is None or found[0].value is None:
                    return expression
                expression, scope = found[0].value, found[1]
            elif (
                isinstance(expression, ast.Attribute) and (held := self._self_attribute(expression, scope)) is not None
            ):
                expression, scope = held
            else:
                return expression
        return expression

    def held(self, expression: ast.expr, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """What an attribute of `self` was set to, once, and where; None for anything else."""
        return self._self_attribute(expression, scope) if isinstance(expression, ast.Attribute) else None


def _single_result(made: Scope) -> tuple[ast.expr, Scope] | None:
    """What a function returns, when there is one statement that does."""
    results = [each.value for each in own_statements(made.node) if type(each) is ast.Return and each.value is not None]
    return (results[0], made) if len(results) == 1 else None


def _assigned_pairs(node: Any) -> list[tuple[ast.expr, ast.expr]]:
    """The targets of an assignment and their values; of several targets each has a part that is not followed."""
    if type(node) is not ast.Assign:
        return [] if node.value is None else [(node.target, node.value)]
    found: list[tuple[ast.expr, ast.expr]] = []
    for target in node.targets:
        if isinstance(target, (ast.Tuple, ast.List)):
            found += [(each, ast.Tuple([node.value], ast.Load())) for each in target.elts]
        else:
            found.append((target, node.value))
    return found


def _assigned_attribute(target: ast.expr, scope: Scope) -> str:
    """The attribute of a class that an assignment sets: `self.name = ...`, or `name = ...` in the class itself; empty for other targets."""
    if type(target) is ast.Attribute:
        return target.attr if type(target.value) is ast.Name and target.value.id in SELF_NAMES else ""
    return target.id if type(target) is ast.Name and type(scope.node) is ast.ClassDef else ""


def _enclosing_class_name(scope: Scope) -> str:
    """Qualified name of the nearest class; empty outside of any."""
    around = scope.enclosing_class
    return around.qualname if around is not None else ""


def _common_binding(bound: list[Binding]) -> Binding:
    """The binding on which all agree. An import wins over `name = None`, the usual fallback for a missing module."""
    imported = {
        _EQUIVALENT_MODULES.get(each.qualified_name, each.qualified_name)
        for each in bound
        if each.qualified_name is not None
    }
    others = [each for each in bound if each.qualified_name is None]
    if not imported:
        return bound[0] if len(bound) == 1 else OPAQUE
    if len(imported) == 1 and all(is_none(each.value) for each in others):
        return next(each for each in bound if each.qualified_name is not None)
    return OPAQUE
