"""Asks one parsed file where untrusted input reaches dangerous calls, and which of those are hidden behind other names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from auditor.forensics.languages.data_flow.call_reports import Report
from auditor.forensics.languages.data_flow.dangerous_calls import DangerousCalls
from auditor.forensics.languages.data_flow.exported_values import exported_values
from auditor.forensics.languages.data_flow.expressions import Call, Expression, Item, Member, Text
from auditor.forensics.languages.data_flow.flow_models import LanguageModels, language_models
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.function_summaries import FunctionSummaries
from auditor.forensics.languages.data_flow.imported_names import read_imported_names
from auditor.forensics.languages.data_flow.near_input import calls_near_input
from auditor.forensics.languages.data_flow.relevant_calls import (
    Relevance,
    arguments_that_name,
    hiding_callees,
    hot_names,
    relevance,
)
from auditor.forensics.languages.data_flow.scopes import FileScopes
from auditor.forensics.languages.data_flow.stored_values import stored_values
from auditor.forensics.languages.data_flow.token_trees import calls_in
from auditor.forensics.languages.grammar_kinds import GrammarKinds
from auditor.forensics.languages.parsed_file import ParsedFile
from auditor.forensics.source_text.decode_and_run_commands import NOT_DECODED_REASON

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_CALLS = 1_000
"""Calls of a file that are followed."""
_MAX_SETTINGS = 300
_TOO_MANY = f"values were followed into the first {_MAX_CALLS:,} calls only"
_TOO_LARGE = "too many statements to follow values in"


def apply_data_flow(file: ParsedFile) -> None:
    """Add what data flow finds to a file's sites. A file that names no source and no dangerous call is not looked at."""
    kinds = file.language.data_flow
    if kinds is None:
        return
    models = language_models(file.language.name)
    found = relevance(file, models)
    if found.takes_in or found.hides or found.asks or file.summarized:
        _follow(file, kinds, models, found)


def _follow(file: ParsedFile, kinds: GrammarKinds, models: LanguageModels, found: Relevance) -> None:
    scopes = FileScopes(file, kinds)
    if scopes.is_too_large:
        file.looked.reason = _TOO_LARGE
        return
    followed = FollowedFile(file, scopes, read_imported_names(file, scopes), models)
    followed.gather_additions()
    hot = hot_names(followed, with_queries=found.hides_query) if found.hides else frozenset()
    callees = {each.id: each for each in (*found.named, *(hiding_callees(followed, hot) if found.hides else ()))}
    if len(callees) > _MAX_CALLS:
        file.looked.reason = _TOO_MANY
    beside = (*scopes.shells, *scopes.keyword_calls[:_MAX_CALLS], *scopes.unnamed_calls[:_MAX_CALLS])
    nodes = (*file.calls_of(list(callees.values())[:_MAX_CALLS]), *beside)
    own = frozenset(file.told)
    takes_in = found.takes_in or found.asks or bool(file.summarized)
    dangerous = DangerousCalls(followed, takes_in=takes_in)
    if file.summarized:
        file.looked.flows = FunctionSummaries(followed, dangerous).summaries(file.summarized)
        return
    calls = (*_calls(scopes, nodes), *_settings(scopes, models), *_macro_calls(scopes))
    for report in dangerous.reports(calls, own):
        _add(file, report)
    if found.takes_in and file.follows_neighbours:
        for report in dangerous.of_neighbours(
            _calls(scopes, file.calls_of(calls_near_input(followed, dangerous.is_input)))
        ):
            _add(file, report)
    if found.hides:
        passed = dangerous.passed
        passing = passed.passed_on(_calls(scopes, arguments_that_name(followed)), own)
        offered, kept = passed.exported(exported_values(followed), own), passed.stored(stored_values(followed), own)
        for report in (*passing, *passed.aliased(own), *offered, *kept):
            _add(file, report)


def _calls(scopes: FileScopes, nodes: Iterable[Node]) -> Iterator[Call]:
    for each in nodes:
        made = _as_call(scopes.lowering.lower(each))
        if isinstance(made, Call):
            yield made


def _settings(scopes: FileScopes, models: LanguageModels) -> Iterator[Call]:
    """Assignments to fields that do harm, as calls of a method that sets the field."""
    nodes = (*scopes.settings[:_MAX_SETTINGS], *scopes.item_settings[:_MAX_SETTINGS])
    for node in nodes if models.setting_names else ():
        left, right = (_only(node.child_by_field_name(each)) for each in ("left", "right"))
        target = scopes.lowering.lower(left) if left is not None else None
        if isinstance(target, Item) and isinstance(target.key, Text):
            target = Member(target.node, target.owner, target.key.value)
        if isinstance(target, Member) and right is not None and f"{target.name}=" in models.setting_names:
            yield Call(node, Member(node, target.owner, f"{target.name}="), (scopes.lowering.lower(right),))


def _only(side: Node | None) -> Node | None:
    """One side of an assignment, without the list that Go puts around a single value."""
    listed = side.named_children if side is not None and side.type == "expression_list" else ()
    return listed[0] if len(listed) == 1 else side


def _macro_calls(scopes: FileScopes) -> Iterator[Call]:
    """Calls among the arguments of macros, which the grammar does not know for calls."""
    made = (each for node in scopes.macros[:_MAX_SETTINGS] for each in calls_in(scopes.lowering.lower(node)))
    return islice(made, _MAX_CALLS)


def _as_call(made: Expression) -> Expression:
    """`run[x]` as the call that it may be."""
    if isinstance(made, Item):
        return Call(made.node, Member(made.node, made.owner, "call"), (made.key,))
    return made


def _add(file: ParsedFile, report: Report) -> None:
    """Put a report in the place of what a plain rule says of the same line."""
    if report.probe not in file.wanted:
        return
    sites = file.looked.sites[report.probe]
    # A text that is written in code form is fixed, too; that it is hidden is what the plain rule reports.
    sites[:] = [
        each
        for each in sites
        if each.line != report.line or (report.site is None and each.reason == NOT_DECODED_REASON)
    ]
    if report.site is not None:
        sites.append(report.site)
        file.looked.candidates[report.probe] += 1
