"""Functions that a file passes to others to be called with given arguments: by a thread, an executor, a loop.

Such a call is shown to the probes as the one that is made in the end: `to_thread(run, "ls")` as `run("ls")`.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

from auditor.forensics.library_models.function_values import function_values
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scope_bindings import keyword_argument, last_name
from auditor.forensics.python.scoped_nodes import Scope
from auditor.row_tables import by_name, names_of

_ROWS = function_values()
_CALLBACKS = by_name(_ROWS.callback_calls)
"""Calls that call what they are given, its position, and what it is given."""
_TARGET_CALLS = names_of(_ROWS.target_calls)
"""Calls that are given a function as `target`, and its arguments as `args` and `kwargs`."""
CALLBACK_RUNNERS = frozenset(_CALLBACKS) | _TARGET_CALLS

CallbackCall = tuple[ast.Call, Scope, ast.Call]
"""The call that is made in the end, the scope, and the call that makes it."""


def callback_calls(module: Module, words: Container[str]) -> Iterator[CallbackCall]:
    """Every callback call in a file of a function whose name may end in one of the words."""
    for running in sorted(CALLBACK_RUNNERS & module.calls.keys()):
        for call, scope in module.calls[running]:
            func = (
                keyword_argument(call, "target")
                if running in _TARGET_CALLS
                else _argument_at(call, _CALLBACKS[running].position)
            )
            partly = isinstance(func, ast.Call) and last_name(func.func) == "partial" and bool(func.args)
            named = func.args[0] if isinstance(func, ast.Call) and partly else func
            if func is None or not isinstance(named, (ast.Name, ast.Attribute)) or last_name(named) not in words:
                continue
            args, keywords = _target_callback(call) if running in _TARGET_CALLS else _positional_callback(call, running)
            yield ast.copy_location(ast.Call(func, args, keywords), call), scope, call


def _argument_at(call: ast.Call, place: int) -> ast.expr | None:
    before = call.args[: place + 1]
    return None if len(before) <= place or any(isinstance(each, ast.Starred) for each in before) else before[place]


def _positional_callback(call: ast.Call, running: str) -> tuple[list[ast.expr], list[ast.keyword]]:
    given = call.args[_CALLBACKS[running].position + 1 :]
    if _CALLBACKS[running].passes == "members":
        return [_member(each) for each in given], []
    if _CALLBACKS[running].passes == "tuple":
        return _expand_arguments(given[0] if given else None), []
    return given, call.keywords


def _member(given: ast.expr) -> ast.expr:
    """A member of what a function is called with one by one: of a list that is written out one that is no constant."""
    if isinstance(given, (ast.List, ast.Tuple, ast.Set)) and given.elts:
        return next((each for each in given.elts if not isinstance(each, ast.Constant)), given.elts[0])
    return ast.Subscript(given, ast.Constant(0), ast.Load())


def _target_callback(call: ast.Call) -> tuple[list[ast.expr], list[ast.keyword]]:
    named = {each.arg: each.value for each in call.keywords}
    return _expand_arguments(named.get("args")), [ast.keyword(None, named["kwargs"])] if "kwargs" in named else []


def _expand_arguments(given: ast.expr | None) -> list[ast.expr]:
    """The members of a tuple of arguments; one that is not written out is spread as a whole."""
    if given is None:
        return []
    return given.elts if isinstance(given, (ast.Tuple, ast.List)) else [ast.Starred(given, ast.Load())]
