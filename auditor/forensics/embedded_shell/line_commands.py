"""Shell commands of formats with one command per line: Procfiles, systemd units, `commands` of tox."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.embedded_shell.shell_formats import ShellFormat
from auditor.forensics.embedded_shell.shell_script import ShellScript

_PROCESS = re.compile(r"^(?P<name>[\w.-]{1,80})\s*:\s*(?P<command>\S.*)$")
_UNIT_COMMAND = re.compile(r"^\s*(?P<name>Exec\w{1,30})\s*=\s*[-@:+!|]*(?P<command>.+)$")
_TOX_COMMANDS = re.compile(r"^(?P<name>commands(?:_pre|_post)?)\s*=\s*(?P<first>.*)$")
_PLACEHOLDER = re.compile(r"\{[\w:/.,\[\]-]{0,80}\}")


def procfile_scripts(text: str, _form: ShellFormat) -> Iterator[ShellScript]:
    """The scripts of a Procfile, each named by its process."""
    for number, row in enumerate(text.split("\n"), start=1):
        if (found := _PROCESS.match(row)) is not None:
            yield ShellScript(found["command"], ((number, number),), (found["name"],))


def unit_scripts(text: str, _form: ShellFormat) -> Iterator[ShellScript]:
    """The command lines of a unit, each named by its key."""
    for number, row in enumerate(text.split("\n"), start=1):
        if (found := _UNIT_COMMAND.match(row)) is not None:
            yield ShellScript(found["command"], ((number, number),), (found["name"],))


def tox_scripts(text: str, _form: ShellFormat) -> Iterator[ShellScript]:
    """The commands of all environments, because names and factors decide which of them run."""
    name = ""
    for number, row in enumerate(text.split("\n"), start=1):
        begun = _TOX_COMMANDS.match(row)
        if begun is not None or (name and row[:1].isspace()):
            name = begun["name"] if begun else name
            plain = (begun["first"] if begun else row).strip()
            command = _PLACEHOLDER.sub("expression", plain.lstrip("- "))
            if command and not plain.startswith("#"):
                yield ShellScript(command, ((number, number),), (name,), ignores_failure=plain.startswith("-"))
        elif row.strip() and not row.startswith("#"):
            name = ""
