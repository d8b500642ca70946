"""Text of outsiders that reaches a script through its environment and is run there as code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from auditor.forensics.embedded_shell.shell_extraction import embedded_scripts, with_nested
from auditor.forensics.embedded_shell.shell_script import ShellScript
from auditor.forensics.workflows.script_injection import holds_outsider_text
from auditor.forensics.workflows.script_values import script_values
from auditor.forensics.workflows.shell_pipelines import (
    Pipeline,
    Stage,
    bare,
    command_words,
    read_pipelines,
    substitutions,
)

_ASSIGNED = re.compile(r"^(?P<name>[A-Za-z_]\w{0,99})\+?=(?P<value>[\s\S]*)$")
_DECLARERS = frozenset({"export", "local", "declare", "readonly", "typeset"})
_SINGLE_QUOTED = re.compile(r"'[^']*'")
_SOURCED = re.compile(r"(?:^|[\s;&|])(?:source|\.|bash|sh)\s+<\(\s*(?:echo|printf|cat)\b(?P<given>[^)]{0,300})\)")
_MAX_DEPTH = 3
_MAX_VARIABLES = 1_000


@dataclass(frozen=True)
class EvaluatedText:
    """A place where text of outsiders is run: its line in the workflow, the variable and the command."""

    line: int
    variable: str
    command: str


def evaluated_outsider_text(workflow: str) -> Iterator[EvaluatedText]:
    """The places of a workflow or an action where a script runs a variable that holds text of outsiders."""
    for script in with_nested(embedded_scripts(workflow, "github_workflow")).scripts:
        tainted = frozenset(_outsider_variables(script.environment, workflow))
        if tainted or script_values().outsider_command.search(script.text):
            yield from _evaluations(script, tainted)


def _outsider_variables(environment: Mapping[str, str], workflow: str) -> Iterator[str]:
    yield from (
        name for name, value in islice(environment.items(), _MAX_VARIABLES) if holds_outsider_text(value, workflow)
    )
    yield from (name for name in script_values().outsider_variables if name not in environment)


def _evaluations(script: ShellScript, tainted: frozenset[str]) -> Iterator[EvaluatedText]:
    text = script.plain_text()
    names = _with_assigned(read_pipelines(text), tainted)
    if not names:
        return
    for line, variable, command in _evaluated(text, _Names(names), 0):
        yield EvaluatedText(script.span(line, line)[0], variable, command)
    for found in _SOURCED.finditer(text):
        if variable := _Names(names).in_words([found["given"]]):
            line = text.count("\n", 0, found.end()) + 1
            yield EvaluatedText(script.span(line, line)[0], variable, found[0].split()[0])


class _Names:
    """Variables that hold text of outsiders, and what reads them."""

    def __init__(self, names: Iterable[str]) -> None:
        told = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
        self._read = re.compile(rf"(?<!\\)\$(?:(?P<plain>{told})\b|\{{(?P<braced>{told})(?!\w)(?!@Q\}})(?!:?\+))")

    def in_words(self, words: Iterable[str]) -> str:
        """The first of the variables that the shell puts into some words; empty for none."""
        for word in words:
            plain = word if word.startswith('"') else _SINGLE_QUOTED.sub("", word)
            if (found := self._read.search(plain)) is not None:
                return found["plain"] or found["braced"] or ""
        return ""


def _with_assigned(pipelines: Sequence[Pipeline], tainted: frozenset[str]) -> frozenset[str]:
    """The variables with those that are assigned from them, or from a command that prints text of outsiders."""
    table, names = script_values(), set(tainted)
    for _ in range(2):
        for pipeline in pipelines:
            for name, value in _assignments(pipeline.stages[0], pipeline.last):
                foreign = _Names(names).in_words([value]) if names else ""
                if (foreign or table.outsider_command.search(value)) and not table.cleaner.search(value):
                    names.add(name)
    return frozenset(names)


def _assignments(first: Stage, last: Stage) -> Iterator[tuple[str, str]]:
    words = first.words[1:] if first.words and first.words[0] in _DECLARERS else first.words
    for word in words:
        found = _ASSIGNED.match(word)
        if found is None:
            break
        yield found["name"], found["value"]
    if len(words) > 3 and words[0] == "for" and words[2] == "in":
        yield words[1], " ".join(words[3:])
    if last.words and last.words[0] == "read" and last.words[-1].isidentifier():
        yield last.words[-1], " ".join([*last.inputs, *(first.words if first is not last else ())])


def _evaluated(text: str, names: _Names, depth: int) -> Iterator[tuple[int, str, str]]:
    """Line from 1, variable and command of each place where a script runs one of the variables."""
    for pipeline in read_pipelines(text):
        fed = ""
        for stage in pipeline.stages:
            variable, command = _run_by(stage, names, fed)
            if variable:
                yield pipeline.line, variable, command
            fed = names.in_words([*stage.words, *stage.inputs]) or (
                "" if script_values().cleaner.search(" ".join(stage.words)) else fed
            )
            for word in stage.words if depth < _MAX_DEPTH else ():
                for inner in substitutions(word):
                    found = _evaluated(inner, names, depth + 1)
                    yield from ((pipeline.line, variable, command) for _, variable, command in found)


def _run_by(stage: Stage, names: _Names, fed: str) -> tuple[str, str]:
    """The variable that a command runs as code, and the command; empty for none. `fed` is one that it may read as its input."""
    table = script_values()
    words = command_words(stage.words, table.wrappers)
    if not words:
        return "", ""
    program = bare(words[0])
    if words[0].lstrip('"').startswith("$") and (variable := names.in_words([words[0]])):
        return variable, "the shell"
    if program in table.evaluating:
        return names.in_words(words[1:]), program
    if program in table.shells and all(each.startswith("-") for each in words[1:] if each != "-s"):
        return names.in_words(stage.inputs) or fed, program
    if program in table.appenders and (given := names.in_words(stage.inputs) or fed) and _starts_shell(words[1:]):
        return given, program
    return _code_argument(words, names)


def _starts_shell(words: Sequence[str]) -> bool:
    table = script_values()
    return any(
        bare(word) in table.shells and option.startswith("-") and option.endswith("c")
        for word, option in pairwise(words)
    )


def _code_argument(words: Sequence[str], names: _Names) -> tuple[str, str]:
    """A variable in the code that an interpreter is given, wherever in the command it is named."""
    table = script_values()
    for at, word in enumerate(words[:30]):
        option = table.code_option(bare(word))
        if option is None:
            continue
        for place in range(at + 1, min(len(words) - 1, at + 8)):
            if option.fullmatch(words[place]) and (variable := names.in_words([words[place + 1]])):
                return variable, bare(word)
    return "", ""
