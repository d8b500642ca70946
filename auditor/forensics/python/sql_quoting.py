"""Functions that make any text a name or a literal of a query and nothing else, recognized by what they do."""

from __future__ import annotations

import ast
import re

from auditor.forensics.library_models.sql_queries import sql_queries
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scope_bindings import SELF_NAMES, FunctionNode, last_name
from auditor.forensics.python.scoped_nodes import Scope, walk_nodes
from auditor.forensics.python.taint_models import harmless_calls
from auditor.forensics.python.text_assignments import called_function, returns
from auditor.forensics.python.value_guards import guarded_since
from auditor.row_tables import names_of

QUOTES_KEY = "quotes"
"""What outlines of modules hold of a function that quotes what it returns."""
QUOTING_NAME = re.compile(
    r"^_*(?:(?:quote|escape)_?(?:(?:sql|db)_?)?(?:name|ident|identifier|column|table|sqlite)s?|quoted_name|format_ident|Identifier)$",
    re.IGNORECASE,
)
"""Names of functions that may quote: what one of them does is looked at, where that can be read."""
_DIALECT_OWNERS = names_of(sql_queries().dialect_owners)
"""What the quoting methods of database libraries belong to: `connection.ops.quote_name`, `dialect.identifier_preparer.quote`."""
_MARKS = frozenset({'"', "'", "`", "]"})


def is_quoting_function(match: Match, func: ast.expr) -> bool:
    """Does a function quote what it is given: one of a library, or of the repository, whose body shows it?"""
    if match.resolve(func) in harmless_calls("code.sql_from_strings"):
        return True
    if not QUOTING_NAME.match(last_name(func)):
        return False
    made = called_function(match.module, func, match.scope)
    if made is not None:
        return returns_quoted(match.module, made)
    if isinstance(func, ast.Attribute) and last_name(func.value) in _DIALECT_OWNERS:
        return True
    known = match.module.imported_value(func, match.scope)
    return isinstance(known, dict) and known.get(QUOTES_KEY) is True


def returns_quoted(module: Module, made: Scope) -> bool:
    """Is everything that a function returns quoted by doubling a mark, or tested before?"""
    node = made.node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    ends = returns(module, node)
    return bool(ends) and all(_is_quoted(module, each, made) or _is_tested(module, node, each, made) for each in ends)


def _is_quoted(module: Module, end: ast.expr, made: Scope) -> bool:
    """Does a value hold a call that doubles a mark, or one that quotes?"""
    names = [each for each in ast.walk(end) if isinstance(each, ast.Name)]
    values = [end, *(module.behind(each, made) for each in names)]
    for each in walk_nodes(*values):
        func = each.func if isinstance(each, ast.Call) else None
        if isinstance(each, ast.Call) and doubles_mark(each):
            return True
        if func is not None and module.resolve(func, made) in harmless_calls("code.sql_from_strings"):
            return True
        if isinstance(func, ast.Attribute) and last_name(func.value) in _DIALECT_OWNERS:
            return True
    return False


def doubles_mark(call: ast.Call) -> bool:
    """Does a call double the mark that ends a quoted name or text: `name.replace('"', '""')`?"""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "replace" or len(call.args) != 2:
        return False
    old, new = (each.value if isinstance(each, ast.Constant) else None for each in call.args)
    return old in _MARKS and new == f"{old}{old}"


def _is_tested(module: Module, node: FunctionNode, end: ast.expr, made: Scope) -> bool:
    """Is each parameter that a value holds tested for plain characters, or against a pattern, before it is returned?"""
    own = {each.arg for each in (*node.args.posonlyargs, *node.args.args)} - SELF_NAMES
    held = [each for each in ast.walk(end) if isinstance(each, ast.Name) and each.id in own]
    fixed = all(guarded_since(module, each, made, each.lineno, lambda _: False) is not None for each in held)
    return bool(held) and (fixed or _refuses_by_pattern(node))


def _refuses_by_pattern(node: FunctionNode) -> bool:
    """`if not PATTERN.fullmatch(name): raise`, at the function's own level."""
    for statement in node.body:
        if isinstance(statement, ast.If) and statement.body and isinstance(statement.body[-1], ast.Raise):
            test = statement.test.operand if isinstance(statement.test, ast.UnaryOp) else statement.test
            if isinstance(test, ast.Compare):
                test = test.left
            if isinstance(test, ast.Call) and last_name(test.func) in {"fullmatch", "match"}:
                return True
    return False
