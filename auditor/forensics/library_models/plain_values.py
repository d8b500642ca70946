"""Calls that return a number, a point in time or a setting: rows of `plain_values.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Names, read_python


class PlainValues(NamedTuple):
    """Calls and members by what they return."""

    boolean_lookups: Names
    clock_calls: Names
    clock_members: Names
    false_words: Names
    field_calls: Names
    number_calls: Names
    request_attributes: Names
    setting_lookups: Names


def plain_values() -> PlainValues:
    """The rows, read once."""
    return read_python("plain_values", PlainValues)
