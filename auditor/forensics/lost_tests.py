"""Tests in other languages than Python, before and after a change: which are gone, switched off, or check less."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from auditor.domain import CodeLocation, FileChange, Side
from auditor.forensics.facts import lines
from auditor.forensics.inputs import Change, PythonModules
from auditor.forensics.languages import covered
from auditor.forensics.outline import Case, Outline, Runs
from auditor.forensics.roles import is_expected_output, language

Placed = tuple[str, Case]


@dataclass(frozen=True)
class Lost:
    """What a change took from the tests, each with its path. `before` counts the tests of the files it touched."""

    before: int = 0
    gone: tuple[Placed, ...] = ()
    renamed: tuple[Placed, ...] = ()
    """Gone, while as many came under other names in the same file."""
    skipped: tuple[Placed, ...] = ()
    conditional: tuple[Placed, ...] = ()
    alone: tuple[Placed, ...] = ()
    weakened: tuple[Placed, ...] = ()


def lost_tests(change: Change, modules: PythonModules) -> Lost:
    """Compare the tests of all changed files, so that one that moved is not lost. Unreadable files are left out."""
    renamed = {file.base.path: file.head.path for file in change.files if file.base and file.head}
    now = {
        path: shape.tests
        for path, shape in sorted(modules.others.items())
        if path in change.by_path and not is_expected_output(path) and _compares(change.by_path[path], modules)
    }
    then = {
        path: shape.tests
        for path, shape in sorted(modules.others_base.items())
        if renamed.get(path, path) not in modules.unreadable and not is_expected_output(path)
    }
    gone = list(_gone(then, now))
    fresh = _fresh(then, now)
    maybe: list[Placed] = []
    for path, case in gone:
        here = renamed.get(path, path)
        if fresh[here] > 0:
            fresh[here] -= 1
            maybe.append((path, case))
    switched = list(_switched(then, now))
    off = {id(case) for _, case in switched}
    return Lost(
        before=sum(map(len, then.values())),
        gone=tuple(each for each in gone if each not in maybe),
        renamed=tuple(maybe),
        skipped=tuple(each for each in switched if each[1].runs is Runs.NEVER),
        conditional=tuple(each for each in switched if each[1].runs is Runs.CONDITIONALLY),
        alone=tuple(_alone(then, now)),
        weakened=tuple(each for each in _weakened(then, now, renamed) if id(each[1]) not in off),
    )


def _compares(file: FileChange, modules: PythonModules) -> bool:
    """Is it known what the file held before?"""
    return file.base is None or file.base.path in modules.others_base or language(file.base.path) not in covered()


Tests = Mapping[str, tuple[Case, ...]]


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


def _switched(then: Tests, now: Tests) -> Iterator[Placed]:
    """Tests that run less than those of the same title did, or that come switched off from the start.

    A new test that asks for a condition takes nothing away.
    """
    before: dict[str, list[Runs]] = defaultdict(list)
    alike: dict[str, Runs] = {}
    for _, case in _all(then):
        before[case.name].append(case.runs)
        alike[case.mark] = max(case.runs, alike.get(case.mark, case.runs))
    for runs in before.values():
        runs.sort(reverse=True)
    for path, case in sorted(_all(now), key=lambda each: -each[1].runs):
        known = before[case.name]
        fresh = alike.get(case.mark, Runs.ALWAYS if case.runs is Runs.NEVER else case.runs)
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


def _weakened(then: Tests, now: Tests, renamed: Mapping[str, str]) -> Iterator[Placed]:
    """Tests that stay under their title and check less than half of what they did, two checks or more having gone."""
    for old_path, cases in then.items():
        path = renamed.get(old_path, old_path)
        after = {case.name: case for case in now.get(path, ())}
        twice = {name for name, count in Counter(case.name for case in cases).items() if count > 1}
        for case in cases:
            kept = after.get(case.name)
            if kept is None or case.name in twice:
                continue
            if case.checks - kept.checks > 1 and kept.checks * 2 < case.checks:
                yield path, kept


def at_head(cases: tuple[Placed, ...]) -> list[CodeLocation]:
    """Where they stand now."""
    return [lines(path, case.line, case.line, quote=_line(case)) for path, case in cases]


def at_base(cases: tuple[Placed, ...]) -> list[CodeLocation]:
    """Where they stood."""
    return [lines(path, case.line, case.line, quote=_line(case), side=Side.BASE) for path, case in cases]


def _line(case: Case) -> str:
    return case.name.partition("\n")[0]


def read_whole(path: str, shape: Outline | None) -> bool:
    """Are all tests of a file known one by one, so that it need not be missed as a whole?"""
    known = covered().get(language(path))
    if shape is None or known is None or known.testing is None:
        return False
    return bool(shape.tests) or not known.testing.whole_files
