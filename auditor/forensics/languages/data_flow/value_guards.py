"""Where a value is held to a fixed set, or to plain characters, by a condition that was asked before.

A comparison alone holds nothing: it counts inside the branch that it opens, and behind a branch that is left where the
value is another one. What a function of the file asks counts by what it returns, never by its name.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from auditor.forensics.languages.data_flow.constant_values import is_fixed
from auditor.forensics.languages.data_flow.expressions import (
    Call,
    Constant,
    Expression,
    Item,
    Member,
    Name,
    Not,
    Operation,
    Pattern,
    Text,
    last_name,
)
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.plain_patterns import holds_whole_text, undelimited
from auditor.forensics.languages.data_flow.scope_types import Scope
from auditor.forensics.languages.data_flow.scopes import returned_values
from auditor.forensics.languages.data_flow.token_trees import spelled
from auditor.forensics.languages.data_flow.value_checks import EQUAL, UNEQUAL, ValueChecks
from auditor.forensics.languages.grammar_kinds import child_part
from auditor.forensics.source_text.syntax_trees import START_BYTE

if TYPE_CHECKING:
    from tree_sitter import Node

_MEMBERSHIP = frozenset({"Contains", "ContainsKey", "contains_key", "TryGetValue", "includes", "has", "contains", "include?", "member?", "key?", "has_key?", "containsKey", "cover?", "exist?", "hasOwnProperty", "indexOf"})  # fmt: skip
"""Methods of a collection that are given a value."""
_ASKED_OF_VALUE = frozenset({"Equals", "eq_ignore_ascii_case", "in?", "matches", "match?", "match", "=~", "equals", "equalsIgnoreCase", "eql?", "===", "isInteger"})  # fmt: skip
_HOLDING_CALLS = frozenset({"matches!", "in_array", "array_key_exists", "ctype_alnum", "ctype_digit", "ctype_alpha", "ctype_xdigit", "is_numeric", "is_int", "slices.Contains", "Object.hasOwn", "Number.isInteger", "Number.isFinite", "Number.isSafeInteger", "StringUtils.isNumeric", "StringUtils.isAlphanumeric"})  # fmt: skip
_PATTERN_TESTS = frozenset({"is_match", "IsMatch", "test", "exec", "match?", "match", "MatchString", "Match"})
_BORROWED = re.compile(r"\.as_(?:str|ref)(?:\(\)?)?$")
"""What only changes how a value is borrowed."""
_SAME = frozenset({"Equals", "eq_ignore_ascii_case", "equals", "eql?", "===", "equalsIgnoreCase", "in?"})
_PATTERN_FUNCTIONS = frozenset({"preg_match"})
_PATTERN_OPERATORS = frozenset({"=~", "is", "in"})
_AFFIRMED = frozenset({"1", "true", "TRUE"})
_MAX_STATEMENTS = 100
"""Statements before a place that are looked at."""
_MAX_CONDITIONS = 30
_MAX_NESTED, _MAX_ASKED = 4, 40
_ANONYMOUS = frozenset(
    {
        "closure_expression",
        "anonymous_function",
        "anonymous_method_expression",
        "block",
        "do_block",
        "arrow_function",
        "function_expression",
        "func_literal",
        "lambda",
        "lambda_expression",
    }
)


class Guard(NamedTuple):
    """A condition that holds where a value is used, and where it begins and ends."""

    place: int
    end: int


class ValueGuards:
    """The guards of one file."""

    def __init__(self, file: FollowedFile) -> None:
        self._file = file
        self._statements: dict[int, list[Node]] = {}
        self._checks: ValueChecks | None = None
        self._asking: set[int] = set()
        """Functions whose conditions are being asked: one may call itself."""
        self._asked = 0
        """Functions that were asked about one value."""
        self.is_doubted = False
        """May a function of the file, which was not understood, have checked the value?"""

    def guard(self, expression: Expression, scope: Scope, checks: ValueChecks | None = None) -> Guard | None:
        """The guard that holds where a value is used, the checks of a rule among them; None without one."""
        self._checks, self.is_doubted, self._asked = checks, False, 0
        written = self._written(expression)
        return self._at(expression.node, written, scope) if written else None

    def _at(self, node: Node, written: str, scope: Scope) -> Guard | None:
        """The guard of a value, as it is written, that holds at a place."""
        kinds = self._file.scopes.kinds
        inner = node
        for each in self._file.around(node):
            if each.type in kinds.functions and each.type not in _ANONYMOUS:
                break
            found = self._of_branch(each, inner, written, scope) or self._of_case(each, inner, written)
            if found is None and each.type in kinds.blocks:
                found = self._of_earlier(each, inner, written, scope)
            if found is not None:
                return found
            inner = each
        return None

    def _written(self, expression: Expression) -> str:
        if isinstance(expression, (Name, Member, Item, Call)):
            node = expression.node
            of_tokens = not node.is_named or node.type == "token_tree"
            written = spelled(expression) if of_tokens else self._file.scopes.lowering.source_of(node, 200)
            return _BORROWED.sub("", written)
        return ""

    def _of_branch(self, around: Node, inner: Node, written: str, scope: Scope) -> Guard | None:
        """Inside the branch that a condition opens, or behind `&&`."""
        kinds = self._file.scopes.kinds
        fields = kinds.conditionals.get(around.type)
        if fields is not None:
            test, then, other = (around.child_by_field_name(each) if each else None for each in fields)
            if test is None or _stands_in(inner, test):
                return None
            truth = _stands_in(inner, then) if then is not None else False
            if not truth and (other is None or not _stands_in(inner, other)):
                return None
            return self._holding(test, (truth is True) is (around.type not in kinds.negative), written, scope)
        if around.type in kinds.operations:
            lowered = self._file.scopes.lowering.lower(around)
            if (
                isinstance(lowered, Operation)
                and lowered.operator in {kinds.both, kinds.either, "and", "or"}
                and inner.start_byte >= lowered.right.node.start_byte
            ):
                return self._holding(lowered.left.node, lowered.operator in {kinds.both, "and"}, written, scope)
        return None

    def _of_case(self, around: Node, inner: Node, written: str) -> Guard | None:
        """Inside a branch of a switch over the value."""
        kinds = self._file.scopes.kinds
        switching = kinds.cases.get(around.type)
        if switching is None or not around.named_children or around.named_children[0] == inner:
            return None
        lowering, test = self._file.scopes.lowering, around.named_children[0]
        is_named = re.match(r"(?:case|when)\b", lowering.source_of(around, 10)) is not None
        if not is_named and not is_fixed(self._file, lowering.lower(test), self._file.scopes.root):
            return None
        for each in self._file.around(around):
            if each.type == switching:
                value = each.child_by_field_name("value") or each.child_by_field_name("condition")
                value = value or (each.named_children[0] if each.named_children else None)
                if value is not None and _BORROWED.sub("", lowering.source_of(value, 200).strip("() ")) == written:
                    return Guard(value.start_byte, value.end_byte)
                return None
        return None

    def _of_earlier(self, block: Node, inner: Node, written: str, scope: Scope) -> Guard | None:
        """Behind a condition in the same block whose branch is left, or gives the value another one."""
        kinds = self._file.scopes.kinds
        before = self._before(block, inner)
        for each in before:
            statement = each.named_children[0] if each.type == "expression_statement" and each.named_children else each
            for one in self._tried(statement) if statement.type in kinds.tries else (statement,):
                found = self._behind(one, written, scope)
                if found is not None:
                    return found
        return None

    def _behind(self, statement: Node, written: str, scope: Scope) -> Guard | None:
        """Behind a condition whose branch is left, or gives the value another one."""
        kinds = self._file.scopes.kinds
        fields = kinds.conditionals.get(statement.type)
        if fields is None:
            return None
        test, then, other = (statement.child_by_field_name(one) if one else None for one in fields)
        if test is None or then is None or other is not None:
            return None
        if not self._leaves(then) and not self._replaces(then, written, scope):
            return None
        return self._holding(test, statement.type in kinds.negative, written, scope)

    def _tried(self, statement: Node) -> list[Node]:
        """The statements of a block whose handlers are all left, the last first: behind it, all of them were run."""
        body = statement.child_by_field_name("body")
        handlers = [each for each in statement.named_children if each.type in self._file.file.language.handlers]
        ends = [each.child_by_field_name("body") or each for each in handlers]
        if body is None or not ends or not all(map(self._leaves, ends)):
            return []
        return body.named_children[:_MAX_STATEMENTS][::-1]

    def _before(self, block: Node, inner: Node) -> list[Node]:
        """The statements of a block before the one that holds the value, the nearest first."""
        if block.id not in self._statements:
            self._statements[block.id] = block.named_children
        known = self._statements[block.id]
        place = bisect_left(known, inner.start_byte, key=START_BYTE)
        return known[max(0, place - _MAX_STATEMENTS) : place][::-1]

    def _leaves(self, node: Node) -> bool:
        """Does a branch always leave, so that the code after it is not reached?"""
        kinds = self._file.scopes.kinds
        for _ in range(6):
            if node.type in kinds.leaving:
                return True
            lowered = self._file.scopes.lowering.lower(node)
            callee = lowered.callee if isinstance(lowered, Call) else lowered
            if isinstance(callee, Name) and callee.name in kinds.leaving_calls:
                return True
            if isinstance(callee, Member) and self._file.scopes.lowering.source_of(callee.node, 40) in _LEAVING_CALLS:
                return True
            inner = self._file.scopes.lowering.named_children(node)
            if not inner or (node.type not in kinds.blocks and node.type not in _STATEMENTS):
                return False
            node = inner[-1]
        return False

    def _replaces(self, then: Node, written: str, scope: Scope) -> bool:
        """Is all that a branch does to give the value another one that is fixed?"""
        kinds, lowering = self._file.scopes.kinds, self._file.scopes.lowering
        for _ in range(_MAX_NESTED):
            if then.type in kinds.assignments:
                left, right = (child_part(then, each) for each in kinds.assignments[then.type])
                same = left is not None and lowering.source_of(left, 200) == written
                return same and right is not None and is_fixed(self._file, lowering.lower(right), scope)
            inner = lowering.named_children(then)
            if len(inner) != 1:
                return False
            then = inner[0]
        return False

    def _holding(self, test: Node, truth: bool, written: str, scope: Scope) -> Guard | None:
        lowered = self._file.scopes.lowering.lower(test)
        return Guard(*test.byte_range) if self._holds(lowered, truth, written, scope) else None

    def _holds(self, test: Expression, truth: bool, written: str, scope: Scope, depth: int = 8) -> bool:
        """Does a condition that is true, or is not, hold the value to a fixed set?"""
        if depth <= 0 or (self._checks is not None and self._checks.holds(test, truth, written, scope)):
            return depth > 0
        if isinstance(test, Not):
            return self._holds(test.value, not truth, written, scope, depth - 1)
        if isinstance(test, Operation):
            return self._comparison(test, truth, written, scope, depth)
        if isinstance(test, Item) and truth:  # `allowed[x]`
            return self._written(test.key) == written and is_fixed(self._file, test.owner, scope)
        if isinstance(test, Name):  # `_, ok := allowed[x]`
            bound = self._file.reaching(test.name, test.node.start_byte, scope)
            values = [each.value for each in bound[-1:] if each.value is not None and each.value is not test]
            return any(
                self._holds(each, truth, written, scope, depth - 1) for each in values if not isinstance(each, Name)
            )
        return isinstance(test, Call) and self._asks(test, truth, written, scope, depth)

    def _comparison(self, test: Operation, truth: bool, written: str, scope: Scope, depth: int) -> bool:
        kinds = self._file.scopes.kinds
        sides = (test.left, test.right)
        if test.operator in {kinds.both, "and", kinds.either, "or"}:
            together = (test.operator in {kinds.both, "and"}) is truth
            told = (self._holds(each, truth, written, scope, depth - 1) for each in sides)
            return any(told) if together else all(told)
        if test.operator in _PATTERN_OPERATORS:
            return self._written(test.left) == written and self._fits(test, truth, scope)
        if isinstance(test.left, Call) and isinstance(test.right, (Call, Constant)):  # `indexOf(x) >= 0`, `=== -1`
            affirmed = self._file.written(test.right) in _AFFIRMED and test.operator in EQUAL | UNEQUAL
            asked = EQUAL if affirmed else {">=", ">", "!==", "!=", "~"}
            positive = (test.operator in asked) is truth
            return positive and self._asks(test.left, True, written, scope, depth)
        for one, other in (sides, sides[::-1]):
            if (
                (test.operator in (EQUAL if truth else UNEQUAL))
                and self._written(one) == written
                and is_fixed(self._file, other, scope)
            ):
                return (
                    not isinstance(other, Constant)
                    or self._file.scopes.lowering.source_of(other.node, 20) not in _NOTHING
                )
        typed = test.left
        return (
            isinstance(typed, Call)
            and isinstance(typed.callee, Name)
            and typed.callee.name == "typeof"
            and (test.operator in (EQUAL if truth else UNEQUAL))
            and self._written(typed.arguments[0]) == written
            and isinstance(test.right, Text)
            and test.right.value in {"number", "boolean", "bigint"}
        )

    def _fits(self, test: Operation, truth: bool, scope: Scope) -> bool:
        """Does a value fit a pattern, or belong to a collection, that lets only fixed or plain texts through?"""
        other = test.right
        if test.operator == "is" and isinstance(other, Not):
            return not truth and is_fixed(self._file, other.value, scope)
        return truth and (
            self._fits_whole(other, scope) if test.operator == "=~" else is_fixed(self._file, other, scope)
        )

    def _asks(self, call: Call, truth: bool, written: str, scope: Scope, depth: int) -> bool:
        callee, given = call.callee, call.arguments
        if not truth:
            return False
        holder = next((number for number, each in enumerate(given) if self._written(each) == written), None)
        if isinstance(callee, Member) and self._method_asks(callee, given, holder, written, scope):
            return True
        if isinstance(callee, Name) and callee.name in _PATTERN_FUNCTIONS:
            return holder == 1 and self._fits_whole(given[0], scope)
        if isinstance(callee, Name) and callee.name == "isset" and given:
            return self._holds(given[0], True, written, scope, depth - 1)
        named = self._file.scopes.lowering.source_of(callee.node, 80).lstrip("\\")
        named = f"{named}!" if isinstance(callee, Name) and callee.name.endswith("!") else named
        if holder is not None and named in _HOLDING_CALLS:
            others = [each for number, each in enumerate(given) if number != holder]
            return all(is_fixed(self._file, each, scope) for each in others)
        return holder is not None and self._own_function_asks(call, holder, depth)

    def _method_asks(
        self, callee: Member, given: tuple[Expression, ...], holder: int | None, written: str, scope: Scope
    ) -> bool:
        """Does a method of the value, of a collection or of a pattern ask what the value is?"""
        if self._written(callee.owner) == written and callee.name in _ASKED_OF_VALUE and given:
            if callee.name in _SAME:
                return is_fixed(self._file, given[0], scope)
            return self._fits_whole(given[0], scope, whole=callee.name == "matches")
        if holder is not None and callee.name in _PATTERN_TESTS and self._fits_whole(callee.owner, scope):
            return True
        if holder == 0 and callee.name == "IsMatch" and len(given) > 1:
            return self._fits_whole(given[1], scope)
        asks = (callee.name in _MEMBERSHIP and len(given) == 1) or callee.name in {"equals", "Equals", "TryGetValue"}
        return holder == 0 and asks and is_fixed(self._file, callee.owner, scope)

    def _own_function_asks(self, call: Call, position: int, depth: int) -> bool:
        """Does a function of the file give back whether its parameter is in a fixed set?"""
        name = last_name(call.callee)
        functions = self._file.scopes.by_name.get(name, ())
        for each in functions[:1]:
            parameter = next((one for one in each.parameters.values() if one.position == position), None)
            ends = returned_values(self._file.scopes, each)
            if parameter is None or not ends or len(ends) > _MAX_CONDITIONS or id(each) in self._asking:
                continue
            if len(self._asking) >= _MAX_NESTED or self._asked >= _MAX_ASKED:
                continue
            self._asked += 1
            told = {self._file.written(end).lower() for end in ends if isinstance(end, Constant)}
            ends = [end for end in ends if not isinstance(end, Constant) or self._file.written(end).lower() != "false"]
            self._asking.add(id(each))
            try:
                held = bool(ends) and all(self._is_held_at(end, parameter.name, each, depth) for end in ends)
            finally:
                self._asking.discard(id(each))
            self.is_doubted |= not held and "false" in told and bool(ends)
            return held
        return False

    def _is_held_at(self, end: Expression, parameter: str, function: Scope, depth: int) -> bool:
        """Does what a function returns say so of its parameter, or is the parameter held where `true` is returned?"""
        if isinstance(end, Constant):
            return self._at(end.node, parameter, function) is not None
        return self._holds(end, True, parameter, function, depth - 1)

    def _fits_whole(self, pattern: Expression, scope: Scope, *, whole: bool = False) -> bool:
        """Does a regular expression let only plain texts through?"""
        language = self._file.file.language.name
        for each in self._patterns(pattern, scope):
            flags = each.flags if isinstance(each, Pattern) else ""
            pattern_text, flags = undelimited(each.value) if language == "php" else (each.value, flags)
            return holds_whole_text(pattern_text, flags, language, whole=whole)
        return False

    def _patterns(self, pattern: Expression, scope: Scope) -> Iterator[Pattern | Text]:
        for _ in range(4):
            if isinstance(pattern, (Pattern, Text)):
                yield pattern
                return
            if isinstance(pattern, Call) and pattern.arguments:
                pattern = pattern.arguments[0]
            elif isinstance(pattern, Name):
                bound = self._file.reaching(pattern.name, pattern.node.start_byte, scope)
                value = bound[0].value if len(bound) == 1 else None
                if value is None:
                    return
                pattern = value
            else:
                return


def _stands_in(node: Node, holder: Node) -> bool:
    return holder.start_byte <= node.start_byte and node.end_byte <= holder.end_byte


_NOTHING = frozenset({"null", "nil", "undefined"})
_STATEMENTS = frozenset(
    {"then", "block", "expression_statement", "statement_block", "statement_list", "parenthesized_statements", "begin"}
)
_LEAVING_CALLS = frozenset({"process.exit", "log.Fatal", "log.Fatalf", "os.Exit", "System.exit", "next"})
