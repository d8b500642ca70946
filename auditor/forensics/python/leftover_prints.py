"""Which `print` was left behind, and which is what a program is for.

A command, a script or a tool prints because somebody reads it. A module that keeps a log has another way to speak, so a
lone `print` inside one of its functions is most likely an aid that was forgotten.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.library_models.debug_output import debug_output
from auditor.forensics.python.enclosing_nodes import enclosing_nodes
from auditor.forensics.python.name_resolution import Module
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scope_bindings import last_name, text_constant
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.row_tables import names_of

_MAX_LEFTOVER_PRINTS = 2
"""Prints in a module from which it prints because that is its work."""
_ROWS = debug_output()
_COMMAND_LINE_LIBRARIES = "|".join(map(re.escape, sorted(names_of(_ROWS.command_line_libraries))))
_LOGGING_LIBRARIES = sorted(names_of(_ROWS.logging_libraries))
_COMMAND_LINE_PROGRAM = re.compile(
    r"\A#!|^if\s+__name__\s*==|\bsys\.argv\b"
    rf"|^[ \t]*(?:import|from)\s+(?:{_COMMAND_LINE_LIBRARIES})\b",
    re.MULTILINE,
)
_LOGGING_USE = re.compile(
    rf"^[ \t]*(?:import|from)\s+(?:{'|'.join(map(re.escape, _LOGGING_LIBRARIES))})\b|\bgetLogger\(|\bget_logger\(",
    re.MULTILINE,
)
_LOGGING_KEYWORDS = register_keywords(*_LOGGING_LIBRARIES, "getLogger", "get_logger")
"""One of them is in every match of the pattern."""
_OUTPUT_FUNCTION_NAME = re.compile(
    r"(?:^|_)(?:print\w*|show|display|dump|echo|report|render|main|cli|run_command|usage|help|debug|trace|verbose|banner|summary|"
    r"summarize|describe|pretty|output|list|warn|prompt|ask|demo|example|log|emit|notify|say)(?:_|$)",
    re.IGNORECASE,
)
_DEBUG_TEXT = re.compile(
    r"\s*(?:debug\b|dbg\b|here\b|got here|reached\b|xxx+|zzz+|>>>+|<<<+|!!!+|\*\*\*+|###+|===+|---+)", re.IGNORECASE
)


_DEBUG_MARKER = re.compile(
    r"\s*(?:x{3,}|z{3,}|(?:i am|i'm|got|am|right|reached) here\b|here\W*\d*\W*$|asdf+|qwert|wtf\b)", re.IGNORECASE
)
"""What is printed to find where a program gets to, also in a tool."""


def is_leftover_print(match: Match) -> bool:
    """Is a call of `print` most likely an aid for debugging that was forgotten?"""
    call, scope = match.call, match.scope
    if call.keywords or not call.args:
        return False
    if _starts_with(call.args[0], _DEBUG_MARKER):
        return True
    if not scope.is_function or _is_output_function(match):
        return False
    module = match.module
    odd = _is_debug_text(call.args[0]) or (len(module.calls["print"]) <= _MAX_LEFTOVER_PRINTS and _uses_logging(module))
    return odd and not _source_matches(module, _COMMAND_LINE_PROGRAM)


def is_bare_value_print(match: Match) -> bool:
    """Is a value printed with no word about it, by a function that then continues with its work?"""
    call, scope = match.call, match.scope
    function = scope.node
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) or _is_output_function(match):
        return False
    given = [part for each in call.args for part in _printed_parts(each)]
    looked_at = any(isinstance(each, ast.Call) and last_name(each.func) in _INTROSPECTION_CALLS for each in given)
    values = [each for each in given if _is_inspected_value(each) or (looked_at and isinstance(each, ast.Name))]
    rest = given[1:] if len(values) > 1 and _is_word(given[0]) else given
    if not values or not all(each in values or _is_label(each, values) for each in rest):
        return False
    if any(each.arg in {"file", "end"} for each in call.keywords):
        return False
    module = match.module
    return (
        len(module.calls.get("print", ())) <= _MAX_LEFTOVER_PRINTS
        and _has_work_after(match, function)
        and not _is_script(module)
        and not _source_matches(module, _COMMAND_LINE_PROGRAM)
    )


def _printed_parts(shown: ast.expr) -> list[ast.expr]:
    """What is printed; of a text with values put in, its pieces."""
    if not isinstance(shown, ast.JoinedStr):
        return [shown]
    return [each.value if isinstance(each, ast.FormattedValue) else each for each in shown.values]


_LABEL = re.compile(r"[\s,;|(\[]{0,4}(?:\w[\w .\[\]]{0,24}\s?(?::|=|->|=>)\s?|[\s,;|)\]:]{0,4})")
"""Text before a printed value that says which value it is."""


_SINGLE_WORD = re.compile(r"[a-z_]{1,24}")


def _is_word(shown: ast.expr) -> bool:
    """Is it one word, small and without a sign, by which a line is found again among others?"""
    return (
        isinstance(shown, ast.Constant)
        and isinstance(shown.value, str)
        and _SINGLE_WORD.fullmatch(shown.value) is not None
    )


def _is_label(shown: ast.expr, values: Iterable[ast.expr]) -> bool:
    """Is it a short text that names the value behind it, or parts it from the one before?"""
    if not isinstance(shown, ast.Constant) or not isinstance(shown.value, str):
        return False
    word = shown.value.strip().lower()
    return _LABEL.fullmatch(shown.value) is not None or any(word in _names_in(each) for each in values)


def _names_in(shown: ast.expr) -> Iterator[str]:
    """The names of attributes in a value, and the one that it hangs on."""
    while isinstance(shown, (ast.Attribute, ast.Subscript, ast.Call)):
        if isinstance(shown, ast.Attribute):
            yield shown.attr.lower()
        shown = shown.func if isinstance(shown, ast.Call) else shown.value
    if isinstance(shown, ast.Name):
        yield shown.id.lower()


def _has_work_after(match: Match, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Does work follow the print, in its own block or behind the enclosing one?"""
    if function.body[-1].lineno > match.call.lineno:
        return True
    outside = enclosing_nodes(match.module, match.scope, match.call)
    statement = next((each for each in reversed(outside) if isinstance(each, ast.stmt)), None)
    holder = outside[-2] if len(outside) > 1 and outside[-1] is statement else None
    blocks = (getattr(holder, name, None) for name in ("body", "orelse", "finalbody"))
    return any(isinstance(block, list) and statement in block and block[-1] is not statement for block in blocks)


def _is_script(module: Module) -> bool:
    """Does the file do its work while it is loaded: by calls that are statements of its own? Setting up a library is none."""
    return any(
        isinstance(each, ast.Expr)
        and isinstance(each.value, ast.Call)
        and last_name(each.value.func) not in _SETUP_CALLS
        for each in module.tree.body
    )


_SETUP_CALLS = names_of(_ROWS.setup_calls)
"""What modules of libraries and services call when they are loaded."""
_INTROSPECTION_CALLS = names_of(_ROWS.introspection_calls)
"""Calls whose result is printed for debugging, and so is what is printed with it."""
_INSPECTION_CALLS = names_of(_ROWS.inspection_calls)
"""Calls whose result is printed to see what an object has."""


def _is_inspected_value(shown: ast.expr) -> bool:
    if isinstance(shown, ast.Call):
        return last_name(shown.func) in _INSPECTION_CALLS
    while isinstance(shown, (ast.Attribute, ast.Subscript)):
        shown = shown.value
    return isinstance(shown, ast.Name) and not _OUTPUT_VARIABLE_NAME.search(shown.id)


_OUTPUT_VARIABLE_NAME = re.compile(
    r"text|line|message|msg|output|report|usage|help|banner|err|exc|^e$|summary|table", re.IGNORECASE
)
"""Names of what is made to be read."""


def _uses_logging(module: Module) -> bool:
    return module.says(_LOGGING_KEYWORDS) and _source_matches(module, _LOGGING_USE)


@remembered
def _source_matches(module: Module, pattern: re.Pattern[str]) -> bool:
    """Does the source match a pattern? Searched once per file."""
    return pattern.search(module.source) is not None


def _is_output_function(match: Match) -> bool:
    """Does the name of the function, or of an enclosing one, say that it produces output?"""
    return any(_OUTPUT_FUNCTION_NAME.search(part) for part in match.scope.qualname.split("."))


def _starts_with(shown: ast.expr, pattern: re.Pattern[str]) -> bool:
    """Does a text, or an f-string, start with a match?"""
    first = shown.values[0] if isinstance(shown, ast.JoinedStr) and shown.values else shown
    return (text := text_constant(first)) is not None and pattern.match(text) is not None


def _is_debug_text(shown: ast.expr) -> bool:
    """Does it say that it is one: by its first words, or by `{value=}`, which nobody writes for users?"""
    if isinstance(shown, ast.Constant):
        return (
            isinstance(shown.value, str) and bool(_DEBUG_TEXT.match(shown.value)) and bool(shown.value.strip("=-*# \n"))
        )
    if not isinstance(shown, ast.JoinedStr):
        return False
    parts = shown.values
    named = any(
        isinstance(one, ast.Constant)
        and str(one.value).rstrip().endswith("=")
        and isinstance(two, ast.FormattedValue)
        and two.conversion == ord("r")
        for one, two in pairwise(parts)
    )
    return named or bool(parts and _is_debug_text(parts[0]))
