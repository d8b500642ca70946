"""What a recipe of the repository runs: rules of Makefiles and justfiles, scripts of package.json, commands of tox.ini."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from auditor.forensics.embedded_shell.shell_extraction import embedded_scripts
from auditor.forensics.embedded_shell.shell_formats import format_of
from auditor.forensics.embedded_shell.shell_script import ShellScript
from auditor.forensics.workflows.recipe_files import recipe_files_by_program

_MAX_LINES = 300


class RecipeLine(NamedTuple):
    """A line of a recipe that a shell runs: its file, its line from 1, and why its failure is passed over, if so."""

    path: str
    line: int
    text: str
    ignored_failure: str


def recipe_lines(words: Sequence[str], texts: Mapping[str, str]) -> tuple[RecipeLine, ...]:
    """The lines that a command such as `make test` runs, where the file with its recipes is among these texts."""
    program = words[0] if words else ""
    path = next((each for each in recipe_files_by_program().get(program, ()) if each in texts), "")
    if not path:
        return ()
    named = [each for each in words[1:] if not each.startswith("-") and each not in {"run", "run-script"}]
    scripts = embedded_scripts(texts[path], format_of(path))
    if program == "tox":
        # of all environments, because names and factors decide which of them run
        wanted: Iterable[ShellScript] = scripts
    elif path.endswith(".json"):
        wanted = _package_scripts(scripts, named[:1])
    else:
        wanted = _rule_scripts(scripts, named)
    lines = (RecipeLine(path, each.line, each.text, each.ignored_failure) for each in wanted if each.text)
    return tuple(islice(lines, _MAX_LINES))


def _rule_scripts(scripts: Sequence[ShellScript], rule_names: Sequence[str]) -> Iterator[ShellScript]:
    """The scripts of the named rules, by default of the first one, and of their prerequisites."""
    rules: dict[str, list[ShellScript]] = {}
    for script in scripts:
        for name in script.names:
            rules.setdefault(name, []).append(script)
    first = next((each for each in rules if not each.startswith(".") and each != "$(shell)"), "")
    waiting = [*(each for each in rule_names if each in rules)] or [first]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop(0)
        if name in rules and name not in seen:
            seen.add(name)
            yield from rules[name]
            waiting += [need for script in rules[name] for need in script.needs if need in rules]


def _package_scripts(scripts: Sequence[ShellScript], script_names: Sequence[str]) -> Iterator[ShellScript]:
    first = script_names[0] if script_names else ""
    name = "test" if first == "t" else first
    for each in (f"pre{name}", name, f"post{name}"):
        yield from (script for script in scripts if script.names == (each,))
