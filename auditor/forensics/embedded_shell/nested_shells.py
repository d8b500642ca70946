"""Scripts inside scripts: what `sh -c '...'`, `eval '...'` and a here-document for a shell run, where it is constant text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from auditor.forensics.embedded_shell.shell_script import ShellScript
from auditor.forensics.embedded_shell.variable_expansion import expand_command_variables
from auditor.forensics.library_models.shell_programs import UNIX_SHELL

_SHELL = r"(?<![\w./-])(?:[\w./-]{0,60}/)?" + UNIX_SHELL
_GIVEN = re.compile(
    rf"(?:{_SHELL}(?:[ \t]+-{{1,2}}[\w-]{{1,30}}){{0,5}}?[ \t]+-\w{{0,6}}c|(?<![\w./-])eval)[ \t]+(?:\\\n[ \t]*)?"
    r"(?:'(?P<raw>[^']{1,20000})'|\"(?P<text>(?:[^\"\\]|\\[\s\S]){1,20000})\")"
)
_HEREDOC = re.compile(
    rf"{_SHELL}(?:[ \t]+-{{1,2}}?[\w-]{{0,30}}){{0,5}}[ \t]*<<(?P<dash>-?)[ \t]*(?P<quote>[\"']?)(?P<end>[A-Za-z_]\w{{0,60}})(?P=quote)[^\n]{{0,300}}\n"
)
_ESCAPED = re.compile(r"\\([\"$`\\])")
_MAX_DEPTH = 4
_MAX_SCRIPTS = 200


def nested_scripts(script: ShellScript, depth: int = 0) -> Iterator[ShellScript]:
    """The scripts that a script runs in further shells, at most four levels deep."""
    if depth == 0 and (expanded := expand_command_variables(script.text, script.environment)) != script.text:
        script = replace(script, text=expanded)
        yield script
    if depth >= _MAX_DEPTH or ("sh" not in script.text and "eval" not in script.text):
        return
    for number, (start, text) in enumerate(_texts(script.text)):
        if number >= _MAX_SCRIPTS:
            return
        first = script.text.count("\n", 0, start)
        count = text.count("\n") + 1
        spans = script.lines[first : first + count]
        spans += (spans or script.lines)[-1:] * (count - len(spans))
        inner = replace(script, text=text, lines=spans, shell="", needs=(), session="")
        yield inner
        yield from nested_scripts(inner, depth + 1)


def _texts(text: str) -> Iterator[tuple[int, str]]:
    for found in _GIVEN.finditer(text):
        if found["raw"] is not None:
            yield found.start("raw"), found["raw"]
        else:
            yield found.start("text"), _ESCAPED.sub(r"\1", found["text"])
    place = 0
    while (opened := _HEREDOC.search(text, place)) is not None:
        # what is opened inside of a document is found when that is read
        indent = r"\t*" if opened["dash"] else ""
        closed = re.compile(rf"^{indent}{opened['end']}[ \t]*$", re.MULTILINE).search(text, opened.end())
        place = closed.end() if closed else len(text)
        yield opened.end(), text[opened.end() : closed.start() if closed else len(text)].rstrip("\n")
