"""Words of a command line that start a shell or another interpreter: rows of `command_words.yaml`."""

from __future__ import annotations

from typing import Literal

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import NameRow, NameRows


class InterpreterRow(NameRow):
    """Interpreters, and the options that are followed by code."""

    letters: str
    long_options: tuple[str, ...] = ()


class CommandOptionRow(NameRow):
    """Programs, and the options behind which the words of another command follow."""

    options: tuple[str, ...]


class LauncherRow(NameRow):
    """Programs that start another, and whether an operand of their own is before it."""

    operands: int = 0


class CommandSettingRow(NameRow):
    """Programs, and the beginning of a word after which a command follows."""

    settings: tuple[str, ...]


class StdinInterpreterRow(NameRow):
    """Programs that read a script from their standard input, unless an operand or one of the options says otherwise."""

    operands: bool = False
    unless: tuple[str, ...] = ()


class TextOptionRow(NameRow):
    """Programs, and the options that are followed by a command as one text."""

    letters: str
    long_options: tuple[str, ...] = ()
    value_letters: str = ""
    operands: int = 0


class TextOperandRow(NameRow):
    """Programs that run an operand, and what they run it as."""

    value_letters: str = ""
    unless_letters: str = ""
    operands: int = 0
    runs: Literal["command", "code", "remote command"]


class CommandWords(Frozen):
    """Programs and their options."""

    command_options: tuple[CommandOptionRow, ...]
    command_settings: tuple[CommandSettingRow, ...]
    expanding_programs: NameRows
    interpreters: tuple[InterpreterRow, ...]
    launchers: tuple[LauncherRow, ...]
    option_programs: NameRows
    options_with_value: NameRows
    stdin_interpreters: tuple[StdinInterpreterRow, ...]
    text_operands: tuple[TextOperandRow, ...]
    text_options: tuple[TextOptionRow, ...]
    windows_script_options: NameRows


command_words = python_reader("command_words", CommandWords)
