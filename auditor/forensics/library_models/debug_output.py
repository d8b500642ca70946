"""Calls that a program is debugged with: rows of `debug_output.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Arguments, Names, read_python


class DebugOutput(NamedTuple):
    """Debuggers, printing calls, and what is beside them."""

    command_line_libraries: Names
    debug_servers: Arguments
    debugger_methods: Names
    debugger_modules: Names
    debuggers: Names
    inspection_calls: Names
    introspection_calls: Names
    logging_libraries: Names
    pretty_print_calls: Names
    setup_calls: Names


def debug_output() -> DebugOutput:
    """The rows, read once."""
    return read_python("debug_output", DebugOutput)
