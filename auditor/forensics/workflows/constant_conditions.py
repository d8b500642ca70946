"""Expressions of GitHub workflows that have the same value in every run for a change.

Three values: true, false, and None for what is only known at run time. Context that is known beforehand (the event's
name, values of a matrix) is passed in. Where the evaluator is in doubt, the answer is None.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from auditor.lazy_regex import late

MAX_CHARACTERS = 2_000
_WRAPPED = late(r"\s*\$\{\{((?:(?!\}\}).)*)\}\}\s*", re.DOTALL)
_TOKEN = late(r"\s*(?:(&&|\|\||==|!=|<=|>=|[!<>()\[\],.*])|'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?)|([A-Za-z_][\w-]*))")
_MOST_TOKENS = 100


class _Unknown:
    """What is only known at run time."""


_UNKNOWN: Final = _Unknown()
_Value = str | float | bool | _Unknown


def constant(written: str, known: Mapping[str, str] | None = None, *, condition: bool = False) -> bool | None:
    """Whether the value of a key is always true, always false, or neither.

    `condition` says that it is an `if:`, which is an expression without the braces too. `known` are values of context by
    lower-case name, such as `github.event_name`.
    """
    text = written.strip()
    if not text or len(text) > MAX_CHARACTERS:
        return None
    wrapped = _WRAPPED.fullmatch(text)
    if wrapped is None and (not condition or "${{" in text):
        return {"true": True, "false": False}.get(text.lower())
    tokens = _tokens(wrapped[1] if wrapped else text)
    if tokens is None:
        return None
    reader = _Reader(tokens, known or {})
    value = reader.either()
    return None if reader.failed or reader.at != len(tokens) else _truth(value)


def _tokens(text: str) -> list[tuple[int, str]] | None:
    """Pairs of the kind of a token (1 sign, 2 text, 3 number, 4 name) and what it is; None for what is no expression."""
    found: list[tuple[int, str]] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None or token.lastindex is None or len(found) >= _MOST_TOKENS:
            return None
        found.append((token.lastindex, token[token.lastindex]))
        at = token.end()
    return found


def _truth(value: _Value) -> bool | None:
    return None if isinstance(value, _Unknown) else bool(value)


@dataclass
class _Reader:
    """Reads an expression from the loosest operator down. Nesting is bounded by the number of tokens."""

    tokens: Sequence[tuple[int, str]]
    known: Mapping[str, str]
    at: int = 0
    failed: bool = False

    def either(self) -> _Value:
        value = self.both()
        while self._take("||"):
            other = self.both()
            left = _truth(value)
            if left is False:
                value = other
            elif left is None:
                value = True if _truth(other) is True else _UNKNOWN
        return value

    def both(self) -> _Value:
        value = self._compared()
        while self._take("&&"):
            other = self._compared()
            left = _truth(value)
            if left is True:
                value = other
            elif left is None:
                value = False if _truth(other) is False else _UNKNOWN
        return value

    def _compared(self) -> _Value:
        value = self._single()
        for sign in ("==", "!=", "<=", ">=", "<", ">"):
            if self._take(sign):
                other = self._single()
                return self._equal(value, other, sign) if sign in {"==", "!="} else _UNKNOWN
        return value

    @staticmethod
    def _equal(one: _Value, other: _Value, sign: str) -> _Value:
        if isinstance(one, _Unknown) or isinstance(other, _Unknown):
            return _UNKNOWN
        if type(one) is not type(other):
            return _UNKNOWN  # GitHub converts both to numbers first
        alike = one.lower() == other.lower() if isinstance(one, str) and isinstance(other, str) else one == other
        return alike if sign == "==" else not alike

    def _single(self) -> _Value:
        if self._take("!"):
            truth = _truth(self._single())
            return _UNKNOWN if truth is None else not truth
        if self._take("("):
            value = self.either()
            self.failed = self.failed or not self._take(")")
            return value
        if self.at >= len(self.tokens):
            self.failed = True
            return _UNKNOWN
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == 2:
            return text.replace("''", "'")
        if kind == 3:
            return float(text)
        return self._named(text) if kind == 4 else self._lost()

    def _lost(self) -> _Value:
        self.failed = True
        return _UNKNOWN

    def _named(self, name: str) -> _Value:
        name = name.lower()
        while self._take("."):
            if self.at < len(self.tokens) and (self.tokens[self.at][0] == 4 or self.tokens[self.at][1] == "*"):
                name += f".{self.tokens[self.at][1].lower()}"
                self.at += 1
            else:
                return self._lost()
        if self._take("("):
            return self._called(name)
        if self._take("["):
            self.either()
            self.failed = self.failed or not self._take("]")
            return _UNKNOWN
        if name in {"true", "false"}:
            return name == "true"
        return self.known.get(name, _UNKNOWN)

    def _called(self, name: str) -> _Value:
        """The status functions are known: a check that only runs after another failure turns nothing red."""
        empty = self._take(")")
        if not empty:
            self.either()
            while self._take(","):
                self.either()
            self.failed = self.failed or not self._take(")")
            return _UNKNOWN
        return {"always": True, "success": True, "failure": False, "cancelled": False}.get(name, _UNKNOWN)

    def _take(self, sign: str) -> bool:
        if self.at < len(self.tokens) and self.tokens[self.at] == (1, sign):
            self.at += 1
            return True
        return False
