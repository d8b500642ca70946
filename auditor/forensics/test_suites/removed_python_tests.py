"""Python tests that are gone: with the code that they were for, for others of the same file, or for nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auditor.domain import Side
from auditor.forensics.probe_kit.probe_inputs import PythonModules
from auditor.forensics.source_text.definition_names import definition_names
from auditor.forensics.source_text.file_outline import Function
from auditor.forensics.source_text.file_roles import is_test
from auditor.forensics.test_suites.merged_python_tests import Test, TestFile, taken_over
from auditor.forensics.test_suites.python_test_bodies import checks, lines_of
from auditor.forensics.test_suites.python_test_inventory import Placed, PythonTests


@dataclass(frozen=True)
class Gone:
    """Tests whose names are nowhere any more, and that no other test took over."""

    along: Sequence[Placed] = ()
    """They name code that the change takes away."""
    renamed: Sequence[Placed] = ()
    """Others came in their place, in the same file."""
    missed: Sequence[Placed] = ()


def gone_tests(tests: PythonTests) -> Gone:
    """What became of the tests whose names are nowhere any more; of those that go on in others nothing is said."""
    names = {each.name for _, each in tests.now}
    gone = [(path, each) for path, each in tests.before if each.name not in names]
    if not gone:
        return Gone()
    dropped, sources = _dropped(tests.modules), tests.sources[Side.BASE]
    along = [(path, each) for path, each in gone if dropped & _words(sources.get(path, ()), each)]
    left = _without(gone, along)
    joined, fresh = _joined(left, tests)
    return Gone(along, *_parted(_without(left, joined), fresh))


def _without(tests: Sequence[Placed], told: Sequence[Placed]) -> list[Placed]:
    known = frozenset(told)
    return [each for each in tests if each not in known]


def _joined(gone: Sequence[Placed], tests: PythonTests) -> tuple[list[Placed], Counter[str]]:
    """Tests that go on in others of the change, and how many new ones are left in each file that take nothing over."""
    then, now = _files(tests.sources[Side.BASE]), _files(tests.sources[Side.HEAD])
    lost = {Test(then[path], each): (path, each) for path, each in gone if path in then}
    fresh = _fresh(tests)
    if not lost:
        return [], fresh
    before = [Test(then[path], each) for path, each in tests.known if path in then]
    after = [Test(now[path], each) for path, each in tests.now if path in tests.change.by_path and path in now]
    taken, taking = taken_over(list(lost), after, before)
    known = {each.function.name for each in before}
    new = Counter(each.file.path for each in taking if each.function.name not in known)
    return [lost[each] for each in lost if each in taken], fresh - new


def _files(sources: Mapping[str, Sequence[str]]) -> dict[str, TestFile]:
    return {path: TestFile(path, rows) for path, rows in sources.items()}


def _fresh(tests: PythonTests) -> Counter[str]:
    """How many tests of names that were nowhere before each file has; one that checks nothing takes no other's place."""
    known = {each.name for _, each in tests.known}
    sources = tests.sources[Side.HEAD]
    return Counter(
        path
        for path, each in tests.now
        if each.name not in known and (path not in sources or checks(sources[path], each))
    )


def _parted(gone: Sequence[Placed], fresh: Counter[str]) -> tuple[list[Placed], list[Placed]]:
    """Those in whose place another came in the same file, and the others."""
    left = fresh.copy()
    parts: tuple[list[Placed], list[Placed]] = [], []
    for path, each in gone:
        parts[left[path] <= 0].append((path, each))
        left[path] -= 1
    return parts


def _dropped(modules: PythonModules) -> set[str]:
    """The names of product code that the change takes away and defines nowhere else.

    Those in whose place as many others came are left out: code that goes on under another name takes no test along.
    """
    before, after = (
        {(path, name) for path, shape in side.items() if not is_test(path) for name in definition_names(shape)}
        for side in (modules.base, modules.head)
    )
    known, kept = {name for _, name in before}, {name for _, name in after}
    place = modules.base.keys() & modules.head.keys()
    came = Counter(path if path in place else "" for path, name in after if name not in known)
    gone = [(path if path in place else "", name) for path, name in before if name not in kept]
    went = Counter(path for path, _ in gone)
    return {name for path, name in gone if len(name) >= _TELLING and went[path] > came[path]}


def _words(source: Sequence[str], test: Function) -> set[str]:
    return set(_WORD.findall("\n".join(lines_of(source, test))))


_TELLING = 4
"""Letters of a name from which a test that holds it speaks of it."""
_WORD = re.compile(r"\w+")
