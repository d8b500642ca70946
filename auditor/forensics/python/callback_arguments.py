"""Functions that a file hands to others to be called with given arguments: by a thread, an executor, a loop.

Such a call is shown to the probes as the one that is made in the end: `to_thread(run, "ls")` as `run("ls")`.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.scope_bindings import keyword_argument, last_name
from auditor.forensics.python.scoped_nodes import Scope

_CALLBACK_POSITIONS = {
    "to_thread": 0, "run_in_executor": 1, "run_in_threadpool": 0, "run_sync": 0, "submit": 0, "start_soon": 0, "call_soon": 0, "call_later": 1,
    "call_soon_threadsafe": 0, "deferToThread": 0, "callInThread": 0, "Timer": 1, "add_task": 0, "apply": 0, "apply_async": 0,
    "map": 0, "imap": 0, "imap_unordered": 0,
}  # fmt: skip
"""Calls that call what they are given, and where it stands; its arguments follow."""
_TARGET_CALLS = frozenset({"Thread", "Process"})
"""Calls that are given a function as `target`, and its arguments as `args` and `kwargs`."""
_TUPLE_ARGUMENT_CALLS = frozenset({"apply", "apply_async", "Timer"})
"""Those that take the arguments as one tuple."""
_MAPPING_CALLS = frozenset({"map", "imap", "imap_unordered"})
"""Those that call it with each member of what follows."""
CALLBACK_RUNNERS = frozenset(_CALLBACK_POSITIONS) | _TARGET_CALLS

CallbackCall = tuple[ast.Call, Scope, ast.Call]
"""The call that is made in the end, the scope, and the call that makes it."""


def callback_calls(module: Module, words: Container[str]) -> Iterator[CallbackCall]:
    """Every callback call in a file of a function whose name may end in one of the words."""
    for running in sorted(CALLBACK_RUNNERS & module.calls.keys()):
        for call, scope in module.calls[running]:
            func = (
                keyword_argument(call, "target")
                if running in _TARGET_CALLS
                else _argument_at(call, _CALLBACK_POSITIONS[running])
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
    given = call.args[_CALLBACK_POSITIONS[running] + 1 :]
    if running in _MAPPING_CALLS:
        return [_member(each) for each in given], []
    if running in _TUPLE_ARGUMENT_CALLS:
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
