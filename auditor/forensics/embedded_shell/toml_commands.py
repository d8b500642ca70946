"""Commands in TOML: texts below some dotted keys, with the lines that hold them. Never raises for its content."""

from __future__ import annotations

import re
import tomllib
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from auditor.forensics.embedded_shell.shell_formats import ShellFormat
from auditor.forensics.embedded_shell.shell_script import LineSpan, ShellScript, consecutive_lines, same_lines
from auditor.forensics.embedded_shell.yaml_commands import argv_text

_STRING = re.compile(
    r"#[^\n]*|\"\"\"(?P<long>(?>(?:[^\"\\]|\\[\s\S]|\"{1,2}(?!\")){0,60000})\"{0,2})\"\"\""
    r"|'''(?P<raw>(?>(?:[^']|'{1,2}(?!')){0,60000})'{0,2})'''"
    r"|\"(?>(?:[^\"\\\n]|\\.){0,60000})\"|'[^'\n]{0,60000}'"
)
_MAX_DEPTH = 20
_Word = tuple[str, tuple[LineSpan, ...]]


def toml_scripts(text: str, form: ShellFormat) -> Iterator[ShellScript]:
    """The scripts of a TOML file, each named by the keys that lead to it; none where it is not well-formed."""
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    sought = re.compile("|".join(f"(?:{each})" for each in form.below))
    places = _Places(text)
    for path, words, is_argv in _texts(document, (), 0):
        if sought.fullmatch(".".join(path)):
            placed = [places.of(each) for each in words]
            for said, lines in [_joined(placed)] if is_argv else placed:
                yield ShellScript(said, lines, path, placeholders=form.placeholders, session=".".join(path[:-1]))


def _joined(words: Sequence[_Word]) -> _Word:
    lines = [span for _, spans in words for span in spans]
    return argv_text(words, (min(lines)[0], max(lines)[1]))


def _texts(value: Any, path: tuple[str, ...], depth: int) -> Iterator[tuple[tuple[str, ...], list[str], bool]]:
    """Texts with the keys that lead to them; a list of texts in a list is one command with its arguments."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, str):
        yield path, [value], False
    elif isinstance(value, dict):
        for key, below in value.items():
            yield from _texts(below, (*path, key.replace(".", "_")), depth + 1)
    elif isinstance(value, list):
        for each in value:
            if isinstance(each, list) and each and all(isinstance(word, str) for word in each):
                yield path, each, True
            else:
                yield from _texts(each, path, depth + 1)


class _Places:
    """The lines of the texts of a file, each text in the order in which it is written."""

    def __init__(self, text: str) -> None:
        self._known: dict[str, deque[tuple[LineSpan, ...]]] = {}
        line, at = 1, 0
        for found in _STRING.finditer(text):
            line += text.count("\n", at, found.start())
            at = found.start()
            if not found[0].startswith("#"):
                said = _decoded(found[0])
                self._known.setdefault(said, deque()).append(_lines(found, said, line))

    def of(self, said: str) -> _Word:
        """A text with the lines of its next occurrence; of the last one where there is none left."""
        known = self._known.get(said)
        if not known:
            return said, same_lines(1, 1, said)
        return said, known.popleft() if len(known) > 1 else known[0]


def _lines(found: re.Match[str], said: str, line: int) -> tuple[LineSpan, ...]:
    body = found["long"] if found["long"] is not None else found["raw"]
    last = line + found[0].count("\n")
    if body is None or body.removeprefix("\n").count("\n") != said.count("\n"):
        return same_lines(line, last, said)
    return consecutive_lines(line + body.startswith("\n"), said)


def _decoded(written: str) -> str:
    if written[0] == "'" or "\\" not in written:
        size = 3 if written[:3] in {"'''", '"""'} else 1
        return written[size:-size].removeprefix("\n" if size > 1 else "")
    try:
        return str(tomllib.loads(f"text = {written}")["text"])
    except tomllib.TOMLDecodeError:
        return written[1:-1]
