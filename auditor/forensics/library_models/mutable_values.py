"""Types that can be changed: rows of `mutable_values.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import read_python
from auditor.row_tables import NameRows


class MutableValues(Frozen):
    """Types, and calls that return something else each time."""

    changing_methods: NameRows
    types: NameRows
    varying_calls: NameRows


def mutable_values() -> MutableValues:
    """The rows, read once."""
    return read_python("mutable_values", MutableValues)
