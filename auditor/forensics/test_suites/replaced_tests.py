"""What a hook or a fixture of pytest puts in the place of the function of a test: something that never calls it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import islice

from auditor.forensics.test_suites.pytest_names import pytest_names
from auditor.forensics.test_suites.rendered_code import render

_MAX_NODES = 2_000
_MAX_NAMES = 20
_SETTING = 3
"""Arguments of `setattr`."""
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def replaced_test(statement: ast.stmt, hook: FunctionNode, module: ast.Module) -> str:
    """What a statement of a hook replaces by something that does not hold the test, as it is written; empty for all else."""
    target, value = assigned_attribute(statement)
    owner, dot, name = target.rpartition(".")
    loops = (each for each in ast.walk(hook) if isinstance(each, (ast.For, ast.AsyncFor)))
    tests = pytest_names("test_parameters") | {render(each.target) for each in loops if "items" in render(each.iter)}
    if not dot or name not in pytest_names("test_functions") or owner not in tests:
        return ""
    return "" if value is None or _holds_test(value, owner, hook, module) else target


def assigned_attribute(statement: ast.stmt) -> tuple[str, ast.expr | None]:
    """The attribute that a statement sets, as it is written, and the value: also by `setattr`."""
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Attribute):
        return render(statement.targets[0]), statement.value
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and render(call.func).rpartition(".")[2] == "setattr" and len(call.args) == _SETTING:
        named = str(call.args[1].value) if isinstance(call.args[1], ast.Constant) else ""
        return f"{render(call.args[0])}.{named}", call.args[2]
    return "", None


def _holds_test(value: ast.expr, owner: str, hook: FunctionNode, module: ast.Module) -> bool:
    """Does a value, or what its names stand for in the hook and the file, take the function of the test, or is it made of the test?"""
    known = {**_definitions(module), **_definitions(hook)}
    waiting: list[ast.AST] = [value]
    seen: set[str] = set()
    while waiting and len(seen) < _MAX_NAMES:
        for each in islice(ast.walk(waiting.pop()), _MAX_NODES):
            if isinstance(each, ast.Attribute) and each.attr in pytest_names("test_functions"):
                return True
            if isinstance(each, ast.Call) and any(render(given) == owner for given in each.args):
                return True
            if isinstance(each, ast.Name) and each.id not in seen and each.id in known:
                seen.add(each.id)
                waiting.append(known[each.id])
    return False


def _definitions(owner: ast.AST) -> Mapping[str, ast.AST]:
    """What names of a hook, or of the file, are given: functions and values."""
    return dict(_defined(owner))


def _defined(owner: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for each in islice(ast.walk(owner), _MAX_NODES):
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and each is not owner:
            yield each.name, each
        elif isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
            yield each.targets[0].id, each.value
