"""The shell scripts in a file of any known format: one way in for all who look at commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from auditor.forensics.embedded_shell.dockerfile_commands import dockerfile_scripts
from auditor.forensics.embedded_shell.json_commands import json_scripts
from auditor.forensics.embedded_shell.line_commands import (
    crontab_scripts,
    dotenv_scripts,
    procfile_scripts,
    terraform_scripts,
    tox_scripts,
    unit_scripts,
    whole_script,
)
from auditor.forensics.embedded_shell.literal_commands import literal_scripts
from auditor.forensics.embedded_shell.makefile_commands import makefile_scripts
from auditor.forensics.embedded_shell.nested_shells import nested_scripts
from auditor.forensics.embedded_shell.shell_formats import ShellFormat, formats_of_text, shell_formats
from auditor.forensics.embedded_shell.shell_script import MAX_SCRIPTS, ShellScript, consecutive_lines
from auditor.forensics.embedded_shell.toml_commands import toml_scripts
from auditor.forensics.embedded_shell.xml_commands import xml_scripts
from auditor.forensics.embedded_shell.yaml_commands import yaml_scripts
from auditor.forensics.library_models.shell_programs import UNIX_SHELL

MAX_CHARACTERS = 1_000_000
"""Characters of a file in which commands are looked for."""
MAX_SCRIPT_CHARACTERS = 2_000_000
"""Characters of all scripts of a file together: aliases and variables can stand for much more than is written."""
_READERS: Mapping[str, Callable[[str, ShellFormat], Iterator[ShellScript]]] = {
    "yaml": yaml_scripts,
    "json": json_scripts,
    "toml": toml_scripts,
    "xml": xml_scripts,
    "literals": literal_scripts,
    "dockerfile": dockerfile_scripts,
    "makefile": makefile_scripts,
    "procfile": procfile_scripts,
    "unit": unit_scripts,
    "crontab": crontab_scripts,
    "terraform": terraform_scripts,
    "tox": tox_scripts,
    "dotenv": dotenv_scripts,
    "shell": whole_script,
}


@dataclass(frozen=True)
class EmbeddedShell:
    """The scripts of a file in their order, and why there may be more; empty as a rule."""

    scripts: tuple[ShellScript, ...] = ()
    unread: str = ""


def extract_shell(text: str, format_id: str) -> EmbeddedShell:
    """The scripts of a file, each as it is written there; none for an unknown format."""
    forms = formats_of_text(format_id, text)
    if not forms:
        return EmbeddedShell()
    if len(text) > MAX_CHARACTERS:
        return EmbeddedShell(
            unread=f"its shell commands were not checked by any rule: it is larger than {MAX_CHARACTERS:,} characters"
        )
    if len(forms) == 1:
        return _bounded(_read(text, forms[0]))
    read = (script for form in forms for script in _read(text, form))
    return _bounded({(each.text, each.lines, each.unread): each for each in read}.values())


def _read(text: str, form: ShellFormat) -> Iterator[ShellScript]:
    """The scripts of a text, those of the files that it holds included."""
    for script in _READERS[form.reader](text, form):
        inner = shell_formats().get(script.inner_format)
        if inner is None:
            yield script
        elif inner.reader != "shell" or _OF_SHELL.match(script.text):
            for each in _READERS[inner.reader](script.text, inner):
                lines = tuple(script.span(first, last) for first, last in each.lines)
                yield replace(each, lines=lines, names=(*script.names, *each.names))


_OF_SHELL = re.compile(rf"\s*#!\S*[ \t]*(?:\S*/)?{UNIX_SHELL}\b|\s*#!\S*/{UNIX_SHELL}\b")


def embedded_scripts(text: str, format_id: str) -> tuple[ShellScript, ...]:
    """The commands of a file, as far as they are read."""
    return tuple(each for each in extract_shell(text, format_id).scripts if not each.is_environment)


def with_nested(scripts: Iterable[ShellScript]) -> EmbeddedShell:
    """Scripts that a shell runs, each followed by those that it runs in further shells."""
    shells = (script for script in scripts if script.text and script.is_shell)
    return _bounded(each for script in shells for each in (script, *nested_scripts(script)))


def scripts_within(text: str) -> EmbeddedShell:
    """The scripts that a shell script runs in further shells."""
    return _bounded(nested_scripts(ShellScript(text, consecutive_lines(1, text))))


def _bounded(scripts: Iterable[ShellScript]) -> EmbeddedShell:
    kept: list[ShellScript] = []
    characters = 0
    unread = ""
    for script in scripts:
        if script.unread:
            unread = unread or script.unread
            continue
        characters += len(script.text)
        if len(kept) == MAX_SCRIPTS or characters > MAX_SCRIPT_CHARACTERS:
            return EmbeddedShell(tuple(kept), "it has more shell commands than any rule checks")
        kept.append(script)
    return EmbeddedShell(tuple(kept), unread)
