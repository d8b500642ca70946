"""The pipelines of a shell script: arguments and input of each command, and whether its output is redirected.

Constant text only: what a variable holds is not followed here, and here-documents are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from auditor.forensics.workflows.shell_commands import MAX_CHARACTERS, tokenize

_MAX_PIPELINES = 1_000
_ENDS = frozenset({"&&", "||", ";", ";;", "&", "\n"})
_OPENS = frozenset({"(", "{"})
_CLOSES = frozenset({")", "}", "done", "fi", "esac"})
_BEGINS = frozenset({"if", "while", "until", "for", "case"})
_KEYWORDS = frozenset({"then", "else", "elif", "do", "!", "time", "if", "while", "until"})


@dataclass
class Stage:
    """A command of a pipeline: its words as they are written, and the words of `<<<`."""

    words: list[str] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    redirected: bool = False
    """Does its output go to a file?"""
    outputs: list[str] = field(default_factory=list)
    """The files that it goes to, as they are written."""


@dataclass
class Pipeline:
    """Commands that feed each other, and their first line from 1."""

    line: int
    stages: list[Stage]
    captured: bool = False
    """Does the output of the group around it go to a file or another command?"""

    @property
    def last(self) -> Stage:
        """The command whose output is that of the pipeline."""
        return self.stages[-1]


def read_pipelines(script: str) -> list[Pipeline]:
    """The pipelines of a script in their order."""
    reader = _Reader()
    for sign, text, row in tokenize(script[:MAX_CHARACTERS]):
        if len(reader.found) >= _MAX_PIPELINES:
            break
        reader.take(sign, text, row + 1)
    reader.end()
    return reader.found


@dataclass
class _Reader:
    found: list[Pipeline] = field(default_factory=list)
    current: Pipeline | None = None
    awaited: str = ""
    """The redirection whose target comes next."""
    blocks: list[int] = field(default_factory=list)
    closed: int | None = None
    """Where the block began that has just been closed: what follows may take its output."""

    def take(self, is_sign: bool, text: str, line: int) -> None:
        if is_sign and text not in _ENDS | _OPENS | _CLOSES and text not in {"|", "|&"}:
            self._redirect(text)
        elif not is_sign:
            self._word(text, line)
        elif text in {"|", "|&"}:
            self._pipe()
        else:
            self._separate(text)

    def end(self) -> None:
        if self.current is not None:
            self.found.append(self.current)
        self.current, self.awaited = None, ""

    def _redirect(self, sign: str) -> None:
        self.awaited = sign
        if ">" not in sign or sign.startswith("2") or sign.endswith(("&1", "&2")):
            return
        if self.current is not None:
            self.current.last.redirected = True
        elif self.closed is not None:
            self._capture()

    def _capture(self) -> None:
        for each in self.found[self.closed or 0 :]:
            each.captured = True

    def _word(self, text: str, line: int) -> None:
        if self.awaited:
            self._target(text)
            self.awaited = ""
            return
        if self.current is None and text in _BEGINS:
            self.blocks.append(len(self.found))
        if self.current is None and text in _CLOSES:
            self.closed = self.blocks.pop() if self.blocks else None
            return
        if self.current is None and text in _KEYWORDS:
            return
        if self.current is None:
            self.current, self.closed = Pipeline(line, [Stage()]), None
        self.current.last.words.append(text)

    def _target(self, text: str) -> None:
        """The word of a redirection."""
        if self.awaited.startswith("<<<") and self.current is not None:
            self.current.last.inputs.append(text)
        if ">" not in self.awaited or self.awaited.startswith("2"):
            return
        within = self.found[self.closed :] if self.closed is not None and self.current is None else ()
        for each in within if self.current is None else (self.current,):
            each.last.outputs.append(text)

    def _pipe(self) -> None:
        if self.current is not None:
            self.current.stages.append(Stage())
        elif self.closed is not None:
            self._capture()

    def _separate(self, sign: str) -> None:
        self.end()
        if sign in _OPENS:
            self.blocks.append(len(self.found))
        self.closed = (self.blocks.pop() if self.blocks else None) if sign in _CLOSES else None


def command_words(words: Sequence[str], wrappers: frozenset[str]) -> Sequence[str]:
    """The words of a command without assignments before it and programs that only start it."""
    at = 0
    while at < len(words) and (_is_assignment(words[at]) or bare(words[at]) in wrappers):
        at += 1
        while at and at < len(words) and bare(words[at - 1]) in wrappers and words[at].startswith("-"):
            at += 1
    return words[at:]


def _is_assignment(word: str) -> bool:
    name, sign, _ = word.partition("=")
    return bool(sign) and name.rstrip("+").isidentifier()


def bare(word: str) -> str:
    """A word without its quotes and its folder."""
    return word.strip("\"'").rpartition("/")[2]


def substitutions(word: str) -> Iterator[str]:
    """The scripts in `$(...)` and backquotes of a word, outside of single quotes."""
    at = 0
    while at < len(word):
        if word[at] == "'" and not word.startswith('"'):
            end = word.find("'", at + 1)
            at = len(word) if end < 0 else end + 1
        elif word.startswith("$(", at) and not word.startswith("$((", at):
            end = _closing(word, at + 2)
            yield word[at + 2 : end]
            at = end + 1
        elif word[at] == "`":
            end = word.find("`", at + 1)
            end = len(word) if end < 0 else end
            yield word[at + 1 : end]
            at = end + 1
        else:
            at += 1


def without_substitutions(word: str) -> str:
    """A word without what `$(...)` and backquotes put in."""
    for each in substitutions(word):
        word = word.replace(each, "")
    return word


def _closing(word: str, start: int) -> int:
    depth = 1
    for at in range(start, len(word)):
        depth += {"(": 1, ")": -1}.get(word[at], 0)
        if depth == 0:
            return at
    return len(word)
