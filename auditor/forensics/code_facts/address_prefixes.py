"""Which host the begin of an address fixes, and whether what is put behind it may still change it."""

from __future__ import annotations

import re

_OPEN = re.compile(
    r"(?:redirect:|location:\s{0,9}|refresh:\s{0,9}\d{1,4};\s{0,9}url=)?(?:https?:|(?:[a-z][a-z0-9+.-]{0,20}:)?//[^/?#\\]*)?",
    re.IGNORECASE,
)
"""A scheme and a host that no slash, question mark or hash ends: `https://a.example` may become `https://a.example@b.example`."""
_MARK = re.compile(r"\{[^{}]{0,60}\}|%(?:\(\w{0,60}\))?[-+ #0]{0,5}\d{0,4}(?:\.\d{1,4})?[a-zA-Z]")
_MAX_FORM, _MAX_MARKS = 2_000, 20
_HOST = re.compile(r"//[^/?#\\]")


def is_open_address(text: str) -> bool:
    """Is the host of an address that begins so still open?"""
    return _OPEN.fullmatch(text) is not None


def fixes_host(text: str) -> bool:
    """Does every address that begins so lead to one host: does it name it to the end, or begin with a path?"""
    return "/" in text.partition("://")[2] or (text[:1] == "/" and text[:2] != "//")


def open_marks(form: str) -> tuple[str, int]:
    """The begin of an address with marks (`{}`, `%s`) up to the first of them, and how many marks may still choose the host."""
    parts = _MARK.split(form[:_MAX_FORM].replace("%%", ""), maxsplit=_MAX_MARKS)
    begun = [is_open_address("".join(parts[: number + 1])) for number in range(len(parts) - 1)]
    return parts[0], begun.index(False) if False in begun else len(begun)


def is_ended_by(text: str, written: str, rooted_members: frozenset[str]) -> bool:
    """Is the host of an address that begins so fixed by untrusted input, which is a path that begins with a slash?"""
    owner, _, member = written.partition("(")[0].rpartition(".")
    return bool(owner) and member in rooted_members and _HOST.search(text) is not None
