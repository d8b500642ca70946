"""Python tests, before and after a change: which are gone, switched off, or check less."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.domain import CodeLocation, Side
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.test_suites.lost_tests import LostTests
from auditor.forensics.test_suites.python_test_inventory import LocatedTest, PythonTests
from auditor.forensics.test_suites.removed_test_reasons import classify_removed_tests
from auditor.forensics.test_suites.skipped_python_tests import find_skipped_tests
from auditor.forensics.test_suites.weakened_python_tests import find_weakened_tests


def find_lost_python_tests(tests: PythonTests) -> LostTests:
    """Compare the tests of all changed files, so that one that moved is not lost."""
    gone = classify_removed_tests(tests)
    skipped, conditional = find_skipped_tests(tests.change, tests.modules, tests.now, tests.before, tests.sources)
    off = {each.qualname for _, each in (*skipped, *conditional)}
    return LostTests(
        before=len(tests.before),
        gone=_test_locations(gone.without_replacement, Side.BASE),
        along=_test_locations(gone.along, Side.BASE),
        renamed=_test_locations(gone.renamed, Side.BASE),
        skipped=_test_locations(skipped, Side.HEAD),
        conditional=_test_locations(conditional, Side.HEAD),
        weakened=_test_locations(
            ((path, each) for path, each in find_weakened_tests(tests) if each.qualname not in off), Side.HEAD
        ),
    )


def _test_locations(tests: Iterable[LocatedTest], side: Side) -> tuple[CodeLocation, ...]:
    return tuple(code_location(path, each.line, each.line, quote=f"def {each.name}", side=side) for path, each in tests)
