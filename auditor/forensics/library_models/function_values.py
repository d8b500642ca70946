"""Calls that are given a function: rows of `function_values.yaml`."""

from __future__ import annotations

from typing import Literal, NamedTuple

from auditor.forensics.library_models.model_table import NameRow, Names, read_python


class CallbackRow(NameRow):
    """Calls that call what they are given: its position, and what it is given."""

    position: int
    passes: Literal["arguments", "tuple", "members"] = "arguments"


class FunctionValues(NamedTuple):
    """Calls and decorators by what they do with a function."""

    argument_returners: Names
    callback_calls: tuple[CallbackRow, ...]
    inspecting_calls: Names
    module_inspecting_calls: Names
    target_calls: Names
    transparent_decorators: Names


def function_values() -> FunctionValues:
    """The rows, read once."""
    return read_python("function_values", FunctionValues)
