"""Whether a change removes, skips or weakens tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from auditor.domain import CodeLocation, Fact
from auditor.english_counts import pluralize
from auditor.forensics.probe_kit.fact_outcomes import (
    code_location,
    found,
    list_names,
    not_applicable,
    not_found,
    unavailable,
)
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, PythonModules
from auditor.forensics.probe_kit.site_statements import agreeing
from auditor.forensics.source_text.file_roles import Role, role
from auditor.forensics.test_suites.deselected_tests import find_deselections
from auditor.forensics.test_suites.lost_tests import LostTests
from auditor.forensics.test_suites.other_language_comparison import find_lost_tests_of_other_languages
from auditor.forensics.test_suites.python_test_comparison import find_lost_python_tests
from auditor.forensics.test_suites.python_test_inventory import PythonTests, unreadable_test_files
from auditor.forensics.test_suites.test_files import runner_file_patterns


@probe("tests.removed_or_skipped", reads=("*.py", "**/*.py", *runner_file_patterns()))
def removed_or_skipped(change: Change, modules: PythonModules, documents: Documents) -> Iterator[Fact]:
    """Are tests removed, skipped or weakened?

    Tests count that are removed and not found elsewhere, newly skipped, excluded by settings or commands, or have
    lost more than half of their assertions. Tests that are moved or renamed do not count.

    Keep the test, and fix the code if it fails. If the behaviour was meant to change, test the new behaviour.
    """
    if all(_holds_no_tests(file.path) for file in change.files):
        yield not_applicable("The change modifies no code and no settings.")
        return
    lost = (
        find_lost_python_tests(PythonTests(change, modules, documents))
        + find_lost_tests_of_other_languages(change, modules)
        + LostTests(left_out=tuple(find_deselections(change, documents)))
    )
    told = [*_tests_lost(lost), *_lost_file_facts(lost), *_unread(modules)]
    yield from told or [
        not_found(
            "No test is removed, skipped or weakened.",
            confidence=0.85,
            because="conditional skips were not evaluated",
        )
    ]


_MANIFESTS = frozenset({"package.json", "pom.xml"})
"""Data by their form that say how tests are run."""
_NON_TEST_ROLES = frozenset({Role.DOCUMENTATION, Role.DATA, Role.LOCK, Role.VENDORED, Role.GENERATED})


def _holds_no_tests(path: str) -> bool:
    return role(path) in _NON_TEST_ROLES and path.rpartition("/")[2] not in _MANIFESTS


class _LossKind(NamedTuple):
    """One way in which tests are lost, as a statement of one and of several, and where."""

    statement: str
    at: Sequence[CodeLocation]
    confidence: float
    because: str


def _loss_kinds(lost: LostTests) -> tuple[_LossKind, ...]:
    return (
        _LossKind("[Test|{} tests] removed", lost.gone, 0.8, "the test may be renamed, or its code may be removed too"),
        _LossKind("[Test|{} tests] removed together with the tested code", lost.along, 0.4, "the code under test seems to be removed too"),
        _LossKind("[Test replaced by another one|{} tests replaced by others] in the same file", lost.renamed, 0.5, "they may be the same tests, renamed and rewritten"),
        _LossKind("[Test is|{} tests are] now skipped or expected to fail", lost.skipped, 0.9, "a condition on the mark was not evaluated"),
        _LossKind("[Test now runs|{} tests now run] only under a condition", lost.conditional, 0.6, "the condition may always hold where the tests run"),
        _LossKind("[Test is|{} tests are] marked with `.only`, so that the others of the file do not run", lost.alone, 0.9, "the test runner may reject such marks"),
        _LossKind("[Test|{} tests] lost more than half of [its|their] assertions", lost.weakened, 0.6, "assertions may be merged or moved to a helper"),
    )  # fmt: skip


def _tests_lost(lost: LostTests) -> Iterator[Fact]:
    """What is known test by test."""
    for each in _loss_kinds(lost):
        if each.at:
            yield found(
                f"{agreeing(each.statement, len(each.at)).format(len(each.at))}{_names(each.at)}.",
                at=each.at,
                confidence=each.confidence,
                because=each.because,
                measure=min(1.0, round(len(each.at) / max(1, lost.before), 4)),
                introduced=True,
            )


def _names(at: Sequence[CodeLocation]) -> str:
    """The names of tests that are functions; a title is free text of the author's and stays in the quote."""
    names = [each.quote.removeprefix("def ") for each in at]
    told = [name for name in names if name.isidentifier()]
    if not told:
        return ""
    unnamed = len(names) - len(told)
    return f": {list_names(told)}{f' and {unnamed:,} more' if unnamed and len(told) <= 3 else ''}"


def _lost_file_facts(lost: LostTests) -> Iterator[Fact]:
    """Facts about changes that remove tests without naming them."""
    if lost.files:
        yield found(
            f"{agreeing('[Test file is|{} test files are] deleted', len(lost.files)).format(len(lost.files))}: {list_names(each.path for each in lost.files)}.",
            at=lost.files,
            confidence=0.7,
            because="their tests were not compared one by one",
            introduced=True,
        )
    if lost.left_out:
        yield found(
            "A setting or command excludes tests that ran before the change.",
            at=lost.left_out,
            confidence=0.75,
            because="whether the excluded tests ran before was not analysed",
            introduced=True,
        )


def _unread(modules: PythonModules) -> Iterator[Fact]:
    unread = unreadable_test_files(modules)
    if unread:
        statement = f"{pluralize(len(unread), 'changed test file')} could not be read."
        yield unavailable(statement, at=[code_location(path) for path in unread])
