"""Exceptions that are caught too widely or dropped without a word."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from auditor.forensics.module import children
from auditor.forensics.probe import site_probe
from auditor.forensics.sites import Match, Site

_BROAD = frozenset({"Exception", "BaseException"})
_LOGGING = frozenset({"exception", "error", "warning", "warn", "critical", "info", "debug", "log", "print", "print_exc", "print_exception",
                      "echo", "secho", "capture_exception", "fail", "abort", "exit", "write", "format_exc", "excepthook", "handle_error", "perror"})  # fmt: skip
_USED = "the exception itself is used, so it may be passed on"
_SOMETIMES = "the condition may tell apart what is expected"
_SAID = "the failure is logged"


@site_probe(
    "code.swallowed_exception",
    none="No exception is dropped without a word.",
    nodes=(ast.ExceptHandler,),
    calls=("contextlib.suppress",),
    second_look=("S110", "S112"),
)
def swallowed_exception(match: Match) -> Iterator[Site]:
    """Is an exception dropped without a word?

    Catch the one exception you expect, and log it, return a value that says so, or raise; a comment tells why nothing is done.
    """
    if isinstance(match.node, ast.Call):
        if any(_broad(match, each) for each in match.call.args):
            yield match.site("Every exception is dropped (contextlib.suppress)")
        return
    handler = match.node
    if not isinstance(handler, ast.ExceptHandler) or not _does_nothing(handler.body):
        return
    if handler.type is None or any(_broad(match, each) for each in _types(match, handler.type)):
        yield match.site("Every exception is caught and dropped")


@site_probe(
    "code.broad_except",
    none="No handler catches every exception.",
    nodes=(ast.ExceptHandler,),
    second_look=("BLE001", "E722"),
)
def broad_except(match: Match) -> Iterator[Site]:
    """Does a handler catch every exception and go on?

    Name the exceptions that the code in the `try` can raise; at an outer boundary, log with the traceback and end in a defined state.
    """
    handler = match.node
    if not isinstance(handler, ast.ExceptHandler):
        return
    bare = handler.type is None
    if not bare and not any(_broad(match, each) for each in _types(match, handler.type)):
        return
    if _always_raises(handler.body) or _does_nothing(handler.body):
        return
    shown = _Handling(handler)
    what = "without naming any" if bare else "by naming the widest class"
    if shown.raises:
        yield match.site(
            f"Every exception is caught {what}, and raised again only sometimes", confidence=0.5, because=_SOMETIMES
        )
        return
    if shown.logs:
        yield match.site(f"Every exception is caught {what}, and logged", confidence=0.5, because=_SAID)
    elif shown.uses:
        yield match.site(f"Every exception is caught {what}, and made use of", confidence=0.5, because=_USED)
    else:
        yield match.site(
            f"Every exception is caught {what}", confidence=0.9, because="what the code may raise was not followed"
        )


class _Handling:
    """What a handler does with the exception."""

    def __init__(self, handler: ast.ExceptHandler) -> None:
        self.raises = self.logs = self.uses = False
        waiting: list[ast.AST] = list(handler.body)
        while waiting:
            node = waiting.pop()
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
                continue
            self.raises = self.raises or isinstance(node, ast.Raise) or _raises_again(node)
            self.logs = self.logs or (isinstance(node, ast.Call) and _last(node.func) in _LOGGING)
            self.uses = self.uses or (isinstance(node, ast.Name) and node.id == handler.name)
            waiting += children(node)


def _raises_again(node: ast.AST) -> bool:
    """Does a call say by its name that it raises the exception again?"""
    return isinstance(node, ast.Call) and "reraise" in _last(node.func).lower()


def _last(func: ast.expr) -> str:
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def _types(match: Match, caught: ast.expr | None) -> list[ast.expr]:
    """The classes that are caught, also where a name stands for several of them."""
    if isinstance(caught, ast.Name):
        found = match.module.lookup(caught.id, match.scope)
        named = found[0].value if found else None
        caught = named if isinstance(named, ast.Tuple) else caught
    if caught is None:
        return []
    return list(caught.elts) if isinstance(caught, ast.Tuple) else [caught]


def _always_raises(body: list[ast.stmt]) -> bool:
    """Does every way through these statements end in an exception?"""
    for statement in body:
        if isinstance(statement, (ast.Return, ast.Continue, ast.Break)):
            return False
        if _raises(statement):
            return True
    return False


def _raises(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Expr):
        return _raises_again(statement.value)
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return _always_raises(statement.body)
    if isinstance(statement, ast.If):
        return _always_raises(statement.body) and _always_raises(statement.orelse)
    if isinstance(statement, ast.Try):
        return _always_raises(statement.finalbody) or _tries_in_vain(statement)
    return isinstance(statement, ast.Raise)


def _tries_in_vain(statement: ast.Try) -> bool:
    return _always_raises(statement.body) and all(_always_raises(each.body) for each in statement.handlers)


def _broad(match: Match, caught: ast.expr) -> bool:
    return match.resolve(caught) in _BROAD


def _does_nothing(body: list[ast.stmt]) -> bool:
    return all(isinstance(each, (ast.Pass, ast.Continue)) or _is_ellipsis(each) for each in body)


def _is_ellipsis(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
