"""Calls that fail a test: rows of `test_assertions.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.model_table import Names, read_python


class TestAssertions(Frozen):
    """Calls by their own name."""

    failing_calls: Names


def test_assertions() -> TestAssertions:
    """The rows, read once."""
    return read_python("test_assertions", TestAssertions)
