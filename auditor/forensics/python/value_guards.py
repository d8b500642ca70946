"""Where a value is held to a fixed set, or to plain characters, by a condition that was asked before.

A comparison alone holds nothing: it counts inside the branch that it opens, and behind a branch that ends the function
where the value is another one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scope_bindings import DEFINITIONS, last_name
from auditor.forensics.python.scoped_nodes import Scope, walk_nodes

CHARACTER_TESTS = frozenset({"isidentifier", "isdigit", "isdecimal", "isnumeric", "isalnum", "isalpha"})
_MAX_STATEMENTS = 20_000
"""Statements of one scope that are looked at."""
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_LEAVING_CALLS = frozenset({"exit", "abort", "_exit", "fail"})
IsFixed = Callable[[ast.expr], bool]


class Condition(NamedTuple):
    """What a condition holds: a value as it is written, and the set it is compared with (None for a test of its characters).

    A condition without a value is one that calls something, and whether that was true.
    """

    value: str
    allowed: ast.expr | None
    test: ast.expr | None = None
    truth: bool = True
    is_statement: bool = False
    """Is the test a call whose result is unused, and that raises an exception where it does not hold?"""
    is_vague: bool = False
    """Is it one of several of which not all need hold?"""


class Guard(NamedTuple):
    """A condition that holds from one line to another, both included; with names only for these."""

    condition: Condition
    start: int
    end: int
    names: frozenset[str] = frozenset()

    def holds(self, value: str, line: int) -> bool:
        """Does it hold for a value on a line?"""
        return self.start <= line <= self.end and (not self.names or value in self.names)


def guarded_since(module: Module, expression: ast.expr, scope: Scope, line: int, is_fixed: IsFixed) -> int | None:
    """The line from which on a condition holds a value that is used on a line of a scope; None without one."""
    written = written_value(expression)
    for each in _guards_by_value(module, scope).get(written, ()):
        allowed = each.condition.allowed
        if each.holds(written, line) and (allowed is None or is_fixed(allowed)):
            return each.start
    return None


def guards_on(module: Module, scope: Scope, line: int, value: str) -> Iterator[Guard]:
    """The conditions with a test of its own under which a value is used on a line of a scope."""
    for each in _guards(module, scope):
        if each.condition.test is not None and each.holds(value, line):
            yield each


def written_value(expression: ast.expr) -> str:
    """A name, attribute or item as it is written; empty for other expressions."""
    parts: list[str] = []
    inner: ast.AST = expression
    while isinstance(inner, (ast.Attribute, ast.Subscript)):
        if isinstance(inner, ast.Attribute):
            parts.append(f".{inner.attr}")
        elif isinstance(inner.slice, ast.Constant):
            parts.append(f"[{inner.slice.value!r}]")
        else:
            return ""
        inner = inner.value
    return "".join([inner.id, *reversed(parts)]) if isinstance(inner, ast.Name) else ""


def conditions_if(test: ast.expr, truth: bool) -> list[Condition]:
    """What holds where a condition is true, or where it is not."""
    while isinstance(test, (ast.UnaryOp, ast.NamedExpr)):
        if isinstance(test, ast.NamedExpr):
            test = test.value
        elif isinstance(test.op, ast.Not):
            test, truth = test.operand, not truth
        else:
            return []
    if isinstance(test, ast.BoolOp):
        together = isinstance(test.op, ast.And) is truth
        parts = [each for part in test.values for each in conditions_if(part, truth)]
        return parts if together else [each._replace(is_vague=True) for each in parts if each.test is not None]
    tested = Condition("", None, test, truth)
    if isinstance(test, ast.Compare):
        return [*_comparison(test, truth), tested]
    known = isinstance(test, (ast.Call, ast.Attribute, ast.Name))
    return [*(_character_test(test) if truth and isinstance(test, ast.Call) else []), *([tested] if known else [])]


def _comparison(test: ast.Compare, truth: bool) -> list[Condition]:
    wanted = (ast.In, ast.Eq) if truth else (ast.NotIn, ast.NotEq)
    value = written_value(test.left)
    if not value or len(test.ops) != 1 or not isinstance(test.ops[0], wanted):
        return []
    return [Condition(value, test.comparators[0])]


def _character_test(test: ast.Call) -> list[Condition]:
    func = test.func
    value = written_value(func.value) if isinstance(func, ast.Attribute) and func.attr in CHARACTER_TESTS else ""
    return [Condition(value, None)] if value else []


@remembered
def _guards(_module: Module, scope: Scope) -> list[Guard]:
    """The guards of a scope."""
    body = scope.node.body
    return list(_guards_of(body)) if isinstance(body, list) else []


@remembered
def _guards_by_value(module: Module, scope: Scope) -> Mapping[str, list[Guard]]:
    """The guards of a scope by the value that they hold; a scope may have thousands of both."""
    found = dict[str, list[Guard]]()
    for each in _guards(module, scope):
        found.setdefault(each.condition.value, []).append(each)
    return found


def _guards_of(body: list[ast.stmt]) -> Iterator[Guard]:
    waiting: list[list[ast.stmt]] = [body]
    for _ in range(_MAX_STATEMENTS):
        if not waiting:
            return
        block = waiting.pop()
        if not block:
            continue
        end = block[-1].end_lineno or block[-1].lineno
        for statement in block:
            yield from _guards_of_statement(statement, end)
            yield from _guards_of_parts(statement)
            if not isinstance(statement, DEFINITIONS):
                waiting += _inner_blocks(statement)


def _inner_blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(statement, name, None)
        if isinstance(block, list):
            yield block
    for each in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield each.body


def _guards_of_statement(statement: ast.stmt, end: int) -> Iterator[Guard]:
    if isinstance(statement, (ast.Expr, ast.Try)):
        yield from _guards_of_call(statement, end)
    elif isinstance(statement, ast.Assert):
        for each in conditions_if(statement.test, truth=True):
            yield Guard(each, statement.lineno, end)
    elif isinstance(statement, (ast.If, ast.While)):
        after = statement.end_lineno or statement.lineno
        for truth, block, other in (
            (True, statement.body, statement.orelse),
            (False, statement.orelse, statement.body),
        ):
            for each in conditions_if(statement.test, truth):
                if block:
                    yield Guard(each, block[0].lineno, block[-1].end_lineno or block[-1].lineno)
                if isinstance(statement, ast.If) and other:
                    leaves, names = _leaves(other[-1]), _reassigned(other)
                    if leaves or names:
                        yield Guard(each, after + 1, end, frozenset() if leaves else names)


def _guards_of_call(statement: ast.Expr | ast.Try, end: int) -> Iterator[Guard]:
    """What holds after a call whose result is unused, also in a `try` whose handlers all leave: it has raised nothing."""
    if isinstance(statement, ast.Try) and not all(_leaves(each.body[-1]) for each in statement.handlers):
        return
    after = statement.end_lineno or statement.lineno
    for each in [statement] if isinstance(statement, ast.Expr) else statement.body:
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call):
            yield Guard(Condition("", None, each.value, is_statement=True), after + 1, end)


def _reassigned(block: list[ast.stmt]) -> frozenset[str]:
    """Names that a block gives another value, so that behind it they hold that or what did not enter the block."""
    targets = (each.targets[0] for each in block if isinstance(each, ast.Assign))
    return frozenset(each.id for each in targets if isinstance(each, ast.Name))


def _leaves(statement: ast.stmt) -> bool:
    """Is what follows a statement not reached?"""
    if isinstance(statement, _LEAVING):
        return True
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and last_name(call.func) in _LEAVING_CALLS


def _guards_of_parts(statement: ast.stmt) -> Iterator[Guard]:
    """Conditions inside an expression: `x if x in NAMES else ...`, `... for x in xs if x in NAMES`."""
    if isinstance(
        statement, (*DEFINITIONS, ast.If, ast.For, ast.While, ast.Try, ast.With, ast.AsyncFor, ast.AsyncWith)
    ):
        return
    for each in walk_nodes(statement):
        if isinstance(each, ast.IfExp):
            tests, at = [(each.test, True, each.body), (each.test, False, each.orelse)], each
            for test, truth, part in tests:
                for condition in conditions_if(test, truth):
                    yield Guard(condition, part.lineno, part.end_lineno or at.lineno)
        elif isinstance(each, ast.comprehension):
            for test in each.ifs:
                for condition in conditions_if(test, truth=True):
                    yield Guard(condition, statement.lineno, statement.end_lineno or statement.lineno)
