"""Calls that return a number, a point in time or a setting: rows of `plain_values.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import NameRows


class PlainValues(Frozen):
    """Calls and members by what they return."""

    boolean_lookups: NameRows
    clock_calls: NameRows
    clock_members: NameRows
    false_words: NameRows
    field_calls: NameRows
    number_calls: NameRows
    request_attributes: NameRows
    setting_lookups: NameRows


plain_values = python_reader("plain_values", PlainValues)
