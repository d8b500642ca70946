"""Tests in other languages than Python, before and after a change: which are gone, switched off, or check less."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from auditor.domain import CodeLocation, FileChange, Side, Status
from auditor.forensics.languages.language_registry import covered_languages
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.probe_kit.probe_inputs import Change, PythonModules
from auditor.forensics.source_text.file_outline import DeclaredTest, Outline, RunCondition
from auditor.forensics.source_text.file_roles import is_code, is_expected_output, is_test, language
from auditor.forensics.test_suites.lost_tests import LostTests

LocatedTest = tuple[str, DeclaredTest]
"""A test, and the path of its file."""


def find_lost_tests_of_other_languages(change: Change, modules: PythonModules) -> LostTests:
    """Compare the tests of all changed files, so that one that moved is not lost. Unreadable files are left out."""
    moved = {file.base.path: file.head.path for file in change.files if file.base and file.head}
    now = {
        path: shape.tests
        for path, shape in sorted(modules.others.items())
        if path in change.by_path and not is_expected_output(path) and _is_comparable(change.by_path[path], modules)
    }
    then = {
        path: shape.tests
        for path, shape in sorted(modules.other_languages_base.items())
        if moved.get(path, path) not in modules.unreadable and not is_expected_output(path)
    }
    renamed, gone = _split_renamed(_removed_tests(then, now), _count_new_tests(then, now), moved)
    switched = list(_newly_skipped(then, now))
    off = {id(case) for _, case in switched}
    return LostTests(
        before=sum(map(len, then.values())),
        gone=_test_locations(gone, Side.BASE),
        renamed=_test_locations(renamed, Side.BASE),
        skipped=_test_locations((each for each in switched if each[1].runs is RunCondition.NEVER), Side.HEAD),
        conditional=_test_locations(
            (each for each in switched if each[1].runs is RunCondition.CONDITIONALLY), Side.HEAD
        ),
        alone=_test_locations(_newly_focused(then, now), Side.HEAD),
        weakened=_test_locations((each for each in _weakened(then, now, moved) if id(each[1]) not in off), Side.HEAD),
        files=_unknown_removed_files(change, modules),
    )


def _is_comparable(file: FileChange, modules: PythonModules) -> bool:
    """Is it known what the file held before?"""
    return (
        file.base is None
        or file.base.path in modules.other_languages_base
        or language(file.base.path) not in covered_languages()
    )


Tests = Mapping[str, tuple[DeclaredTest, ...]]


def _iter_tests(tests: Tests) -> Iterator[LocatedTest]:
    for path, cases in tests.items():
        for case in cases:
            yield path, case


def _removed_tests(before: Tests, now: Tests) -> Iterator[LocatedTest]:
    """Tests whose title and whose body both occur less often than before."""
    names = Counter(case.name for _, case in _iter_tests(now))
    marks = Counter(case.mark for _, case in _iter_tests(now))
    left: list[LocatedTest] = []
    for path, case in _iter_tests(before):
        if names[case.name] > 0:
            names[case.name] -= 1
            marks[case.mark] -= 1
        else:
            left.append((path, case))
    for path, case in left:
        if marks[case.mark] > 0:
            marks[case.mark] -= 1
        else:
            yield path, case


def _count_new_tests(before: Tests, now: Tests) -> Counter[str]:
    """How many tests of new titles each file has."""
    known = {case.name for _, case in _iter_tests(before)}
    return Counter(path for path, case in _iter_tests(now) if case.name not in known)


def _split_renamed(
    removed: Iterable[LocatedTest], new_counts: Counter[str], new_paths: Mapping[str, str]
) -> tuple[list[LocatedTest], list[LocatedTest]]:
    """Removed tests in whose place another came in the same file, and the others."""
    tests, left = list(removed), new_counts.copy()
    renamed: list[LocatedTest] = []
    for path, case in tests:
        here = new_paths.get(path, path)
        if left[here] > 0:
            left[here] -= 1
            renamed.append((path, case))
    told = frozenset(renamed)
    return renamed, [each for each in tests if each not in told]


def _newly_skipped(then: Tests, now: Tests) -> Iterator[LocatedTest]:
    """Tests that run less often than those of the same title did, or that are skipped from the start.

    A new test that asks for a condition takes nothing away.
    """
    before: dict[str, list[RunCondition]] = defaultdict(list)
    alike: dict[str, RunCondition] = {}
    for _, case in _iter_tests(then):
        before[case.name].append(case.runs)
        alike[case.mark] = max(case.runs, alike.get(case.mark, case.runs))
    for runs in before.values():
        runs.sort(reverse=True)
    for path, case in sorted(_iter_tests(now), key=lambda each: -each[1].runs):
        known = before[case.name]
        fresh = alike.get(case.mark, RunCondition.ALWAYS if case.runs is RunCondition.NEVER else case.runs)
        had = known.pop(0) if known else fresh
        if case.runs > had:
            yield path, case


def _newly_focused(before: Tests, now: Tests) -> Iterator[LocatedTest]:
    """One test of each file whose new focus mark keeps the others from running."""
    marked = {path for path, case in _iter_tests(before) if case.alone}
    for path, cases in now.items():
        first = next((case for case in cases if case.alone), None)
        if first is not None and path not in marked and not all(case.alone for case in cases):
            yield path, first


def _weakened(before: Tests, now: Tests, new_paths: Mapping[str, str]) -> Iterator[LocatedTest]:
    """Tests that stay under their title and check less than half of what they did, two checks or more having gone."""
    for old_path, cases in before.items():
        path = new_paths.get(old_path, old_path)
        after = {case.name: case for case in now.get(path, ())}
        twice = {name for name, count in Counter(case.name for case in cases).items() if count > 1}
        for case in cases:
            kept = after.get(case.name)
            if kept is None or case.name in twice:
                continue
            if case.checks - kept.checks > 1 and kept.checks * 2 < case.checks:
                yield path, kept


def _test_locations(tests: Iterable[LocatedTest], side: Side) -> tuple[CodeLocation, ...]:
    return tuple(
        code_location(path, case.line, case.line, quote=case.name.partition("\n")[0], side=side) for path, case in tests
    )


def _unknown_removed_files(change: Change, modules: PythonModules) -> tuple[CodeLocation, ...]:
    """Deleted files whose tests are not known one by one, so that the whole file is reported."""
    return tuple(
        code_location(file.path, side=Side.BASE)
        for file in change.files
        if file.status is Status.DELETED
        and is_test(file.path)
        and is_code(file.path)
        and not file.path.endswith(".py")
        and not _has_all_tests(file.path, modules.other_languages_base.get(file.path))
    )


def _has_all_tests(path: str, outline: Outline | None) -> bool:
    """Are all tests of a file known one by one?"""
    known = covered_languages().get(language(path))
    if outline is None or known is None or known.test_syntax is None:
        return False
    return bool(outline.tests) or not known.test_syntax.allows_whole_file_tests
