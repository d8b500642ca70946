"""Long and widely imported modules are named with a reason, and no reason outlives its module."""

from __future__ import annotations

from tests.large_modules import large_modules, module_reasons


def test_each_long_or_widely_imported_module_says_why_it_is_one_thing() -> None:
    assert [each.name for each in large_modules() if not each.reason] == []


def test_no_reason_is_kept_for_a_module_that_is_neither_long_nor_widely_imported() -> None:
    assert set(module_reasons()) - {each.name for each in large_modules()} == set()
