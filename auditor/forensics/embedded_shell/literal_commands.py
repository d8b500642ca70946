"""Commands in build files that are programs of their own: texts behind some names, and texts behind `"sh", "-c"`.

The file is read token by token: comments, texts, words and signs. Never raises for its content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from auditor.forensics.embedded_shell.shell_formats import ShellFormat
from auditor.forensics.embedded_shell.shell_script import (
    LineSpan,
    ShellScript,
    consecutive_lines,
    program_name,
    same_lines,
)
from auditor.forensics.library_models.shell_programs import UNIX_SHELLS

_TOKEN = re.compile(
    r"//[^\n]*|(?<![\w$])#[^\n]*|(?P<comment>/\*)"
    r"|(?P<long>\"\"\"(?>(?:[^\"\\]|\\[\s\S]|\"{1,2}(?!\")){0,60000})\"\"\"|'''(?>(?:[^'\\]|\\[\s\S]|'{1,2}(?!')){0,60000})''')"
    r"|(?P<short>\"(?>(?:[^\"\\\n]|\\[\s\S]){0,60000})\"|'(?>(?:[^'\\\n]|\\[\s\S]){0,60000})')"
    r"|(?P<word>-{0,2}[A-Za-z_$@][\w$@.-]{0,200})|(?P<sign>[^\s\w])"
)
_MAX_TOKENS = 300_000
_MAX_LOOK_AHEAD = 12
_MAX_SCRIPT = 60_000
_TEXTS = frozenset({"long", "short"})
_INTERPOLATION = re.compile(r"(?<!\\)\$(?:\{(?P<inner>[^{}\n]{0,400})\}|(?P<name>[A-Za-z_][\w.]{0,200}))")
_ESCAPE = re.compile(r"\\(?:(?P<line>\n)|(?P<sign>.))")
_ESCAPES = {"n": "\n", "t": "\t", "r": ""}
_SHELL_OPTION = re.compile(r"-[a-z]{0,6}c")
_BEFORE_TEXT = frozenset("(=:,[")
BEGIN, END = "\x02", "\x03"
"""Enclose what the language of the file puts into a text."""
INTERPOLATED = f"{BEGIN}[^{END}]{{0,400}}{END}"
_INTERPOLATED = re.compile(f"{BEGIN}([^{END}]{{0,400}}){END}")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    line: int


def literal_scripts(text: str, form: ShellFormat) -> Iterator[ShellScript]:
    """The scripts of a build file, each named by the name before it."""
    tokens = list(_tokens(text))
    values = _values(tokens)
    for at, token in enumerate(tokens):
        if token.kind == "word" and token.text in form.keys:
            given = _text_of_call(tokens, at + 1, form)
        elif token.kind != "sign" and _plain(token) in UNIX_SHELLS:
            given = _text_of_shell(tokens, at + 1)
        else:
            continue
        if given is not None:
            yield _script(tokens, given, (_plain(token),), values, form)


def _values(tokens: Sequence[_Token]) -> Mapping[str, str]:
    """What names of the file stand for: `branch = env.CHANGE_BRANCH`."""
    return {
        name.text: value.text
        for name, sign, value in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if sign.text == "=" and name.kind == value.kind == "word"
    }


def _script(
    tokens: Sequence[_Token], at: int, names: tuple[str, ...], values: Mapping[str, str], form: ShellFormat
) -> ShellScript:
    """A text as a shell is given it, with what is appended to it by `+`."""
    said = _decoded(tokens[at].text, form)
    lines = _lines(tokens[at], said)
    while form.interpolates and at + 2 < len(tokens) and tokens[at + 1].text == "+" and len(said) < _MAX_SCRIPT:
        at += 2
        added = tokens[at]
        more = f"{BEGIN}{added.text}{END}" if added.kind == "word" else _decoded(added.text, form)
        said, lines = said + more, lines + ((added.line, added.line),) * more.count("\n")
    known = _INTERPOLATED.sub(lambda found: f"{BEGIN}{values.get(found[1].strip(), found[1])}{END}", said)
    return ShellScript(known, lines, names, placeholders=form.placeholders or INTERPOLATED, session="literals")


def _tokens(text: str) -> Iterator[_Token]:
    line, counted, at, may_close = 1, 0, 0, True
    for _ in range(_MAX_TOKENS):
        found = _TOKEN.search(text, at)
        if found is None:
            return
        at = found.end()
        if found.lastgroup == "comment":
            end = text.find("*/", at) if may_close else -1
            at, may_close = (end + 2 if end >= 0 else at), end >= 0
        elif found.lastgroup is not None:
            line += text.count("\n", counted, found.start())
            counted = found.start()
            yield _Token(found.lastgroup, found[0], line)


def _text_of_call(tokens: Sequence[_Token], start: int, form: ShellFormat) -> int | None:
    """Where the text is that a name is given: alone, in brackets, or by one of the names of arguments."""
    named = ""
    for at in range(start, min(len(tokens), start + _MAX_LOOK_AHEAD)):
        token = tokens[at]
        if token.kind in _TEXTS:
            if named in {"", *form.words}:
                return at
        elif token.kind == "word":
            if at + 1 == len(tokens) or tokens[at + 1].text not in {":", "="}:
                return None
            named = token.text
        elif token.text not in _BEFORE_TEXT:
            return None
    return None


def _text_of_shell(tokens: Sequence[_Token], start: int) -> int | None:
    """Where the text is behind an option such as `-c`, with other options between."""
    is_script = False
    for at in range(start, min(len(tokens), start + _MAX_LOOK_AHEAD)):
        token = tokens[at]
        if token.kind in _TEXTS and is_script:
            return at
        if token.text == ",":
            continue
        if token.kind == "sign" or not _plain(token).startswith("-"):
            return None
        is_script = _SHELL_OPTION.fullmatch(_plain(token)) is not None
    return None


def _plain(token: _Token) -> str:
    return program_name(token.text[1:-1] if token.kind == "short" else token.text[:200])


def _decoded(written: str, form: ShellFormat) -> str:
    """A text without its quotes and escapes; what the file puts into it is enclosed in two marks."""
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
