"""Tests in other languages than Python, before and after a change: which are gone, switched off, or check less."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from auditor.domain import CodeLocation, FileChange, Side, Status
from auditor.forensics.languages.language_registry import covered
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.probe_kit.probe_inputs import Change, PythonModules
from auditor.forensics.source_text.file_outline import Outline, RunCondition, TestCase
from auditor.forensics.source_text.file_roles import is_code, is_expected_output, is_test, language
from auditor.forensics.test_suites.lost_tests import Lost

Placed = tuple[str, TestCase]
"""A test, and the path of its file."""


def lost_in_other_languages(change: Change, modules: PythonModules) -> Lost:
    """Compare the tests of all changed files, so that one that moved is not lost. Unreadable files are left out."""
    moved = {file.base.path: file.head.path for file in change.files if file.base and file.head}
    now = {
        path: shape.tests
        for path, shape in sorted(modules.others.items())
        if path in change.by_path and not is_expected_output(path) and _compares(change.by_path[path], modules)
    }
    then = {
        path: shape.tests
        for path, shape in sorted(modules.other_languages_base.items())
        if moved.get(path, path) not in modules.unreadable and not is_expected_output(path)
    }
    renamed, gone = _parted(_gone(then, now), _fresh(then, now), moved)
    switched = list(_switched(then, now))
    off = {id(case) for _, case in switched}
    return Lost(
        before=sum(map(len, then.values())),
        gone=_at(gone, Side.BASE),
        renamed=_at(renamed, Side.BASE),
        skipped=_at((each for each in switched if each[1].runs is RunCondition.NEVER), Side.HEAD),
        conditional=_at((each for each in switched if each[1].runs is RunCondition.CONDITIONALLY), Side.HEAD),
        alone=_at(_alone(then, now), Side.HEAD),
        weakened=_at((each for each in _weakened(then, now, moved) if id(each[1]) not in off), Side.HEAD),
        files=_unknown_files(change, modules),
    )


def _compares(file: FileChange, modules: PythonModules) -> bool:
    """Is it known what the file held before?"""
    return (
        file.base is None or file.base.path in modules.other_languages_base or language(file.base.path) not in covered()
    )


Tests = Mapping[str, tuple[TestCase, ...]]


def _all(tests: Tests) -> Iterator[Placed]:
    for path, cases in tests.items():
        for case in cases:
            yield path, case


def _gone(then: Tests, now: Tests) -> Iterator[Placed]:
    """Tests whose title and whose body are both there less often than before."""
    names = Counter(case.name for _, case in _all(now))
    marks = Counter(case.mark for _, case in _all(now))
    left: list[Placed] = []
    for path, case in _all(then):
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


def _fresh(then: Tests, now: Tests) -> Counter[str]:
    """How many tests of titles that were nowhere before each file has."""
    known = {case.name for _, case in _all(then)}
    return Counter(path for path, case in _all(now) if case.name not in known)


def _parted(gone: Iterable[Placed], fresh: Counter[str], moved: Mapping[str, str]) -> tuple[list[Placed], list[Placed]]:
    """Those in whose place another came in the same file, and the others."""
    tests, left = list(gone), fresh.copy()
    renamed: list[Placed] = []
    for path, case in tests:
        here = moved.get(path, path)
        if left[here] > 0:
            left[here] -= 1
            renamed.append((path, case))
    told = frozenset(renamed)
    return renamed, [each for each in tests if each not in told]


def _switched(then: Tests, now: Tests) -> Iterator[Placed]:
    """Tests that run less than those of the same title did, or that come switched off from the start.

    A new test that asks for a condition takes nothing away.
    """
    before: dict[str, list[RunCondition]] = defaultdict(list)
    alike: dict[str, RunCondition] = {}
    for _, case in _all(then):
        before[case.name].append(case.runs)
        alike[case.mark] = max(case.runs, alike.get(case.mark, case.runs))
    for runs in before.values():
        runs.sort(reverse=True)
    for path, case in sorted(_all(now), key=lambda each: -each[1].runs):
        known = before[case.name]
        fresh = alike.get(case.mark, RunCondition.ALWAYS if case.runs is RunCondition.NEVER else case.runs)
        had = known.pop(0) if known else fresh
        if case.runs > had:
            yield path, case


def _alone(then: Tests, now: Tests) -> Iterator[Placed]:
    """One test of each file in which a mark newly keeps the others from running."""
    marked = {path for path, case in _all(then) if case.alone}
    for path, cases in now.items():
        first = next((case for case in cases if case.alone), None)
        if first is not None and path not in marked and not all(case.alone for case in cases):
            yield path, first


def _weakened(then: Tests, now: Tests, moved: Mapping[str, str]) -> Iterator[Placed]:
    """Tests that stay under their title and check less than half of what they did, two checks or more having gone."""
    for old_path, cases in then.items():
        path = moved.get(old_path, old_path)
        after = {case.name: case for case in now.get(path, ())}
        twice = {name for name, count in Counter(case.name for case in cases).items() if count > 1}
        for case in cases:
            kept = after.get(case.name)
            if kept is None or case.name in twice:
                continue
            if case.checks - kept.checks > 1 and kept.checks * 2 < case.checks:
                yield path, kept


def _at(tests: Iterable[Placed], side: Side) -> tuple[CodeLocation, ...]:
    return tuple(
        code_location(path, case.line, case.line, quote=case.name.partition("\n")[0], side=side) for path, case in tests
    )


def _unknown_files(change: Change, modules: PythonModules) -> tuple[CodeLocation, ...]:
    """Deleted files with tests that are not known one by one, so that they are missed as a whole."""
    return tuple(
        code_location(file.path, side=Side.BASE)
        for file in change.files
        if file.status is Status.DELETED
        and is_test(file.path)
        and is_code(file.path)
        and not file.path.endswith(".py")
        and not _read_whole(file.path, modules.other_languages_base.get(file.path))
    )


def _read_whole(path: str, shape: Outline | None) -> bool:
    """Are all tests of a file known one by one?"""
    known = covered().get(language(path))
    if shape is None or known is None or known.testing is None:
        return False
    return bool(shape.tests) or not known.testing.whole_files
