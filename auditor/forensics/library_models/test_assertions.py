"""Calls that fail a test: rows of `test_assertions.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import read_python
from auditor.row_tables import NameRows


class TestAssertions(Frozen):
    """Calls by their own name."""

    failing_calls: NameRows


def test_assertions() -> TestAssertions:
    """The rows, read once."""
    return read_python("test_assertions", TestAssertions)
