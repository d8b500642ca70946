"""Leftover debugger calls and debug output."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.library_models.debug_output import debug_output
from auditor.forensics.probe_kit.probe_decorators import site_probe
from auditor.forensics.python.leftover_prints import is_bare_value_print, is_leftover_print
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scoped_nodes import ScopedNode
from auditor.forensics.source_text.site_probe_types import Site
from auditor.row_tables import arguments_of, names_of

_ROWS = debug_output()
_DEBUGGERS = names_of(_ROWS.debuggers)


_DEBUG_SERVER_CALLS = arguments_of(_ROWS.debug_servers)
"""Calls that start a web server, and the argument that lets whoever sees an error page run code in it, or read the code."""
_PRETTY_PRINT_CALLS = names_of(_ROWS.pretty_print_calls)
_DEBUGGER_METHODS = names_of(_ROWS.debugger_methods)
_DEBUGGER_MODULES = names_of(_ROWS.debugger_modules)


def _importing_a_debugger(shown: list[ScopedNode], _module: Module) -> list[ScopedNode]:
    return [each for each in shown if _imports_a_debugger(each[0])]


def _imports_a_debugger(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.ImportFrom):
        return not node.level and (node.module or "").partition(".")[0] in _DEBUGGER_MODULES
    return any(alias.name.partition(".")[0] in _DEBUGGER_MODULES for alias in node.names)


_LOCAL_ONLY_REASON = "this may run only on a developer's machine"


@site_probe(
    "text.debug_leftovers",
    none_statement="No leftover debugging code was found.",
    calls=(*_DEBUGGERS, "print", *_PRETTY_PRINT_CALLS, *_DEBUG_SERVER_CALLS),
    references=("breakpoint", "pdb.set_trace", "ipdb.set_trace"),
    nodes=(ast.Import, ast.ImportFrom),
    node_filter=_importing_a_debugger,
    second_look=("T100",),
)
def debug_leftovers(match: Match) -> Iterator[Site]:
    """Is debugging code left in?

    Breakpoints, debugger calls, dumps and bare prints of values in library code are reported. Output that a command or script prints for its users is not, nor is logging.

    Remove it before the merge, or replace it with a log message.
    """
    if isinstance(match.node, (ast.Import, ast.ImportFrom)):
        if not _is_reported_elsewhere(match):
            yield match.site(
                "A debugger is imported", confidence=0.7, because="a debugging tool may import it on purpose"
            )
        return
    if match.name == "print":
        if is_leftover_print(match):
            yield match.site(
                "Leftover debug output: `print` in a module with a logger, or with debug text",
                confidence=0.7,
                because=_INTENDED_OUTPUT_REASON,
            )
        elif is_bare_value_print(match):
            yield match.site(
                "A bare value is printed, which looks like leftover debug output",
                confidence=0.55,
                because=_INTENDED_OUTPUT_REASON,
            )
        return
    if match.name in _PRETTY_PRINT_CALLS:
        if is_bare_value_print(match):
            yield match.site(
                "A bare value is printed, which looks like leftover debug output",
                confidence=0.6,
                because=_INTENDED_OUTPUT_REASON,
            )
        return
    if match.name in _DEBUG_SERVER_CALLS:
        if match.value(match.argument(_DEBUG_SERVER_CALLS[match.name])) is True:
            yield match.site(
                "{call} starts a web server with its debugger on", confidence=0.6, because=_LOCAL_ONLY_REASON
            )
        return
    yield match.site(
        "Leftover debugging call: {call}", confidence=0.95, because="a debugging tool may call it on purpose"
    )


_INTENDED_OUTPUT_REASON = "the output may be meant for users"


def _is_reported_elsewhere(match: Match) -> bool:
    """Is what is imported called, so that the call is reported anyway, or made the base of another debugger?"""
    assert isinstance(match.node, (ast.Import, ast.ImportFrom))
    names = {alias.asname or alias.name for alias in match.node.names} | _DEBUGGER_METHODS
    return any(match.module.calls.get(name) for name in names) or _OWN_DEBUGGER.search(match.module.source) is not None


_OWN_DEBUGGER = re.compile(r"class \w{1,100}\([^)\n]{0,200}\bPdb\b")
