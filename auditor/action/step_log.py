"""What the step prints. A runner obeys printed lines that look like commands, so foreign text is never one."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import IO

from auditor.report.escaping import for_command_message, for_terminal

_PREFIX = "auditor: "
"""Before every line of words: a command is one only at the start of a line."""


@dataclass(frozen=True)
class Log:
    """The step's log. A reader that has left, or a full disk, is ignored: the exit code has the result."""

    stream: IO[str]

    def say(self, text: str) -> None:
        """A line of words for each line."""
        for line in text.splitlines():
            self._print(_PREFIX + for_terminal(line))

    def warn(self, text: str) -> None:
        """A warning for each line, shown on the run's page."""
        self._print_commands("warning", text)

    def fail(self, text: str) -> None:
        """An error for each line, shown on the run's page."""
        self._print_commands("error", text)

    def _print_commands(self, word: str, text: str) -> None:
        for line in text.splitlines():
            self._print(f"::{word} title=Automaton Auditor::{for_command_message(line)}")

    def _print(self, line: str) -> None:
        with suppress(OSError, ValueError):
            print(line, file=self.stream, flush=True)
