"""Calls that run what they are given in a shell: always, by an option, or where it is a text."""

from __future__ import annotations

import ast
from typing import NamedTuple

from auditor.forensics.library_models.shell_execution import (
    ShellExecution,
    shell_execution,
    shell_execution_with_team_rows,
)
from auditor.forensics.library_models.team_rows import kept_by_team_rows
from auditor.forensics.python.command_arguments import is_shell_with_script
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.unknown_value import UNKNOWN
from auditor.row_tables import names_of


class _Starters(NamedTuple):
    """Calls by when they run what they are given in a shell."""

    always: frozenset[str]
    by_option: frozenset[str]
    for_text: frozenset[str]
    """Calls that run a text in a shell and a list as a program."""

    @property
    def calls(self) -> frozenset[str]:
        """All of them."""
        return self.always | self.by_option | self.for_text


def _starters_of(rows: ShellExecution) -> _Starters:
    return _Starters(
        names_of(rows.shell_calls), names_of(rows.optional_shell_calls), names_of(rows.shell_for_text_calls)
    )


@kept_by_team_rows
def shell_starters() -> _Starters:
    """All known calls, those of the team's rows among them."""
    return _starters_of(shell_execution_with_team_rows())


BUILT_IN_STARTERS = _starters_of(shell_execution())


def command_of(match: Match) -> ast.expr | None:
    """The command that a call runs: `loop.subprocess_shell(protocol, command)` takes it second."""
    keyword = "args" if match.name in shell_starters().by_option else "cmd"
    return match.argument(keyword, 1 if match.name == ".subprocess_shell" else 0) or match.argument("command")


def shell_option(match: Match) -> object:
    """True, False or UNKNOWN: the value of the `shell` argument."""
    passed = match.argument("shell")
    if passed is None:
        return is_shell_with_script(match, match.argument("args", 0))
    value = match.value(passed)
    return value if value is UNKNOWN else bool(value)
