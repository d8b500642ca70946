"""Calls that run commands: rows of `shell_execution.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import NameRow, Names, read_python


class WordsRow(NameRow):
    """Calls, and the position of the first word or of the list of words."""

    position: int


class ShellRow(NameRow):
    """Functions of a library, and the shell that they are."""

    shell: str


class ShellExecution(NamedTuple):
    """Calls by how a shell results in run what they are given."""

    any_function: Names
    modules: Names
    optional_shell_calls: Names
    program_and_arguments: Names
    programs: Names
    remote_methods: Names
    sending_calls: Names
    shell_calls: Names
    shell_for_text_calls: Names
    shell_functions: tuple[ShellRow, ...]
    task_decorators: Names
    task_methods: Names
    word_calls: tuple[WordsRow, ...]
    word_list_calls: tuple[WordsRow, ...]


def shell_execution() -> ShellExecution:
    """The rows, read once."""
    return read_python("shell_execution", ShellExecution)
