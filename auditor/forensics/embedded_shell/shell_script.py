"""A shell script embedded in another file, with the mapping from its lines to the lines of that file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

MAX_SCRIPTS = 3_000
"""Scripts that are taken from one file."""
LineSpan = tuple[int, int]
"""First and last line, from 1."""
_OTHER_INTERPRETERS = frozenset(
    {"python", "python3", "node", "nodejs", "deno", "bun", "perl", "ruby", "php", "cmd", "r", "rscript", "julia"}
)
"""Programs that a format can name in place of a shell. Source: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax"""


@dataclass(frozen=True)
class ShellScript:
    """The text that a shell runs, and for each of its lines the lines of the file that it was read from.

    `names` are the target, script or keys that lead to it and the names of the steps around it, the innermost last.
    """

    text: str
    lines: tuple[LineSpan, ...]
    names: tuple[str, ...] = ()
    shell: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    ignored_failure: str = ""
    """Why its failure is passed over; empty where it is not."""
    placeholders: str = ""
    session: str = ""
    """What names the scripts of a file that run one after another in the same folder; empty for one that runs alone."""
    inner_format: str = ""
    """The format of the file whose text it is; empty where it is a script itself."""
    is_environment: bool = False
    """Is it no command, but variables that are set for commands, written as a shell sets them?"""
    unread: str = ""
    """Why there may be more scripts than were read, where it stands for these; it has no text then."""

    @property
    def line(self) -> int:
        """The line of the file that it begins on, from 1."""
        return self.lines[0][0] if self.lines else 0

    @property
    def is_shell(self) -> bool:
        """Does a shell run it, as far as the format says?"""
        return program_name(self.shell) not in _OTHER_INTERPRETERS

    def plain_text(self) -> str:
        """The text with a plain word for whatever the format puts in before the shell sees it; the lines stay."""
        if not self.placeholders:
            return self.text
        return _compiled(self.placeholders).sub(lambda found: f"expression{_line_ends(found[0])}", self.text)

    def span(self, first: int, last: int) -> LineSpan:
        """Lines of the script as lines of the file."""
        at = max(0, min(first, len(self.lines)) - 1)
        until = max(at, min(last, len(self.lines)) - 1)
        return (self.lines[at][0], max(self.lines[until][1], self.lines[at][0])) if self.lines else (0, 0)


def environment_script(assignments: str, lines: tuple[LineSpan, ...], placeholders: str = "") -> ShellScript:
    """Variables that a file sets for the programs that it starts."""
    return ShellScript(assignments, lines, placeholders=placeholders, is_environment=True)


def unread_scripts(reason: str) -> ShellScript:
    """Stands for scripts of a file that were not read."""
    return ShellScript("", (), unread=reason)


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _line_ends(text: str) -> str:
    """Continued lines for those that a placeholder spans."""
    return "\\\n" * text.count("\n")


def program_name(command: str) -> str:
    """The program at the start of a command line, without its folder and its suffix, in lower case."""
    first = command.split(None, 1)[0] if command.strip() else ""
    return first.strip("\"'").replace("\\", "/").rpartition("/")[2].removesuffix(".exe").lower()


def consecutive_lines(start: int, text: str) -> tuple[LineSpan, ...]:
    """The line spans of a text that the file contains unchanged: one line each, counted from `start`."""
    return tuple((number, number) for number in range(start, start + text.count("\n") + 1))


def same_lines(first: int, last: int, text: str) -> tuple[LineSpan, ...]:
    """The line spans of a text whose lines have no known place in the file: `first` to `last` for every line."""
    return ((first, max(first, last)),) * (text.count("\n") + 1)


def quoted_words(words: Sequence[str]) -> str:
    """Words as a command line that a shell splits into the same words."""
    return " ".join(each if _PLAIN_WORD.fullmatch(each) else "'" + each.replace("'", "'\"'\"'") + "'" for each in words)


_PLAIN_WORD = re.compile(r"[\w@%+=:,./$-]{1,2000}")
