"""Calls of functions of which only the name, or what they are given, says that they may run a query."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from auditor.forensics.library_models.sql_queries import sql_queries
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.possible_texts import may_be_text
from auditor.forensics.python.scope_bindings import last_name, text_constant
from auditor.forensics.python.scoped_nodes import ScopedNode
from auditor.forensics.python.sql_runners import RUNNER_NAMES, query_methods
from auditor.row_tables import names_of

QUERY_ARGUMENTS = sorted(names_of(sql_queries().query_arguments))
_RUNNER_NAME = re.compile(
    r"quer|sql|exec|statement|stmt|mutat|cursor|fetch|(?:^|_)(?:scalar|db|gbq)(?:_|$)|(?:Operator|Sensor)$",
    re.IGNORECASE,
)
"""Names of functions that may run a query."""
_NON_RUNNER_NAME = re.compile(
    r"^_*(?:assert|log|print|format|parse|build|make|escape|quote|validate|is_|to_|render|warn|debug|info|error|add_|register|get_sql|explain|compile|tokenize)"
    r"|(?:Error|Exception|Warning|log|error|equal)$",
    re.IGNORECASE,
)
"""Names of functions that output or transform a text."""
_STATEMENT_START = re.compile(
    r"\s{0,200}(?:select|insert|update|delete|with|create|drop|alter|truncate|merge|match|optional|replace|grant|copy|call|exec)\b",
    re.IGNORECASE,
)
_DATABASE = re.compile(
    r"hook|conn|cursor|neo4j|postgres|mysql|snowflake|redshift|clickhouse|(?:^|_)(?:cur|db|tx|sql|session|graph)$",
    re.IGNORECASE,
)
_QUERY_NAME = re.compile(r"sql|quer|stmt|statement|command", re.IGNORECASE)
MAX_NAME_LENGTH = 80
_MAX_OPERANDS = 60


def find_unknown_runners(module: Module) -> list[ScopedNode]:
    """Calls of unknown functions that may run a query."""
    methods = query_methods()
    words = [each for each in module.calls if each not in methods and _may_run_query(each)]
    asked = [each for word in words for each in module.calls[word]]
    asked += [each for each in module.calls.get("run", ()) if _is_of_database(each[0].func)]
    return [each for each in asked if concatenated_query(each[0], module) is not None]


def _is_of_database(func: ast.expr) -> bool:
    """Is it a method of what is called like a way to a database: `hook.run`, `session.run`?"""
    return isinstance(func, ast.Attribute) and _DATABASE.search(last_name(func.value)[:MAX_NAME_LENGTH]) is not None


@lru_cache(maxsize=50_000)
def _may_run_query(word: str) -> bool:
    return (
        len(word) < MAX_NAME_LENGTH and _RUNNER_NAME.search(word) is not None and _NON_RUNNER_NAME.search(word) is None
    )


def concatenated_query(call: ast.Call, module: Module) -> ast.expr | None:
    """A concatenated text that begins like a query, among the arguments of a call, or a name for one."""
    named = [each.value for each in call.keywords if each.arg in QUERY_ARGUMENTS]
    for each in (*call.args[: len(RUNNER_NAMES)], *named):
        if isinstance(each, ast.Name):
            if _QUERY_NAME.search(each.id) and may_be_text(module, each):
                return each
        elif (begun := _constant_prefix(each)) and _STATEMENT_START.match(begun):
            return each
    return None


def _constant_prefix(text: ast.expr) -> str:
    """The constant prefix of a text that is concatenated in place."""
    for _ in range(_MAX_OPERANDS):
        if isinstance(text, ast.BinOp) and isinstance(text.op, (ast.Add, ast.Mod)):
            text = text.left
        elif isinstance(text, ast.Call) and isinstance(text.func, ast.Attribute) and text.func.attr == "format":
            text = text.func.value
        elif isinstance(text, ast.JoinedStr) and text.values:
            text = text.values[0]
        else:
            break
    else:
        return ""
    return text_constant(text) or ""
