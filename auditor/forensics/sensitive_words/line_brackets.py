"""Statements, texts and brackets on lines of any language, by their characters alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

MAX_STATEMENT = 2_000
"""Characters of a call that are read: of a longer one it is not known that it is given constants."""
MAX_LINES = 12
"""Lines of a call that are read."""
_LITERAL = re.compile(r"""(?P<prefix>[A-Za-z$@]{0,2})(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)""")
_FILLED = re.compile(r"\$\{|#\{|\$\(|\$\w|%[sdv]")
_FILLING = re.compile(r"[$#]?\{[^{}]*\}|\$\w+")
_OPENING, _CLOSING = "([{", ")]}"


def whole_call(text: str, lines: Sequence[str], number: int, most: int = MAX_LINES) -> str:
    """The line and those after it, as long as brackets are open."""
    for line in lines[number : number + most]:
        if len(text) > MAX_STATEMENT or bracket_depth(text) <= 0:
            break
        text = f"{text} {line}"
    return text


def bracket_depth(text: str) -> int:
    """How many brackets a text opens more than it closes."""
    masked = _LITERAL.sub("", text)
    return sum(masked.count(each) for each in _OPENING) - sum(masked.count(each) for each in _CLOSING)


def mask_texts(text: str) -> tuple[str, Mapping[int, int]]:
    """The text with blanks for its constant texts, and where those begin and end. A filled one becomes a name."""
    literals: dict[int, int] = {}

    def blank(found: re.Match[str]) -> str:
        prefix, body = found["prefix"], found["text"]
        filled = _FILLED.search(body) or ("{" in body and ("f" in prefix.lower() or "$" in prefix))
        if not filled:
            literals[found.start("text")] = found.end("text")
        return ("x" if filled else " ") * len(found[0])

    return _LITERAL.sub(blank, text), literals


def without_texts(line: str) -> str:
    """The line with blanks for its texts; what is filled into them stays."""

    def blank(found: re.Match[str]) -> str:
        filled = _FILLED.search(found["text"])
        if not filled:
            return " " * len(found[0])
        kept = {at for each in _FILLING.finditer(found[0]) for at in range(*each.span())}
        return "".join(character if at in kept else " " for at, character in enumerate(found[0]))

    return _LITERAL.sub(blank, line)


def arguments_behind(masked: str, end: int) -> tuple[int, int] | None:
    """The inside of the brackets that open right behind the word, or with its last character."""
    opening = end - 1 if masked[end - 1 : end] == "(" else end
    while opening < len(masked) and masked[opening] in " !?":
        opening += 1
    if masked[opening : opening + 1] != "(":
        return None
    closing = _closing(masked, opening)
    return None if closing is None else (opening + 1, closing)


def brackets_around(masked: str, start: int, end: int) -> tuple[int, int] | None:
    """The inside of the innermost brackets around the word."""
    depth = 0
    for index in range(start - 1, -1, -1):
        if masked[index] in _CLOSING:
            depth += 1
        elif masked[index] in _OPENING:
            if depth == 0:
                closing = _closing(masked, index)
                return None if closing is None or closing < end else (index + 1, closing)
            depth -= 1
    return None


def _closing(masked: str, opening: int) -> int | None:
    """Where the brackets close that open there."""
    depth = 0
    for index in range(opening, len(masked)):
        if masked[index] in _OPENING:
            depth += 1
        elif masked[index] in _CLOSING:
            depth -= 1
            if depth == 0:
                return index
    return None
