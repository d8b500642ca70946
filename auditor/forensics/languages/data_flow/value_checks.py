"""Whether a condition checks a value: that a path stays in a folder, that the host of a URL is a known one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.code_facts.address_prefixes import fixes_host
from auditor.forensics.languages.data_flow.constant_values import text_of
from auditor.forensics.languages.data_flow.expressions import (
    Call,
    Expression,
    Filled,
    FunctionValue,
    Item,
    Member,
    Name,
    Operation,
    last_name,
)
from auditor.forensics.languages.data_flow.flow_models import Checks
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.scope_types import Scope

_CALLED = re.compile(r"(?<![\w$])([A-Za-z_]\w{0,60}[?!]?)\s{0,4}\(|\.(\w{1,60}[?!]?)(?=[\s).;,]|$)")
_WORD = re.compile(r"\w{1,60}")
_MAX_BYTES = 400
_MAX_ASSIGNED = 4
_MAX_GIVEN = 20
EQUAL, UNEQUAL = frozenset({"==", "===", "eql?"}), frozenset({"!=", "!=="})

_ABSENT = {True: frozenset({("<", "0"), ("<=", "-1")}), False: frozenset({(">=", "0"), (">", "-1")})}
"""Comparisons that say, as they are true or not, that a text is in no place."""


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
            return self._compared(test, truth, value, scope) or self._placed(test, truth, value, scope)
        return isinstance(test, Item) and truth and self._is_part(test.key, value, scope)

    def _called(self, call: Call, truth: bool, value: str, scope: Scope) -> bool:
        callee = call.callee
        last = last_name(callee)
        if self._is_own(last):
            return False
        subject, given = self._asked(call, value, scope)
        if subject is None:
            return False
        if not truth:
            return last in self._rows.containing and self._lacks(subject, given, value, scope)
        if any(self._is_part(each, value, scope) for each in call.arguments):
            return True
        if last in self._rows.confirming:
            return self._means(subject, value, scope)
        return last in self._rows.passing and self._begins_inside(subject, given, value, scope)

    def _lacks(self, subject: Expression, given: tuple[Expression, ...], value: str, scope: Scope) -> bool:
        """Does a value do no harm without the text that a call looks for?"""
        told = self._wanted(given[0], scope) if given else None
        return told in self._rows.absent and self._means(subject, value, scope)

    def _wanted(self, given: Expression, scope: Scope) -> str | None:
        """The text that a call looks for, or the constant that a function compares parts with: `|c| c == ParentDir`."""
        if isinstance(given, FunctionValue):
            words = _WORD.findall(self._written(given))
            return next((each for each in words if each in self._rows.absent), None)
        return text_of(self._file, given, scope)

    def _begins_inside(self, subject: Expression, given: tuple[Expression, ...], value: str, scope: Scope) -> bool:
        """Is the begin of the value a folder that it was resolved against, or a host of its own?"""
        if not self._means(subject, value, scope):
            return False
        if self._rows.normalizing:
            return self._is_normalized(subject, value, scope)
        told = text_of(self._file, given[0], scope) if given else ""
        return told is None or fixes_host(told)

    def _compared(self, test: Operation, truth: bool, value: str, scope: Scope) -> bool:
        if test.operator not in (EQUAL if truth else UNEQUAL):
            return False
        for one, other in ((test.left, test.right), (test.right, test.left)):
            if self._is_part(one, value, scope):
                return True
            if isinstance(one, Call) and isinstance(one.callee, (Name, Member)):
                same = self._written(other) == value and self._means(one, value, scope)
                if same and one.callee.name in self._harmless and not self._is_own(one.callee.name):
                    return True
                if self._is_folder(one, value, scope):
                    return True
        return False

    def _is_folder(self, made: Call, value: str, scope: Scope) -> bool:
        """Is it the folder of a value that was resolved: `File.dirname(path)`?"""
        if not self._means(made, value, scope) or not self._is_normalized(made, value, scope):
            return False
        text = self._file.scopes.lowering.source_of(made.node, _MAX_BYTES)
        words = {one or other for one, other in _CALLED.findall(text)} & self._rows.folders
        return any(not self._is_own(each) for each in words)

    def _placed(self, test: Operation, truth: bool, value: str, scope: Scope) -> bool:
        """`indexOf(x) === 0`, `strpos($x, "..") === false`: where does a value hold a text?"""
        turned = not isinstance(test.left, Call) and test.operator in EQUAL | UNEQUAL
        call, told = (test.right, self._written(test.left)) if turned else (test.left, self._written(test.right))
        last = last_name(call.callee) if isinstance(call, Call) else ""
        if not isinstance(call, Call) or last not in self._rows.placing | self._rows.differing or self._is_own(last):
            return False
        subject, given = self._asked(call, value, scope)
        if subject is None:
            return False
        equal = test.operator in (EQUAL if truth else UNEQUAL)
        if equal and told == "0":
            return self._begins_inside(subject, given, value, scope)
        absent = (equal and told in {"-1", "false", "None"}) or (test.operator, told) in _ABSENT[truth]
        return absent and last in self._rows.placing and self._lacks(subject, given, value, scope)

    def _asked(self, call: Call, value: str, scope: Scope) -> tuple[Expression | None, tuple[Expression, ...]]:
        """What a call asks something of, and what it is given beside that."""
        callee = call.callee
        if isinstance(callee, Member) and self._means(callee.owner, value, scope):
            return callee.owner, call.arguments
        return next(iter(call.arguments), None), call.arguments[1:]

    def _is_own(self, name: str) -> bool:
        """Does the file define a function of that name, which may do anything?"""
        return bool(self._file.scopes.by_name.get(name))

    def _written(self, expression: Expression) -> str:
        return self._file.scopes.lowering.source_of(expression.node, 200)

    def _means(self, expression: Expression, value: str, scope: Scope) -> bool:
        """Is it the value, what one or two calls make of it, or a name that was given that?"""
        if self._written(expression) == value:
            return True
        made = (expression, *self._assigned(expression, scope))
        given = [each for one in made if isinstance(one, Call) for each in _given(one)]
        given += [each for one in given[:_MAX_GIVEN] if isinstance(one, Call) for each in _given(one)]
        return any(self._written(each) == value for each in given)

    def _is_part(self, expression: Expression, value: str, scope: Scope) -> bool:
        """Is it the part of a URL that decides where it leads: `new URL(x).hostname`, `parsed.Host`?"""
        while isinstance(expression, Call) and isinstance(expression.callee, Member) and not expression.arguments:
            expression = expression.callee
        if isinstance(expression, Name):
            made = (each for each in self._assigned(expression, scope) if not isinstance(each, Name))
            return any(self._is_part(each, value, scope) for each in made)
        if isinstance(expression, Call):  # `parse_url($x, PHP_URL_HOST)`
            names = {each.name for each in expression.arguments if isinstance(each, Name)}
            return not names.isdisjoint(self._rows.parts) and self._parses(expression, value)
        part = expression.name if isinstance(expression, Member) else None
        if isinstance(expression, Item):
            part = text_of(self._file, expression.key, scope)
        if not isinstance(expression, (Member, Item)) or part not in self._rows.parts:
            return False
        assigned = list(self._assigned(expression.owner, scope))
        parsed = self._written(expression.owner) == value and any(map(self._is_parser, assigned))
        return parsed or any(self._parses(each, value) for each in (expression.owner, *assigned))

    def _parses(self, made: Expression, value: str) -> bool:
        """Is it a call that parses the value?"""
        while isinstance(made, Call) and isinstance(made.callee, Member) and isinstance(made.callee.owner, Call):
            made = made.callee.owner  # `Url::parse(x).unwrap()`
        given = made.arguments if isinstance(made, Call) and self._is_parser(made) else ()
        return any(self._written(each) == value for each in given)

    def _is_parser(self, made: Expression) -> bool:
        while isinstance(made, Call) and isinstance(made.callee, Member) and isinstance(made.callee.owner, Call):
            made = made.callee.owner
        last = last_name(made.callee) if isinstance(made, Call) else ""
        return last in self._rows.parsers and not self._is_own(last)

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
            values = (each.value for each in bound[:_MAX_ASSIGNED])
            yield from (each.call if isinstance(each, Filled) else each for each in values if each is not None)


def _given(call: Call) -> tuple[Expression, ...]:
    owner = (call.callee.owner,) if isinstance(call.callee, Member) else ()
    return (*owner, *call.arguments[:_MAX_GIVEN])
