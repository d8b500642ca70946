"""Which expressions of a Python file may be text: a fast check before text is followed piece by piece."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Container
from typing import Any

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.library_models.text_methods import text_methods
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.possible_aliases import follow_links
from auditor.forensics.python.scope_bindings import SELF_NAMES
from auditor.forensics.python.text_assignments import ASSIGNMENT_NODES, assignments_in
from auditor.row_tables import names_of

_ROWS = text_methods()
UNCHANGING_METHODS = names_of(_ROWS.unchanging_methods)
PATH_CALLS = names_of(_ROWS.path_calls)
QUOTING_JOINS = names_of(_ROWS.quoting_joins)
WRAPPER_CALLS = names_of(_ROWS.wrapper_calls)
COMPOSING_METHODS = frozenset({"format", "join"})
TEMPLATE_METHODS = names_of(_ROWS.template_methods)
TEXT_CALLS = UNCHANGING_METHODS | PATH_CALLS | WRAPPER_CALLS | COMPOSING_METHODS | TEMPLATE_METHODS | {"gettempdir"}
"""Calls that text is followed through by their names."""
_TEXT_SIGN = "?"
_TEXT_NODES = frozenset({ast.JoinedStr, ast.BinOp, ast.IfExp, ast.BoolOp, ast.NamedExpr})
"""Kinds of expressions that text is put together by, or chosen by."""


def may_be_text(module: Module, expression: ast.expr) -> bool:
    """May an expression stand for text of the file? A fast check that is never wrongly no."""
    word = _source_name(expression, _function_names(module))
    return word == _TEXT_SIGN or (word != "" and _may_hold_text(module, word))


def _may_hold_text(module: Module, name: str) -> bool:
    """May a name, or an attribute of `self`, hold text, wherever it is? Only what leads to it is looked at, and once a file."""
    known: dict[str, bool] = module.memory.setdefault("woven.holding", {})
    if name in known:
        return known[name]
    functions, given = _function_names(module), _assigned_values(module)
    taken: list[tuple[str, str]] = []
    waiting, seen = [name], {name}
    while waiting:
        each = waiting.pop()
        for value in (*given.get(each, ()), *given.get(f"self.{each}", ())):
            if word := _source_name(value, functions):
                taken.append((word, each))
                if word not in seen and word not in known:
                    seen.add(word)
                    waiting.append(word)
    holding = follow_links(taken, {_TEXT_SIGN, *(word for word, _ in taken if known.get(word))})
    known.update((each, each in holding) for each in seen)
    return known[name]


@remembered
def _function_names(module: Module) -> Container[str]:
    """The functions, methods and named lambdas of a file, wherever they are."""
    nodes: list[Any] = [each.node for each in module.scopes]
    known = {each.name for each in nodes if type(each) is ast.FunctionDef or type(each) is ast.AsyncFunctionDef}
    if any(type(each) is ast.Lambda for each in nodes):
        given = _assigned_values(module).items()
        known.update(name for name, values in given if any(type(each) is ast.Lambda for each in values))
    return known


@remembered
def _assigned_values(module: Module) -> dict[str, list[ast.expr]]:
    """The values that names, and attributes of `self`, are given anywhere in a file."""
    given: defaultdict[str, list[ast.expr]] = defaultdict(list)
    for kind in ASSIGNMENT_NODES:
        for node, scope in module.nodes[kind]:
            target = node.targets[0] if kind is ast.Assign and len(node.targets) == 1 else None
            if type(target) is ast.Name:  # as most are
                given[target.id].append(node.value)
            elif type(target) is ast.Attribute:
                if type(target.value) is ast.Name and target.value.id == "self":
                    given[f"self.{target.attr}"].append(node.value)
            elif type(target) is not ast.Subscript:
                for each in assignments_in(node, scope):
                    if each.value is not None:
                        given[each.name].append(each.value)
    return given


def _source_name(value: ast.expr, functions: Container[str]) -> str:
    """The name from which an expression takes its value, or the sign of text; empty where neither is known."""
    kind = type(value)
    named = value.func if isinstance(value, ast.Call) else value
    if isinstance(named, ast.Attribute):
        name, own = named.attr, type(named.value) is ast.Name and named.value.id in SELF_NAMES
    elif isinstance(named, ast.Name):
        name, own = named.id, True
    else:
        return (
            _TEXT_SIGN if kind in _TEXT_NODES or (isinstance(value, ast.Constant) and value.value is not None) else ""
        )
    if kind is ast.Call:
        return _TEXT_SIGN if name in TEXT_CALLS or (own and name in functions) else ""
    return name if own else ""
