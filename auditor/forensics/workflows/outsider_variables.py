"""Variables of a script that hold text of outsiders, and the words that read them or print such text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise

from auditor.forensics.workflows.script_injection import holds_outsider_text
from auditor.forensics.workflows.script_values import script_values
from auditor.forensics.workflows.shell_pipelines import Pipeline, Stage, bare, substitutions

_ASSIGNED = re.compile(r"^(?P<name>[A-Za-z_]\w{0,99})\+?=(?P<value>[\s\S]*)$")
_DECLARERS = frozenset({"export", "local", "declare", "readonly", "typeset"})
_SINGLE_QUOTED = re.compile(r"'[^']*'")
_SELECTING_OPTIONS = frozenset({"-q", "--jq", "-t", "--template"})
_MAX_VARIABLES = 1_000


class OutsiderNames:
    """Variables that hold text of outsiders, and what reads them."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = frozenset(names)
        told = "|".join(sorted(map(re.escape, self.names), key=len, reverse=True)) or "(?!)"
        self._read = re.compile(rf"(?<!\\)\$(?:(?P<plain>{told})\b|\{{(?P<braced>{told})(?!\w)(?!@Q\}})(?!:?\+))")

    def in_words(self, words: Iterable[str]) -> str:
        """The first of the variables that the shell puts into some words, or the program that prints such text in one; empty for none."""
        for word in words:
            plain = word if word.startswith('"') else _SINGLE_QUOTED.sub("", word)
            if (found := self._read.search(plain)) is not None:
                return found["plain"] or found["braced"] or ""
            for inner in substitutions(word):
                if not script_values().cleaner.search(inner) and (program := printed_by(inner.split())):
                    return program
        return ""

    def named(self, text: str) -> str:
        """The first of the variables that an arithmetic expression names, with or without a dollar sign; empty for none."""
        return next((each for each in re.findall(r"(?<![\w'\"#])[A-Za-z_]\w*", text) if each in self.names), "")


def printed_by(words: Sequence[str]) -> str:
    """The program of a command that prints text of outsiders as it is; empty for any other command."""
    said = " ".join(words)
    if not words or not script_values().outsider_command.search(said):
        return ""
    chosen = [value for option, value in pairwise(words) if option in _SELECTING_OPTIONS]
    # what a filter gives is decided by its last part: those before it choose among records
    if chosen and not script_values().printed_text.search(chosen[-1].rpartition("|")[2]):
        return ""
    return bare(words[0])


def outsider_variables(
    environment: Mapping[str, str], workflow: str, is_sought: Callable[[str], object] = bool
) -> Iterator[str]:
    """The variables of an environment that hold text of outsiders, of those whose value passes the question."""
    for name, value in islice(environment.items(), _MAX_VARIABLES):
        if is_sought(value) and holds_outsider_text(value, workflow):
            yield name


def with_assigned(
    pipelines: Sequence[Pipeline], tainted: Iterable[str], is_sought: Callable[[str], object] = bool
) -> frozenset[str]:
    """The variables with those that are assigned from them, or from a command that prints text of outsiders and passes the question."""
    table, names = script_values(), set(tainted)
    for _ in range(2):
        for pipeline in pipelines:
            for name, value in _assignments(pipeline.stages[0], pipeline.last):
                printed = table.outsider_command.search(value) and is_sought(value)
                foreign = OutsiderNames(names).in_words([value]) in names if names else False
                if (foreign or printed) and not table.cleaner.search(value):
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
