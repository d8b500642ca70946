"""Calls that a program is debugged with: rows of `debug_output.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
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


debug_output = python_reader("debug_output", DebugOutput)
