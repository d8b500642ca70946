"""Python tests, before and after a change: which are gone, switched off, or check less."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.domain import CodeLocation, Side
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.test_suites.lost_tests import Lost
from auditor.forensics.test_suites.python_test_inventory import Placed, PythonTests
from auditor.forensics.test_suites.removed_python_tests import gone_tests
from auditor.forensics.test_suites.skipped_python_tests import switched_off
from auditor.forensics.test_suites.weakened_python_tests import weakened


def lost_in_python(tests: PythonTests) -> Lost:
    """Compare the tests of all changed files, so that one that moved is not lost."""
    gone = gone_tests(tests)
    skipped, conditional = switched_off(tests.change, tests.modules, tests.now, tests.before, tests.sources)
    off = {each.qualname for _, each in (*skipped, *conditional)}
    return Lost(
        before=len(tests.before),
        gone=_at(gone.missed, Side.BASE),
        along=_at(gone.along, Side.BASE),
        renamed=_at(gone.renamed, Side.BASE),
        skipped=_at(skipped, Side.HEAD),
        conditional=_at(conditional, Side.HEAD),
        weakened=_at(((path, each) for path, each in weakened(tests) if each.qualname not in off), Side.HEAD),
    )


def _at(tests: Iterable[Placed], side: Side) -> tuple[CodeLocation, ...]:
    return tuple(code_location(path, each.line, each.line, quote=f"def {each.name}", side=side) for path, each in tests)
