"""Commands in build files that are programs of their own: texts behind some names, and texts that `"sh", "-c"` stand before.

The file is read token by token: comments, texts, words and signs. Never raises for its content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from auditor.forensics.embedded_shell.shell_formats import ShellFormat
from auditor.forensics.embedded_shell.shell_script import LineSpan, ShellScript, consecutive_lines, program_name, same_lines

_TOKEN = re.compile(
    r"//[^\n]*|(?<![\w$])#[^\n]*|/\*[\s\S]{0,100000}?\*/"
    r"|(?P<long>\"\"\"(?>(?:[^\"\\]|\\[\s\S]|\"{1,2}(?!\")){0,60000})\"\"\"|'''(?>(?:[^'\\]|\\[\s\S]|'{1,2}(?!')){0,60000})''')"
    r"|(?P<short>\"(?>(?:[^\"\\\n]|\\[\s\S]){0,60000})\"|'(?>(?:[^'\\\n]|\\[\s\S]){0,60000})')"
    r"|(?P<word>-{0,2}[A-Za-z_$@][\w$@.-]{0,200})|(?P<sign>[^\s\w])"
)
_MAX_TOKENS = 300_000
_MAX_LOOK_AHEAD = 12
_INTERPOLATION = re.compile(r"(?<!\\)\$(?:\{(?P<inner>[^{}\n]{0,400})\}|(?P<name>[A-Za-z_][\w.]{0,200}))")
_ESCAPE = re.compile(r"\\(?:(?P<line>\n)|(?P<sign>.))")
_ESCAPES = {"n": "\n", "t": "\t", "r": ""}
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash"})
_SHELL_OPTION = re.compile(r"-[a-z]{0,6}c")
_BEFORE_TEXT = frozenset("(=:,[")
BEGIN, END = "\x02", "\x03"
"""Enclose what the language of the file puts into a text."""
INTERPOLATED = f"{BEGIN}[^{END}]{{0,400}}{END}"


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    line: int

    def script(self, names: tuple[str, ...], form: ShellFormat) -> ShellScript:
        """The text as a shell is given it."""
        said = _decoded(self.text, form)
        return ShellScript(said, _lines(self, said), names, placeholders=form.placeholders or INTERPOLATED)


def literal_scripts(text: str, form: ShellFormat) -> Iterator[ShellScript]:
    """The scripts of a build file, each named by the name before it."""
    tokens = list(_tokens(text))
    for at, token in enumerate(tokens):
        if token.kind == "word" and token.text in form.keys:
            script = _text_of_call(tokens[at + 1 : at + 1 + _MAX_LOOK_AHEAD], form)
            if script is not None:
                yield script.script((token.text,), form)
        elif token.kind != "sign" and _plain(token) in _SHELLS:
            script = _text_of_shell(tokens[at + 1 : at + 1 + _MAX_LOOK_AHEAD])
            if script is not None:
                yield script.script((_plain(token),), form)


def _tokens(text: str) -> Iterator[_Token]:
    line, at = 1, 0
    for found in islice(_TOKEN.finditer(text), _MAX_TOKENS):
        if found.lastgroup is not None:
            line += text.count("\n", at, found.start())
            at = found.start()
            yield _Token(found.lastgroup, found[0], line)


def _text_of_call(tokens: Sequence[_Token], form: ShellFormat) -> _Token | None:
    """The text that a name is given: alone, in brackets, or by one of the names of arguments."""
    named = ""
    for at, token in enumerate(tokens):
        if token.kind in {"long", "short"}:
            if named in {"", *form.words}:
                return token
            named = ""
        elif token.kind == "word":
            if at + 1 == len(tokens) or tokens[at + 1].text not in {":", "="}:
                return None
            named = token.text
        elif token.text not in _BEFORE_TEXT:
            return None
    return None


def _text_of_shell(tokens: Sequence[_Token]) -> _Token | None:
    """The text behind an option such as `-c`, with other options between."""
    is_script = False
    for token in tokens:
        if token.kind in {"long", "short"} and is_script:
            return token
        if token.kind == "sign" and token.text == ",":
            continue
        if token.kind == "sign" or not _plain(token).startswith("-"):
            return None
        is_script = _SHELL_OPTION.fullmatch(_plain(token)) is not None
    return None


def _plain(token: _Token) -> str:
    return program_name(token.text[1:-1] if token.kind == "short" else token.text[:200])


def _decoded(written: str, form: ShellFormat) -> str:
    """A text without its quotes and escapes; what the file puts into it stands between two marks."""
    size = 3 if written[:3] in {'"""', "'''"} else 1
    body = written[size:-size]
    if form.interpolates and written[0] == '"':
        body = _INTERPOLATION.sub(lambda found: f"{BEGIN}{found['inner'] or found['name'] or ''}{END}", body)
    said = _ESCAPE.sub(lambda found: "" if found["line"] else _ESCAPES.get(found["sign"], found["sign"]), body)
    return said.replace("$$", "$") if form.dollars else said


def _lines(token: _Token, said: str) -> tuple[LineSpan, ...]:
    last = token.line + token.text.count("\n")
    if token.text.count("\n") == said.count("\n"):
        return consecutive_lines(token.line, said)
    return same_lines(token.line, last, said)
