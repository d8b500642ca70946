"""Calls that are given a function: rows of `function_values.yaml`."""

from __future__ import annotations

from typing import Literal

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import NameRow, NameRows


class CallbackRow(NameRow):
    """Calls that call what they are given: its position, and what it is given."""

    position: int
    passes: Literal["arguments", "tuple", "members"] = "arguments"


class FunctionValues(Frozen):
    """Calls and decorators by what they do with a function."""

    argument_returners: NameRows
    callback_calls: tuple[CallbackRow, ...]
    inspecting_calls: NameRows
    module_inspecting_calls: NameRows
    target_calls: NameRows
    transparent_decorators: NameRows


function_values = python_reader("function_values", FunctionValues)
