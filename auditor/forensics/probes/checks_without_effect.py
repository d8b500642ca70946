"""Security checks that are made and cannot refuse."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from auditor.forensics.library_models.checks_without_effect import checks_without_effect
from auditor.forensics.probe_kit.probe_decorators import site_probe
from auditor.forensics.python import refusals
from auditor.forensics.python.compared_values import is_cut_to, is_same, last_assignment, may_be_all_of
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scope_bindings import SELF_NAMES, callee_name, last_name, text_constant
from auditor.forensics.python.scoped_nodes import Scope, ScopedNode
from auditor.forensics.python.statement_blocks import Blocks, blocks_of
from auditor.forensics.source_text.site_probe_types import Site
from auditor.row_tables import names_of

_ROWS = checks_without_effect()
_COMPARISONS = names_of(_ROWS.comparisons)
_DEPENDENCIES = names_of(_ROWS.dependencies)
_ROUTE_METHODS = names_of(_ROWS.route_methods)
_SUPPRESSIONS = names_of(_ROWS.suppressions)
_REFUSALS = names_of(_ROWS.refusals)
_DUMMY = refusals.pattern_of(_ROWS.dummy_values)
_EXPECTED = refusals.pattern_of(_ROWS.expected_values)
_GUARD = refusals.pattern_of(_ROWS.guard_names)
_HARMLESS_DECORATORS = frozenset({"staticmethod", "classmethod", "override", "abstractmethod"})
_MAX_CALLS = 200
_MAX_OPERATORS = 20
_OTHER_USE_REASON = "another check may refuse"
_NAME_REASON = "checks were recognised by their names"


def _filter_nodes(candidates: list[ScopedNode], _module: Module) -> list[ScopedNode]:
    """Tuples that are asserted, what is tried with a check in it, functions under several decorators, and coroutines that check.

    Nearly all nodes are turned away without a call, for every file has many.
    """
    kind = type(candidates[0][0])
    if kind is ast.Assert:
        return [each for each in candidates if type(each[0].test) is ast.Tuple and each[0].test.elts]
    if kind is ast.Try:
        return [
            each
            for each in candidates
            if (each[0].finalbody and type(each[0].finalbody[-1]) is ast.Return)
            or (type(each[0].body[0]) is type(each[0].body[-1]) is ast.Expr and refusals.only_checks(each[0].body))
        ]
    if kind is ast.FunctionDef:
        return [each for each in candidates if each[0].decorator_list[1:]]
    return [each for each in candidates if each[0].decorator_list[1:] or _is_check(each[0].name)]


def _is_check(name: str) -> bool:
    """Does a function of that name check or answer whether something is allowed?"""
    return refusals.is_check_name(name) or refusals.is_answer_name(name)


@site_probe(
    "code.check_without_effect",
    none_statement="No security check is made without an effect.",
    calls=(*names_of(_ROWS.answering_calls), *_REFUSALS, *_SUPPRESSIONS, *_DEPENDENCIES),
    methods=names_of(_ROWS.answering_methods),
    nodes=(ast.Assert, ast.AsyncFunctionDef, ast.FunctionDef, ast.Try),
    node_filter=_filter_nodes,
    measured_nodes=(ast.Call,),
)
def check_without_effect(match: Match) -> Iterator[Site]:
    """Is a security check made that cannot refuse anything?

    Counts: a result that nobody uses, a check that is not awaited, a condition that is always true, a refusal that is caught and
    followed by the guarded work, a guard above the decorator of a route, and a comparison cut to the length of the given value. A check
    whose refusal is handled, or after which nothing more is done, is not reported.

    Test the result of the check, and return or raise an error where it fails.
    """
    yield from _READERS.get(type(match.node), _by_call)(match)


def _by_call(match: Match) -> Iterator[Site]:
    if match.name in _SUPPRESSIONS:
        yield from _by_suppression(match)
    elif match.name in _DEPENDENCIES:
        yield from _by_dependency(match)
    elif _is_unused(match):
        yield from _by_unused_result(match)
    elif match.name in _COMPARISONS:
        yield from _by_comparison(match)


def _is_unused(match: Match) -> bool:
    """Is a call a statement of its own, or set to `_`?"""
    around = _behind_await(match)
    if isinstance(around, ast.Assign):
        return all(isinstance(each, ast.Name) and each.id == "_" for each in around.targets)
    return isinstance(around, ast.Expr)


def _behind_await(match: Match) -> ast.AST | None:
    parents = blocks_of(match.module, match.scope).parents
    around = parents.get(match.by or match.call)
    return parents.get(around) if isinstance(around, ast.Await) else around


def _by_unused_result(match: Match) -> Iterator[Site]:
    blocks, statement = blocks_of(match.module, match.scope), _behind_await(match)
    rest = blocks.following(statement) if statement is not None else ()
    if rest and refusals.is_refusing(rest[0]):
        return  # refused in any case: the call takes the time of a real one, or it is logged
    if match.name in _REFUSALS:
        yield match.site(
            "{call} is created and neither raised nor returned, so nothing is refused",
            confidence=0.9,
            because=_OTHER_USE_REASON,
        )
    elif any(_DUMMY.search(last_name(each)) for each in match.call.args):
        yield match.site(
            _UNUSED, confidence=0.5, because="it may be a dummy comparison that keeps the response time the same"
        )
    else:
        yield match.site(_UNUSED, confidence=0.7 if match.name.startswith(".") else 0.9, because=_OTHER_USE_REASON)


_UNUSED = "Result of {call} is not used, so the check refuses nothing"


def _by_comparison(match: Match) -> Iterator[Site]:
    if len(match.call.args) < 2:
        return
    left, right = match.call.args[:2]
    if is_same(left, right):
        yield match.site("{call} compares a value with itself", confidence=0.9, because=_OTHER_USE_REASON)
    elif _is_cut(left, right) or _is_cut(right, left):
        yield match.site(
            "{call} compares only as many characters as the other value has: an empty one passes",
            confidence=0.85,
            because="the length may be checked elsewhere",
        )
    elif any(_takes_over(match, one, other) for one, other in ((left, right), (right, left))):
        yield match.site("{call} compares a value with what was set to it before", confidence=0.85, because=_SET_REASON)


def _is_cut(value: ast.expr, given: ast.expr) -> bool:
    """Is a value cut to the length of one that is not the program's own?"""
    return is_cut_to(value, given) and not _EXPECTED.search(last_name(given))


_SET_REASON = "the value may be set only in some cases"


def _takes_over(match: Match, one: ast.expr, other: ast.expr) -> bool:
    """Was a name last set to what the other one holds?"""
    if not (isinstance(one, ast.Name) and isinstance(other, ast.Name)):
        return False
    value = last_assignment(blocks_of(match.module, match.scope), match.call, one.id)
    return value is not None and may_be_all_of(value, other.id)


def _by_suppression(match: Match) -> Iterator[Site]:
    blocks = blocks_of(match.module, match.scope)
    item = blocks.parents.get(match.call)
    block = blocks.parents.get(item) if isinstance(item, ast.withitem) else None
    if not isinstance(block, (ast.With, ast.AsyncWith)):
        return
    check = refusals.only_checks(block.body)
    certainty = refusals.refusal_certainty(check, match.call.args)
    if check and certainty and refusals.runs_afterwards(blocks, block):
        yield match.site(
            f"Refusal of `{check}` is suppressed, and what it guards runs all the same",
            confidence=certainty,
            because=_NAME_REASON,
        )


def _by_dependency(match: Match) -> Iterator[Site]:
    given = match.argument("dependency", 0)
    name = last_name(given.body) if isinstance(given, ast.Lambda) else ""
    if name and (refusals.is_check_name(name) or _GUARD.search(name)):
        says = f"{{call}} gets a lambda that returns `{name}` without calling it"
        yield match.site(says, confidence=0.85, because=_OTHER_USE_REASON)


def _by_assertion(match: Match) -> Iterator[Site]:
    yield match.site("`assert` of a tuple is always true", confidence=0.95, because=_OTHER_USE_REASON)


def _by_try(match: Match) -> Iterator[Site]:
    node = match.node
    assert isinstance(node, ast.Try)
    check = refusals.checks_inside(node)
    returned = next((each for each in node.finalbody if isinstance(each, ast.Return)), None)
    if check and returned is not None:
        yield match.site(
            f"`return` in `finally` discards the refusal of `{check}`",
            at=returned,
            confidence=0.85,
            because=_NAME_REASON,
        )
    elif refusals.only_checks(node.body) and not node.orelse and not _ends(node.finalbody):
        yield from _by_handlers(match, node, check)


def _ends(body: list[ast.stmt]) -> bool:
    return bool(body) and refusals.is_refusing(body[-1])


def _by_handlers(match: Match, node: ast.Try, check: str) -> Iterator[Site]:
    """A handler that catches the refusal of a check, does nothing but log, and is followed by work."""
    blocks = blocks_of(match.module, match.scope)
    for handler in node.handlers:
        certainty = refusals.refusal_certainty(check, refusals.caught_classes(handler))
        if certainty and refusals.goes_on(handler) and refusals.runs_afterwards(blocks, node):
            yield match.site(
                f"Refusal of `{check}` is caught, and what it guards runs all the same",
                at=handler,
                confidence=certainty,
                because=_NAME_REASON,
            )


def _by_function(match: Match) -> Iterator[Site]:
    node = match.node
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    yield from _by_decorators(match, node)
    if isinstance(node, ast.AsyncFunctionDef) and _is_check(node.name):
        yield from _by_coroutine(match, node)


def _by_decorators(match: Match, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Site]:
    """A guard above the decorator of a route, which registers the function without the guard."""
    routes = [at for at, each in enumerate(node.decorator_list) if _is_route(each)]
    for each in node.decorator_list[: max(routes, default=0)]:
        name = callee_name(each)
        if _GUARD.search(name):
            yield match.site(
                f"`@{name}` is above the route decorator, so the route is served without it",
                at=each,
                confidence=0.85,
                because="the route decorator may return the function that it serves",
            )


def _is_route(decorator: ast.expr) -> bool:
    """Is it `@app.get("/path")` or the like?"""
    if not (isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Attribute) and decorator.args):
        return False
    named = decorator.func.attr in _ROUTE_METHODS
    return named and (path := text_constant(decorator.args[0])) is not None and path[:1] in {"/", ""}


def _by_coroutine(match: Match, node: ast.AsyncFunctionDef) -> Iterator[Site]:
    """Calls of a coroutine of the file that nobody awaits."""
    if any(last_name(each) not in _HARMLESS_DECORATORS for each in node.decorator_list):
        return  # may make it a plain function
    for call, scope in match.module.calls.get(node.name, ())[:_MAX_CALLS]:
        if not _is_call_of(match, call, scope):
            continue
        blocks = blocks_of(match.module, scope)
        if isinstance(blocks.parents.get(call), ast.Expr):
            says = f"`{node.name}` is a coroutine that is not awaited, so it never runs"
        elif _is_tested(blocks, call):
            says = f"`{node.name}` is a coroutine that is not awaited, so the condition is always true"
        else:
            continue
        yield match.site(says, at=call, confidence=0.9, because=_OTHER_USE_REASON)


def _is_call_of(match: Match, call: ast.Call, scope: Scope) -> bool:
    """Does a call of that name call the coroutine itself?"""
    name = match.node.name  # type: ignore[attr-defined]
    if len(match.scope.bindings().get(name, ())) != 1:
        return False
    if isinstance(match.scope.node, ast.ClassDef):
        owner = scope.enclosing_class
        called = call.func
        own = isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id in SELF_NAMES
        return own and owner is not None and owner.node is match.scope.node
    found = match.module.lookup(name, scope) if isinstance(call.func, ast.Name) else None
    return found is not None and found[1].node is match.scope.node


def _is_tested(blocks: Blocks, call: ast.AST) -> bool:
    """Does the truth of a call decide?"""
    node = call
    for _ in range(_MAX_OPERATORS):
        around = blocks.parents.get(node)
        if isinstance(around, ast.UnaryOp) and isinstance(around.op, ast.Not):
            return True
        if isinstance(around, (ast.If, ast.While, ast.IfExp, ast.Assert)):
            return around.test is node
        if not isinstance(around, ast.BoolOp):
            return isinstance(around, ast.comprehension) and node in around.ifs
        if node is not around.values[-1]:
            return True
        node = around
    return False


_READERS: dict[type, Callable[[Match], Iterator[Site]]] = {
    ast.Assert: _by_assertion,
    ast.AsyncFunctionDef: _by_function,
    ast.FunctionDef: _by_function,
    ast.Try: _by_try,
}
