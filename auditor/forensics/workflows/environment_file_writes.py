"""Text of outsiders that a script writes into `GITHUB_ENV` or `GITHUB_PATH`, where it sets variables and programs of later steps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from auditor.forensics.embedded_shell.shell_extraction import embedded_scripts, with_nested
from auditor.forensics.embedded_shell.shell_script import ShellScript
from auditor.forensics.workflows.here_documents import expanded_documents
from auditor.forensics.workflows.outsider_variables import OutsiderNames, outsider_variables, with_assigned
from auditor.forensics.workflows.script_values import script_values
from auditor.forensics.workflows.shell_pipelines import Pipeline, Stage, bare, read_pipelines, substitutions
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
    reader = _Reader(every, long, bool(_NAMED_END.search(text)), _aliases(text), dict(expanded_documents(text)))
    has_random_end = bool(_RANDOM_END.search(text))
    for pipeline in pipelines:
        written = reader.written(pipeline)
        if written is not None and (written.to_path or not has_random_end):
            yield pipeline.line


def _aliases(text: str) -> frozenset[str]:
    """Variables that hold the path of one of the files."""
    told = "|".join(map(re.escape, script_values().environment_files))
    return frozenset(re.findall(rf"(?:^|[\s;&])(\w{{1,80}})=[\"']?\$\{{?(?:{told})\b", text))


@dataclass(frozen=True)
class _Written:
    to_path: bool
    """Does the text go to the folders of programs?"""


@dataclass
class _Reader:
    """Reads pipelines in their order for what they write; keeps which files of the script hold text of outsiders."""

    every: OutsiderNames
    long: OutsiderNames
    has_end: bool
    aliases: frozenset[str]
    documents: Mapping[int, str]
    files: set[str] = field(default_factory=set)

    def written(self, pipeline: Pipeline) -> _Written | None:
        """What a pipeline writes into one of the files so that it can do harm; None for nothing."""
        table = script_values()
        targets = [each for stage in pipeline.stages for each in stage.outputs]
        targets += [word for stage in pipeline.stages for word in stage.words[1:] if _is_copier(stage)]
        first = pipeline.stages[0]
        is_opened_by_text = any("<<" in word for stage in pipeline.stages for word in stage.words)
        document = "" if is_opened_by_text else self.documents.get(pipeline.line, "")
        words = [*first.words, *first.inputs, *([f'"{document}"'] if document else [])]
        rest = [" ".join(each.words) for each in pipeline.stages[1:]]
        into = " ".join(targets)
        is_file = any(each in into for each in table.environment_files) or self._is_alias(into)
        many = _uncleaned(words, rest, table.line_cleaner)
        if not is_file:
            if self.long.names and self.long.in_words(many) in self.long.names:
                self.files.update(each.strip("\"'") for each in targets)
            return None
        whole = _uncleaned(words, rest, table.cleaner)
        if "GITHUB_PATH" in into:
            return _Written(to_path=True) if self.every.in_words(whole) else None
        held = any(word.strip("\"'") in self.files for word in many[1:])
        return _Written(to_path=False) if held or self._sets_any(whole, many, document) else None

    def _is_alias(self, into: str) -> bool:
        return any(each in self.aliases for each in re.findall(r"\$\{?(\w{1,80})", into))

    def _sets_any(self, words: Sequence[str], many: Sequence[str], document: str) -> bool:
        """Can the text begin a line of its own? Text of several lines can, and text that is the first of its line."""
        if self.long.names and self.long.in_words(many) in self.long.names:
            return True
        starts = [word for word in words[1:] if word.lstrip('"').startswith("$")][:1]
        starts += [f'"{row}"' for row in document.split("\n") if row.lstrip().startswith("$")]
        return not self.has_end and bool(self.every.names) and self.every.in_words(starts) in self.every.names


def _is_copier(stage: Stage) -> bool:
    return bool(stage.words) and bare(stage.words[0]) in script_values().copying


def _uncleaned(words: Sequence[str], rest: Sequence[str], cleaner: re.Pattern[str]) -> list[str]:
    """The words without what a cleaner has taken: one that prints them, one that reads what they print, or one inside of them."""
    if cleaner.match(" ".join(words)) or any(map(cleaner.search, rest)):
        return []
    return [_without_cleaned(word, cleaner) for word in words]


def _without_cleaned(word: str, cleaner: re.Pattern[str]) -> str:
    for inner in substitutions(word):
        if cleaner.search(inner):
            word = word.replace(inner, "")
    return _EXPANSION.sub(lambda found: "" if cleaner.search(found[0]) else found[0], word)


_EXPANSION = re.compile(r"\$\{\w[^{}]{0,200}\}")
