"""Shell commands of formats with one command per line: Procfiles, systemd units, `commands` of tox; files of variables; whole scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.embedded_shell.shell_formats import ShellFormat
from auditor.forensics.embedded_shell.shell_script import ShellScript, consecutive_lines, environment_script

_PROCESS = re.compile(r"^(?P<name>[\w.-]{1,80})\s*:\s*(?P<command>\S.*)$")
_VARIABLE = re.compile(r"^\s*(?:export\s+)?(?P<assignment>[A-Za-z_]\w{0,80}=.*)$")
_UNIT_VARIABLES = re.compile(r"^\s*Environment\s*=\s*(?P<assignments>.+)$")
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
        elif (found := _UNIT_VARIABLES.match(row)) is not None:
            words = found["assignments"].split()
            yield environment_script(" ".join(each.strip("\"'") for each in words), ((number, number),))


def dotenv_scripts(text: str, _form: ShellFormat) -> Iterator[ShellScript]:
    """The variables of a file that programs read their environment from, one a line."""
    for number, row in enumerate(text.split("\n"), start=1):
        if (found := _VARIABLE.match(row)) is not None:
            yield environment_script(found["assignment"], ((number, number),))


def whole_script(text: str, _form: ShellFormat) -> Iterator[ShellScript]:
    """A file that is a shell script under a name that does not say so."""
    yield ShellScript(text, consecutive_lines(1, text))


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
