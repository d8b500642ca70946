"""Functions that hand a query which they are given to a database: who calls them asks the database.

Other files are told by a name of our own, under which a probe looks for calls of such functions.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from auditor.forensics.library_models.sql_queries import sql_queries, sql_queries_with_team_rows
from auditor.forensics.library_models.team_rows import kept_by_team_rows
from auditor.forensics.python.parameter_values import function_of_parameter
from auditor.forensics.python.private_function_arguments import is_method
from auditor.forensics.python.scope_bindings import last_name, own_parameters
from auditor.forensics.python.taint_models import source_words
from auditor.row_tables import names_of

if TYPE_CHECKING:
    from auditor.forensics.python.name_resolution import Module
    from auditor.forensics.python.scoped_nodes import Scope

RUNNER_NAMES = tuple(f"<asks a database>.{place}" for place in range(3))
"""What such a function stands for, by the place of the query among what callers give it."""
PASSING_PREFIX = "<passes to "
"""What the names begin with of functions that pass a parameter on to a dangerous call."""
_ROWS = sql_queries()
_QUERY_PARAMETER_NAME = re.compile(r"sql|quer|stmt|statement|command|operation|^q$", re.IGNORECASE)
"""Names of parameters that hold queries."""
_TEXT_WRAPPERS = names_of(_ROWS.query_wrappers)
"""Calls that pass a query on."""


@kept_by_team_rows
def query_methods() -> frozenset[str]:
    """Methods that are given a query, whatever they are called on, those of the team's rows among them."""
    return names_of(sql_queries_with_team_rows().query_methods)


def query_position(runner: str) -> int:
    """The position at which callers of a runner pass the query."""
    return RUNNER_NAMES.index(runner)


def record_runner(call: ast.Call, scope: Scope, module: Module) -> None:
    """Record, for importers, that the enclosing function passes a parameter of its own to the database."""
    around = scope.node
    if scope.is_nested or not isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return
    query = call.args[0] if call.args else None
    if isinstance(query, ast.Call) and query.args and last_name(query.func) in _TEXT_WRAPPERS:
        query = query.args[0]
    if not isinstance(query, ast.Name) or not _QUERY_PARAMETER_NAME.search(query.id):
        return
    given = own_parameters(around)
    if query.id not in given[: len(RUNNER_NAMES)] or function_of_parameter(query.id, scope) is not around:
        return
    place = given.index(query.id)
    asked_anyway = is_method(around) and place == 0 and around.name in query_methods()
    if not asked_anyway:
        module.running[scope.qualname] = RUNNER_NAMES[place]


def may_run_built_query(passed: Mapping[str, str], content: bytes) -> bool:
    """May a file show more findings once its imports are resolved?

    Where all of them ask a database it does only if it puts a query together and calls one of them, which its text
    tells: in a library for databases every other file takes some in, and to read them all again takes as long as before.
    """
    told = set(passed.values())
    if any(real not in RUNNER_NAMES and not real.startswith(PASSING_PREFIX) for real in told):
        return True
    called = {real for said, real in passed.items() if f"{said.rpartition('.')[2]}(".encode() in content}
    if called and any(word.encode() in content for word in source_words()):
        return True  # what is passed on there may be what an outsider sent
    return not called.isdisjoint(RUNNER_NAMES) and _BUILT_QUERY.search(content) is not None


_BUILT_QUERY = re.compile(
    rb"\b(?:select|insert\s{1,20}into|update\s{1,20}[\w.{\"`]{1,60}\s{1,20}set|delete\s{1,20}from|where|order\s{1,20}by)\s[^\n]{0,120}?(?:\{[A-Za-z_]|[\"']{1,3}\s{0,40}(?:\+\s|%\s?[\w(]|\.format\b))",
    re.IGNORECASE,
)
"""Words of a query in a text that is filled or gone on with."""
