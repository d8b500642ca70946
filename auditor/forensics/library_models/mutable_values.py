"""Types that can be changed: rows of `mutable_values.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import NameRows


class MutableValues(Frozen):
    """Types, and calls that return something else each time."""

    changing_methods: NameRows
    types: NameRows
    varying_calls: NameRows


mutable_values = python_reader("mutable_values", MutableValues)
