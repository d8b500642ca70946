"""Words of a command line that start a shell or another interpreter: rows of `command_words.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import NameRow, Names, read_python


class InterpreterRow(NameRow):
    """Interpreters, and the options that are followed by code."""

    letters: str
    long_options: tuple[str, ...] = ()


class CommandWords(NamedTuple):
    """Programs and their options."""

    interpreters: tuple[InterpreterRow, ...]
    launchers: Names
    options_with_value: Names
    shells: Names
    windows_script_options: Names
    windows_shells: Names


def command_words() -> CommandWords:
    """The rows, read once."""
    return read_python("command_words", CommandWords)
