"""What handlers of exceptions call: rows of `exception_handling.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Names, read_python


class ExceptionHandling(NamedTuple):
    """Calls that report a failure, and functions that a framework calls."""

    empty_types: Names
    framework_decorators: Names
    level_calls: Names
    middleware_calls: Names
    reporting_calls: Names
    traceback_calls: Names


def exception_handling() -> ExceptionHandling:
    """The rows, read once."""
    return read_python("exception_handling", ExceptionHandling)
