"""Whether what is inserted into a query as text can do no harm there: a number, a constant, a name that is quoted or held to a fixed set."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from functools import partial

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.constant_expressions import is_fixed
from auditor.forensics.python.harmless_values import NUMBER_CALLS, has_safe_annotation, is_number
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.private_function_arguments import arguments_from_callers
from auditor.forensics.python.scope_bindings import bound_names, last_name
from auditor.forensics.python.scoped_nodes import Scope
from auditor.forensics.python.sql_quoting import doubles_mark, is_quoting_function
from auditor.forensics.python.validated_fields import is_validated_field
from auditor.forensics.python.value_guards import guarded_since


def is_safe_in_sql(match: Match, expression: ast.expr) -> bool:
    """Is what is put in a constant of the program, a number, or a name that was quoted as one?"""
    if isinstance(expression, ast.Call) and _is_safe_conversion(match, expression):
        return True
    if is_number(match.module, expression, match.scope) or is_validated_field(match.module, expression, match.scope):
        return True
    if isinstance(expression, ast.Name):
        found = match.module.lookup(expression.id, match.scope)
        made = found[0].value if found is not None else None
        if found is not None and isinstance(made, ast.Call) and _is_safe_conversion(match.within(found[1]), made):
            return True
        if (
            has_safe_annotation(match.module, expression.id, match.scope)
            or _is_converted_before_use(match, expression.id)
            or _is_validated(match, expression.id, expression.lineno)
            or _callers_pass_constants(match, expression.id)
        ):
            return True
    return is_fixed(match, expression)


_UNCONDITIONAL_BLOCKS = (ast.Try, ast.With, ast.AsyncWith)


def _is_converted_before_use(match: Match, name: str) -> bool:
    """Is a name assigned a number on each path to its use, as in `limit = int(limit)`?"""
    given = _conversions_of(match.module, match.scope, name)
    before = [each for each in given if each[0] < match.call.lineno]
    return all(number for _, number, _ in before) and any(always for _, _, always in before)


@remembered
def _conversions_of(module: Module, scope: Scope, name: str) -> list[tuple[int, bool, bool]]:
    """Where a name is given something in a function: the line, whether that is a number, and whether it is given on each way."""
    giving, always = _name_bindings(module, scope)
    match = Match(scope.node, scope, module)
    return [
        (each.lineno, isinstance(each, ast.Assign) and _is_number_or_name(match, each.value), id(each) in always)  # type: ignore[attr-defined]
        for each in giving.get(name, ())
    ]


_NameBindings = tuple[dict[str, list[ast.AST]], set[int]]


@remembered
def _name_bindings(_module: Module, scope: Scope) -> _NameBindings:
    """What gives something to each name of a function, and which of its statements are run on each way."""
    giving: defaultdict[str, list[ast.AST]] = defaultdict(list)
    for each in scope.binding_nodes:
        for name in _names_bound_by(each):
            giving[name].append(each)
    body = scope.node.body
    outer = body if isinstance(body, list) else []
    within = [each for outside in outer if isinstance(outside, _UNCONDITIONAL_BLOCKS) for each in outside.body]
    return dict(giving), {id(each) for each in (*outer, *within)}


def _names_bound_by(node: ast.AST) -> Iterable[str]:
    """The names to which a statement, or a part of one, gives something."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return (node.targets[0].id,)
    return set(bound_names(_EMPTY_MODULE, [node])) if hasattr(node, "lineno") else ()


_EMPTY_MODULE = ast.Module([], [])


def _is_number_or_name(match: Match, value: ast.expr) -> bool:
    return is_number(match.module, value, match.scope) or (
        isinstance(value, ast.Call) and _is_safe_conversion(match, value)
    )


def _is_safe_conversion(match: Match, call: ast.Call) -> bool:
    """`int(x)`, `quote_name(x)`, and `",".join(map(int, some))`."""
    func: ast.expr = call.func
    if doubles_mark(call):
        return True
    if isinstance(func, ast.Attribute) and func.attr == "join" and call.args:
        drawn = call.args[0]
        if not isinstance(drawn, ast.Call) or last_name(drawn.func) != "map" or not drawn.args:
            return False
        func = drawn.args[0]
    return match.resolve(func) in NUMBER_CALLS or is_quoting_function(match, func)


def _callers_pass_constants(match: Match, name: str) -> bool:
    """Is it a parameter of a private function to which all callers pass constants?"""
    given = arguments_from_callers(match.module, name, match.scope)
    return bool(given) and all(is_fixed(match.within(place), value) for value, place in given)


def _is_validated(match: Match, name: str, line: int) -> bool:
    """Is a name held to a fixed set, or to plain characters, by a condition that was asked before it is used?"""
    use = ast.Name(name, ast.Load(), lineno=line, col_offset=0)
    return guarded_since(match.module, use, match.scope, line, partial(is_fixed, match)) is not None


def held_values(match: Match, query: ast.expr) -> set[int]:
    """Values of names in a query that are checked against a fixed set where they are inserted, by identity."""
    held: set[int] = set()
    named = (each for each in ast.walk(query) if isinstance(each, ast.Name))
    waiting: list[ast.AST] = [query, *(match.module.behind(each, match.scope) for each in named)]
    for each in (name for part in waiting for name in ast.walk(part) if isinstance(name, ast.Name)):
        if _is_validated(match, each.id, each.lineno):
            held.add(id(match.module.behind(each, match.scope)))
    return held
