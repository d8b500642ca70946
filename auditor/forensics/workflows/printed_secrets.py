"""Secrets that a script of a workflow prints: into the log as they are, in parts, or encoded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from auditor.forensics.embedded_shell.shell_extraction import embedded_scripts, with_nested
from auditor.forensics.embedded_shell.shell_script import ShellScript
from auditor.forensics.workflows.script_values import script_values
from auditor.forensics.workflows.shell_pipelines import (
    Pipeline,
    bare,
    command_words,
    read_pipelines,
    without_substitutions,
)

_SECRET = re.compile(r"\$\{\{[^}]{0,200}\bsecrets\.\w")
_MAX_VARIABLES = 1_000
_PART = re.compile(r"\$\{\w{1,100}(?::[\d -]|[#%/^,])")
"""A part of a variable, or a changed form of it."""
_SINGLE_QUOTED = re.compile(r"'[^']*'")


def printed_secret_lines(workflow: str) -> Iterator[tuple[int, bool]]:
    """The lines (from 1) of a workflow or an action where a script prints a secret, and whether it prints it in a form that no log masks."""
    if "secrets." not in workflow:
        return
    for script in with_nested(embedded_scripts(workflow, "github_workflow")).scripts:
        yield from _printed(script)


def _printed(script: ShellScript) -> Iterator[tuple[int, bool]]:
    names = [name for name, value in islice(script.environment.items(), _MAX_VARIABLES) if _SECRET.search(value)]
    read = re.compile(rf"(?<!\\)\$(?:(?:{'|'.join(map(re.escape, names))})\b|\{{(?:{'|'.join(map(re.escape, names))})(?!\w)(?!:?[+?]))") if names else None  # fmt: skip
    for pipeline in read_pipelines(script.text):
        if _prints(pipeline, read, names):
            changed = len(pipeline.stages) > 1 or any(_PART.search(each) for each in pipeline.stages[0].words)
            yield script.span(pipeline.line, pipeline.line)[0], changed


def _prints(pipeline: Pipeline, read: re.Pattern[str] | None, names: list[str]) -> bool:
    """Does the secret that the first command is given arrive in the log?"""
    table = script_values()
    first, *others = pipeline.stages
    words = command_words(first.words, table.wrappers)
    if not words or pipeline.captured or any(each.redirected for each in pipeline.stages):
        return False
    program = bare(words[0])
    if program not in table.printers and not (program in table.filters and first.inputs):
        return False
    given = [without_substitutions(each) for each in (*words[1:], *first.inputs)]
    if any("::add-mask::" in each for each in given) or not all(_passes_on(each.words) for each in others):
        return False
    if program == "printenv" and any(each in names for each in given):
        return True
    return any(_SECRET.search(each) or (read and read.search(_expanded(each))) for each in given)


def _expanded(word: str) -> str:
    """What the shell puts values into."""
    return word if word.startswith('"') else _SINGLE_QUOTED.sub("", word)


def _passes_on(words: list[str]) -> bool:
    """Does a command print what it reads?"""
    table = script_values()
    named = command_words(words, table.wrappers)
    return bool(named) and bare(named[0]) in table.filters and "-o" not in named
