"""The names of what checks something in a test: functions that raise where a value is not as it should be."""

from __future__ import annotations

import re
from functools import lru_cache

from auditor.forensics.library_models.test_assertions import test_assertions
from auditor.row_tables import names_of

_ASSERT_HELPERS = names_of(test_assertions().failing_calls)
_ASSERT_HELPER_PREFIX = re.compile(
    r"^_*(?:assert|check|verify|verifies|expect|should|must|compare|same_|equals?_|eq_|ok_|fail|run_test|validate_against|matches_)",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def is_assert_helper_name(name: str) -> bool:
    """Does a function say by its name that it checks something?"""
    return name in _ASSERT_HELPERS or bool(_ASSERT_HELPER_PREFIX.match(name)) or name.startswith(("assert", "Assert"))
