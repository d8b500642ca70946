"""What a handler of exceptions catches, and whether it always raises again."""

from __future__ import annotations

import ast

from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.source_text.file_outline import ALIASED_NAMES_KEY

_BROAD = frozenset({"Exception", "BaseException"})


def catches_everything(match: Match, handler: ast.ExceptHandler) -> bool:
    """Does a handler catch every exception?"""
    return handler.type is None or any(is_broad(match, each) for each in caught_types(match, handler.type))


def is_reraising_call(node: ast.AST) -> bool:
    """Does the name of a call say that it raises the exception again, here or where a result is awaited?"""
    name = last_name(node.func) if isinstance(node, ast.Call) else ""
    return name == "set_exception" or "reraise" in name.lower()


_MAX_TYPES = 60
"""Classes of one handler that are examined, including nested tuples and names."""


def caught_types(match: Match, caught: ast.expr | None) -> list[ast.expr]:
    """The classes that are caught, also where a name stands for several of them, here or in another module."""
    if isinstance(caught, ast.Name) and caught.id in _BROAD:
        return [caught]  # as most do that are of interest
    found: list[ast.expr] = []
    waiting = [] if caught is None else [caught]
    for _ in range(_MAX_TYPES):
        if not waiting:
            break
        each = waiting.pop()
        if isinstance(each, ast.Name) and each.id.endswith("Error"):
            found.append(each)  # one class, as most are
        elif isinstance(each, (ast.Tuple, ast.List, ast.Set)):
            waiting += each.elts
        else:
            behind = match.module.behind(each, match.scope)
            if isinstance(behind, ast.Tuple):
                waiting.append(behind)
            else:
                found += [each, *_imported_classes(match, each)]
    return found


def _imported_classes(match: Match, caught: ast.expr) -> list[ast.expr]:
    """The broadest classes that a name of another module stands for."""
    name = last_name(caught)
    if not (name.isupper() or name.endswith(("s", "S"))):
        return []
    known = match.module.imported_value(caught, match.scope)
    names = known.get(ALIASED_NAMES_KEY) if isinstance(known, dict) else None
    return [ast.Name(each, ast.Load()) for each in names if each in _BROAD] if isinstance(names, list) else []


def always_raises(body: list[ast.stmt]) -> bool:
    """Does every way through these statements end in an exception?"""
    for statement in body:
        if isinstance(statement, (ast.Return, ast.Continue, ast.Break)):
            return False
        if _raises(statement):
            return True
    return False


def _raises(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return is_reraising_call(statement.value) or _exits(statement.value)
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return always_raises(statement.body)
    if isinstance(statement, ast.If):
        return always_raises(statement.body) and always_raises(statement.orelse)
    if isinstance(statement, ast.Try):
        return always_raises(statement.finalbody) or _always_raises_in_try(statement)
    return isinstance(statement, ast.Raise)


def _exits(call: ast.expr) -> bool:
    """Does a call end the program, or the test, as failed?"""
    if not isinstance(call, ast.Call) or last_name(call.func) not in {"exit", "_exit", "abort", "fail"}:
        return False
    first = call.args[0] if call.args else None
    return not (isinstance(first, ast.Constant) and first.value in {0, None}) and (
        first is not None or last_name(call.func) in {"abort", "fail"}
    )


def _always_raises_in_try(statement: ast.Try) -> bool:
    return always_raises(statement.body) and all(always_raises(each.body) for each in statement.handlers)


def broad_name(match: Match, handler: ast.ExceptHandler) -> str:
    """The class by which a handler catches everything: `Exception` or `BaseException`."""
    return next((match.resolve(each) or "" for each in caught_types(match, handler.type) if is_broad(match, each)), "")


def is_broad(match: Match, caught: ast.expr) -> bool:
    """Is it a class of all exceptions?"""
    return match.resolve(caught) in _BROAD
