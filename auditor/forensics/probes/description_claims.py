"""What the author of a change says about it, compared with what the change does.

A description is written by the person whose work is judged, so it is never believed and never shown to a judge. Its
words are kept in a fact's data; statements say in our own words what was claimed and what is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import ConfigDict

from auditor.domain import Description, Fact, Frozen, ProbeData
from auditor.english_counts import by_count, pluralize
from auditor.forensics.probe_kit.fact_outcomes import found, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, PythonModules, Tree
from auditor.forensics.public_api.exported_files import PublicSurfaces
from auditor.lazy_regex import lazy_compile

if TYPE_CHECKING:
    from auditor.forensics.description.change_contents import CheckedClaim

_MAX_QUOTE = 200
_MAX_LINES = 5
"""Lines of the text that a statement names."""
_NO_SURFACES = PublicSurfaces()
_ISSUE = lazy_compile(
    r"(?<![\w&/])(?:[\w.-]{1,100}/[\w.-]{1,100})?#\d{1,9}\b|/issues/\d{1,9}\b|\bGH-\d{1,9}\b", re.IGNORECASE
)
_ISSUE_KEY = lazy_compile(r"\b(?i:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?)\b:?\s+[A-Z][A-Z0-9]{1,15}-\d{1,9}\b")


class Claim(Frozen):
    """One claim of the description, in its own words. Line 0 is the title, others count in the body from 1."""

    kind: str
    line: int
    words: str
    holds: bool


class Claims(ProbeData):
    """The claims that could be compared with the change."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    claims: tuple[Claim, ...]
    names_issue: bool


@probe("claims.description_matches", reads=("*", "**/*"), only_changes=True)
def description_matches(
    description: Description,
    change: Change,
    documents: Documents,
    modules: PythonModules,
    tree: Tree,
    surfaces: PublicSurfaces = _NO_SURFACES,
) -> Iterator[Fact]:
    """Does what the description says match the change?

    Compared are paths in code marks, claims that only documentation or tests change or that no code or function
    changes, tests that are said to be added, promises to break nothing, and versions in a title such as `Bump X from A
    to B`. Quotes and code are left out. A description with no such claim does not apply.

    Correct this claim in the description, or undo the part of the change that contradicts it.
    """
    from auditor.forensics.description.change_contents import ChangeContents
    from auditor.forensics.description.claim_registry import checked_claims
    from auditor.forensics.description.claim_sentences import sentences

    said = list(sentences(description))
    claims = checked_claims(said, ChangeContents(change, documents, modules, tree, surfaces))
    names_issue = any(_ISSUE.search(each.text) or _ISSUE_KEY.search(each.text) for each in said)
    issue = "it names an issue" if names_issue else "it names no issue"
    wrong = [each for each in claims if not each.answer.holds]
    if not claims:
        yield not_applicable(f"The description claims nothing that the change could contradict; {issue}.")
    elif not wrong:
        yield found(
            f"{pluralize(len(claims), 'claim')} of the description {by_count(len(claims), 'agrees', 'agree')} with the change; {issue}.",
            confidence=min(each.answer.confidence for each in claims),
            because=claims[0].answer.because,
            measure=1.0,
            data=_data(claims, names_issue),
        )
    for sentence in dict.fromkeys(each.wrong for each in wrong):
        group = [each for each in wrong if each.wrong == sentence]
        yield not_found(
            f"{sentence} ({_lines_of(group)}).",
            at=dict.fromkeys(place for each in group for place in each.answer.at),
            confidence=min(each.answer.confidence for each in group),
            because=group[0].answer.because,
            measure=round(1 - len(wrong) / len(claims), 4),
            data=_data(group, names_issue),
        )


def _data(claims: list[CheckedClaim], names_issue: bool) -> Claims:
    told = (
        Claim(
            kind=each.kind,
            line=each.sentence.line,
            words=_shorten_quote(each.sentence.text),
            holds=each.answer.holds,
        )
        for each in claims
    )
    return Claims(claims=tuple(told), names_issue=names_issue)


def _shorten_quote(text: str) -> str:
    whole = text.encode("utf-8", errors="backslashreplace").decode("utf-8")
    return whole if len(whole) <= _MAX_QUOTE else whole[:_MAX_QUOTE] + "…"


def _lines_of(claims: list[CheckedClaim]) -> str:
    """Where claims are, in our own words."""
    numbers = sorted({each.sentence.line for each in claims})
    title = ["the title"] if numbers[0] == 0 else []
    body = [str(number) for number in numbers if number][:_MAX_LINES]
    return " and ".join([*title, *([f"line {', '.join(body)} of the description"] if body else [])])
