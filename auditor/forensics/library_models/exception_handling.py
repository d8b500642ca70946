"""What handlers of exceptions call: rows of `exception_handling.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import NameRows


class ExceptionHandling(Frozen):
    """Calls that report a failure, and functions that a framework calls."""

    empty_types: NameRows
    framework_decorators: NameRows
    level_calls: NameRows
    middleware_calls: NameRows
    reporting_calls: NameRows
    traceback_calls: NameRows


exception_handling = python_reader("exception_handling", ExceptionHandling)
