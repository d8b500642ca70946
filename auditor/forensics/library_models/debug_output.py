"""Calls that a program is debugged with: rows of `debug_output.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import read_python
from auditor.row_tables import ArgumentRows, NameRows


class DebugOutput(Frozen):
    """Debuggers, printing calls, and what is beside them."""

    command_line_libraries: NameRows
    debug_servers: ArgumentRows
    debugger_methods: NameRows
    debugger_modules: NameRows
    debuggers: NameRows
    inspection_calls: NameRows
    introspection_calls: NameRows
    logging_libraries: NameRows
    pretty_print_calls: NameRows
    setup_calls: NameRows


def debug_output() -> DebugOutput:
    """The rows, read once."""
    return read_python("debug_output", DebugOutput)
