"""Types that can be changed: rows of `mutable_values.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Names, read_python


class MutableValues(NamedTuple):
    """Types, and calls that return something else each time."""

    changing_methods: Names
    types: Names
    varying_calls: Names


def mutable_values() -> MutableValues:
    """The rows, read once."""
    return read_python("mutable_values", MutableValues)
