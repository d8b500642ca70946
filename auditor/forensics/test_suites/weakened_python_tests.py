"""Python tests that stay under their name and check less than they did."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from auditor.domain import FileChange, Side
from auditor.forensics.python.assert_helpers import says_it_checks
from auditor.forensics.source_text.file_outline import Function
from auditor.forensics.source_text.file_roles import is_test
from auditor.forensics.test_suites.python_test_bodies import checks, lines_of
from auditor.forensics.test_suites.python_test_inventory import Placed, PythonTests


def weakened(tests: PythonTests) -> Iterator[Placed]:
    """Tests that check less than half of what they did, two checks or more having gone.

    What a helper of the change's test files checks for a test is checked.
    """
    helpers: frozenset[str] | None = None
    for file in tests.change.files:
        for each in _rewritten(file, tests):
            had = checks(each.source_then, each.then)
            has = checks(each.source_now, each.now) if had > 1 else had
            if not _lost_most(had, has):
                continue
            helpers = _checking_helpers(tests) if helpers is None else helpers
            had += _called(helpers, lines_of(each.source_then, each.then))
            has += _called(helpers, lines_of(each.source_now, each.now))
            if _lost_most(had, has) and not (has and _made_a_table(each)):
                yield each.path, each.now


class _Rewritten(NamedTuple):
    """A test that kept its name and not its lines, in files before and after."""

    path: str
    then: Function
    now: Function
    source_then: Sequence[str]
    source_now: Sequence[str]


def _rewritten(file: FileChange, tests: PythonTests) -> Iterator[_Rewritten]:
    if file.base is None or file.head is None:
        return
    shapes = tests.modules.base.get(file.base.path), tests.modules.head.get(file.head.path)
    old, new = tests.sources[Side.BASE].get(file.base.path), tests.sources[Side.HEAD].get(file.head.path)
    if shapes[0] is None or shapes[1] is None or old is None or new is None:
        return
    before = {each.qualname: each for each in shapes[0].functions}
    for each in shapes[1].functions:
        was = before.get(each.qualname) if each.name.startswith("test") and not each.nested else None
        if was is not None and lines_of(old, was) != lines_of(new, each):
            yield _Rewritten(file.head.path, was, each, old, new)


def _lost_most(had: int, has: int) -> bool:
    return had - has > 1 and has * 2 < had


def _checking_helpers(tests: PythonTests) -> frozenset[str]:
    """The functions of the change's test files that check something and are no tests themselves."""
    sources = tests.sources[Side.HEAD]
    return frozenset(
        each.name
        for path, shape in tests.modules.head.items()
        if path in sources and is_test(path)
        for each in shape.functions
        if not each.name.startswith(("test", "__")) and not each.nested and checks(sources[path], each)
    )


def _called(helpers: frozenset[str], body: Sequence[str]) -> int:
    """On how many lines one of the helpers is called; one whose name says that it checks is counted already."""
    return sum(
        1 for line in body if any(name in helpers and not says_it_checks(name) for name in _CALLED.findall(line))
    )


_CALLED = re.compile(r"\b(\w+)\(")
_OF_TABLES = re.compile(r"\b(?:for\s[^\n]{1,200}\sin\b|subTest\(|subtests\.test\()")
_PARAMETERS = frozenset(
    {"parametrize", "parameterized", "expand", "given", "parameterize", "cases", "data", "ddt", "example"}
)


def _made_a_table(test: _Rewritten) -> bool:
    """Was a test written anew with parameters, or with a loop, so that each of its checks is made for many values?"""
    before, after = _repeats(test.then, test.source_then), _repeats(test.now, test.source_now)
    return after > before


def _repeats(test: Function, source: Sequence[str]) -> int:
    """How often a test says that it is run, or does something, for many values."""
    given = sum(name.rpartition(".")[2] in _PARAMETERS for name in test.decorators)
    return given + len(_OF_TABLES.findall("\n".join(lines_of(source, test))))
