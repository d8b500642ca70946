"""Secrets that a script of a workflow prints, into the log as they are, in parts, or encoded; and those that it sends away."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from auditor.forensics.embedded_shell.shell_extraction import embedded_scripts, with_nested
from auditor.forensics.embedded_shell.shell_script import ShellScript
from auditor.forensics.workflows.script_values import script_values
from auditor.forensics.workflows.shell_pipelines import (
    Pipeline,
    Stage,
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


class SentSecret(NamedTuple):
    """A line (from 1) where a script sends a secret away, what it sends, and whether no server is meant to get it so."""

    line: int
    says: str
    is_sure: bool


def sent_secrets(workflow: str) -> Iterator[SentSecret]:
    """The places where a script sends a secret as data to a server, in a public text, or as part of a name that it looks up."""
    table = script_values()
    outward = table.senders | table.lookups | table.publishers
    for script in with_nested(embedded_scripts(workflow, "github_workflow")).scripts:
        if not any(each in script.text for each in outward):
            continue
        read = _reader(_secret_names(script))
        files: set[str] = set()
        for pipeline in read_pipelines(script.text):
            whole = _is_environment(pipeline.stages[0])
            for stage in pipeline.stages:
                words = command_words(stage.words, table.wrappers)
                program = bare(words[0]) if words else ""
                line = script.span(pipeline.line, pipeline.line)[0]
                if program in table.senders and (whole or _sends(words, read, files)):
                    yield SentSecret(line, "its whole environment" if whole else "a secret", whole)
                elif _is_looked_up(program, words, read):
                    yield SentSecret(line, "a secret, as part of a host name,", is_sure=True)
                elif _is_published(program, words, read):
                    yield SentSecret(line, "a secret, in a text that others can read,", is_sure=True)
                if program in table.printers and any(_holds_secret(each, read) for each in words):
                    files.update(_plain_path(each) for each in stage.outputs)


def stored_secret_lines(workflow: str) -> Iterator[int]:
    """The lines (from 1) where a script writes a secret, or its whole environment, into a file that an artifact holds."""
    if "secrets." not in workflow or not (uploaded := _uploaded_paths(workflow)):
        return
    for script in with_nested(embedded_scripts(workflow, "github_workflow")).scripts:
        names = _secret_names(script)
        read = _reader(names)
        for pipeline in read_pipelines(script.text):
            files = {bare(each) for stage in pipeline.stages for each in stage.outputs}
            first = pipeline.stages[0]
            held = (names and _is_environment(first)) or any(
                _holds_secret(without_substitutions(each), read) for each in (*first.words, *first.inputs)
            )
            if held and first.words and bare(first.words[0]) in _writers() and files & uploaded:
                yield script.span(pipeline.line, pipeline.line)[0]


def _writers() -> frozenset[str]:
    return script_values().printers | script_values().environment_printers | script_values().filters


def _uploaded_paths(workflow: str) -> frozenset[str]:
    """The names of the files that artifacts hold, as far as they are named one by one."""
    if "upload-artifact" not in workflow:
        return frozenset()
    rows = workflow.split("\n")
    found = [
        word
        for at, row in enumerate(rows)
        if "upload-artifact" in row
        for each in rows[at : at + _ROWS_OF_A_STEP]
        for word in _PATH_WORD.findall(each)
    ]
    return frozenset(map(bare, found))


_ROWS_OF_A_STEP = 12
_PATH_WORD = re.compile(r"[\w./@-]{1,200}")


def _is_environment(first: Stage) -> bool:
    """Does a command print all variables? A program that it starts, as in `env NAME=value program`, prints others."""
    words = first.words
    return bool(words) and bare(words[0]) in script_values().environment_printers and len(words) <= _FEW_WORDS


_FEW_WORDS = 2
_FURTHER_NAME = re.compile(r"\$[{\w][^\s.]{0,200}\.[\w-]{1,60}\.\w")


def _sends(words: Sequence[str], read: re.Pattern[str] | None, files: Collection[str]) -> bool:
    """Is a secret, or a file with one, part of the data that a command sends? A secret in a header is a login."""
    return any(
        script_values().data_option.fullmatch(option)
        and (_holds_secret(value, read) or _plain_path(value.rpartition("@")[2]) in files)
        for option, value in pairwise(words)
    )


def _is_looked_up(program: str, words: Sequence[str], read: re.Pattern[str] | None) -> bool:
    """Is a secret one part of a name that a name server is asked for? A whole name may be a secret address."""
    return program in script_values().lookups and any(
        _holds_secret(each, read) and _FURTHER_NAME.search(each) for each in words[1:]
    )


def _is_published(program: str, words: Sequence[str], read: re.Pattern[str] | None) -> bool:
    """Is a secret part of a text that everybody can read? One that is stored as a secret is not."""
    table = script_values()
    return (
        program in table.publishers
        and len(words) > 1
        and words[1] in table.published_things
        and any(table.text_option.fullmatch(option) and _holds_secret(value, read) for option, value in pairwise(words))
    )


def _plain_path(word: str) -> str:
    return word.strip("\"'").removeprefix("./")


def _holds_secret(word: str, read: re.Pattern[str] | None) -> bool:
    return bool(_SECRET.search(word) or (read and read.search(_expanded(word))))


def _secret_names(script: ShellScript) -> list[str]:
    return [name for name, value in islice(script.environment.items(), _MAX_VARIABLES) if _SECRET.search(value)]


def _reader(names: list[str]) -> re.Pattern[str] | None:
    """What reads one of the variables; None where there are none."""
    told = "|".join(map(re.escape, names))
    return re.compile(rf"(?<!\\)\$(?:(?:{told})\b|\{{(?:{told})(?!\w)(?!:?[+?]))") if names else None


def _printed(script: ShellScript) -> Iterator[tuple[int, bool]]:
    names = _secret_names(script)
    read = _reader(names)
    for pipeline in read_pipelines(script.text):
        if _prints(pipeline, read, names):
            changed = len(pipeline.stages) > 1 or any(_PART.search(each) for each in pipeline.stages[0].words)
            yield script.span(pipeline.line, pipeline.line)[0], changed


def _prints(pipeline: Pipeline, read: re.Pattern[str] | None, names: list[str]) -> bool:
    """Does the secret that the first command is given arrive in the log?"""
    table = script_values()
    first, *others = pipeline.stages
    words = command_words(first.words, table.wrappers)
    if not words or pipeline.captured or any(each.redirected and not _is_summary(each) for each in pipeline.stages):
        return False
    program = bare(words[0])
    if program not in table.printers and not (program in table.filters and first.inputs):
        return False
    given = [without_substitutions(each) for each in (*words[1:], *first.inputs)]
    if any("::add-mask::" in each for each in given) or not all(_passes_on(each.words) for each in others):
        return False
    if program == "printenv" and any(each in names for each in given):
        return True
    return any(_holds_secret(each, read) for each in given)


def _is_summary(stage: Stage) -> bool:
    """Does the output go to the summary of the job, which everybody with read access can see?"""
    return bool(stage.outputs) and all("GITHUB_STEP_SUMMARY" in each for each in stage.outputs)


def _expanded(word: str) -> str:
    """What the shell puts values into."""
    return word if word.startswith('"') else _SINGLE_QUOTED.sub("", word)


def _passes_on(words: list[str]) -> bool:
    """Does a command print what it reads?"""
    table = script_values()
    named = command_words(words, table.wrappers)
    return bool(named) and bare(named[0]) in table.filters and "-o" not in named
