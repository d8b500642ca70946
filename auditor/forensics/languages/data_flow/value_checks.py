"""Whether a condition checks a value: that a path stays in a folder, that the host of a URL is a known one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.code_facts.address_prefixes import fixes_host
from auditor.forensics.languages.data_flow.constant_values import text_of
from auditor.forensics.languages.data_flow.expressions import Call, Expression, Item, Member, Name, Operation
from auditor.forensics.languages.data_flow.flow_models import Checks
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.scope_types import Scope

_CALLED = re.compile(r"(?<![\w$])([A-Za-z_]\w{0,60}[?!]?)\s{0,4}\(|\.(\w{1,60}[?!]?)(?=[\s).;,]|$)")
_MAX_BYTES = 400
_MAX_ASSIGNED = 4
_EQUAL, _UNEQUAL = frozenset({"==", "===", "eql?"}), frozenset({"!=", "!=="})


class ValueChecks:
    """The checks that matter to one rule, in one file."""

    def __init__(self, file: FollowedFile, rows: Checks, harmless: frozenset[str]) -> None:
        self._file, self._rows = file, rows
        self._harmless = frozenset(each.rpartition(".")[2] for each in harmless)

    def holds(self, test: Expression, truth: bool, value: str, scope: Scope) -> bool:
        """Is a value, as it is written, harmless where a test was true, or was not?"""
        if isinstance(test, Call):
            return self._called(test, truth, value, scope)
        if isinstance(test, Operation):
            return self._compared(test, truth, value, scope)
        return isinstance(test, Item) and truth and self._is_part(test.key, value, scope)

    def _called(self, call: Call, truth: bool, value: str, scope: Scope) -> bool:
        callee = call.callee
        last = callee.name if isinstance(callee, (Name, Member)) else ""
        if self._is_own(last):
            return False
        of_value = isinstance(callee, Member) and self._means(callee.owner, value, scope)
        subject = callee.owner if of_value and isinstance(callee, Member) else next(iter(call.arguments), None)
        given = call.arguments if of_value else call.arguments[1:]
        if subject is None:
            return False
        if not truth:
            told = text_of(self._file, given[0], scope) if given else None
            return last in self._rows.containing and told in self._rows.absent and self._means(subject, value, scope)
        if any(self._is_part(each, value, scope) for each in call.arguments):
            return True
        if last in self._rows.confirming:
            return self._means(subject, value, scope)
        return last in self._rows.passing and self._begins_inside(subject, given, value, scope)

    def _begins_inside(self, subject: Expression, given: tuple[Expression, ...], value: str, scope: Scope) -> bool:
        """Is the begin of the value a folder that it was resolved against, or a host of its own?"""
        if not self._means(subject, value, scope):
            return False
        if self._rows.normalizing:
            return self._is_normalized(subject, value, scope)
        told = text_of(self._file, given[0], scope) if given else ""
        return told is None or fixes_host(told)

    def _compared(self, test: Operation, truth: bool, value: str, scope: Scope) -> bool:
        if test.operator not in (_EQUAL if truth else _UNEQUAL):
            return False
        for one, other in ((test.left, test.right), (test.right, test.left)):
            if self._is_part(one, value, scope):
                return True
            if isinstance(one, Call) and isinstance(one.callee, (Name, Member)):
                same = self._written(other) == value and self._means(one, value, scope)
                if same and one.callee.name in self._harmless and not self._is_own(one.callee.name):
                    return True
                if one.callee.name == "indexOf" and self._written(other) == "0":
                    return self._called(one, True, value, scope)
        return False

    def _is_own(self, name: str) -> bool:
        """Does the file define a function of that name, which may do anything?"""
        return bool(self._file.scopes.by_name.get(name))

    def _written(self, expression: Expression) -> str:
        return self._file.scopes.lowering.source_of(expression.node, 200)

    def _means(self, expression: Expression, value: str, scope: Scope) -> bool:
        """Is it the value, what a call makes of it, or a name that was given that?"""
        if self._written(expression) == value:
            return True
        made = (expression, *self._assigned(expression, scope))
        return any(self._written(each) == value for one in made if isinstance(one, Call) for each in _given(one))

    def _is_part(self, expression: Expression, value: str, scope: Scope) -> bool:
        """Is it the part of a URL that decides where it leads: `new URL(x).hostname`, `parsed.Host`?"""
        while isinstance(expression, Call) and isinstance(expression.callee, Member) and not expression.arguments:
            expression = expression.callee
        if not isinstance(expression, Member) or expression.name not in self._rows.parts:
            return False
        for made in (expression.owner, *self._assigned(expression.owner, scope)):
            last = made.callee.name if isinstance(made, Call) and isinstance(made.callee, (Name, Member)) else ""
            if isinstance(made, Call) and last in self._rows.parsers and not self._is_own(last):
                return any(self._written(each) == value for each in made.arguments)
        return False

    def _is_normalized(self, subject: Expression, value: str, scope: Scope) -> bool:
        """Was it made by a call that resolves `..`, here or where it was assigned?"""
        named = Name(subject.node, value)
        for each in (subject, *self._assigned(subject, scope), *self._assigned(named, scope)):
            text = self._file.scopes.lowering.source_of(each.node, _MAX_BYTES)
            words = {one or other for one, other in _CALLED.findall(text)} & self._rows.normalizing
            if any(not self._is_own(word) for word in words):
                return True
        return False

    def _assigned(self, expression: Expression, scope: Scope) -> Iterator[Expression]:
        if isinstance(expression, Name):
            bound = self._file.reaching(expression.name, expression.node.start_byte, scope)
            yield from (each.value for each in bound[:_MAX_ASSIGNED] if each.value is not None)


def _given(call: Call) -> tuple[Expression, ...]:
    owner = (call.callee.owner,) if isinstance(call.callee, Member) else ()
    return (*owner, *call.arguments)
