"""Calls that fail a test: rows of `test_assertions.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import NameRows


class TestAssertions(Frozen):
    """Calls by their own name."""

    failing_calls: NameRows


test_assertions = python_reader("test_assertions", TestAssertions)
