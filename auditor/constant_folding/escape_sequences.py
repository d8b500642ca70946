"""Escapes in texts and names of programs, and the characters that they stand for.

What stands for no character stays as it is written: half of a pair of UTF-16, and a number beyond Unicode.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

_PAIR = r"u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
_LONG = r"u+[0-9a-fA-F]{4}|u+\{[0-9a-fA-F]{1,6}\}|U[0-9a-fA-F]{8}"
_SHORT = r"x[0-9a-fA-F]{2}"
_OCTAL = r"|(?P<octal>[0-3]?[0-7]{1,2})"
_OTHERS = r"|(?P<line>\r?\n)|(?P<sign>.)"
_CONTROLS = {"a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "s": " ", "t": "\t", "v": "\v"}
_MAX_CODE_POINT = 0x10FFFF


@dataclass(frozen=True, eq=False)
class EscapeSyntax:
    """The escapes that a kind of text has: an expression for all of them, and letters for signs that no key has."""

    pattern: re.Pattern[str]
    letters: Mapping[str, str]


class Decoded(NamedTuple):
    """A text without its escapes."""

    text: str
    by_number: str
    """The characters that were written by their numbers."""


NAME_ESCAPES = EscapeSyntax(re.compile(rf"\\(?:{_PAIR}|(?P<hex>{_LONG}))"), {})
"""Those of names, which have four digits or more; other backslashes stay."""
NUMBER_ESCAPES = EscapeSyntax(re.compile(rf"\\(?:{_PAIR}|(?P<hex>{_LONG}|{_SHORT}))"), {})
"""Characters by their numbers in a text of which only a part is a string; other backslashes stay."""


@cache
def string_escapes(letters: str = "abefnrtv") -> EscapeSyntax:
    """Those of strings in a language where these letters stand for control characters, and every other sign for itself."""
    pattern = re.compile(rf"\\(?:{_PAIR}|(?P<hex>{_LONG}|{_SHORT}){_OCTAL}{_OTHERS})", re.DOTALL)
    return EscapeSyntax(pattern, {each: _CONTROLS[each] for each in letters})


def decode_escapes(text: str, syntax: EscapeSyntax) -> str:
    """The text without its escapes."""
    return decode_with_numbers(text, syntax).text if "\\" in text else text


def decode_with_numbers(text: str, syntax: EscapeSyntax) -> Decoded:
    """The text without its escapes, and what was written by its number."""
    by_number: list[str] = []

    def character(found: re.Match[str]) -> str:
        if found.lastgroup == "sign":
            return syntax.letters.get(found["sign"], found["sign"])
        if found.lastgroup == "line":
            return ""
        code = _code_point(found)
        if code > _MAX_CODE_POINT or 0xD800 <= code <= 0xDFFF:
            return found[0]
        by_number.append(chr(code))
        return by_number[-1]

    return Decoded(syntax.pattern.sub(character, text), "".join(by_number))


def _code_point(found: re.Match[str]) -> int:
    if found.lastgroup == "low":
        return 0x10000 + ((int(found["high"], 16) - 0xD800) << 10) + int(found["low"], 16) - 0xDC00
    return int(found["octal"], 8) if found.lastgroup == "octal" else int(found["hex"].strip("uUx{}"), 16)
