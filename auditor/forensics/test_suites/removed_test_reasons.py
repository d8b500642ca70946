"""Python tests that are gone: with the code that they were for, for others of the same file, or for nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auditor.domain import Side
from auditor.forensics.source_text.definition_names import definition_names
from auditor.forensics.source_text.file_outline import Function, Outline
from auditor.forensics.source_text.file_roles import is_test
from auditor.forensics.test_suites.merged_python_tests import TestFile, TestFunction, match_merged_tests
from auditor.forensics.test_suites.python_test_bodies import count_assertion_lines, function_lines
from auditor.forensics.test_suites.python_test_inventory import LocatedTest, PythonTests


@dataclass(frozen=True)
class RemovedTests:
    """Tests whose names no longer occur, and that no other test continues."""

    along: Sequence[LocatedTest] = ()
    """They name code that the change removes."""
    renamed: Sequence[LocatedTest] = ()
    """Others came in their place, in the same file."""
    without_replacement: Sequence[LocatedTest] = ()


def classify_removed_tests(tests: PythonTests) -> RemovedTests:
    """Classify the tests whose names no longer occur; those that continue in others are left out."""
    names = {each.name for _, each in tests.now}
    gone = [(path, each) for path, each in tests.before if each.name not in names]
    if not gone:
        return RemovedTests()
    dropped, sources = removed_product_names(tests.modules.base, tests.modules.head), tests.sources[Side.BASE]
    along = [(path, each) for path, each in gone if dropped & _test_words(sources.get(path, ()), each)]
    left = _exclude(gone, along)
    joined, fresh = _merged_tests(left, tests)
    return RemovedTests(along, *_split_renamed(_exclude(left, joined), fresh))


def _exclude(tests: Sequence[LocatedTest], excluded: Sequence[LocatedTest]) -> list[LocatedTest]:
    known = frozenset(excluded)
    return [each for each in tests if each not in known]


def _merged_tests(removed: Sequence[LocatedTest], tests: PythonTests) -> tuple[list[LocatedTest], Counter[str]]:
    """Tests that continue in others of the change, and how many further new tests each file has."""
    then, now = _test_files(tests.sources[Side.BASE]), _test_files(tests.sources[Side.HEAD])
    lost = {TestFunction(then[path], each): (path, each) for path, each in removed if path in then}
    fresh = _count_new_tests(tests)
    if not lost:
        return [], fresh
    before = [TestFunction(then[path], each) for path, each in tests.known if path in then]
    after = [TestFunction(now[path], each) for path, each in tests.now if path in tests.change.by_path and path in now]
    taken, taking = match_merged_tests(list(lost), after, before)
    known = {each.function.name for each in before}
    new = Counter(each.file.path for each in taking if each.function.name not in known)
    return [lost[each] for each in lost if each in taken], fresh - new


def _test_files(sources: Mapping[str, Sequence[str]]) -> dict[str, TestFile]:
    return {path: TestFile(path, rows) for path, rows in sources.items()}


def _count_new_tests(tests: PythonTests) -> Counter[str]:
    """How many tests of new names each file has; one without assertions does not count."""
    known = {each.name for _, each in tests.known}
    sources = tests.sources[Side.HEAD]
    return Counter(
        path
        for path, each in tests.now
        if each.name not in known and (path not in sources or count_assertion_lines(sources[path], each))
    )


def _split_renamed(
    removed: Sequence[LocatedTest], new_counts: Counter[str]
) -> tuple[list[LocatedTest], list[LocatedTest]]:
    """Removed tests in whose place another came in the same file, and the others."""
    left = new_counts.copy()
    parts: tuple[list[LocatedTest], list[LocatedTest]] = [], []
    for path, each in removed:
        parts[left[path] <= 0].append((path, each))
        left[path] -= 1
    return parts


def removed_product_names(base: Mapping[str, Outline], head: Mapping[str, Outline]) -> set[str]:
    """The names of product code that the change removes and defines nowhere else.

    Those in whose place as many others came are left out: code that goes on under another name takes no test along.
    """
    before, after = (
        {(path, name) for path, shape in side.items() if not is_test(path) for name in definition_names(shape)}
        for side in (base, head)
    )
    known, kept = {name for _, name in before}, {name for _, name in after}
    place = base.keys() & head.keys()
    came = Counter(path if path in place else "" for path, name in after if name not in known)
    gone = [(path if path in place else "", name) for path, name in before if name not in kept]
    went = Counter(path for path, _ in gone)
    return {name for path, name in gone if len(name) >= _MIN_NAME_LENGTH and went[path] > came[path]}


def _test_words(source: Sequence[str], test: Function) -> set[str]:
    return set(_WORD.findall("\n".join(function_lines(source, test))))


_MIN_NAME_LENGTH = 4
"""Length of a name from which a test that contains it is taken to be about it."""
_WORD = re.compile(r"\w+")
