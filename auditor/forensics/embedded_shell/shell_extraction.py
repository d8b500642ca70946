"""The shell scripts in a file of any known format: one way in for all who look at commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from auditor.forensics.embedded_shell.dockerfile_commands import dockerfile_scripts
from auditor.forensics.embedded_shell.json_commands import json_scripts
from auditor.forensics.embedded_shell.line_commands import procfile_scripts, tox_scripts, unit_scripts
from auditor.forensics.embedded_shell.makefile_commands import makefile_scripts
from auditor.forensics.embedded_shell.nested_shells import nested_scripts
from auditor.forensics.embedded_shell.shell_formats import ShellFormat, shell_formats
from auditor.forensics.embedded_shell.shell_script import MAX_SCRIPTS, ShellScript, consecutive_lines
from auditor.forensics.embedded_shell.yaml_commands import yaml_scripts

MAX_CHARACTERS = 1_000_000
"""Characters of a file in which commands are looked for."""
_READERS: Mapping[str, Callable[[str, ShellFormat], Iterator[ShellScript]]] = {
    "yaml": yaml_scripts,
    "json": json_scripts,
    "dockerfile": dockerfile_scripts,
    "makefile": makefile_scripts,
    "procfile": procfile_scripts,
    "unit": unit_scripts,
    "tox": tox_scripts,
}


def embedded_scripts(text: str, format_id: str) -> tuple[ShellScript, ...]:
    """The scripts of a file in their order, each as it is written there; none for an unknown format."""
    form = shell_formats().get(format_id)
    if form is None or len(text) > MAX_CHARACTERS:
        return ()
    return tuple(islice(_READERS[form.reader](text, form), MAX_SCRIPTS))


def with_nested(scripts: tuple[ShellScript, ...]) -> tuple[ShellScript, ...]:
    """Scripts that a shell runs, each followed by those that it runs in further shells."""
    found = (
        each for script in scripts if script.text and script.is_shell for each in (script, *nested_scripts(script))
    )
    return tuple(islice(found, MAX_SCRIPTS))


def scripts_within(text: str) -> tuple[ShellScript, ...]:
    """The scripts that a shell script runs in further shells."""
    whole = ShellScript(text[:MAX_CHARACTERS], consecutive_lines(1, text))
    return tuple(islice(nested_scripts(whole), MAX_SCRIPTS))
