"""Asks one parsed file where untrusted input reaches dangerous calls, and which of those are hidden behind other names."""

from __future__ import annotations

from auditor.forensics.languages.data_flow.dangerous_calls import DangerousCalls, Report
from auditor.forensics.languages.data_flow.exported_values import exported_values
from auditor.forensics.languages.data_flow.expressions import Call, Expression, Item, Member
from auditor.forensics.languages.data_flow.flow_models import LanguageModels, language_models
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.grammar_kinds import GrammarKinds, grammar_kinds
from auditor.forensics.languages.data_flow.imported_names import read_imported_names
from auditor.forensics.languages.data_flow.scopes import FileScopes
from auditor.forensics.languages.parsed_file import ParsedFile

_TOO_LARGE = "too many statements to follow values in"


def apply_data_flow(file: ParsedFile) -> None:
    """Add what data flow finds to a file's sites. A file that names no source and no dangerous call is not looked at."""
    kinds = grammar_kinds(file.language.name)
    if kinds is None:
        return
    models = language_models(file.language.name)
    takes_in, hides = _relevance(file, models)
    if takes_in or hides:
        _follow(file, kinds, models, takes_in=takes_in, hides=hides)


def _relevance(file: ParsedFile, models: LanguageModels) -> tuple[bool, bool]:
    """Does a file name untrusted input beside a dangerous call, and what may hide one?"""
    said = models.search.standing(file.latin1_source)
    takes_in = not said.isdisjoint(models.passing.words)
    if takes_in and said.isdisjoint(models.sink_words):
        takes_in = not said.isdisjoint(models.query_words) and file.has_query_text
    hides = not said.isdisjoint(models.passing.hiding_words)
    return takes_in, hides or (not said.isdisjoint(models.passing.query_hiding_words) and file.has_query_text)


def _follow(file: ParsedFile, kinds: GrammarKinds, models: LanguageModels, *, takes_in: bool, hides: bool) -> None:
    scopes = FileScopes(file, kinds)
    if scopes.is_too_large:
        file.looked.reason = _TOO_LARGE
        return
    followed = FollowedFile(file, scopes, read_imported_names(file, scopes), models)
    followed.gather_additions()
    nodes = (*file.calls_of(file.callees), *scopes.shells, *scopes.unnamed_calls)
    calls = [_as_call(scopes.lowering.lower(each)) for each in nodes]
    own = frozenset(file.told)
    dangerous = DangerousCalls(followed, takes_in=takes_in, hides=hides)
    for report in dangerous.reports((each for each in calls if isinstance(each, Call)), own):
        _add(file, report)
    if hides:
        for report in dangerous.exported(exported_values(followed), own):
            _add(file, report)


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
    sites[:] = [each for each in sites if each.line != report.line]
    if report.site is not None:
        sites.append(report.site)
        file.looked.candidates[report.probe] += 1
