"""Regular expressions that let nothing through but plain characters. They are read as text and never run."""

from __future__ import annotations

import re

_ATOM = r"(?:\\[wd]|\[(?!\^)(?:\\[wd.\-]|[A-Za-z0-9_.:@]|-)+\]|[A-Za-z0-9_]|\\[.-]|-)"
_PLAIN = re.compile(rf"(?:{_ATOM}|\(\?:|[()|]|[+*?]|\{{\d{{1,4}}(?:,\d{{0,4}})?\}}){{1,200}}")
_NEGATED = re.compile(r"(?:\[\^(?:\\[wd.\-]|[A-Za-z0-9_.]|-)+\]|\\[WD])\+?")
_MAX_LENGTH = 200
_ANCHORS: dict[bool, tuple[tuple[str, ...], tuple[str, ...]]] = {
    False: (("^", "\\A"), ("$", "\\z")),
    True: (("\\A",), ("\\z",)),
}
"""What begins and ends a text, and of Ruby."""


def holds_whole_text(pattern: str, flags: str, language: str, *, whole: bool = False) -> bool:
    """Does what fits hold plain characters alone? `whole` where the call compares all of the text.

    In Ruby `^` and `$` are the begin and the end of a line, which hold nothing.
    """
    if len(pattern) > _MAX_LENGTH:
        return False
    pattern = pattern.replace("\\\\", "\\") if language == "java" else pattern
    opened, closed = _ANCHORS[language == "ruby"]
    begins = next((each for each in opened if pattern.startswith(each)), None)
    ends = next((each for each in closed if pattern.endswith(each)), None)
    if not whole and (begins is None or ends is None or ("m" in flags and language != "ruby")):
        return False
    inner = pattern[len(begins or "") : len(pattern) - len(ends or "")]
    if "|" in inner and not (inner.startswith("(") and inner.endswith(")") and inner.count("(") == 1):
        return False
    return _PLAIN.fullmatch(inner) is not None


def removes_all_but_plain(pattern: str) -> bool:
    """Does a pattern fit every character that is not plain, so that nothing else is left when those are taken out?"""
    return len(pattern) <= _MAX_LENGTH and _NEGATED.fullmatch(pattern) is not None


def undelimited(pattern: str) -> tuple[str, str]:
    """The expression and the flags of a pattern between two signs, as PHP writes it: `/^a$/i`."""
    body, sign, flags = pattern[1:].rpartition(pattern[:1] or "/")
    return (body, flags) if sign else (pattern, "")
