"""Fields of a text that values are put into, as `%` and its like name them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

Value = TypeVar("Value")
_FIELD = re.compile(r"%(?:\(\w{1,80}\)|\d{1,4}\$)?[-+ #0]{0,5}\d{0,5}(?:\.\d{0,5})?([a-zA-Z%])")
NUMBER_VERBS = frozenset("bcdeEfFgGiotuUxX")
"""Letters of fields that hold a number, one character, or true or false."""


def field_verbs(form: str) -> list[str]:
    """The letters of the fields of a text, in order."""
    return [each for each in _FIELD.findall(form) if each != "%"]


def filled_as_text(form: str, given: Sequence[Value]) -> list[Value]:
    """Of what is put into the fields of a text, what is put there as text: fields of numbers hold numbers."""
    verbs = field_verbs(form)
    return [each for number, each in enumerate(given) if number >= len(verbs) or verbs[number] not in NUMBER_VERBS]
