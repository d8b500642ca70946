"""Which `print` was left behind, and which is what a program is for.

A command, a script or a tool prints because somebody reads it. A module that keeps a log has another way to speak, so a
lone `print` inside one of its functions is most likely an aid that was forgotten.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from auditor.forensics.python.enclosing_nodes import around
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.parsed_module import Module
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.source_text.keyword_index import register_keywords

_TALKATIVE = 2
"""Prints in a module from which it prints because that is its work."""
_COMMAND = re.compile(
    r"\A#!|^if\s+__name__\s*==|\bsys\.argv\b"
    r"|^[ \t]*(?:import|from)\s+(?:argparse|optparse|getopt|click|typer|fire|docopt|cmd|cmd2|curses|readline|getpass|rich|textual|tqdm|"
    r"colorama|termcolor|prompt_toolkit|questionary|IPython|pytest|unittest|doctest|pdb|cProfile|timeit|streamlit)\b",
    re.MULTILINE,
)
_KEEPS_A_LOG = re.compile(
    r"^[ \t]*(?:import|from)\s+(?:logging|structlog|loguru|logbook|absl)\b|\bgetLogger\(|\bget_logger\(", re.MULTILINE
)
_OF_LOGS = register_keywords("logging", "structlog", "loguru", "logbook", "absl", "getLogger", "get_logger")
"""One of them stands in whatever the pattern finds."""
_SPEAKS = re.compile(
    r"(?:^|_)(?:print\w*|show|display|dump|echo|report|render|main|cli|run_command|usage|help|debug|trace|verbose|banner|summary|"
    r"summarize|describe|pretty|output|list|warn|prompt|ask|demo|example|log|emit|notify|say)(?:_|$)",
    re.IGNORECASE,
)
_SAYS_SO = re.compile(
    r"\s*(?:debug\b|dbg\b|here\b|got here|reached\b|xxx+|zzz+|>>>+|<<<+|!!!+|\*\*\*+|###+|===+|---+)", re.IGNORECASE
)


_NEVER_MEANT = re.compile(
    r"\s*(?:x{3,}|z{3,}|(?:i am|i'm|got|am|right|reached) here\b|here\W*\d*\W*$|asdf+|qwert|wtf\b)", re.IGNORECASE
)
"""What is printed to find where a program gets to, whoever its readers are."""


def left_behind(match: Match) -> bool:
    """Is a call of `print` most likely an aid for debugging that was forgotten?"""
    call, scope = match.call, match.scope
    if call.keywords or not call.args:
        return False
    if _begins(call.args[0], _NEVER_MEANT):
        return True
    if not scope.is_function or _speaks(match):
        return False
    module = match.module
    odd = _says_so(call.args[0]) or (len(module.calls["print"]) <= _TALKATIVE and _keeps_a_log(module))
    return odd and not _has(_COMMAND, module)


def printed_as_it_is(match: Match) -> bool:
    """Is a value printed with no word about it, by a function that then goes on with its work?"""
    call, scope = match.call, match.scope
    function = scope.node
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) or _speaks(match):
        return False
    given = [part for each in call.args for part in _parts(each)]
    looked_at = any(isinstance(each, ast.Call) and last_name(each.func) in _OF_OBJECTS for each in given)
    values = [each for each in given if _is_value(each) or (looked_at and isinstance(each, ast.Name))]
    rest = given[1:] if len(values) > 1 and _is_word(given[0]) else given
    if not values or not all(each in values or _is_label(each, values) for each in rest):
        return False
    if any(each.arg in {"file", "end"} for each in call.keywords):
        return False
    module = match.module
    return (
        len(module.calls.get("print", ())) <= _TALKATIVE
        and _goes_on(match, function)
        and not _is_script(module)
        and not _has(_COMMAND, module)
    )


def _parts(shown: ast.expr) -> list[ast.expr]:
    """What is printed; of a text with values put in, its pieces."""
    if not isinstance(shown, ast.JoinedStr):
        return [shown]
    return [each.value if isinstance(each, ast.FormattedValue) else each for each in shown.values]


_LABEL = re.compile(r"[\s,;|(\[]{0,4}(?:\w[\w .\[\]]{0,24}\s?(?::|=|->|=>)\s?|[\s,;|)\]:]{0,4})")
"""What stands before a value so that whoever looks for a fault knows which it is."""


_SINGLE = re.compile(r"[a-z_]{1,24}")


def _is_word(shown: ast.expr) -> bool:
    """Is it one word, small and without a sign, by which a line is found again among others?"""
    return (
        isinstance(shown, ast.Constant) and isinstance(shown.value, str) and _SINGLE.fullmatch(shown.value) is not None
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


def _goes_on(match: Match, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Does work follow the print: behind it in its own block, or behind what that stands in?"""
    if function.body[-1].lineno > match.call.lineno:
        return True
    outside = around(match.module, match.scope, match.call)
    statement = next((each for each in reversed(outside) if isinstance(each, ast.stmt)), None)
    holder = outside[-2] if len(outside) > 1 and outside[-1] is statement else None
    blocks = (getattr(holder, name, None) for name in ("body", "orelse", "finalbody"))
    return any(isinstance(block, list) and statement in block and block[-1] is not statement for block in blocks)


def _is_script(module: Module) -> bool:
    """Does the file do its work while it is loaded: by calls that are statements of its own? Setting up a library is none."""
    return any(
        isinstance(each, ast.Expr) and isinstance(each.value, ast.Call) and last_name(each.value.func) not in _SET_UP
        for each in module.tree.body
    )


_SET_UP = frozenset(
    {"basicConfig", "dictConfig", "load_dotenv", "simplefilter", "filterwarnings", "add_middleware", "include_router", "register_blueprint", "mount", "add_typer",
     "setLevel", "addHandler", "addFilter", "disable_warnings", "setdefault", "register", "append", "add_url_rule", "add_api_route", "init_app", "configure", "insert",
     "set_default", "setdefaulttimeout", "getLogger", "update", "patch_all", "init"}
)  # fmt: skip
"""What modules of libraries and services call when they are loaded."""
_OF_OBJECTS = frozenset({"type", "vars", "dir", "locals", "globals", "repr", "id"})
"""Calls whose result is for who looks for a fault, and so is what stands beside it."""
_LOOKED_AT = frozenset(
    {"type", "vars", "dir", "locals", "globals", "repr", "id", "dumps", "len", "list", "dict", "sorted", "asdict", "model_dump",
     "head", "tail", "describe", "info", "keys", "items", "values", "get"}
)  # fmt: skip
"""Calls of which somebody prints the result who wants to know what there is."""


def _is_value(shown: ast.expr) -> bool:
    if isinstance(shown, ast.Call):
        return last_name(shown.func) in _LOOKED_AT
    while isinstance(shown, (ast.Attribute, ast.Subscript)):
        shown = shown.value
    return isinstance(shown, ast.Name) and not _MEANT.search(shown.id)


_MEANT = re.compile(r"text|line|message|msg|output|report|usage|help|banner|err|exc|^e$|summary|table", re.IGNORECASE)
"""Names of what is made to be read."""


def _keeps_a_log(module: Module) -> bool:
    return module.says(_OF_LOGS) and _has(_KEEPS_A_LOG, module)


def _has(pattern: re.Pattern[str], module: Module) -> bool:
    """Does it stand in the file? Searched once, and only where something depends on it: such a search reads every line."""
    if pattern not in module.memory:
        module.memory[pattern] = pattern.search(module.source) is not None
    return bool(module.memory[pattern])


def _speaks(match: Match) -> bool:
    """Does the function, or one around it, say by its name that it speaks to somebody?"""
    return any(_SPEAKS.search(part) for part in match.scope.qualname.split("."))


def _begins(shown: ast.expr, form: re.Pattern[str]) -> bool:
    """Is it a text, or one with values put in, that begins like this?"""
    first = shown.values[0] if isinstance(shown, ast.JoinedStr) and shown.values else shown
    return isinstance(first, ast.Constant) and isinstance(first.value, str) and form.match(first.value) is not None


def _says_so(shown: ast.expr) -> bool:
    """Does it say that it is one: by its first words, or by `{value=}`, which nobody writes for users?"""
    if isinstance(shown, ast.Constant):
        return isinstance(shown.value, str) and bool(_SAYS_SO.match(shown.value)) and bool(shown.value.strip("=-*# \n"))
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
    return named or bool(parts and _says_so(parts[0]))
