"""Calls that run text as code: rows of `dynamic_code.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Arguments, Names, read_python


class DynamicCode(NamedTuple):
    """Calls by the kind of text that they run."""

    dataframe_arguments: Names
    dataframe_methods: Names
    evaluating_calls: Arguments
    import_calls: Arguments
    message_parameters: Names
    model_code_tools: Names
    modules: Names
    named_code_calls: Arguments
    outsider_expressions: Arguments
    parsing_calls: Names
    running_calls: Names
    statement_calls: Arguments
    template_calls: Arguments


def dynamic_code() -> DynamicCode:
    """The rows, read once."""
    return read_python("dynamic_code", DynamicCode)
