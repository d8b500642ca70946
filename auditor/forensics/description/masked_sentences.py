"""Sentences whose names and files are masked, so that forms of words need not know how those are written."""

from __future__ import annotations

from typing import Generic, TypeVar

from auditor.lazy_regex import lazy_compile

OPEN, CLOSE = "\ue000", "\ue001"
"""Around the number of what is masked: letters for private use, of which `unmarked` frees a text that holds some itself."""
MASK = rf"{OPEN}\d{{1,4}}{CLOSE}"
"""What stands for anything that is masked."""
_NUMBER = lazy_compile(rf"{OPEN}(\d+){CLOSE}")
_FREE = {ord(OPEN): " ", ord(CLOSE): " "}
_T = TypeVar("_T")


def unmarked(text: str) -> str:
    """The text with blanks for what could pass for a mask."""
    return text.translate(_FREE)


def numbers(text: str) -> list[int]:
    """The numbers of what is masked in a piece of text."""
    return [int(number) for number in _NUMBER.findall(text)]


class Masked(Generic[_T]):
    """What was masked of a sentence, by its number. Behind the first so many, everything stays as it is written."""

    def __init__(self, most: int) -> None:
        self.parts: list[_T] = []
        self._most = most

    def of(self, text: str) -> list[_T]:
        """What is masked in a piece of the text."""
        return [self.parts[number] for number in numbers(text)]

    def _mask(self, part: _T, written: str) -> str:
        """What stands in the text for a part of it."""
        if len(self.parts) >= self._most:
            return written
        self.parts.append(part)
        return f"{OPEN}{len(self.parts) - 1}{CLOSE}"
