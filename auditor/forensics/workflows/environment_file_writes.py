"""Text of outsiders that a script writes into `GITHUB_ENV` or `GITHUB_PATH`, where it sets variables and programs of later steps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.forensics.embedded_shell.shell_extraction import embedded_scripts, with_nested
from auditor.forensics.embedded_shell.shell_script import ShellScript
from auditor.forensics.workflows.outsider_variables import OutsiderNames, outsider_variables, with_assigned
from auditor.forensics.workflows.script_values import script_values
from auditor.forensics.workflows.shell_pipelines import Pipeline, read_pipelines
from auditor.lazy_regex import lazy_compile

_NAMED_END = lazy_compile(r"\w<<[\w-]")
_RANDOM_END = lazy_compile(r"^[^#\n]{0,1000}\w<<\s*[\"']?[$`]", re.MULTILINE)
"""How the value of a variable over several lines is ended: by a word that anybody can write, or by one that is made up in the run."""


def environment_file_writes(workflow: str) -> Iterator[int]:
    """The lines (from 1) of a workflow that write text of outsiders so that it can set any variable, or a folder of programs.

    One line after `NAME=` sets that variable alone.
    """
    if not any(each in workflow for each in script_values().environment_files):
        return
    for script in with_nested(embedded_scripts(workflow, "github_workflow")).scripts:
        for line in _writes(script, workflow):
            yield script.span(line, line)[0]


def _writes(script: ShellScript, workflow: str) -> Iterator[int]:
    text, table = script.plain_text(), script_values()
    pipelines = read_pipelines(text)
    given = frozenset(outsider_variables(script.environment, workflow))
    every = OutsiderNames(with_assigned(pipelines, given))
    sought = table.text_of_many_lines.search
    long = OutsiderNames(with_assigned(pipelines, outsider_variables(script.environment, workflow, sought), sought))
    has_end, has_random_end = bool(_NAMED_END.search(text)), bool(_RANDOM_END.search(text))
    for pipeline in pipelines:
        targets = " ".join(each for stage in pipeline.stages for each in stage.outputs)
        words = [word for stage in pipeline.stages for word in (*stage.words, *stage.inputs)]
        if not any(each in targets for each in table.environment_files) or table.cleaner.search(" ".join(words)):
            continue
        if "GITHUB_PATH" in targets:
            if every.in_words(words):
                yield pipeline.line
        elif not has_random_end and _sets_any(pipeline, words, every, long, has_end=has_end):
            yield pipeline.line


def _sets_any(
    pipeline: Pipeline, words: list[str], every: OutsiderNames, long: OutsiderNames, *, has_end: bool
) -> bool:
    """Can the text begin a line of its own? Text of several lines can, and text that is the first of its line."""
    if long.names and long.in_words(words) in long.names and not script_values().line_cleaner.search(" ".join(words)):
        return True
    starts = [word for word in pipeline.stages[0].words[1:] if word.lstrip('"').startswith("$")]
    return not has_end and bool(every.names) and every.in_words(starts[:1]) in every.names
