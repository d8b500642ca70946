"""What the author of a change says about it, held against what the change does.

A description is written by the person whose work is judged, so it is never believed and never shown to a judge. What
stands in it is kept in a fact's data; statements say in our own words what was claimed and what is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ConfigDict

from auditor.domain import Description, Fact, Frozen, ProbeData
from auditor.forensics.probe_kit.fact_outcomes import found, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, PythonModules, Tree
from auditor.forensics.public_api.exported_files import PublicSurfaces
from auditor.lazy_regex import lazy_compile

if TYPE_CHECKING:
    from auditor.forensics.description.change_contents import Held, Sentence

_QUOTE = 200
_NO_SURFACES = PublicSurfaces()


class Claim(Frozen):
    """One thing that the description says, in its own words. Line 0 is the title, others count in the body from 1."""

    kind: str
    line: int
    words: str
    holds: bool


class Claims(ProbeData):
    """All claims that could be held against the change."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    claims: tuple[Claim, ...]
    names_issue: bool
    announces_break: bool


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

    Names, files, versions, numbers, kinds of change and promises (only, no, all, unchanged, adds tests) are
    held against what the change does. Quotes, code and output that it shows are left aside. What it says of reasons
    cannot be held, and a description that says nothing else does not apply.

    Correct the description or the change, so that whoever reviews starts from what is there.
    """
    from auditor.forensics.description.change_contents import Ground, sentences, words
    from auditor.forensics.description.claim_registry import weighed

    said = list(sentences(description))
    held = weighed(said, Ground(change, documents, modules, tree, surfaces, words(said)))
    extra = _DescriptionSigns(any(map(_names_issue, said)), any(map(_announces_break, said)))
    issue = "it names an issue" if extra.names_issue else "it names no issue"
    if not held:
        yield not_applicable(f"The description claims nothing that the change could contradict; {issue}.")
        return
    right = [each for each in held if each.answer.holds]
    wrong = [each for each in held if not each.answer.holds]
    if not wrong:
        unsure = min(held, key=lambda each: each.answer.confidence).answer
        what = "One claim of the description was" if len(held) == 1 else f"{len(held)} claims of the description were"
        yield found(
            f"{what} held against the change and agrees with it; {issue}."
            if len(held) == 1
            else f"{what} held against the change and agree with it; {issue}.",
            confidence=unsure.confidence,
            because=unsure.because,
            measure=1.0,
            data=extra.claims(held),
        )
        return
    share = round(len(right) / len(held), 4)
    for sentence in dict.fromkeys(each.wrong for each in wrong):
        group = [each for each in wrong if each.wrong == sentence]
        unsure = min((each.answer for each in group), key=lambda answer: answer.confidence)
        yield not_found(
            f"{sentence} ({_lines_of(group)}).",
            at=dict.fromkeys(place for each in group for place in each.answer.at),
            confidence=unsure.confidence,
            because=unsure.because,
            measure=share,
            data=extra.claims(group),
        )


class _DescriptionSigns(NamedTuple):
    """What is told but proves nothing."""

    names_issue: bool
    announces_break: bool

    def claims(self, held: list[Held]) -> Claims:
        """The data of a fact about these claims."""
        return Claims(
            claims=tuple(
                Claim(
                    kind=each.kind,
                    line=each.sentence.line,
                    words=_shorten_quote(each.sentence.text),
                    holds=each.answer.holds,
                )
                for each in held
            ),
            names_issue=self.names_issue,
            announces_break=self.announces_break,
        )


def _shorten_quote(text: str) -> str:
    whole = text.encode("utf-8", errors="backslashreplace").decode("utf-8")
    return whole if len(whole) <= _QUOTE else whole[:_QUOTE] + "…"


def _lines_of(held: list[Held]) -> str:
    """Where the claims stand, in words of ours."""
    numbers = sorted({each.sentence.line for each in held})
    title = ["the title"] if numbers[0] == 0 else []
    body = [str(number) for number in numbers if number][:5]
    return " and ".join([*title, *([f"line {', '.join(body)} of the text"] if body else [])])


_ISSUE = lazy_compile(
    r"(?<![\w&/])(?:[\w.-]{1,100}/[\w.-]{1,100})?#\d{1,9}\b|/issues/\d{1,9}\b|\bGH-\d{1,9}\b", re.IGNORECASE
)
_KEYED = lazy_compile(r"\b(?i:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?)\b:?\s+[A-Z][A-Z0-9]{1,15}-\d{1,9}\b")
_BREAKING = lazy_compile(r"^BREAKING[ -]CHANGES?\b|^\[x\]\s+breaking\s+change", re.IGNORECASE)
_BREAKING_SUBJECT = lazy_compile(r"^\w{1,20}(?:\([^)]{0,80}\))?!:")


def _names_issue(sentence: Sentence) -> bool:
    return bool(_ISSUE.search(sentence.text) or _KEYED.search(sentence.text))


def _announces_break(sentence: Sentence) -> bool:
    return bool(_BREAKING.search(sentence.text) or (sentence.line == 0 and _BREAKING_SUBJECT.search(sentence.text)))
