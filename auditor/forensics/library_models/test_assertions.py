"""Calls that fail a test: rows of `test_assertions.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Names, read_python


class TestAssertions(NamedTuple):
    """Calls by their own name."""

    failing_calls: Names


def test_assertions() -> TestAssertions:
    """The rows, read once."""
    return read_python("test_assertions", TestAssertions)
