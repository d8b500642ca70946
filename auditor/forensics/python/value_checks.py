"""Whether a condition checks a value: that a path stays in a folder, that the host of a URL is a known one.

A check counts by what it resolves to and where it is, never by its name: one in another file is a doubt.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import IntEnum

from auditor.forensics.code_facts.address_prefixes import fixes_host
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.python.scoped_nodes import Scope, walk_nodes
from auditor.forensics.python.taint_models import Checks, harmless_calls
from auditor.forensics.python.text_assignments import assignments_by_name, called_function
from auditor.forensics.python.value_guards import Condition, IsFixed, written_value

_MAX_NODES = 200
"""Nodes of a function that are looked at for a check."""


class Verdict(IntEnum):
    """What a condition says of a value."""

    NOTHING = 0
    DOUBT = 1
    """A function that could not be read may have checked it."""
    HELD = 2


class ValueChecks:
    """The checks that matter to one rule, asked about in one scope."""

    def __init__(self, module: Module, scope: Scope, rows: Checks, probe: str, is_fixed: IsFixed) -> None:
        self._module, self._scope, self._rows, self._is_fixed = module, scope, rows, is_fixed
        self._harmless = harmless_calls(probe)

    def verdict(self, condition: Condition, value: str) -> Verdict:
        """What it says of a value, as it is written, that a test was true or not."""
        said = self._verdict(condition, value)
        return min(said, Verdict.DOUBT) if condition.is_vague else said

    def _verdict(self, condition: Condition, value: str) -> Verdict:
        test, truth = condition.test, condition.truth
        if isinstance(test, ast.Name):  # `safe = is_safe(x)`
            test = next(self._assigned(test), None)
        if test is None:
            return Verdict.NOTHING
        if condition.is_statement:
            return self._held_if(isinstance(test, ast.Call) and self._raises(test, value))
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            return self._compared(test, value, truth)
        if truth and isinstance(test, ast.Call):
            return self._called(test, value)
        if not truth and self._is_part(test, value):
            return Verdict.HELD
        return (
            Verdict.DOUBT
            if not truth and isinstance(test, ast.Call) and self._is_unread(test, value)
            else Verdict.NOTHING
        )

    def _compared(self, test: ast.Compare, value: str, truth: bool) -> Verdict:
        left, operator, right = test.left, test.ops[0], test.comparators[0]
        equal = isinstance(operator, ast.Eq if truth else ast.NotEq)
        member = isinstance(operator, ast.In if truth else ast.NotIn)
        if isinstance(operator, ast.NotIn if truth else ast.In) and isinstance(left, ast.Constant):
            held = left.value in self._rows.absent and self._means(right, value)
            return Verdict.HELD if held else Verdict.NOTHING
        if member and last_name(right) == "parents" and ".parents" in self._rows.passing:
            return self._held_if(isinstance(right, ast.Attribute) and self._is_normalized(right.value, value))
        if (member or equal) and self._is_part(left, value):
            return self._held_if(self._is_fixed(right) or isinstance(right, (ast.Name, ast.Attribute)))
        if equal:
            for one, other in ((left, right), (right, left)):
                if isinstance(one, ast.Call) and self._is_held_call(one, value, other):
                    return Verdict.HELD
        return Verdict.NOTHING

    def _held_if(self, held: bool) -> Verdict:
        return Verdict.HELD if held else Verdict.NOTHING

    def _is_held_call(self, call: ast.Call, value: str, other: ast.expr) -> bool:
        """`basename(x) == x`, `commonpath([base, realpath(x)]) == base`."""
        name = self._module.resolve(call.func, self._scope) or ""
        if name in self._harmless:
            return any(written_value(each) == value for each in call.args) and written_value(other) == value
        if name not in self._rows.passing:
            return False
        members = [
            one for each in call.args for one in (each.elts if isinstance(each, (ast.List, ast.Tuple)) else [each])
        ]
        return any(self._is_normalized(each, value) for each in members)

    def _called(self, call: ast.Call, value: str) -> Verdict:
        func = call.func
        if isinstance(func, ast.Attribute) and f".{func.attr}" in self._rows.passing:
            if self._rows.normalizing:
                return self._held_if(self._is_normalized(func.value, value))
            return self._held_if(
                self._means(func.value, value) and bool(call.args) and self._begins_inside(call.args[0])
            )
        if (self._module.resolve(func, self._scope) or "") in self._rows.passing:
            return self._held_if(self._is_given(call, value))
        own = self._own_function(func)
        if own is not None:
            return self._held_if(self._is_given(call, value) and self._checks_something(own))
        return Verdict.DOUBT if self._is_unread(call, value) else Verdict.NOTHING

    def _raises(self, call: ast.Call, value: str) -> bool:
        """Does a call whose result is unused raise an exception for a harmful value?"""
        func = call.func
        if isinstance(func, ast.Attribute):
            return func.attr in self._rows.raising and self._is_normalized(func.value, value)
        own = self._own_function(func)
        if own is None or not self._is_given(call, value) or not self._checks_something(own):
            return False
        return any(isinstance(each, ast.Raise) for each in walk_nodes(own.node))

    def _begins_inside(self, start: ast.expr) -> bool:
        """Does a text that begins so lead to a known host?"""
        told = self._module.value(start, self._scope)
        if not isinstance(told, str):
            return isinstance(start, (ast.Name, ast.Attribute)) or self._is_fixed(start)
        return fixes_host(told)

    def _is_unread(self, call: ast.Call, value: str) -> bool:
        """Is a function of another module given the value?"""
        name = self._module.resolve(call.func, self._scope)
        return name is not None and "." in name and self._is_given(call, value) and name.partition(".")[0] not in _PLAIN

    def _is_given(self, call: ast.Call, value: str) -> bool:
        return any(self._means(each, value) for each in (*call.args, *(one.value for one in call.keywords)))

    def _own_function(self, func: ast.expr) -> Scope | None:
        return called_function(self._module, func, self._scope) if isinstance(func, ast.Name) else None

    def _checks_something(self, function: Scope) -> bool:
        """Does a function of the file ask anything of what it is given that one of the rows knows?"""
        for number, each in enumerate(walk_nodes(function.node)):
            if number > _MAX_NODES:
                return False
            word = (
                last_name(each.func)
                if isinstance(each, ast.Call)
                else last_name(each)
                if isinstance(each, ast.Attribute)
                else ""
            )
            if word and (word in self._rows.parts or word in self._rows.raising or word in self._words):
                return True
            if isinstance(each, ast.Compare) and isinstance(each.ops[0], (ast.In, ast.NotIn)):
                return True
        return False

    @property
    def _words(self) -> frozenset[str]:
        return frozenset(each.rpartition(".")[2] for each in self._rows.passing)

    def _means(self, expression: ast.expr, value: str) -> bool:
        """Is it the value, as it is or through `str` and calls that normalize it?"""
        for _ in range(3):
            if written_value(expression) == value:
                return True
            if isinstance(expression, ast.Call) and expression.args:
                expression = expression.args[0]
            elif isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute):
                expression = expression.func.value
            else:
                return False
        return False

    def _is_part(self, expression: ast.expr, value: str) -> bool:
        """Is it the part of a URL that decides: `urlparse(url).netloc`, or an attribute of a name that was given that?"""
        if not isinstance(expression, ast.Attribute) or expression.attr not in self._rows.parts:
            return False
        for made in (expression.value, *self._assigned(expression.value)):
            if (
                isinstance(made, ast.Call)
                and last_name(made.func) in self._rows.parsers
                and self._is_given(made, value)
            ):
                return True
        return False

    def _is_normalized(self, expression: ast.expr, value: str) -> bool:
        """Is it the value, made by a call that resolves `..`, here or where it was assigned?"""
        if not self._means(expression, value):
            return False
        made = (expression, *self._assigned(expression), *self._assigned(ast.Name(value, ast.Load())))
        return any(
            isinstance(each, ast.Call) and last_name(each.func) in self._rows.normalizing
            for one in made
            for each in ast.walk(one)
        )

    def _assigned(self, expression: ast.expr) -> Iterator[ast.expr]:
        found = (
            self._module.lookup(expression.id, self._scope, lambda several: several[0])
            if isinstance(expression, ast.Name)
            else None
        )
        if found is not None:
            given = assignments_by_name(self._module, found[1]).get(expression.id, [])  # type: ignore[attr-defined]
            yield from (each.value for each in given[:_MAX_ASSIGNED] if each.value is not None)


_MAX_ASSIGNED = 8
_PLAIN = frozenset({"os", "logging", "builtins", "re", "time"})
"""Modules of the language whose functions that are not in a row check nothing."""
