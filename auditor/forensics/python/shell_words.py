"""Shells and interpreters among the words of a command, and which word they run as a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from auditor.forensics.library_models.command_words import command_words
from auditor.forensics.library_models.shell_programs import UNIX_SHELLS, WINDOWS_SHELLS
from auditor.row_tables import by_name, names_of

_ROWS = command_words()
_SHELLS = UNIX_SHELLS | WINDOWS_SHELLS
_WINDOWS_SCRIPT_OPTIONS = names_of(_ROWS.windows_script_options)
_LAUNCHER_ROWS = by_name(_ROWS.launchers)
_LAUNCHERS = frozenset(_LAUNCHER_ROWS)
"""Programs that start the program named after their options."""
_OPTIONS_WITH_VALUE = names_of(_ROWS.options_with_value)
"""Options of shells whose value is the next word."""
_COMMAND_OPTIONS = by_name(_ROWS.command_options)
_RUNNING_BY_OPTION = frozenset({*_COMMAND_OPTIONS, *by_name(_ROWS.command_settings)}) | names_of(_ROWS.option_programs)
"""Programs that start another, or read and write any file, by one of their options."""
_EXPANDING = names_of(_ROWS.expanding_programs)
"""Programs that expand what is among their words as a macro, which can run a command."""
_CLUSTER = re.compile(r"-[A-Za-z]{1,12}$")
"""Several options of one letter in one word: `-euc`."""
_INTERPRETERS = by_name(_ROWS.interpreters)
"""Interpreters, and the letters of the option that is followed by code."""
_STDIN_INTERPRETERS = by_name(_ROWS.stdin_interpreters)
"""Programs of another kind that read a script, with which they can start programs."""
_MAX_OPTIONS = 12
Words = Sequence[object]
"""The words of a command as far as they are constants; another object stands for each that is not."""


def program_name(word: object) -> str:
    """The name of a program without its folder and its suffix on Windows; empty for no constant."""
    if not isinstance(word, str):
        return ""
    return re.split(r"[/\\]", word)[-1].removesuffix(".exe")


def runs_by_option(word: object) -> bool:
    """Is it a program of which an option or a setting does harm: `tar`, `find`, `git`, `ssh`, `curl`?"""
    return program_name(word) in _RUNNING_BY_OPTION


def expands_words(word: object) -> bool:
    """Is it a program that expands its words, such as the values of variables: `make NAME=...`?"""
    return program_name(word) in _EXPANDING


def is_shell(word: object) -> bool:
    """Is it the name or path of a shell?"""
    return program_name(word).lower() in _SHELLS


def is_launcher(word: object) -> bool:
    """Is it a program that starts the program named after its options?"""
    return program_name(word) in _LAUNCHERS


def runs_arguments(word: str) -> bool:
    """Is it a program, or a command of the shell, that runs what it is given as code or as a command?"""
    return is_shell(word) or program_name(word) in _LAUNCHERS | {"eval"} or _interpreter_name(word) != ""


def shell_script(words: Words) -> int | None:
    """The index of the word that a shell among the words has to run; None where there is none."""
    shell = _shell_position(words)
    if shell is None:
        return None
    windows = program_name(words[shell]).lower() in WINDOWS_SHELLS
    at = shell + 1
    for _ in range(_MAX_OPTIONS):
        word = words[at] if at < len(words) else None
        if not isinstance(word, str) or not word.startswith(("-", "+", "/") if windows else ("-", "+")):
            return None
        if _runs_text(word, windows=windows):
            return _after_options(words, at + 1) if not windows else at + 1
        at += 2 if _takes_value(word, windows=windows) else 1
    return None


def _takes_value(word: str, *, windows: bool) -> bool:
    """Is the next word the value of an option; of several letters in one word, of `o` among them?"""
    return word in _OPTIONS_WITH_VALUE or (not windows and _CLUSTER.match(word) is not None and "o" in word)


def _after_options(words: Words, at: int) -> int | None:
    """The first word from `at` on that is no option: `bash -c -e "text"` runs the text."""
    for _ in range(_MAX_OPTIONS):
        word = words[at] if at < len(words) else None
        if not isinstance(word, str) or not word.startswith(("-", "+")):
            break
        at += 1
    return at if at < len(words) else None


def _runs_text(word: str, *, windows: bool) -> bool:
    lowered = word.lower()
    if windows:
        return lowered in _WINDOWS_SCRIPT_OPTIONS
    return _CLUSTER.match(word) is not None and "c" in word


def _shell_position(words: Words) -> int | None:
    """Where the shell is: first, behind a program that starts another, or in front of `-c` behind any program."""
    found = started_program(words, is_shell)
    told = pairwise(words) if found is None else ()
    return next((at for at, (word, option) in enumerate(told) if _is_given_text(word, option)), found)


def _is_given_text(word: object, option: object) -> bool:
    """Is it a shell of Unix that is given a text to run?"""
    is_unix = program_name(word).lower() in UNIX_SHELLS
    return is_unix and isinstance(option, str) and _runs_text(option, windows=False)


def started_program(words: Words, is_wanted: Callable[[object], bool]) -> int | None:
    """The index of the wanted program: the first word, or one behind a program that starts another; else None."""
    if not words:
        return None
    if is_wanted(words[0]):
        return 0
    name, start = program_name(words[0]), 1
    if name in _COMMAND_OPTIONS:
        options = _COMMAND_OPTIONS[name].options
        start = next((at + 1 for at, word in enumerate(words) if word in options), len(words))
    elif not is_launcher(words[0]):
        return _behind_dashes(words, is_wanted)
    return next((at for at, word in enumerate(words) if at >= start and is_wanted(word)), None)


def _behind_dashes(words: Words, is_wanted: Callable[[object], bool]) -> int | None:
    """The wanted program right behind the `--` of a program that is not known to start another."""
    at = words.index("--") + 1 if "--" in words else len(words)
    return at if at < len(words) and is_wanted(words[at]) else None


def launched_word(words: Words) -> int:
    """The index of the program that those in front of it start, as far as their options are known."""
    at = 0
    for _ in range(_MAX_OPTIONS):
        name, rest = program_name(words[at]), list(words[at + 1 :])
        if name in _COMMAND_OPTIONS:
            behind = next((number for number, word in enumerate(rest, 1) if word in _COMMAND_OPTIONS[name].options), 0)
        elif name not in _LAUNCHERS:
            return at
        elif "--" in rest:
            behind = rest.index("--") + 1
        else:
            behind = 0
            if _LAUNCHER_ROWS[name].operands:
                return at
        if behind >= len(rest) or (behind == 0 and name in _COMMAND_OPTIONS):
            return at
        at += behind + 1
    return at


def reads_script_from_input(words: Words) -> bool:
    """Does a shell, or an interpreter, run what it is sent, because it was given no script?"""
    shell = _shell_position(words)
    if shell is not None:
        rest = words[shell + 1 :]
        return shell_script(words) is None and all(isinstance(each, str) and each.startswith("-") for each in rest)
    name = _interpreter_name(words[0]) if words else ""
    return bool(name) and (list(words[1:]) in ([], ["-"]))


def reads_program_script(words: Words) -> bool:
    """Does a program such as `gnuplot` or `psql` run what it is sent as a script, which can start programs?"""
    row = _STDIN_INTERPRETERS.get(program_name(words[0])) if words else None
    if row is None:
        return False
    told = [each for each in words[1:] if isinstance(each, str)]
    if any(each.partition("=")[0] in row.unless for each in told):
        return False
    return row.operands or all(isinstance(each, str) and each.startswith("-") for each in words[1:])


def interpreter_code(words: Words) -> tuple[str, int] | None:
    """The interpreter that runs one of the words as code, and the index of that word."""
    start = started_program(words, lambda word: _interpreter_name(word) != "")
    if start is None:
        return None
    name = _interpreter_name(words[start])
    row = _INTERPRETERS[name]
    for at, word in enumerate(words[start + 1 : start + _MAX_OPTIONS], start + 1):
        if not isinstance(word, str) or not word.startswith("-"):
            return None
        clustered = _CLUSTER.match(word) is not None and word[-1] in row.letters
        if (clustered or word in row.long_options) and at + 1 < len(words):
            return name, at + 1
    return None


def _interpreter_name(word: object) -> str:
    name = re.sub(r"[\d.]+$", "", program_name(word))
    return name if name in _INTERPRETERS else ""
