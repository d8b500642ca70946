"""Tokens of a source, and what is around each of them."""

from __future__ import annotations

import re
from collections.abc import Callable

from auditor.constant_folding.literal_tokens import NAME, NUMBER, SIGN, STRING, Token, tokens

MAX_SOURCE_LENGTH = 1_000_000
"""Characters of a source; of a longer one only the first are looked through."""
_WORDS_BEFORE_GROUPS = frozenset(
    {"return", "in", "is", "and", "or", "not", "if", "else", "yield", "await", "typeof", "case", "print"}
)
_GOES_ON = frozenset({"+", ".", "..", "?.", "[", "%"})
_HOLDS_MORE = re.compile(r"[\\{$]")
BITWISE: dict[str, Callable[[int, int], int]] = {
    "^": lambda left, right: left ^ right,
    "-": lambda left, right: left - right,
    "+": lambda left, right: left + right,
}
"""What is done with each code of a text before it is a character."""


class TokenStream:
    """The tokens of a source by their numbers."""

    def __init__(self, source: str, language: str) -> None:
        self.source = source[:MAX_SOURCE_LENGTH]
        self.tokens = tokens(self.source, language)

    def sign(self, at: int) -> str:
        """The sign at a place; empty for another token."""
        token = self.tokens[at] if 0 <= at < len(self.tokens) else None
        return token.text if token is not None and token.kind == SIGN else ""

    def name(self, at: int) -> str:
        """The name at a place; empty for another token."""
        token = self.tokens[at] if at < len(self.tokens) else None
        return token.text if token is not None and token.kind == NAME else ""

    def is_start(self, at: int) -> bool:
        """Is a name no part of a longer one?"""
        return at == 0 or self.sign(at - 1) != "."

    def annotated(self, at: int) -> Token | None:
        """The name that is assigned where this is its type: `token: str = ...`."""
        typed = at > 1 and self.sign(at - 1) == ":" and self.tokens[at - 2].kind == NAME
        return self.tokens[at - 2] if typed else None

    def is_on_next_line(self, at: int) -> bool:
        """Does a token begin a line?"""
        return "\n" in self.source[self.tokens[at - 1].end : self.tokens[at].start]

    def _starts_line(self, at: int) -> bool:
        """Is it a bracket that begins a line?"""
        return self.is_on_next_line(at) and self.sign(at) == "["

    def continues(self, at: int) -> bool:
        """Is something added to what ends here, or is it a part of something else?"""
        return self.sign(at) in {"+", ".", "..", "[", "%", "?", "*"} and not self._starts_line(at)

    def is_plain(self, at: int, token: Token) -> bool:
        """Is a string all that there is, and written as it is?"""
        behind = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        alone = behind is None or not (behind.kind == STRING or behind.text in _GOES_ON)
        return alone and not _HOLDS_MORE.search(token.text)

    def is_call(self, at: int) -> bool:
        """Does a bracket hold the arguments of a call?"""
        before = self.tokens[at - 1] if at else None
        named = before is not None and before.kind == NAME and before.text not in _WORDS_BEFORE_GROUPS
        return named or self.sign(at - 1) in {")", "]"}

    def shift(self, at: int) -> tuple[tuple[str, int], int]:
        """The number that is added to each code, or that its bits are turned by."""
        sign = self.sign(at)
        token = self.tokens[at + 1] if sign in BITWISE and at + 1 < len(self.tokens) else None
        if token is None or token.kind != NUMBER:
            return ("+", 0), at
        return (sign, number_of(token)), at + 2


def number_of(token: Token) -> int:
    """The number that a token writes."""
    return int(token.text, 16 if token.text[:2] in {"0x", "0X"} else 10)
