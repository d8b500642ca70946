"""The code elements that a finding in a workflow is about, by the text of its lines."""

from __future__ import annotations

from collections.abc import Collection

from auditor.domain import CodeLocation, Fact
from auditor.forensics.probe_kit.fact_outcomes import list_names
from auditor.forensics.probe_kit.site_statements import agreeing
from auditor.lazy_regex import lazy_compile

_MAX_NAME_LENGTH = 60
_WORKFLOW_FOLDER = ".github/workflows/"
_EXPRESSION = lazy_compile(r"\$\{\{[^}]{1,300}\}\}")
_TRUSTED_CONTEXT = lazy_compile(r"\$\{\{\s*(?:runner|matrix|secrets|job|strategy)\.")
"""Expressions beside an untrusted one that are not what a finding is about."""
_ELEMENTS = {
    "actions": (lazy_compile(r"(?:^|\s)uses:\s*[\"']?([^\s\"'#]+)"), "an action"),
    "permissions": (lazy_compile(r"([a-z][a-z-]*[\"']?:\s*[\"']?write(?:-all)?)"), "a permission"),
    "secrets": (lazy_compile(r"\bsecrets\.(\w+)"), "a secret"),
}
"""What a statement may ask for in braces -> its form in a line, and the words for it where no line has that form."""


def with_element_names(fact: Fact) -> Fact:
    """The fact with the elements that its lines name in place of `{expressions}`, `{workflows}` and the like.

    Of `[is|are]` in its statement, what fits their number is kept.
    """
    places = [each for each in fact.locations if isinstance(each, CodeLocation)]
    statement = fact.statement
    if "{workflows}" in statement:
        names = dict.fromkeys(each.path.removeprefix(_WORKFLOW_FOLDER) for each in places)
        statement = agreeing(statement, len(names)).replace("{workflows}", list_names(names))
    if "{expressions}" in statement:
        expressions = dict.fromkeys(_expressions(places))
        statement = agreeing(statement, len(expressions) or 1).replace(
            "{expressions}", _listed(expressions, "an expression")
        )
    for kind, (form, otherwise) in _ELEMENTS.items():
        if f"{{{kind}}}" in statement:
            named = dict.fromkeys(_shorten(found) for each in places for found in form.findall(each.quote))
            statement = agreeing(statement, len(named) or 1).replace(f"{{{kind}}}", _listed(named, otherwise))
    return fact.model_copy(update={"statement": statement})


def _expressions(places: list[CodeLocation]) -> list[str]:
    """The expressions of the lines, without those whose context outsiders never fill."""
    written = [found for each in places for found in _EXPRESSION.findall(each.quote)]
    untrusted = [each for each in written if not _TRUSTED_CONTEXT.match(each)]
    return [_shorten(each) for each in untrusted or written]


def _listed(names: Collection[str], otherwise: str) -> str:
    return list_names(names) if names else otherwise


def _shorten(text: str) -> str:
    plain = " ".join(text.replace("`", "'").split())
    return plain if len(plain) <= _MAX_NAME_LENGTH else f"{plain[: _MAX_NAME_LENGTH - 1]}…"
