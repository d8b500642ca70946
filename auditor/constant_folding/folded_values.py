"""Values of constant expressions, with the places in the source that each part of a text comes from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

MAX_FOLDED_LENGTH = 20_000
"""Characters of a folded text; longer ones are not followed."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a folded text, and the stretch of the source that it comes from."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class FoldedText:
    """A text, in parts, and what had to be undone to read it. Bytes have one character for each."""

    segments: tuple[Segment, ...]
    steps: frozenset[str] = frozenset()
    """Ways in which it is hidden: `joined`, `reversed`, `base64`, `hex` and so on."""
    named: bool = False
    """Does a part stand elsewhere, under a name?"""

    @cached_property
    def text(self) -> str:
        """The text as a whole."""
        return "".join(each.text for each in self.segments)

    @property
    def length(self) -> int:
        """Characters of the text."""
        return sum(len(each.text) for each in self.segments)

    @property
    def span(self) -> tuple[int, int]:
        """First and last place of its parts in the source."""
        return min(each.start for each in self.segments), max(each.end for each in self.segments)


FoldedValue = FoldedText | int | list["FoldedValue"]


@dataclass(frozen=True, slots=True)
class FoldedExpression:
    """An expression of the source that results in a constant text that is not written there."""

    start: int
    end: int
    first: int
    """Its first token."""
    last: int
    """The token behind it."""
    value: FoldedText
    complete: bool = True
    """Is it a whole operand? Otherwise something that is not constant is added to it."""

    @property
    def text(self) -> str:
        """The text that it results in."""
        return self.value.text

    def moved(self, by: int) -> FoldedExpression:
        """The expression of a part of a source, by its places in the whole."""
        segments = tuple(Segment(each.text, each.start + by, each.end + by) for each in self.value.segments)
        value = FoldedText(segments, self.value.steps, self.value.named)
        return FoldedExpression(self.start + by, self.end + by, self.first, self.last, value, self.complete)

    def pieces(self, start: int, end: int) -> list[tuple[int, int]]:
        """Places in the source of the parts that a stretch of the text consists of."""
        found, at = [], 0
        for each in self.value.segments:
            if each.text and at < end and at + len(each.text) > start:
                found.append((each.start, each.end))
            at += len(each.text)
        return found


def joined(parts: list[FoldedText], step: str = "joined") -> FoldedText | None:
    """One text of several; none where it is too long."""
    segments = tuple(segment for each in parts for segment in each.segments)
    if sum(len(each.text) for each in segments) > MAX_FOLDED_LENGTH:
        return None
    steps = frozenset().union(*(each.steps for each in parts))
    return FoldedText(segments, steps | ({step} if len(parts) > 1 else set()), any(each.named for each in parts))


def transformed(of: FoldedText, text: str, step: str) -> FoldedText | None:
    """A text made from another one: its parts can no longer be distinguished."""
    if len(text) > MAX_FOLDED_LENGTH:
        return None
    start, end = of.span if of.segments else (0, 0)
    return FoldedText((Segment(text, start, end),), of.steps | {step} if step else of.steps, of.named)
