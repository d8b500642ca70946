"""Whether what is put into a query as text can do no harm there: a number, a constant, a name that is quoted or held to a fixed set."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable

from auditor.forensics.python.constant_expressions import is_constant_by_name, is_fixed
from auditor.forensics.python.harmless_values import AS_NUMBERS, is_number, is_typed
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.parsed_module import inside
from auditor.forensics.python.private_function_callers import given_by_callers
from auditor.forensics.python.scope_bindings import bound_names, last_name, own_children

_AS_NAMES = re.compile(
    r"^_*(?:(?:quote|escape)_?(?:(?:sql|db)_?)?(?:name|ident|identifier|column|table|sqlite)s?|quoted_name|format_ident|Identifier)$",
    re.IGNORECASE,
)
"""Functions that make any text a name of a table or column and nothing else."""


def is_harmless(match: Match, expression: ast.expr) -> bool:
    """Is what is put in a constant of the program, a number, or a name that was quoted as one?"""
    if isinstance(expression, ast.Call) and _makes_harmless(match, expression):
        return True
    if is_number(match.module, expression, match.scope):
        return True
    if isinstance(expression, ast.Name):
        found = match.module.lookup(expression.id, match.scope)
        made = found[0].value if found is not None else None
        if found is not None and isinstance(made, ast.Call) and _makes_harmless(match.within(found[1]), made):
            return True
        if (
            is_typed(expression.id, match.scope)
            or _is_made_harmless(match, expression.id)
            or _held_to_a_set(match, expression.id)
            or _chosen_by_callers(match, expression.id)
        ):
            return True
    return is_constant_by_name(match, expression) or is_fixed(match, expression)


_BODIES = (ast.Try, ast.With, ast.AsyncWith)


def _is_made_harmless(match: Match, name: str) -> bool:
    """Is a name given a number on each way to its use, as in `limit = int(limit)`, whatever it stood for before?"""
    key = ("queries.numbers", id(match.scope), name)
    given = match.module.memory.get(key)
    if not isinstance(given, list):
        given = match.module.memory[key] = _given_numbers(match, name)
    before = [each for each in given if each[0] < match.call.lineno]
    return all(number for _, number, _ in before) and any(always for _, _, always in before)


def _given_numbers(match: Match, name: str) -> list[tuple[int, bool, bool]]:
    """Where a name is given something in a function: the line, whether that is a number, and whether it is given on each way."""
    giving, always = _giving(match)
    return [
        (each.lineno, isinstance(each, ast.Assign) and _is_number_or_name(match, each.value), id(each) in always)  # type: ignore[attr-defined]
        for each in giving.get(name, ())
    ]


_Giving = tuple[dict[str, list[ast.AST]], set[int]]


def _giving(match: Match) -> _Giving:
    """What gives something to each name of a function, and which of its statements are run on each way; worked out once."""
    key = ("queries.giving", id(match.scope))
    known = match.module.memory.get(key)
    if isinstance(known, tuple):
        return known
    giving: defaultdict[str, list[ast.AST]] = defaultdict(list)
    for each in match.scope.binders:
        for name in _given_by(each):
            giving[name].append(each)
    body = match.scope.node.body
    outer = body if isinstance(body, list) else []
    within = [each for outside in outer if isinstance(outside, _BODIES) for each in outside.body]
    result: _Giving = (dict(giving), {id(each) for each in (*outer, *within)})
    match.module.memory[key] = result
    return result


def _given_by(node: ast.AST) -> Iterable[str]:
    """The names to which a statement, or a part of one, gives something."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return (node.targets[0].id,)
    return set(bound_names(_NOTHING, [node])) if hasattr(node, "lineno") else ()


_NOTHING = ast.Module([], [])


def _is_number_or_name(match: Match, value: ast.expr) -> bool:
    return is_number(match.module, value, match.scope) or (
        isinstance(value, ast.Call) and _makes_harmless(match, value)
    )


def _makes_harmless(match: Match, call: ast.Call) -> bool:
    """`int(x)`, `quote_name(x)`, and `",".join(map(int, some))`."""
    func: ast.expr = call.func
    if isinstance(func, ast.Attribute) and func.attr == "join" and call.args:
        drawn = call.args[0]
        if not isinstance(drawn, ast.Call) or last_name(drawn.func) != "map" or not drawn.args:
            return False
        func = drawn.args[0]
    return match.resolve(func) in AS_NUMBERS or _AS_NAMES.match(last_name(func)) is not None


def _chosen_by_callers(match: Match, name: str) -> bool:
    """Is it a parameter of a private function that is given nothing but constants, by all who call it?"""
    given = given_by_callers(match.module, name, match.scope)
    return bool(given) and all(
        is_fixed(there, value) or is_constant_by_name(there, value)
        for value, there in ((value, match.within(place)) for value, place in given)
    )


_LOOKED_AT = frozenset({"isidentifier", "isdigit", "isdecimal", "isnumeric", "isalnum"})


def _held_to_a_set(match: Match, name: str) -> bool:
    """Is a name compared, in the function that uses it, with a fixed set of values, or looked at letter by letter? Asked once."""
    key = ("queries.held", id(match.scope), name)
    known = match.module.memory.get(key)
    if not isinstance(known, bool):
        compared, looked_at = _comparisons(match)
        chosen = any(_is_a_choice(match, each) for each in compared.get(name, ()))
        known = match.module.memory[key] = chosen or name in looked_at
    return known


_Compared = tuple[dict[str, list[ast.expr]], set[str]]


def _comparisons(match: Match) -> _Compared:
    """With which sets each name of a function is compared, and which are looked at letter by letter; worked out once."""
    key = ("queries.compared", id(match.scope))
    known = match.module.memory.get(key)
    if isinstance(known, tuple):
        return known
    compared: defaultdict[str, list[ast.expr]] = defaultdict(list)
    looked_at: set[str] = set()
    for each in inside(*own_children(match.scope.node)):
        if isinstance(each, ast.Compare):
            if isinstance(each.left, ast.Name) and isinstance(each.ops[0], (ast.In, ast.NotIn)):
                compared[each.left.id].append(each.comparators[0])
            continue
        func = each.func if isinstance(each, ast.Call) else None
        if isinstance(func, ast.Attribute) and func.attr in _LOOKED_AT and isinstance(func.value, ast.Name):
            looked_at.add(func.value.id)
    result: _Compared = (dict(compared), looked_at)
    match.module.memory[key] = result
    return result


def _is_a_choice(match: Match, allowed: ast.expr) -> bool:
    return is_fixed(match, allowed) or is_constant_by_name(match, allowed)
