"""Shell commands of formats with one command per line: Procfiles, systemd units, crontabs, `commands` of tox; files of variables; provisioners of Terraform; whole scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.constant_folding.escape_sequences import decode_escapes, string_escapes
from auditor.forensics.embedded_shell.shell_formats import ShellFormat
from auditor.forensics.embedded_shell.shell_script import ShellScript, consecutive_lines, environment_script, same_lines

_PROCESS = re.compile(r"^(?P<name>[\w.-]{1,80})\s*:\s*(?P<command>\S.*)$")
_SCHEDULED = re.compile(r"^\s*(?:@\w{1,20}|(?:[\d*/,\-A-Za-z]{1,60}\s+){4}[\d*/,\-A-Za-z]{1,60})\s+(?P<command>\S.*)$")
_ACCOUNT = re.compile(r"^(?P<name>[a-z_][a-z0-9_-]{0,31})\s+(?=\S)")
"""The account that a command runs as, which stands before it in the files of a system."""
_PROVISIONER = re.compile(r'\bprovisioner\s+"(?:(?:local|remote)-exec|shell(?:-local)?)"')
_HCL_TEXT = r'"(?:[^"\\\n]|\\.){0,20000}"'
_PROVISIONED = re.compile(
    rf"\b(?P<name>command|inline)\s{{0,20}}=\s{{0,20}}(?:(?P<texts>{_HCL_TEXT}|\[(?:[\s,]|{_HCL_TEXT}){{0,200}}\])"
    r"|<<[-~]?(?P<end>\w{1,60})[ \t]*\n)"
)
_VARIABLE = re.compile(r"^\s*(?:export\s+)?(?P<assignment>[A-Za-z_]\w{0,80}=.*)$")
_UNIT_VARIABLES = re.compile(r"^\s*Environment\s*=\s*(?P<assignments>.+)$")
_UNIT_COMMAND = re.compile(r"^\s*(?P<name>Exec\w{1,30})\s*=\s*[-@:+!|]*(?P<command>.+)$")
_TOX_COMMANDS = re.compile(r"^(?P<name>commands(?:_pre|_post)?)\s*=\s*(?P<first>.*)$")
_TOX_IGNORES = re.compile(
    r"^(?P<section>\[[^\]\n]{1,200}\])[ \t]*\n(?:(?!\[)[^\n]*\n){0,200}?ignore_outcome\s*=\s*(?i:true|1|yes)\b",
    re.MULTILINE,
)
_PLACEHOLDER = re.compile(r"\{[\w:/.,\[\]-]{0,80}\}")


def procfile_scripts(text: str, _form: ShellFormat) -> Iterator[ShellScript]:
    """The scripts of a Procfile, each named by its process."""
    for number, row in enumerate(text.split("\n"), start=1):
        if (found := _PROCESS.match(row)) is not None:
            yield ShellScript(found["command"], ((number, number),), (found["name"],))


def crontab_scripts(text: str, _form: ShellFormat) -> Iterator[ShellScript]:
    """The commands of a crontab, without when they run and as whom."""
    for number, row in enumerate(text.split("\n"), start=1):
        if (found := _SCHEDULED.match(row)) is not None:
            yield ShellScript(_ACCOUNT.sub("", found["command"]), ((number, number),))


def terraform_scripts(text: str, form: ShellFormat) -> Iterator[ShellScript]:
    """The commands of the provisioners of Terraform and Packer, each named by its key."""
    if not _PROVISIONER.search(text):
        return
    place = 0
    while (found := _PROVISIONED.search(text, place)) is not None:
        place = found.end()
        if found["end"] is not None:
            closed = re.compile(rf"^[ \t]*{found['end']}[ \t]*$", re.MULTILINE).search(text, place)
            said, first = (
                text[place : closed.start() if closed else len(text)].rstrip("\n"),
                text.count("\n", 0, place) + 1,
            )
            place = closed.end() if closed else len(text)
            lines = consecutive_lines(first, said)
            yield ShellScript(said, lines, (found["name"],), placeholders=form.placeholders)
            continue
        for each in re.finditer(_HCL_TEXT, found["texts"]):
            line = text.count("\n", 0, found.start("texts") + each.start()) + 1
            said = decode_escapes(each[0][1:-1], string_escapes("nrt"))
            yield ShellScript(said, same_lines(line, line, said), (found["name"],), placeholders=form.placeholders)


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
    name, section = "", ""
    passing = {found["section"] for found in _TOX_IGNORES.finditer(text)}
    for number, row in enumerate(text.split("\n"), start=1):
        section = row.strip() if row.startswith("[") else section
        begun = _TOX_COMMANDS.match(row)
        if begun is not None or (name and row[:1].isspace()):
            name = begun["name"] if begun else name
            plain = (begun["first"] if begun else row).strip()
            command = _PLACEHOLDER.sub("expression", plain.lstrip("- "))
            if command and not plain.startswith("#"):
                ignored = "`-` before it ignores its failure" if plain.startswith("-") else ""
                ignored = "`ignore_outcome` ignores its failure" if section in passing else ignored
                yield ShellScript(command, ((number, number),), (name,), ignored_failure=ignored)
        elif row.strip() and not row.startswith("#"):
            name = ""
