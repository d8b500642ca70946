"""Calls that run commands: rows of `shell_execution.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.forensics.library_models.team_rows import TeamRow, team_rows
from auditor.row_tables import NameRow, NameRows

TOPIC = "shell_execution"


class WordsRow(NameRow):
    """Calls, and the position of the first word or of the list of words."""

    position: int


class ShellRow(NameRow):
    """Functions of a library, and the shell that they are."""

    shell: str


class ShellExecution(Frozen):
    """Calls by how a shell results in run what they are given."""

    any_function: NameRows
    modules: NameRows
    optional_shell_calls: NameRows
    program_and_arguments: NameRows
    programs: NameRows
    remote_methods: NameRows
    sending_calls: NameRows
    shell_calls: NameRows
    shell_for_text_calls: NameRows
    shell_functions: tuple[ShellRow, ...]
    task_decorators: NameRows
    socket_descriptors: NameRows
    stream_redirections: NameRows
    task_methods: NameRows
    word_calls: tuple[WordsRow, ...]
    word_list_calls: tuple[WordsRow, ...]


class TeamShellExecution(Frozen):
    """What a team may add: its own functions that run commands."""

    optional_shell_calls: tuple[TeamRow, ...] = ()
    shell_calls: tuple[TeamRow, ...] = ()
    shell_for_text_calls: tuple[TeamRow, ...] = ()


shell_execution = python_reader(TOPIC, ShellExecution)


def shell_execution_with_team_rows() -> ShellExecution:
    """The rows, and those of the team that are in force."""
    return team_rows().extend(TOPIC, shell_execution())
