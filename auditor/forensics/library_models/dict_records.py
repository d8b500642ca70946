"""Dicts that are used as records: rows of `dict_records.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import NameRows


class DictRecords(Frozen):
    """Names that distinguish a dict used as a record from a table, a mapping or a data frame."""

    column_calls: NameRows
    dict_methods: NameRows
    frame_libraries: NameRows
    generic_names: NameRows
    non_record_names: NameRows
    plain_dicts: NameRows
    reordering_calls: NameRows


dict_records = python_reader("dict_records", DictRecords)
