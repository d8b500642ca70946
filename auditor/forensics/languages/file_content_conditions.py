"""What a file holds or lacks as a whole: forms that excuse a rule, each looked for by its words and one way after the other.

A form that can be met in thirty ways is tried in all of them at every character. Each way alone is found by a word that
it begins with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from auditor.forensics.languages.keyword_gated_patterns import PatternSearch

_KEPT_FLAGS = re.DOTALL | re.MULTILINE | re.IGNORECASE
_GLOBAL_FLAGS = re.compile(r"\(\?[a-zA-Z]+\)")
"""Flags for all of a form."""
_ABSENCE_PREFIX = r"\A(?!.*"
"""How a form begins that holds where something is nowhere."""
_LOOKAROUND = re.compile(r"\(\?(?:[=!]|<[=!])")


@dataclass(frozen=True, eq=False)
class PatternAlternative:
    """One way in which a form can be met, of a source read as one letter for each byte."""

    search: PatternSearch
    lacks: bool
    """Is it met where that is nowhere?"""
    alone: bool
    """Does it not matter what precedes and follows it?"""


@cache
def alternatives(form: re.Pattern[bytes]) -> tuple[PatternAlternative, ...]:
    """The ways of a form; one of them is met where it is, and the other way round."""
    return tuple(_split_alternatives(form))


@cache
def requires_absence(form: re.Pattern[bytes]) -> bool:
    """Does a pattern match where something is absent?"""
    return any(each.lacks for each in alternatives(form))


def _split_alternatives(form: re.Pattern[bytes]) -> Iterator[PatternAlternative]:
    pattern = form.pattern.decode("latin-1")
    outset = _GLOBAL_FLAGS.match(pattern)
    pattern = pattern[outset.end() :] if outset is not None else pattern
    flags = (form.flags & _KEPT_FLAGS) | re.ASCII
    plain = not form.groups and not form.flags & re.VERBOSE
    for each in _split_at_bars(pattern) if plain else [pattern]:
        inner = each[len(_ABSENCE_PREFIX) : -1]
        lacks = bool(flags & re.DOTALL) and each == f"{_ABSENCE_PREFIX}{inner})" and _is_single_alternative(inner)
        said = inner if lacks else each
        yield PatternAlternative(PatternSearch(re.compile(said, flags)), lacks, _LOOKAROUND.search(said) is None)


def _is_single_alternative(pattern: str) -> bool:
    """Is that a form by itself, with all brackets in it closed again, and in no more than one way?"""
    try:
        re.compile(pattern)
    except re.error:
        return False
    return len(_split_at_bars(pattern)) == 1


def _split_at_bars(pattern: str) -> list[str]:
    """A form taken apart at its outermost bars."""
    found, start, depth = [], 0, 0
    for each in _PATTERN_TOKENS.finditer(pattern):
        sign = each[0]
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and depth == 0:
            found.append(pattern[start : each.start()])
            start = each.end()
    return [*found, pattern[start:]]


_PATTERN_TOKENS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", re.DOTALL)
"""What is escaped, a set of letters, and the signs that take a form apart."""
