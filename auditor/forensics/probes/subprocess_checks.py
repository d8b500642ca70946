"""Child processes whose exit status is not checked."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from auditor.forensics.library_models.subprocess_checks import subprocess_checks
from auditor.forensics.probe_kit.probe_decorators import site_probe
from auditor.forensics.python.enclosing_nodes import Parents, parents_by_node
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scoped_nodes import ScopedNode
from auditor.forensics.python.unknown_value import UNKNOWN
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.forensics.source_text.site_probe_types import Site
from auditor.row_tables import names_of

_ROWS = subprocess_checks()
_OUTPUT_ONLY_CALLS = names_of(_ROWS.output_only)
"""Calls that return the printed output, and nothing else."""
_FAILURE_CLASSES = names_of(_ROWS.failure_classes)
_STARTS = names_of(_ROWS.starting)
_WAIT_METHODS = frozenset({"wait", "communicate"})
_OUTPUT = frozenset({"stdout", "stderr", "output", "args"})
_STATUS_FREE_ATTRIBUTES = names_of(_ROWS.attributes_without_status)
"""Attributes of a process that are used without asking for its exit status."""
_FAILURES = register_keywords("CalledProcessError", "SubprocessError")
_EMPTY_OUTPUT_REASON = "empty output may be handled as a failure"


def _filter_handlers(candidates: list[ScopedNode], module: Module) -> list[ScopedNode]:
    """Handlers of failures of child processes, in files that start programs."""
    return candidates if module.says(_FAILURES) else []


@site_probe(
    "code.subprocess_unchecked",
    none_statement="No exit status of a child process is ignored.",
    calls=(
        *names_of(_ROWS.returning_status),
        *_OUTPUT_ONLY_CALLS,
        *_STARTS,
        "contextlib.suppress",
    ),
    nodes=(ast.ExceptHandler,),
    node_filter=_filter_handlers,
    measured_nodes=(ast.Call,),
)
def subprocess_unchecked(match: Match) -> Iterator[Site]:
    """Is the exit status of a child process ignored?

    A child process is reported if its result is dropped, if only its output is used, or if its failure is caught and ignored. A process that keeps running in the background or is killed on purpose is not.

    Test the exit status, and report or raise the failure.
    """
    yield from _HANDLERS.get(match.name, _by_call)(match)


def _by_call(match: Match) -> Iterator[Site]:
    """Calls that give back how the child ended."""
    if _result_use(match) == "nothing":
        yield _site(match, None)


def _by_handler(match: Match) -> Iterator[Site]:
    if _drops_failure(match):
        yield match.site(
            "Failure of a child process is caught and ignored", confidence=0.7, because="it may be an expected failure"
        )


def _by_output(match: Match) -> Iterator[Site]:
    if match.argument("withexitstatus") is None:
        yield match.site(
            f"`{match.name}` returns only the output: a failed command is not noticed",
            confidence=0.6,
            because=_EMPTY_OUTPUT_REASON,
        )


def _by_start(match: Match) -> Iterator[Site]:
    if _result_use(match) != "all" and _is_waited_for(match):
        yield match.site("Exit status of {call} is never checked", confidence=0.7, because=_EMPTY_OUTPUT_REASON)


def _by_run(match: Match) -> Iterator[Site]:
    check = match.argument("check")
    if (check is None and match.has_spread_arguments) or (check is not None and match.value(check) is not False):
        return
    used = _result_use(match)
    if used == "nothing" and not (check is not None and _has_comment(match)):
        yield _site(match, check)
    elif used == "output":
        yield match.site(_OUTPUT_USED_STATEMENT, confidence=0.7, because=_EMPTY_OUTPUT_REASON)


_OUTPUT_USED_STATEMENT = "Output of the child process is used without checking its exit status"


def _drops_failure(match: Match) -> bool:
    """Is what a child process fails with caught, or suppressed, and nothing done or said?"""
    node = match.node
    if isinstance(node, ast.Call):
        return any(match.resolve(each) in _FAILURE_CLASSES for each in node.args) and not _has_comment(match)
    if not isinstance(node, ast.ExceptHandler) or not all(isinstance(each, ast.Pass) for each in node.body):
        return False
    caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    written = match.module.lines[node.lineno - 1 : node.end_lineno]
    return any(match.resolve(each) in _FAILURE_CLASSES for each in caught) and not any("#" in each for each in written)


_HANDLERS: dict[str, Callable[[Match], Iterator[Site]]] = {
    "": _by_handler,
    "contextlib.suppress": _by_handler,
    "subprocess.run": _by_run,
    **dict.fromkeys(_OUTPUT_ONLY_CALLS, _by_output),
    **dict.fromkeys(_STARTS, _by_start),
}
"""The function that reports a call or an exception handler."""


def _has_comment(match: Match) -> bool:
    """Is a comment right above a call, or on its lines?"""
    first, last = match.call.lineno, match.call.end_lineno or match.call.lineno
    around = match.module.lines[max(0, first - 2) : last]
    return around[0].lstrip().startswith("#") or any(" # " in each for each in around[1:])


def _result_use(match: Match) -> str:
    """How the result of a call is used: `nothing`, its `output` alone, or `all` of it."""
    around = _enclosing_node(match)
    if around is None:
        return "nothing"
    if isinstance(around, ast.Attribute) and around.attr in _WAIT_METHODS:
        return (
            "output"
            if _is_wait_ignored(
                parents_by_node(match.module, match.scope), around, is_output_only=around.attr == "communicate"
            )
            else "all"
        )
    if isinstance(around, ast.Attribute):
        return "output" if around.attr in _OUTPUT else "all"
    if isinstance(around, ast.Assign) and len(around.targets) == 1 and isinstance(around.targets[0], ast.Name):
        return _use_of_name(match, around.targets[0].id)
    if isinstance(around, ast.withitem) and isinstance(around.optional_vars, ast.Name):
        return _use_of_name(match, around.optional_vars.id)
    return "all"


def _enclosing_node(match: Match) -> ast.AST | None:
    """The node around a call, `await` left out; None for a statement of its own."""
    table = parents_by_node(match.module, match.scope)
    place: ast.AST = match.by or match.call
    while isinstance(table.get(place), ast.Await):
        place = table[place]
    around = table.get(place, place)
    return None if isinstance(around, ast.Expr) else around


def _use_of_name(match: Match, name: str) -> str:
    table = parents_by_node(match.module, match.scope)
    uses = [each for each in table if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)]
    if not uses:
        kept = isinstance(match.scope.node, ast.Module) and name != "_"  # others may import it
        return "all" if kept else "nothing"
    taken = [table[each] for each in uses]
    told = all(isinstance(each, ast.Attribute) and each.attr in _STATUS_FREE_ATTRIBUTES for each in taken)
    waits = [each for each in taken if isinstance(each, ast.Attribute) and each.attr == "wait"]
    return "all" if not told or any(not _is_wait_ignored(table, each) for each in waits) else "output"


def _is_wait_ignored(table: Parents, wait: ast.AST, *, is_output_only: bool = False) -> bool:
    """Is the result of `wait()` ignored? With `is_output_only` it is the output alone, which has no status."""
    place = table.get(wait, wait)
    while isinstance(table.get(place), ast.Await):
        place = table[place]
    return is_output_only or isinstance(table.get(place), ast.Expr)


def _is_waited_for(match: Match) -> bool:
    """Does the program wait until the child ends: by a call, or at the end of a `with`?"""
    around = _enclosing_node(match)
    if isinstance(around, ast.withitem):
        return True
    if isinstance(around, ast.Attribute):
        return around.attr in _WAIT_METHODS
    target = around.targets[0] if isinstance(around, ast.Assign) else None
    name = target.id if isinstance(target, ast.Name) else None
    return any(
        isinstance(each, ast.Attribute)
        and each.attr in _WAIT_METHODS
        and isinstance(each.value, ast.Name)
        and each.value.id == name
        for each in parents_by_node(match.module, match.scope)
    )


def _site(match: Match, check: ast.expr | None) -> Site:
    if check is not None and match.value(check) is not UNKNOWN:
        return match.site(
            "`check=False` ignores the failure of a child process",
            confidence=0.6,
            because="`check=False` may be intended",
        )
    return match.site(f"Exit status of `{match.name}` is never checked")
