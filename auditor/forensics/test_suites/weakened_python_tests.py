"""Python tests that stay under their name and check less than they did."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from auditor.domain import FileChange, Side
from auditor.forensics.python.assert_helpers import is_assert_helper_name
from auditor.forensics.source_text.file_outline import Function
from auditor.forensics.source_text.file_roles import is_test
from auditor.forensics.test_suites.pytest_names import pytest_names
from auditor.forensics.test_suites.python_test_bodies import count_assertion_lines, function_lines
from auditor.forensics.test_suites.python_test_inventory import LocatedTest, PythonTests


def find_weakened_tests(tests: PythonTests) -> Iterator[LocatedTest]:
    """Tests that have less than half of their assertions, two or more having been removed.

    What a helper of the change's test files checks for a test is checked.
    """
    helpers: frozenset[str] | None = None
    for file in tests.change.files:
        for each in _changed_tests(file, tests):
            had = count_assertion_lines(each.lines_before, each.before)
            has = count_assertion_lines(each.lines_after, each.now) if had > 1 else had
            if not _has_lost_most(had, has):
                continue
            helpers = _assertion_helpers(tests) if helpers is None else helpers
            had += _count_helper_calls(helpers, function_lines(each.lines_before, each.before))
            has += _count_helper_calls(helpers, function_lines(each.lines_after, each.now))
            if _has_lost_most(had, has) and not (has and _is_newly_parametrized(each)):
                yield each.path, each.now


class _ChangedTest(NamedTuple):
    """A test that kept its name and not its lines, in files before and after."""

    path: str
    before: Function
    now: Function
    lines_before: Sequence[str]
    lines_after: Sequence[str]


def _changed_tests(file: FileChange, tests: PythonTests) -> Iterator[_ChangedTest]:
    if file.base is None or file.head is None:
        return
    shapes = tests.modules.base.get(file.base.path), tests.modules.head.get(file.head.path)
    old, new = tests.sources[Side.BASE].get(file.base.path), tests.sources[Side.HEAD].get(file.head.path)
    if shapes[0] is None or shapes[1] is None or old is None or new is None:
        return
    before = {each.qualname: each for each in shapes[0].functions}
    for each in shapes[1].functions:
        was = before.get(each.qualname) if each.name.startswith("test") and not each.is_nested else None
        if was is not None and function_lines(old, was) != function_lines(new, each):
            yield _ChangedTest(file.head.path, was, each, old, new)


def _has_lost_most(count_before: int, count_after: int) -> bool:
    return count_before - count_after > 1 and count_after * 2 < count_before


def _assertion_helpers(tests: PythonTests) -> frozenset[str]:
    """The functions of the change's test files that assert something and are no tests themselves."""
    sources = tests.sources[Side.HEAD]
    return frozenset(
        each.name
        for path, shape in tests.modules.head.items()
        if path in sources and is_test(path)
        for each in shape.functions
        if not each.name.startswith(("test", "__"))
        and not each.is_nested
        and count_assertion_lines(sources[path], each)
    )


def _count_helper_calls(helpers: frozenset[str], body: Sequence[str]) -> int:
    """On how many lines a helper is called; one whose name says that it asserts is counted already."""
    return sum(
        1 for line in body if any(name in helpers and not is_assert_helper_name(name) for name in _CALL.findall(line))
    )


_CALL = re.compile(r"\b(\w+)\(")
_LOOP_OR_SUBTEST = re.compile(r"\b(?:for\s[^\n]{1,200}\sin\b|subTest\(|subtests\.test\()")


def _is_newly_parametrized(test: _ChangedTest) -> bool:
    """Was a test rewritten with parameters or a loop, so that each assertion is made for many values?"""
    before, after = _count_repetitions(test.before, test.lines_before), _count_repetitions(test.now, test.lines_after)
    return after > before


def _count_repetitions(test: Function, source: Sequence[str]) -> int:
    """How often a test repeats itself, or a part of it, for many values."""
    given = sum(name.rpartition(".")[2] in pytest_names("parametrizing_decorators") for name in test.decorators)
    return given + len(_LOOP_OR_SUBTEST.findall("\n".join(function_lines(source, test))))
