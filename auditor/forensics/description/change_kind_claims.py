"""Kinds of claims about a change as a whole: how each is worded, and what the facts say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.forensics.description.accompanying_file_claims import (
    annotated,
    demands_changed,
    docstrings,
    documents_changed,
    feature,
    no_foreign_code,
    no_new_demand,
    no_tests,
    tests_changed,
)
from auditor.forensics.description.change_contents import (
    MAX_DESCRIPTION,
    Check,
    Ground,
    Held,
    Sentence,
    denied,
    put_off,
)
from auditor.forensics.description.change_scope_claims import (
    is_small,
    nothing_breaks,
    only_added,
    only_documents,
    only_layout,
    only_moved,
    only_pipeline,
    only_rearranged,
    only_refactoring,
    only_typo,
    only_words_for_people,
    takes_away,
)
from auditor.forensics.description.claim_wordings import (
    ADDITIVE,
    ANNOTATED,
    DEPENDENCIES_TITLE,
    DOCUMENTED,
    DOCUMENTS,
    FEATURE_TITLE,
    LAYOUT,
    LAYOUT_TITLE,
    MOVED_ONLY,
    NO_DEPENDENCY,
    NO_FOREIGN_CODE,
    NO_TESTS,
    NOTHING,
    PIPELINE_TITLE,
    REFACTORING,
    REFACTORING_TITLE,
    SAME_CODE,
    SMALL,
    SMALL_TITLE,
    TAKES_AWAY,
    TESTED,
    TYPO,
    TYPO_TITLE,
    UNBROKEN,
    WITH_DOCSTRINGS,
)
from auditor.forensics.description.single_token_edits import same_signs
from auditor.lazy_regex import lazy_compile

_BEGINNING = 3
"""Lines of a description that speak of the change as a whole."""
_BEGINNING_OF_LIST = 12
"""The same where a description begins with what is wrong today."""


@dataclass(frozen=True)
class Kind:
    """A kind of claim: how it is worded in titles and sentences, how it is checked, and what to say when it is wrong."""

    name: str
    title: re.Pattern[str]
    said: re.Pattern[str]
    check: Check
    wrong: str
    until: int = MAX_DESCRIPTION
    """The last line on which it speaks of all of the change: further down, what was squashed into it is told one by one."""
    title_sure: float = 1.0
    """How sure it is at most where only the title says it: by custom its first word names the kind of what changes most."""
    denies: bool = False
    """Is it itself a denial, so that a word of denial before it takes nothing back?"""


def held_kinds(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every kind of claim that is made, once, with what the facts say of it."""
    for kind in _KINDS:
        sentence = next((each for each in said if _makes(kind, each)), None)
        if sentence is not None and (answer := kind.check(ground)) is not None:
            sure = answer.confidence if _says(kind, sentence) else min(answer.confidence, kind.title_sure)
            yield Held(kind.name, sentence, answer._replace(confidence=sure), kind.wrong)


def _makes(kind: Kind, sentence: Sentence) -> bool:
    if sentence.line == 0 and kind.title.search(sentence.text):
        return True
    return sentence.line <= kind.until and _says(kind, sentence)


def _says(kind: Kind, sentence: Sentence) -> bool:
    """Does it say so in words, and neither deny it nor put it off?"""
    text = sentence.text
    return any(
        kind.denies or not (denied(text, claim.start()) or put_off(text, claim.end()))
        for claim in kind.said.finditer(text)
    )


_KINDS = (
    Kind(
        "tests",
        lazy_compile(r"^tests?(?:\([^)]{0,80}\))?!?:", re.IGNORECASE),
        TESTED,
        tests_changed,
        "The description says that tests come with the change, and no test is added or extended",
        title_sure=0.7,
    ),
    Kind(
        "nothing_breaks",
        NOTHING,
        UNBROKEN,
        nothing_breaks,
        "The description says that nothing breaks for callers, and public names or parameters are gone",
    ),
    Kind(
        "only_documents",
        lazy_compile(
            r"^(?:docs?(?:\((?!deps)[^)]{0,80}\))?:|\[docs?\])(?!.{0,200}\b(?:refactor\w*|implement\w*|bugs?|utility|utils|unused|error messages?)\b)",
            re.IGNORECASE,
        ),
        DOCUMENTS,
        only_documents,
        "The description says that only documentation changes, and more than that changes",
        title_sure=0.65,
    ),
    Kind(
        "only_words_for_people",
        NOTHING,
        DOCUMENTS,
        only_words_for_people,
        "The description says that only documentation changes, and settings change by which something runs",
    ),
    Kind(
        "only_typo",
        TYPO_TITLE,
        TYPO,
        only_typo,
        "The description speaks of a typing error, and the change goes far beyond one",
    ),
    Kind(
        "only_refactoring",
        REFACTORING_TITLE,
        REFACTORING,
        only_refactoring,
        "The description says that behaviour stays as it was, and what callers or machines rely on changes",
        title_sure=0.6,
    ),
    Kind(
        "only_rearranged",
        lazy_compile(rf"^refactor(?:\([^)]{{0,80}}\))?:|{REFACTORING.pattern}", re.IGNORECASE),
        REFACTORING,
        only_rearranged,
        "The description says that behaviour stays as it was, and the change adds much and takes hardly anything away",
        until=_BEGINNING,
    ),
    Kind(
        "same_signs",
        SAME_CODE,
        SAME_CODE,
        same_signs,
        "The description says that behaviour stays as it was, and a line is another one by a number or a comparison",
    ),
    Kind(
        "small",
        SMALL_TITLE,
        SMALL,
        is_small,
        "The description speaks of a small change, and hundreds of lines of product code change",
    ),
    Kind(
        "only_layout",
        LAYOUT_TITLE,
        LAYOUT,
        only_layout,
        "The description says that only the layout of code changes, and its words change",
        title_sure=0.6,
    ),
    Kind(
        "documents_changed",
        NOTHING,
        DOCUMENTED,
        documents_changed,
        "The description says that the documentation is updated, and no document changes",
    ),
    Kind(
        "only_pipeline",
        PIPELINE_TITLE,
        NOTHING,
        only_pipeline,
        "The title speaks of what runs in the pipeline, and product code changes",
        title_sure=0.6,
    ),
    Kind(
        "demands_changed",
        DEPENDENCIES_TITLE,
        NOTHING,
        demands_changed,
        "The title speaks of dependencies, and no manifest and no lock file changes",
        title_sure=0.65,
    ),
    Kind(
        "no_new_demand",
        NO_DEPENDENCY,
        NO_DEPENDENCY,
        no_new_demand,
        "The description says that no dependency is new, and a manifest asks for one that it did not ask for",
        denies=True,
    ),
    Kind(
        "no_tests",
        NOTHING,
        NO_TESTS,
        no_tests,
        "The description says that no tests come, and some do",
        denies=True,
    ),
    Kind(
        "no_foreign_code",
        NO_FOREIGN_CODE,
        NO_FOREIGN_CODE,
        no_foreign_code,
        "The description says that no code of others comes, and files of others or a new dependency do",
        denies=True,
    ),
    Kind(
        "only_moved",
        MOVED_ONLY,
        MOVED_ONLY,
        only_moved,
        "The description says that things are only moved or renamed, and what they hold changes too",
        until=_BEGINNING_OF_LIST,
    ),
    Kind(
        "only_added",
        NOTHING,
        ADDITIVE,
        only_added,
        "The description says that the change only adds, and it takes something away",
        denies=True,
        until=_BEGINNING_OF_LIST,
    ),
    Kind(
        "takes_away",
        TAKES_AWAY,
        TAKES_AWAY,
        takes_away,
        "The description says that code is taken away, and no line goes",
    ),
    Kind(
        "feature",
        FEATURE_TITLE,
        NOTHING,
        feature,
        "The title speaks of a feature, and only documents or tests change",
        title_sure=0.6,
    ),
    Kind(
        "annotated",
        ANNOTATED,
        ANNOTATED,
        annotated,
        "The description says that type annotations are added, and none is",
    ),
    Kind(
        "with_docstrings",
        WITH_DOCSTRINGS,
        WITH_DOCSTRINGS,
        docstrings,
        "The description says that docstrings are added, and none is",
    ),
)
