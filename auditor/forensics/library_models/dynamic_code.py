"""Calls that run text as code: rows of `dynamic_code.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import ArgumentRows, NameRows


class DynamicCode(Frozen):
    """Calls by the kind of text that they run."""

    dataframe_arguments: NameRows
    dataframe_methods: NameRows
    evaluating_calls: ArgumentRows
    import_calls: ArgumentRows
    message_parameters: NameRows
    model_code_tools: NameRows
    modules: NameRows
    named_code_calls: ArgumentRows
    outsider_expressions: ArgumentRows
    parsing_calls: NameRows
    running_calls: NameRows
    statement_calls: ArgumentRows
    template_calls: ArgumentRows


dynamic_code = python_reader("dynamic_code", DynamicCode)
