"""The words of the command that a call runs, the program first, as far as they are known."""

from __future__ import annotations

import ast
import re

from auditor.forensics.library_models.shell_execution import shell_execution
from auditor.forensics.library_models.shell_programs import UNIX_SHELL
from auditor.forensics.python.command_texts import Beginning
from auditor.forensics.python.list_items import list_items
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.scope_bindings import last_name
from auditor.forensics.python.shell_words import shell_script
from auditor.forensics.python.string_building import text_variants
from auditor.forensics.python.unknown_value import UNKNOWN
from auditor.row_tables import by_name, names_of

_ROWS = shell_execution()
WORD_LIST_CALLS = {name: row.position for name, row in by_name(_ROWS.word_list_calls).items()}
"""Calls that take a program's words as a list, and its position."""
WORD_CALLS = {name: row.position for name, row in by_name(_ROWS.word_calls).items()}
"""Calls that take a program's words one by one, and the position of the first."""
SHELL_FUNCTIONS = {name: row.shell for name, row in by_name(_ROWS.shell_functions).items()}
"""Shells that a library provides as functions."""
SPAWNING_CALLS = names_of(_ROWS.program_and_arguments)
_SHELL_COMMAND_TEXT = re.compile(rf"\s*(?:sudo\s+)?(?:/usr)?(?:/bin/)?{UNIX_SHELL}\s+(?:-\w+\s+){{0,3}}?-\w*c\s")
"""A command as one text that starts a shell with a text of its own."""
_MAX_WORDS = 30
_SPLITTING_OPTIONS = frozenset({"-S", "--split-string"})


def words_of_command(match: Match, command: ast.expr | None) -> list[ast.expr]:
    """The words of the command that a call runs, the program first; none where they are not known."""
    written = _separate_words(match)
    if written is not None:
        return written
    if (program := match.argument("executable")) is not None and isinstance(command, (ast.List, ast.Tuple)):
        return [program, *_spread(match, command.elts)[1:]]
    if (place := WORD_LIST_CALLS.get(match.name)) is not None:
        command = match.argument("args", place) or match.argument("argv", place)
    if isinstance(command, (ast.List, ast.Tuple)):
        return _spread(match, command.elts)
    return _split_text(match, command) or list_items(match.module, command, match.scope)


def _separate_words(match: Match) -> list[ast.expr] | None:
    """The words of a command that are arguments of their own; None where a call takes them as one."""
    if match.name in WORD_CALLS:
        return _spread(match, match.call.args[WORD_CALLS[match.name] :])
    if match.name in SHELL_FUNCTIONS:
        return [ast.Constant(SHELL_FUNCTIONS[match.name]), *match.call.args]
    if match.name in SPAWNING_CALLS:
        given = match.argument("args", 1)
        return [*match.call.args[:1], *(given.elts if isinstance(given, ast.List) else ())]
    return None


def _spread(match: Match, words: list[ast.expr]) -> list[ast.expr]:
    """The words of a list, of what is spread into it too: `[*SHELL, text]`."""
    plain: list[ast.expr] = []
    for each in words[:_MAX_WORDS]:
        if isinstance(each, ast.Starred):
            plain += _split_text(match, each.value) or list_items(match.module, each.value, match.scope) or [each]
        elif plain and match.value(plain[-1]) in _SPLITTING_OPTIONS and isinstance(text := match.value(each), str):
            plain[-1:] = [ast.Constant(word) for word in text.split()[:_MAX_WORDS]]  # `env -S "bash -c"`
        else:
            plain.append(each)
    return plain


def _split_text(match: Match, command: ast.expr | None) -> list[ast.expr]:
    """The words of a constant text that is split: `"bash -c".split()`; with what is added to them."""
    if isinstance(command, ast.BinOp) and isinstance(command.op, ast.Add):
        left = _split_text(match, command.left)
        return [*left, *_words_of(match, command.right)] if left else []
    func = command.func if isinstance(command, ast.Call) else None
    if isinstance(func, ast.Attribute) and func.attr == "split" and isinstance(command, ast.Call):
        text = match.value(command.args[0] if command.args and last_name(func.value) == "shlex" else func.value)
        return [ast.Constant(each) for each in text.split()[:_MAX_WORDS]] if isinstance(text, str) else []
    return []


def _words_of(match: Match, part: ast.expr) -> list[ast.expr]:
    return _spread(match, part.elts) if isinstance(part, (ast.List, ast.Tuple)) else [part]


def constant_words(match: Match, words: list[ast.expr]) -> list[object]:
    """The words of a command as far as they are constants; the interpreter that runs the program counts as Python."""
    given = [match.value(each) for each in words[:_MAX_WORDS]]
    if given and given[0] is UNKNOWN and match.resolve(words[0]) == "sys.executable":
        given[0] = "python"
    return given


def word_beginnings(match: Match, words: list[ast.expr]) -> list[object]:
    """The words of a command, where they are not constant with what they begin with."""
    given = constant_words(match, words)
    for at, word in enumerate(given):
        if word is UNKNOWN and isinstance(words[at], (ast.JoinedStr, ast.BinOp, ast.Call, ast.Name)):
            texts = text_variants(match.module, words[at], match.scope, match.call.lineno)
            begun = [text[0] for text in texts if text and isinstance(text[0], str)]
            given[at] = Beginning(begun[0]) if begun else word
    return given


def _shell_at(match: Match, words: list[ast.expr]) -> int | None:
    """Where in a list of words the text is that a shell is to run."""
    return shell_script(constant_words(match, words))


def script_of_shell(match: Match, command: ast.expr | None) -> ast.expr | None:
    """The text that a shell among the words of a command is to run."""
    words = words_of_command(match, command)
    place = _shell_at(match, words)
    return words[place] if place is not None and len(words) > place else None


def is_shell_with_script(match: Match, command: ast.expr | None) -> bool:
    """Is the program itself a shell that is given a script: `["sh", "-c", ...]`?"""
    return _shell_at(match, words_of_command(match, command)) is not None


def is_shell_command_text(match: Match, command: ast.expr | None) -> bool:
    """Is a command one text that starts a shell?"""
    texts = text_variants(match.module, command, match.scope, match.call.lineno) if command is not None else []
    return any(text and isinstance(text[0], str) and _SHELL_COMMAND_TEXT.match(text[0]) for text in texts)
