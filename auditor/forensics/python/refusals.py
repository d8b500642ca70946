"""Which statements check whether something is allowed, and whether what follows runs although they refused."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence

from auditor.forensics.library_models.checks_without_effect import checks_without_effect
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.python.scoped_nodes import own_statements
from auditor.forensics.python.statement_blocks import Blocks
from auditor.row_tables import PatternRows, names_of

_MAX_BLOCKS = 12
"""Blocks around a statement that are left to find what follows it."""
_ROWS = checks_without_effect()
_BROAD = names_of(_ROWS.broad_exceptions)


def pattern_of(rows: PatternRows) -> re.Pattern[str]:
    """One expression for all rows of a section."""
    return re.compile("|".join(row.pattern for row in rows))


_ANSWER = pattern_of(_ROWS.answer_names)
_OPTIONAL = pattern_of(_ROWS.optional_checks)
_CHECK = pattern_of(_ROWS.check_names)
_LOGGING = pattern_of(_ROWS.logging_calls)
_REFUSAL = pattern_of(_ROWS.refusal_classes)


def is_check_name(name: str) -> bool:
    """Does a function of that name check something and refuse by an exception?"""
    return _CHECK.search(name) is not None


def is_answer_name(name: str) -> bool:
    """Does a function of that name answer whether something is allowed?"""
    return _ANSWER.search(name) is not None


def check_called(statement: ast.stmt) -> str:
    """The check that a statement calls for nothing but its refusal; empty for any other statement."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(value, ast.Await):
        value = value.value
    name = last_name(value.func) if isinstance(value, ast.Call) else ""
    return name if is_check_name(name) else ""


def only_checks(body: Sequence[ast.stmt]) -> str:
    """The last check of a block that does nothing but check and log; empty for any other block."""
    names = [check_called(each) for each in body if not _is_idle(each)]
    return names[-1] if names and all(names) else ""


def checks_inside(node: ast.Try) -> str:
    """A check that is called in what is tried, or the refusal that is raised there; empty without either."""
    found: list[str] = []
    for each in (statement for part in node.body for statement in (part, *own_statements(part))):
        name = check_called(each)
        if isinstance(each, ast.Raise) and each.exc is not None:
            raised = each.exc.func if isinstance(each.exc, ast.Call) else each.exc
            name = last_name(raised) if _REFUSAL.search(last_name(raised)) else ""
        found += [name] if name else []
    return min(found, default="")


def refusal_certainty(check: str, caught: Iterable[ast.expr | None]) -> float:
    """How sure it is that one of the classes is what a check refuses with: 0 where none is."""
    names = [last_name(each) if each is not None else "BaseException" for each in caught]
    if any(_REFUSAL.search(name) for name in names):
        return _LIKELY if _OPTIONAL.search(check) else _CERTAIN
    return _LIKELY if any(name in _BROAD for name in names) else 0.0


_CERTAIN, _LIKELY = 0.85, 0.7


def caught_classes(handler: ast.ExceptHandler) -> list[ast.expr | None]:
    """The classes that a handler names; None for a bare one."""
    return [*handler.type.elts] if isinstance(handler.type, ast.Tuple) else [handler.type]


def goes_on(handler: ast.ExceptHandler) -> bool:
    """Does a handler do nothing but log?"""
    return all(_is_idle(each) for each in handler.body)


def _is_idle(statement: ast.stmt) -> bool:
    """Does a statement nothing, or log something?"""
    if isinstance(statement, ast.Pass):
        return True
    value = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(value, ast.Constant):
        return True
    return isinstance(value, ast.Call) and _LOGGING.search(_dotted(value.func)) is not None


def _dotted(expression: ast.expr) -> str:
    """A chain of attributes as text; without what it hangs on where that is no name."""
    parts: list[str] = []
    while isinstance(expression, ast.Attribute) and len(parts) < _MAX_BLOCKS:
        parts.append(expression.attr)
        expression = expression.value
    return ".".join([expression.id if isinstance(expression, ast.Name) else "", *reversed(parts)])


def runs_afterwards(blocks: Blocks, node: ast.AST) -> bool:
    """Does work follow a statement, in its block or behind the blocks around it, up to the function?"""
    for _ in range(_MAX_BLOCKS):
        rest = [each for each in blocks.following(node) if not _is_idle(each)]
        if rest:
            return not is_refusing(rest[0])
        around = blocks.parents.get(node)
        if not isinstance(around, (ast.If, ast.With, ast.AsyncWith, ast.Try)):
            return False
        node = around
    return False


def is_refusing(statement: ast.stmt) -> bool:
    """Does a statement end the way that it is on, without a result that could mean yes?"""
    if isinstance(statement, ast.Return):
        value = statement.value
        return value is None or (isinstance(value, ast.Constant) and not value.value)
    return isinstance(statement, (ast.Raise, ast.Continue, ast.Break))
