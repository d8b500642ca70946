"""Fields of format strings: those of `%` and its like, and braces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from typing import TypeVar

Value = TypeVar("Value")
_FIELD = re.compile(r"%(?:\(\w{1,80}\)|\d{1,4}\$)?[-+ #0]{0,5}\d{0,5}(?:\.\d{0,5})?([a-zA-Z%])")
_BRACES = re.compile(r"(?<!\{)\{(\w{0,60})(?:[!:][^{}]{0,60})?\}")
NUMBER_VERBS = frozenset("bcdeEfFgGiotuUxX")
"""Letters of fields that hold a number, one character, or true or false."""


def brace_fields(form: str) -> tuple[list[str], list[str]]:
    """The texts around the fields `{}` of a text, and what fills each field: a name, or the number of an argument."""
    parts, unnamed = _BRACES.split(form), map(str, count())
    return parts[::2], [each or next(unnamed) for each in parts[1::2]]


def text_fields(form: str) -> tuple[list[str], list[str]]:
    """The same of fields `%s`."""
    around = form.split("%s")
    return around, [str(number) for number in range(len(around) - 1)]


def field_verbs(form: str) -> list[str]:
    """The letters of the fields of a text, in order."""
    return [each for each in _FIELD.findall(form) if each != "%"]


def filled_as_text(form: str, given: Sequence[Value]) -> list[Value]:
    """The values that a format string inserts as text: its number fields insert numbers."""
    verbs = field_verbs(form)
    return [each for number, each in enumerate(given) if number >= len(verbs) or verbs[number] not in NUMBER_VERBS]
