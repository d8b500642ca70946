"""What a list of a Python file is made of, as far as the file shows: written out, added up, filled, looped over."""

from __future__ import annotations

import ast

from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scope_bindings import SELF_NAMES
from auditor.forensics.python.scoped_nodes import Scope
from auditor.forensics.python.text_assignments import (
    Assignment,
    ScopedExpression,
    appended_items,
    assignments_by_name,
    self_assignments,
)

_MAX_STEPS = 1_000
"""Expressions that are followed for one text. A query that copies a table of fifty columns, each told by a call, takes seven hundred."""
MAX_DEPTH = 14


def list_items(module: Module, expression: ast.expr | None, scope: Scope) -> list[ast.expr]:
    """The elements of a list that is built and filled in the file; none when they are not known."""
    if not isinstance(expression, (ast.Name, ast.BinOp, ast.Call)):
        return []
    return [each for each, _ in ListItems(module).items(expression, scope, MAX_DEPTH) or ()]


class ListItems:
    """Follows one expression. Every step is counted, so that no file can make it long."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._left = _MAX_STEPS
        self._busy: set[tuple[int, str]] = set()

    def _owner(self, expression: ast.Name | ast.Attribute, scope: Scope) -> tuple[Scope, str] | None:
        """The scope that binds a name, or the class that holds an attribute of `self` or `cls`."""
        if isinstance(expression, ast.Name):
            found = self._module.lookup(expression.id, scope)
            return (found[1], expression.id) if found is not None else None
        if not isinstance(expression.value, ast.Name) or expression.value.id not in SELF_NAMES:
            return None
        around = scope.enclosing_class
        return (around, f"self.{expression.attr}") if around is not None else None

    def _assignments_to(self, expression: ast.expr, name: str, holder: Scope) -> list[Assignment]:
        if isinstance(expression, ast.Name):
            return assignments_by_name(self._module, holder).get(name, [])
        at_class_level = assignments_by_name(self._module, holder).get(name.removeprefix("self."), ())
        return [*self_assignments(self._module).get((id(holder), name), ()), *at_class_level]

    def items(self, what: ast.expr, scope: Scope, depth: int) -> list[ScopedExpression] | None:
        """What a list is made of, as far as the file shows; None when it does not."""
        self._left -= 1
        if depth <= 0 or self._left <= 0:
            return None
        found: list[ScopedExpression] | None = None
        if isinstance(what, (ast.List, ast.Tuple, ast.Set)):
            found = [item for each in what.elts for item in self._spread(each, scope, depth)]
        elif isinstance(what, (ast.GeneratorExp, ast.ListComp, ast.SetComp)):
            found = self._comprehension_items(what, scope, depth)
        elif isinstance(what, ast.BinOp) and isinstance(what.op, ast.Add):
            left, right = (self.items(each, scope, depth - 1) for each in (what.left, what.right))
            found = None if left is None or right is None else [*left, *right]
        elif isinstance(what, ast.Call) and isinstance(what.func, ast.Name) and what.args:
            passes = what.func.id in {"list", "tuple", "filter"}
            found = self.items(what.args[-1], scope, depth - 1) if passes else None
        elif isinstance(what, (ast.Name, ast.Attribute)):
            place = self._owner(what, scope)
            if place is not None and (id(place[0]), place[1]) not in self._busy:
                found = self._items_of_name(what, *place, depth)
        return found

    def _items_of_name(self, what: ast.expr, holder: Scope, name: str, depth: int) -> list[ScopedExpression] | None:
        key = (id(holder), name)
        self._busy.add(key)
        try:
            return self._items_of_assignments(self._assignments_to(what, name, holder), key, depth)
        finally:
            self._busy.discard(key)

    def _items_of_assignments(
        self, assigned: list[Assignment], key: tuple[int, str], depth: int
    ) -> list[ScopedExpression] | None:
        items: list[ScopedExpression] = []
        known = False
        for each in sorted(assigned, key=lambda each: each.line):
            some = self.items(each.value, each.scope, depth - 1) if each.value is not None else None
            if some is None:
                return None
            known, items = True, [*items, *some]
        if not known:
            return None
        filled = sorted(appended_items(self._module).get(key, ()), key=lambda each: each[0].lineno)
        return [*items, *(item for each, scope in filled for item in self._spread(each, scope, depth))]

    def _spread(self, item: ast.expr, scope: Scope, depth: int) -> list[ScopedExpression]:
        """An item of a list, or the items of what is spread into it as far as they are known."""
        if not isinstance(item, ast.Starred):
            return [(item, scope)]
        return self.items(item.value, scope, depth - 1) or [(item.value, scope)]

    def _comprehension_items(
        self, made: ast.GeneratorExp | ast.ListComp | ast.SetComp, scope: Scope, depth: int
    ) -> list[ScopedExpression] | None:
        """The element of a comprehension; of `part for part in parts` those of the list."""
        loop = made.generators[0]
        if isinstance(made.elt, ast.Name) and isinstance(loop.target, ast.Name) and made.elt.id == loop.target.id:
            return self.items(loop.iter, scope, depth - 1)
        return [(made.elt, scope)]
