"""Whether a change takes tests away, switches them off or weakens them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from auditor.domain import CodeLocation, Fact
from auditor.forensics.probe_kit.fact_outcomes import (
    code_location,
    found,
    list_names,
    not_applicable,
    not_found,
    pluralize,
    unavailable,
)
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, PythonModules
from auditor.forensics.source_text.file_roles import Role, role
from auditor.forensics.test_suites.deselected_tests import TEST_RUNNER_FILES, find_deselections
from auditor.forensics.test_suites.lost_tests import LostTests
from auditor.forensics.test_suites.other_language_comparison import find_lost_tests_of_other_languages
from auditor.forensics.test_suites.python_test_comparison import find_lost_python_tests
from auditor.forensics.test_suites.python_test_inventory import PythonTests, unreadable_test_files


@probe("tests.removed_or_skipped", reads=("*.py", "**/*.py", *TEST_RUNNER_FILES))
def removed_or_skipped(change: Change, modules: PythonModules, documents: Documents) -> Iterator[Fact]:
    """Does the change remove or switch off tests?

    Tests that are gone and not found elsewhere, marked to be skipped, left out by settings or commands, or left
    with less than half of their checks.

    Keep the test and mend the code; where a test is obsolete, replace it by one for what holds now.
    """
    if all(_holds_no_tests(file.path) for file in change.files):
        yield not_applicable("The change touches neither code nor settings, and so no test.")
        return
    lost = (
        find_lost_python_tests(PythonTests(change, modules, documents))
        + find_lost_tests_of_other_languages(change, modules)
        + LostTests(left_out=tuple(find_deselections(change, documents)))
    )
    told = [*_tests_lost(lost), *_lost_file_facts(lost), *_unread(modules)]
    yield from told or [
        not_found(
            "The change removes, skips and weakens no test.",
            confidence=0.85,
            because="skips under a condition were not followed",
        )
    ]


_MANIFESTS = frozenset({"package.json", "pom.xml"})
"""Data by their form that say how tests are run."""
_NON_TEST_ROLES = frozenset({Role.DOCUMENTATION, Role.DATA, Role.LOCK, Role.VENDORED, Role.GENERATED})


def _holds_no_tests(path: str) -> bool:
    return role(path) in _NON_TEST_ROLES and path.rpartition("/")[2] not in _MANIFESTS


class _LossKind(NamedTuple):
    """One way in which tests are lost, and where."""

    how: str
    at: Sequence[CodeLocation]
    confidence: float
    because: str


def _loss_kinds(lost: LostTests) -> tuple[_LossKind, ...]:
    return (
        _LossKind("removed and not found elsewhere in the change", lost.gone, 0.8, "a test may go on under another name, or with the code it was for"),
        _LossKind("removed along with code named there", lost.along, 0.4, "what they were for seems to be gone as well"),
        _LossKind("gone while as many others came in the same file", lost.renamed, 0.5, "they may be the same ones, renamed and rewritten"),
        _LossKind("newly skipped or expected to fail", lost.skipped, 0.9, "a condition on the mark was not followed"),
        _LossKind("newly run under a condition only", lost.conditional, 0.6, "the condition may hold wherever the tests are run"),
        _LossKind("newly marked to run alone, which keeps the others of its file from running", lost.alone, 0.9, "the runner may be told to refuse such marks"),
        _LossKind("left with less than half of the checks from before", lost.weakened, 0.6, "checks may be put together, or made by a helper"),
    )  # fmt: skip


def _tests_lost(lost: LostTests) -> Iterator[Fact]:
    """What is known test by test."""
    for each in _loss_kinds(lost):
        if each.at:
            yield found(
                f"{_tests_are_text(len(each.at))} {each.how}{_names(each.at)}.",
                at=each.at,
                confidence=each.confidence,
                because=each.because,
                measure=min(1.0, round(len(each.at) / max(1, lost.before), 4)),
                introduced=True,
            )


def _tests_are_text(count: int) -> str:
    return "1 test is" if count == 1 else f"{count} tests are"


def _names(at: Sequence[CodeLocation]) -> str:
    """The names of tests that are functions; a title is free text of the author's and stays in the quote."""
    names = [each.quote.removeprefix("def ") for each in at]
    told = [name for name in names if name.isidentifier()]
    return f": {list_names(told)}" if told else ""


def _lost_file_facts(lost: LostTests) -> Iterator[Fact]:
    """Facts about changes that remove tests without naming them."""
    if lost.files:
        yield found(
            "Test files are deleted.",
            at=lost.files,
            confidence=0.7,
            because="what they held was not read test by test",
            introduced=True,
        )
    if lost.left_out:
        yield found(
            "A setting or a command leaves tests out that were run before.",
            at=lost.left_out,
            confidence=0.75,
            because="whether the tests that it names were run before was not followed",
            introduced=True,
        )


def _unread(modules: PythonModules) -> Iterator[Fact]:
    unread = unreadable_test_files(modules)
    if unread:
        statement = f"{pluralize(len(unread), 'changed test file')} could not be read."
        yield unavailable(statement, at=[code_location(path) for path in unread])
