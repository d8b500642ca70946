"""Dicts that are used as records: rows of `dict_records.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Names, read_python


class DictRecords(NamedTuple):
    """Names that distinguish a dict used as a record from a table, a mapping or a data frame."""

    column_calls: Names
    dict_methods: Names
    frame_libraries: Names
    generic_names: Names
    non_record_names: Names
    plain_dicts: Names
    reordering_calls: Names


def dict_records() -> DictRecords:
    """The rows, read once."""
    return read_python("dict_records", DictRecords)
