"""Text of outsiders that reaches a script through its environment and is run there as code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from auditor.forensics.embedded_shell.shell_extraction import embedded_scripts, with_nested
from auditor.forensics.embedded_shell.shell_script import ShellScript
from auditor.forensics.workflows.here_documents import expanded_documents
from auditor.forensics.workflows.outsider_variables import OutsiderNames, outsider_variables, printed_by, with_assigned
from auditor.forensics.workflows.script_values import script_values
from auditor.forensics.workflows.shell_pipelines import Stage, bare, command_words, read_pipelines, substitutions

_SOURCED = re.compile(r"(?:^|[\s;&|])(?:source|\.|bash|sh)\s+<\(\s*(?:echo|printf|cat)\b(?P<given>[^)]{0,300})\)")
_MAX_DEPTH = 3
_ARITHMETIC = re.compile(r"\(\((?P<given>[^()\n]{1,300})\)\)")


@dataclass(frozen=True)
class EvaluatedText:
    """A place where text of outsiders is run: its line in the workflow, the variable and the command."""

    line: int
    variable: str
    command: str
    is_likely: bool = False
    """May the program treat it as data?"""
    is_printed: bool = False
    """Is it no variable, but a program that prints such text?"""


def evaluated_outsider_text(workflow: str) -> Iterator[EvaluatedText]:
    """The places of a workflow or an action where a script runs a variable that holds text of outsiders."""
    for script in with_nested(embedded_scripts(workflow, "github_workflow")).scripts:
        given = frozenset(outsider_variables(script.environment, workflow))
        yield from evaluations(script, given)


def evaluations(script: ShellScript, given: frozenset[str]) -> Iterator[EvaluatedText]:
    """The places of a script where it runs one of some variables that hold text of outsiders."""
    text = script.plain_text()
    unset = frozenset(script_values().outsider_variables) - frozenset(script.environment)
    names = OutsiderNames(with_assigned(read_pipelines(text), given | unset))
    for line, variable, command in (
        *_Reader(names, min(given, default="")).evaluated(text, 0),
        *_sourced(text, names),
        *_calculated(text, names),
    ):
        is_printed = variable not in names.names
        yield EvaluatedText(script.span(line, line)[0], variable, command, command in _may_expand(), is_printed)


Evaluation = tuple[int, str, str]
"""Line from 1, variable and command."""


def _sourced(text: str, names: OutsiderNames) -> Iterator[Evaluation]:
    for found in _SOURCED.finditer(text):
        if variable := names.in_words([found["given"]]):
            yield text.count("\n", 0, found.end()) + 1, variable, found[0].split()[0]


def _calculated(text: str, names: OutsiderNames) -> Iterator[Evaluation]:
    for found in _ARITHMETIC.finditer(text):
        if (variable := names.named(found["given"])) and not _is_checked(text, variable):
            yield text.count("\n", 0, found.start()) + 1, variable, "(("


def _is_checked(text: str, variable: str) -> bool:
    """Does the script compare the whole of a variable with a form?"""
    return re.search(rf"\$\{{?{variable}\}}?\"?\s+=~\s+\^", text) is not None


@dataclass
class _Reader:
    """Reads scripts for what runs one of the variables; `given` is one that every program sees, empty for none."""

    names: OutsiderNames
    given: str
    files: dict[str, str] = field(default_factory=dict)
    """The variable whose text each file that the script has written holds."""
    text: str = ""

    def evaluated(self, text: str, depth: int) -> Iterator[Evaluation]:
        """Line from 1, variable and command of each place where a script runs one of the variables."""
        self.text = self.text or text
        documents = {line: self.names.in_words([f'"{body}']) for line, body in expanded_documents(text)}
        for pipeline in read_pipelines(text):
            fed = documents.get(pipeline.line, "")
            for stage in pipeline.stages:
                variable, command = self._run_by(stage, fed)
                if variable:
                    yield pipeline.line, variable, command
                fed = self._printed(stage, fed)
                for word in stage.words if depth < _MAX_DEPTH else ():
                    for inner in substitutions(word):
                        found = self.evaluated(inner, depth + 1)
                        yield from ((pipeline.line, variable, command) for _, variable, command in found)

    def _printed(self, stage: Stage, fed: str) -> str:
        """What a command prints of the variables, which its files hold from now on."""
        table = script_values()
        program = bare(stage.words[0]) if stage.words else ""
        if program in table.substituting:
            formats = [word for word in stage.words[1:] if "$" in word]
            held = self.given if not formats or any(f"${self.given}" in word for word in formats) else ""
        else:
            held = self.names.in_words([*stage.words, *stage.inputs]) or printed_by(stage.words)
            held = held or next(filter(None, map(self._held, stage.words[1:])), "")
            held = held or ("" if table.cleaner.search(" ".join(stage.words)) else fed)
        for path in (*stage.outputs, *(stage.words[1:] if program in table.copying else ())):
            self.files[_plain_path(path)] = held
        return held

    def _held(self, path: str) -> str:
        return self.files.get(_plain_path(path), "")

    def _run_by(self, stage: Stage, fed: str) -> tuple[str, str]:
        """The variable that a command runs as code, and the command; empty for none. `fed` is one that it may read as its input."""
        table, names = script_values(), self.names
        words = command_words(stage.words, table.wrappers)
        if not words:
            return "", ""
        program = bare(words[0])
        as_command = names.in_words([words[0]]) if words[0].lstrip('"').startswith("$") else ""
        if as_command or program in table.evaluating:
            return as_command or names.in_words(words[1:]), "the shell" if as_command else program
        if program == "[[":
            return self._compared(words)
        if held := self._run_file(program, words) or self._run_input(program, words, stage, fed):
            return held, program
        if program in table.appenders and (given := names.in_words(stage.inputs) or fed) and _starts_shell(words[1:]):
            return given, program
        return _code_argument(words, names) if program not in _expanding() else self._expanded(program, words)

    def _expanded(self, program: str, words: Sequence[str]) -> tuple[str, str]:
        """A variable in a word, or in a named file, that a program such as `make` or `sed` runs in its own language."""
        form, file = script_values().expanded_word(program), script_values().expanded_file(program)
        given = (word for word in words[1:] if form is not None and form.fullmatch(word))
        named = (found["path"] for word in words[1:] if file is not None and (found := file.fullmatch(word)))
        variable = self.names.in_words(given) or next(filter(None, map(self._held, named)), "")
        return (variable, program) if variable in self.names.names else ("", "")

    def _run_file(self, program: str, words: Sequence[str]) -> str:
        """The variable whose text a file holds that a command runs; empty for none."""
        table = script_values()
        given = next((each for each in words[1:] if not each.startswith("-")), "")
        return self._held(given if program in table.interpreting | table.sourcing else words[0])

    def _run_input(self, program: str, words: Sequence[str], stage: Stage, fed: str) -> str:
        """The variable that an interpreter without a file, or with its input as the file, reads as its program; empty for none."""
        table = script_values()
        named = [each.strip("\"'") for each in words[1:] if not each.startswith("-")]
        reads = program in table.interpreting | table.sourcing and table.input_files.issuperset(named)
        return (self.names.in_words(stage.inputs) or fed) if reads else ""

    def _compared(self, words: Sequence[str]) -> tuple[str, str]:
        """A variable beside an operator of `[[` that calculates its operands."""
        for at, word in enumerate(words):
            if word in script_values().arithmetic_operators:
                variable = self.names.in_words([*words[at - 1 : at], *words[at + 1 : at + 2]])
                if variable and not _is_checked(self.text, variable):
                    return variable, f"[[ {word}"
        return "", ""


def _expanding() -> frozenset[str]:
    return frozenset(name for each in script_values().expanders for name in each.programs)


def _may_expand() -> frozenset[str]:
    """Programs that run a word in their own language only if it is written in a certain way."""
    return frozenset(name for each in script_values().expanders if not each.always for name in each.programs)


def _plain_path(word: str) -> str:
    return word.strip("\"'").removeprefix("./")


def _starts_shell(words: Sequence[str]) -> bool:
    table = script_values()
    return any(
        bare(word) in table.shells and option.startswith("-") and option.endswith("c")
        for word, option in pairwise(words)
    )


def _code_argument(words: Sequence[str], names: OutsiderNames) -> tuple[str, str]:
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
