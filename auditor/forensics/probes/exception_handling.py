"""Exceptions that are caught too broadly or silently dropped."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.library_models.exception_handling import exception_handling
from auditor.forensics.probe_kit.probe_decorators import site_probe
from auditor.forensics.python.enclosing_nodes import enclosing_nodes
from auditor.forensics.python.exception_handlers import (
    always_raises,
    broad_name,
    catches_everything,
    caught_types,
    is_broad,
    is_reraising_call,
)
from auditor.forensics.python.justifying_comments import gives_reason
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scope_bindings import callee_name, last_name
from auditor.forensics.python.scoped_nodes import ScopedNode, child_nodes, walk_nodes
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.forensics.source_text.site_probe_types import Site
from auditor.row_tables import names_of

_ROWS = exception_handling()
_LOGGING = names_of(_ROWS.reporting_calls)
_USED = "the handler uses the exception and may pass it on"
_CONDITIONAL_RAISE_REASON = "the condition may single out expected exceptions"
_LOGGED_REASON = "the failure is logged"


_EXIT_KEYWORD = register_keywords("__exit__")


def _filter_candidates(candidates: list[ScopedNode], module: Module) -> list[ScopedNode]:
    if isinstance(candidates[0][0], ast.FunctionDef):
        leaving = module.says(_EXIT_KEYWORD)
        return (
            [each for each in candidates if each[0].name == "__exit__" and _always_suppresses(each[0])]
            if leaving
            else []
        )
    return [each for each in candidates if _may_drop(each[0])]


def _always_suppresses(exit_method: ast.FunctionDef) -> bool:
    """Does an `__exit__` method always return true, whatever happened inside and without logging it?"""
    calls = (last_name(each.func) for each in walk_nodes(*exit_method.body) if isinstance(each, ast.Call))
    return (
        not any(isinstance(each, (ast.If, ast.Raise, ast.Match)) for each in walk_nodes(*exit_method.body))
        and any(_returns_true(each) for each in exit_method.body)
        and _LOGGING.isdisjoint(calls)
    )


def _returns_true(statement: ast.stmt) -> bool:
    given = statement.value if isinstance(statement, ast.Return) else None
    return isinstance(given, ast.Constant) and given.value is True


def _may_drop(node: ast.AST) -> bool:
    """A handler; a `finally` that returns."""
    if isinstance(node, ast.Try):
        return bool(node.finalbody)
    return True


@site_probe(
    "code.swallowed_exception",
    none_statement="No exception is silently dropped.",
    nodes=(ast.ExceptHandler, ast.Try, ast.FunctionDef),
    node_filter=_filter_candidates,
    measured_nodes=(ast.ExceptHandler,),
    calls=("contextlib.suppress",),
    second_look=("S110", "S112"),
)
def swallowed_exception(match: Match) -> Iterator[Site]:
    """Is an exception silently dropped?

    A handler that catches every exception and does nothing, or only returns or assigns a fixed value, is reported. A handler of one expected exception is not, nor is a handler with a comment that gives the reason.

    Catch only the exception you expect, and log it or raise it again. If ignoring it is right, say why in a comment.
    """
    if isinstance(match.node, ast.Call):
        if any(is_broad(match, each) for each in match.call.args) and not _has_comment(match, match.call):
            yield match.site("{call} silently drops every exception")
        return
    handler = match.node
    if isinstance(handler, ast.Try):
        ends = list(_leaving(handler.finalbody))
        if ends:
            word = "`return`" if isinstance(ends[0], ast.Return) else "`break` or `continue`"
            yield match.site(f"{word} in `finally` silently drops any exception", at=ends[0])
    elif isinstance(handler, (ast.ExceptHandler, ast.FunctionDef)):
        yield from _report_dropped(match, handler)


def _leaving(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """What leaves a `finally`, or a condition in it, for good."""
    for each in body:
        if isinstance(each, (ast.Return, ast.Break, ast.Continue)):
            yield each
        elif isinstance(each, ast.If):
            yield from (
                one for one in (*each.body, *each.orelse) if isinstance(one, (ast.Return, ast.Break, ast.Continue))
            )


def _report_dropped(match: Match, handler: ast.ExceptHandler | ast.FunctionDef) -> Iterator[Site]:
    """The site of a handler, or of an `__exit__` method, that gives no reason."""
    if isinstance(handler, ast.FunctionDef):
        if not _has_comment(match, handler):
            yield match.site("`__exit__` always returns `True`, which drops every exception")
    elif catches_everything(match, handler) and _only_falls_back(handler.body) and not _has_comment(match, handler):
        if _does_nothing(handler.body):
            yield match.site("`except` silently drops every exception")
        else:
            yield match.site(
                "Catch-all handler hides every error behind a fixed value",
                confidence=0.7,
                because=_FALLBACK_VALUE_REASON,
            )


_FALLBACK_VALUE_REASON = "callers may treat the value as a failure"


def _has_comment(match: Match, node: ast.ExceptHandler | ast.Call | ast.FunctionDef) -> bool:
    """Does a comment in a handler, or on or above the lines of a call, say why nothing is done?"""
    first, last = node.lineno, node.end_lineno or node.lineno
    lines = match.module.lines[first - 1 : last]
    above = match.module.lines[first - 2].strip() if first > 1 and isinstance(node, ast.Call) else ""
    written = [above] if above.startswith("#") else []
    written += [line[line.index("#") :] for line in lines[:_MAX_LINES] if "#" in line]
    return gives_reason(" ".join(each[:_MAX_LINE_LENGTH] for each in written))


_MAX_LINES, _MAX_LINE_LENGTH = 20, 500


def _only_falls_back(body: list[ast.stmt]) -> bool:
    """Does it only return a fixed value, or leave the loop?"""
    return all(
        isinstance(each, (ast.Pass, ast.Continue, ast.Break, ast.Delete))
        or _is_ellipsis(each)
        or (isinstance(each, (ast.Return, ast.Assign)) and _is_fixed(each.value))
        for each in body
    )


def _only_drops(body: list[ast.stmt]) -> bool:
    """Is there nothing that anybody could notice but a fixed value that is given back?"""
    return _only_falls_back(body) and not any(isinstance(each, (ast.Assign, ast.Delete)) for each in body)


def _is_fixed(value: ast.expr | None) -> bool:
    """None, a constant, or something empty."""
    if isinstance(value, (ast.List, ast.Tuple, ast.Set)):
        return all(_is_fixed(each) for each in value.elts)
    if isinstance(value, ast.Dict):
        return not value.keys
    if isinstance(value, ast.UnaryOp):
        return isinstance(value.operand, ast.Constant)
    if isinstance(value, ast.Name):
        return value.id.isupper() and not _ERROR_CONSTANT.search(value.id)
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in _EMPTY and not value.args and not value.keywords
    return value is None or isinstance(value, ast.Constant)


_ERROR_CONSTANT = re.compile(r"FAIL|ERR|INVALID|UNKNOWN|MISSING|UNAVAILABLE|BROKEN|ABORT|REFUSED")
"""Constants whose name says that something went wrong."""
_EMPTY = names_of(_ROWS.empty_types)


@site_probe(
    "code.broad_except",
    none_statement="No broad exception handler was found.",
    nodes=(ast.ExceptHandler,),
    second_look=("BLE001", "E722"),
)
def broad_except(match: Match) -> Iterator[Site]:
    """Does a handler catch every exception and continue?

    A handler of `Exception`, `BaseException` or everything that logs the error or does something else and continues is reported. A handler that re-raises is not, nor is one at the outer boundary of a program that keeps the traceback; `code.swallowed_exception` reports those that silently drop the exception.

    Name the exceptions that the code in the `try` block can raise. At an outer boundary, log the traceback.
    """
    handler = match.node
    if not isinstance(handler, ast.ExceptHandler):
        return
    bare = handler.type is None
    if not bare and not any(is_broad(match, each) for each in caught_types(match, handler.type)):
        return
    if always_raises(handler.body) or _only_drops(handler.body):
        return
    shown = _HandlerSummary(handler)
    what = "Bare `except:`" if bare else "{call}"
    caught = "" if bare else f"except {broad_name(match, handler)}"
    if shown.raises:
        yield match.site(
            f"{what} catches everything and re-raises only in some cases",
            call=caught,
            confidence=0.5,
            because=_CONDITIONAL_RAISE_REASON,
        )
        return
    if shown.traces and _is_outer_boundary(match, handler):
        return
    if shown.logs:
        yield match.site(
            f"{what} catches everything and only logs it", call=caught, confidence=0.5, because=_LOGGED_REASON
        )
    elif shown.uses:
        yield match.site(
            f"{what} catches everything and handles all errors the same way",
            call=caught,
            confidence=0.5,
            because=_USED,
        )
    else:
        yield match.site(
            f"{what} catches everything and continues",
            call=caught,
            confidence=0.9,
            because="which exceptions the code can raise was not analysed",
        )


class _HandlerSummary:
    """What a handler does with the exception."""

    def __init__(self, handler: ast.ExceptHandler) -> None:
        self.raises = self.logs = self.uses = self.traces = False
        waiting: list[ast.AST] = list(handler.body)
        while waiting:
            node = waiting.pop()
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
                continue
            self.raises = self.raises or isinstance(node, ast.Raise) or is_reraising_call(node)
            self.logs = self.logs or (isinstance(node, ast.Call) and last_name(node.func) in _LOGGING)
            self.uses = self.uses or (isinstance(node, ast.Name) and node.id == handler.name)
            self.traces = self.traces or (isinstance(node, ast.Call) and _keeps_traceback(node))
            waiting += child_nodes(node)


_TRACEBACK_CALLS = names_of(_ROWS.traceback_calls)
"""Calls that keep the traceback."""
_LEVELS = names_of(_ROWS.level_calls)


def _keeps_traceback(call: ast.Call) -> bool:
    """Does a call keep the traceback?"""
    name = last_name(call.func)
    written = any(
        isinstance(each, ast.Call) and last_name(each.func) in {"format_exc", "format_exception"}
        for given in (call.args if name in _LEVELS else ())
        for each in ast.walk(given)
    )
    asked = any(
        each.arg in {"exc_info", "exception"} and not (isinstance(each.value, ast.Constant) and not each.value.value)
        for each in call.keywords
    )
    return written or asked or name in _TRACEBACK_CALLS


_ENTRY_POINT_NAME = re.compile(r"_*(?:a|async_)?(?:main|cli|entry_?point|lambda_handler)_*")
"""Functions that a program begins with."""
_FRAMEWORK_DECORATORS = names_of(_ROWS.framework_decorators)
"""Decorators that register a function with a framework that runs it."""
_MIDDLEWARE_CALLS = names_of(_ROWS.middleware_calls)
"""Functions that middleware calls to handle the request."""
_STREAM_NAME = re.compile(r"consum|queue|stream|subscri|listen|messages|events|poll|watch|updates|inbox", re.IGNORECASE)
"""Names of sources that endless loops read from."""


def _is_outer_boundary(match: Match, handler: ast.ExceptHandler) -> bool:
    """Is no caller left for the exception: in an endless loop, at an entry point, in middleware?"""
    function = match.scope.node
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return any(
            isinstance(each, ast.If) and "__name__" in _named_in(each.test)
            for each in enclosing_nodes(match.module, match.scope, handler)
        )
    if _ENTRY_POINT_NAME.fullmatch(function.name):
        return True
    if any(callee_name(each) in _FRAMEWORK_DECORATORS for each in function.decorator_list):
        return True
    outside = enclosing_nodes(match.module, match.scope, handler)
    tried = next((each for each in reversed(outside) if isinstance(each, ast.Try)), None)
    if tried is None:
        return False
    shown = list(walk_nodes(*tried.body))
    if any(isinstance(each, ast.Call) and last_name(each.func) in _MIDDLEWARE_CALLS for each in shown):
        return True
    gives = any(isinstance(each, ast.Return) and not _is_fixed(each.value) for each in shown)
    return not gives and any(_is_endless(each) for each in outside)


def _is_endless(loop: ast.AST) -> bool:
    """Is a loop endless? One that counts, or iterates over existing items, is not."""
    if isinstance(loop, ast.While):
        return not isinstance(loop.test, (ast.Compare, ast.BoolOp)) or any(
            "stop" in each for each in _named_in(loop.test)
        )
    return isinstance(loop, ast.AsyncFor) or (
        isinstance(loop, ast.For) and any(_STREAM_NAME.search(each) for each in _named_in(loop.iter))
    )


def _named_in(drawn: ast.expr) -> Iterator[str]:
    """The names in an expression."""
    return (last_name(each) for each in ast.walk(drawn) if isinstance(each, (ast.Name, ast.Attribute)))


def _does_nothing(body: list[ast.stmt]) -> bool:
    return all(isinstance(each, (ast.Pass, ast.Continue)) or _is_ellipsis(each) for each in body)


def _is_ellipsis(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
