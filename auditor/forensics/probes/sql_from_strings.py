"""Queries that are concatenated from text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from auditor.forensics.code_facts.input_flows import CALL_MARK
from auditor.forensics.library_models.sql_queries import sql_queries, sql_queries_with_team_rows
from auditor.forensics.library_models.team_rows import kept_by_team_rows
from auditor.forensics.probe_kit.probe_decorators import CalledNames, site_probe
from auditor.forensics.python.harmless_in_sql import held_values, is_safe_in_sql
from auditor.forensics.python.harmless_values import is_number
from auditor.forensics.python.imported_flows import imported_flow
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.parameter_values import is_untrusted
from auditor.forensics.python.possible_texts import may_be_text
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.python.scoped_nodes import ScopedNode
from auditor.forensics.python.sql_quoting import QUOTING_NAME
from auditor.forensics.python.sql_runners import RUNNER_NAMES, query_methods, query_position, record_runner
from auditor.forensics.python.string_building import DynamicPart, TextPart, text_variants
from auditor.forensics.python.taint_findings import (
    passing_names,
    sink_methods,
    sink_names,
    team_sink_names,
    with_untrusted_input,
)
from auditor.forensics.python.taint_models import sinks_of, source_words
from auditor.forensics.python.text_assignments import called_function
from auditor.forensics.python.unknown_query_runners import (
    MAX_NAME_LENGTH,
    QUERY_ARGUMENTS,
    concatenated_query,
    find_unknown_runners,
)
from auditor.forensics.source_text.site_probe_types import Site
from auditor.row_tables import names_of

_ROWS = sql_queries()
_EXTRA = sorted(names_of(_ROWS.piece_arguments))
"""Arguments of Django's `extra` that are pieces of a query."""
_SQL = re.compile(
    r"^(?:\s|\(|--[^\n]*\n|/\*.{0,500}?\*/)*(?:explain\s+(?:analyze\s+)?)?"
    r"(?:select\s.+\sfrom\s|select\s+[\w.]+\(|insert\s+(?:or\s+\w+\s+|ignore\s+)?into\s|update\s.+\sset\s|delete\s+from\s|"
    r"(?:create|drop|alter)\s+(?:or\s+replace\s+|temp(?:orary)?\s+|unique\s+|materialized\s+)*(?:table|view|index|database|schema|user|role|function|sequence)\s|"
    r"pragma\s+\w+\s*[=(]|attach\s+database\s|vacuum\s+into\s|merge\s+into\s|replace\s+into\s|upsert\s+into\s|truncate\s+table\s|(?:grant|revoke)\s|with\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\s*\(|"
    r"(?:optional\s+)?match\s*\([^)]{0,300}\)|merge\s*\([^)]{0,300}\)|copy\s.+\s(?:from|to)\s|call\s+[\w.]+\s*\(|exec(?:ute)?\s+(?:\w+\.)*\w*(?:sp|usp|proc)_?\w+\s)",
    re.IGNORECASE | re.DOTALL,
)
_QUERY_CONTINUATION = re.compile(
    r"^x\s.{0,200}?\b(?:where\s+\S+\s*(?:[=<>]|like\b|in\b)|order\s+by\s|values\s*\(|set\s+\w+\s*=)",
    re.IGNORECASE | re.DOTALL,
)
"""How a query continues whose beginning was not followed."""
_MAX_QUERY = 20_000
_IDENTIFIER = "it looks like a table or column name, which cannot be a parameter"
_DEFINITION = re.compile(r"\s*(?:create|drop|alter|truncate|grant|revoke)\b", re.IGNORECASE)
"""Statements that take names only: no database allows parameters in them."""
_IDENTIFIER_NAME = re.compile(
    r"table|column|schema|field|cols|index|view|order_by|database|keyspace|savepoint", re.IGNORECASE
)
_NAMED_HARMLESS = "its name suggests a quoted value or placeholders; its origin was not analysed"
_MARK_NAMES = re.compile(r"placeholder|marks|params|qmarks|binds", re.IGNORECASE)

_PROBE = "code.sql_from_strings"
_INPUT_METHODS = frozenset(sink_methods(_PROBE)) - names_of(_ROWS.query_methods)
"""Methods that do harm with what outsiders give, and with no other text."""


@kept_by_team_rows
def _fragments() -> frozenset[str]:
    """What takes any piece of a query, and passes it on as it is, the functions of the team's rows among it."""
    return names_of(sql_queries_with_team_rows().fragments)


def _filter_candidates(candidates: list[ScopedNode], module: Module) -> list[ScopedNode]:
    """Calls whose query may be a concatenated text."""
    for call, scope in candidates:
        if call.args and type(call.args[0]) in _REFERENCE_NODES:
            record_runner(call, scope, module)
    untrusted = module.says(source_words()) or any(name.endswith(CALL_MARK) for name in module.told)
    if not untrusted:
        _ask_about_imported_functions(candidates, module)
    return [
        each
        for each in candidates
        if _may_be_untrusted(each[0], untrusted) or not _is_not_concatenated(each[0], module)
    ]


def _ask_about_imported_functions(candidates: list[ScopedNode], module: Module) -> None:
    """Ask what functions of other modules give back whose result is run as a query."""
    for call, scope in candidates:
        query = call.args[0] if call.args else None
        if isinstance(query, ast.Name):
            query = module.behind(query, scope)
        if isinstance(query, ast.Call) and not isinstance(getattr(query.func, "value", None), ast.Call):
            imported_flow(module, query.func, scope)


def _may_be_untrusted(call: ast.Call, untrusted: bool) -> bool:
    """May the query as a whole come from outside?"""
    return (
        untrusted
        and bool(call.args)
        and not isinstance(call.args[0], ast.Constant)
        and f".{last_name(call.func)}" in sinks_of(_PROBE)
    )


_REFERENCE_NODES = frozenset({ast.Name, ast.Call})


def _is_not_concatenated(call: ast.Call, module: Module) -> bool:
    query = call.args[0] if call.args else None
    if query is None or isinstance(query, ast.Starred):
        return not call.keywords
    if isinstance(call.func, ast.Attribute) and call.func.attr == "extra":
        return False
    if isinstance(query, ast.Constant):
        return True
    return not (may_be_text(module, query) or (len(call.args) > 1 and may_be_text(module, call.args[1])))


@site_probe(
    _PROBE,
    none_statement="No query is built by string formatting.",
    file_selector=find_unknown_runners,
    methods=(*names_of(_ROWS.query_methods), "extra", *sorted(_INPUT_METHODS)),
    method_filter=_filter_candidates,
    calls=(*sink_names(_PROBE), *passing_names(_PROBE), *names_of(_ROWS.fragments), *RUNNER_NAMES),
    second_look=("S608",),
    team_names=lambda: CalledNames(_fragments() | team_sink_names(_PROBE), query_methods()),
)
def sql_from_strings(match: Match) -> Iterator[Site]:
    """Are database queries built by string formatting?

    Values and names that become part of the text of a query count. Query parameters do not count, nor do constants, numbers, quoted identifiers, and names checked against a fixed set.

    Pass values as query parameters. Choose table and column names from a fixed set.
    """
    plain = match.name[:1] == "." and match.name[1:] in _INPUT_METHODS
    yield from with_untrusted_input(match, _PROBE, () if plain else _sql_from_strings_sites(match))


def _sql_from_strings_sites(match: Match) -> Iterator[Site]:
    if match.name in RUNNER_NAMES:
        yield from _by_imported_runner(match)
        return
    if not match.name:
        yield from _by_unknown_runner(match)
        return
    if match.name == ".extra":
        texts = [text for name in _EXTRA for each in _pieces(match.argument(name)) for text in _texts(match, each)]
    else:
        texts = _texts(match, _query(match))
    fragment = match.name in _fragments() or match.name == ".extra"
    for pieces in texts:
        site = _concatenation_site(match, pieces, fragment=fragment)
        if site is not None:
            yield site
            return


def _by_imported_runner(match: Match) -> Iterator[Site]:
    """A query that is passed to a function of another file, which runs it."""
    named = (match.argument(each) for each in QUERY_ARGUMENTS)
    query = match.argument("", query_position(match.name)) or next((each for each in named if each is not None), None)
    called = replace(match, name=f".{last_name(match.call.func)}")
    for pieces in _texts(match, query):
        site = _concatenation_site(called, pieces, fragment=False)
        if site is not None:
            yield site if site.reason else replace(site, confidence=0.9 * site.confidence, reason=_OTHER_FILE_REASON)
            return


_OTHER_FILE_REASON = "a function in another file passes it to the database"


def _by_unknown_runner(match: Match) -> Iterator[Site]:
    """A concatenated query that is passed to a function of which only the name says that it runs queries."""
    called = match.resolve(match.call.func)
    if called in RUNNER_NAMES or called in _fragments():
        return
    query = concatenated_query(match.call, match.module)
    for pieces in _texts(match, query):
        site = _concatenation_site(match, pieces, fragment=False)
        if site is not None:
            yield replace(site, confidence=0.8 * site.confidence, reason=site.reason or _UNRESOLVED_RUNNER_REASON)
            return


_UNRESOLVED_RUNNER_REASON = "whether the called function runs a query was not analysed"


def _query(match: Match) -> ast.expr | None:
    """What is asked: what a call is given first, behind a connection second, or by name."""
    first = match.argument("", 0)
    if first is not None and not isinstance(first, ast.Constant) and not may_be_text(match.module, first):
        return match.argument("", 1) or first
    named = (match.argument(each) for each in QUERY_ARGUMENTS)
    return first or next((each for each in named if each is not None), None)


def _pieces(given: ast.expr | None) -> list[ast.expr]:
    """What a list or dictionary of pieces of a query holds."""
    if isinstance(given, ast.Dict):
        return given.values
    return given.elts if isinstance(given, (ast.List, ast.Tuple)) else []


def _texts(match: Match, query: ast.expr | None) -> list[list[TextPart]]:
    """The texts that a query may be; none for one that is in the code as a whole."""
    if query is None or isinstance(query, ast.Constant) or not may_be_text(match.module, query):
        return []
    return text_variants(match.module, query, match.scope, match.call.lineno)


def _concatenation_site(match: Match, pieces: list[TextPart], *, fragment: bool) -> Site | None:
    """The site of a text that is a query with something foreign in it."""
    put_in = [(number, each) for number, each in enumerate(pieces) if isinstance(each, DynamicPart)]
    if not put_in or not _is_query(match, pieces, fragment=fragment):
        return None
    foreign = [(number, each, match.within(each.scope)) for number, each in put_in]
    held = _held_values(match)
    harmful = [
        each
        for each in foreign
        if id(each[1].expression) not in held and not is_safe_in_sql(each[2], each[1].expression)
    ]
    names = [_readable_name(_follow_join(there, each.expression)) for _, each, there in harmful]
    marks = (
        name == "join of marks" or _makes_marks(there, name, each.expression)
        for name, (_, each, there) in zip(names, harmful, strict=True)
    )
    if all(marks):
        return None
    return _doubted_site(match, pieces, harmful, names) or match.site(
        "SQL built by string formatting: a value is interpolated into the query", at=match.node
    )


def _held_values(match: Match) -> set[int]:
    """What is inserted into the query of a call and held to a fixed set, by identity."""
    given = [*match.call.args[:2], *(each.value for each in match.call.keywords if each.arg in QUERY_ARGUMENTS)]
    return {value for each in given for value in held_values(match, each)}


_Foreign = tuple[int, DynamicPart, Match]
"""A piece that is put into a text: its index, the piece, and the match as seen from its scope."""


def _doubted_site(match: Match, pieces: list[TextPart], harmful: list[_Foreign], names: list[str]) -> Site | None:
    """The site of a query whose pieces may be harmless for what their names say; None where they do not."""
    if all(
        _MARK_NAMES.search(name) or _is_named_quoting(there, each)
        for name, (_, each, there) in zip(names, harmful, strict=True)
    ):
        return match.site(
            "SQL built by string formatting: a value is interpolated into the query",
            confidence=0.5,
            because=_NAMED_HARMLESS,
        )
    tables = _table_name_pieces(match, pieces)
    named = [
        _IDENTIFIER_NAME.search(name) or number in tables for name, (number, _, _) in zip(names, harmful, strict=True)
    ]
    if _DEFINITION.match(_text_of(pieces)) or all(named):
        return match.site("Table or column name is interpolated into the query", confidence=0.6, because=_IDENTIFIER)
    if all(known or _CLAUSES.search(name) for known, name in zip(named, names, strict=True)):
        return match.site("Part of a query is interpolated into another query", confidence=0.6, because=_CLAUSE)
    if all(known or each.has_unknown_position for known, (_, each, _) in zip(named, harmful, strict=True)):
        return match.site(
            "SQL built by string formatting: a value is interpolated into the query",
            at=match.node,
            confidence=0.6,
            because=_TEMPLATE_ELSEWHERE_REASON,
        )
    return None


_TEMPLATE_ELSEWHERE_REASON = "the query template is in another file; the value may be part of a name there"
_TABLE_NAME_PREFIX = re.compile(
    r"(?<!distinct )\b(?:from|join|into|update|table|rename to)\s{1,60}(?:\w{1,60}\.)?[\"`\[]?$", re.IGNORECASE
)
"""The end of a query text that continues with the name of a table."""
_MAX_PREFIX_LENGTH = 100
_INPUT_NAME = re.compile(
    r"request|input|argv|params|payload|argument|(?:^|[._])(?:args|body|data|form|q|query|user)(?:$|[._])",
    re.IGNORECASE,
)


def _table_name_pieces(match: Match, pieces: list[TextPart]) -> set[int]:
    """The indexes of pieces that stand for a table name, and not inside a quoted value.

    Untrusted input counts as a value wherever it is, because then the program has not chosen the table.
    """
    found: set[int] = set()
    before, quoted = "", False
    for number, each in enumerate(pieces):
        if isinstance(each, str):
            before = each[-_MAX_PREFIX_LENGTH:]
            quoted ^= each.count("'") % 2 == 1
            continue
        if not quoted and _TABLE_NAME_PREFIX.search(before) and _may_be_program_value(match, each):
            found.add(number)
        before = ""
    return found


def _may_be_program_value(match: Match, piece: DynamicPart) -> bool:
    """May the program itself have chosen the value of a plain name?"""
    expression = piece.expression
    if not isinstance(expression, (ast.Name, ast.Attribute)) or _INPUT_NAME.search(
        _readable_name(expression)[:MAX_NAME_LENGTH]
    ):
        return False
    return not is_untrusted(match.module, expression, piece.scope)


_CLAUSES = re.compile(
    r"where|clause|condition|predicate|fragment|(?:^|_)(?:sql|query|stmt)(?:$|_)|subquery|order", re.IGNORECASE
)
_CLAUSE = "the origin of the part was not analysed; its values may be parameters"


def _text_of(pieces: list[TextPart]) -> str:
    return "".join(each if isinstance(each, str) else "x" for each in pieces)[:_MAX_QUERY]


def _is_query(match: Match, pieces: list[TextPart], *, fragment: bool) -> bool:
    """Does a text begin like a query, or is it where nothing else may be?"""
    if fragment:
        return any(isinstance(each, str) and _WORD.search(each) for each in pieces)
    text = _text_of(pieces)
    return bool(_SQL.match(text) or (match.name == ".execute" and _QUERY_CONTINUATION.match(text)))


_WORD = re.compile(r"\w")


def _follow_join(match: Match, expression: ast.expr) -> ast.expr:
    """The value of a name bound to a join, whose parts are followed; else the expression itself."""
    if isinstance(expression, ast.Name):
        found = match.module.lookup(expression.id, match.scope)
        value = found[0].value if found else None
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "join":
            return value
    return expression


def _makes_marks(match: Match, name: str, made: ast.expr) -> bool:
    """Is it what a function that is named for marks of parameters makes of their number?"""
    if not isinstance(made, ast.Call) or not made.args or made.keywords or not _MARK_NAMES.search(name):
        return False
    return all(is_number(match.module, each, match.scope) for each in made.args)


def _is_named_quoting(match: Match, piece: DynamicPart) -> bool:
    """Is it the result of a function of which only the name says that it quotes, for its body is elsewhere?"""
    call = piece.expression
    if not isinstance(call, ast.Call) or QUOTING_NAME.match(last_name(call.func)) is None:
        return False
    made = called_function(match.module, call.func, match.scope)
    return made is None or isinstance(made.node, ast.Lambda)


def _readable_name(expression: ast.expr) -> str:
    """The name a reader would give to what is put in."""
    if isinstance(expression, ast.Call):
        func = expression.func
        if isinstance(func, ast.Attribute) and func.attr == "join":
            return _joined_name(expression)
        if isinstance(func, ast.Attribute):
            return f"{_readable_name(func.value)}.{func.attr}"
        return func.id if isinstance(func, ast.Name) else ""
    if isinstance(expression, ast.Attribute):
        return f"{_readable_name(expression.value)}.{expression.attr}"
    if isinstance(expression, ast.Subscript):
        return _readable_name(expression.value)
    return expression.id if isinstance(expression, ast.Name) else ""


def _joined_name(call: ast.Call) -> str:
    argument = call.args[0] if call.args else None
    marks = [each for each in ast.walk(argument) if isinstance(each, ast.Constant)] if argument else []
    if any(each.value in {"?", "%s", ":", "$"} for each in marks):
        return "join of marks"
    return _readable_name(argument) if argument is not None else ""
