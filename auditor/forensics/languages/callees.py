"""What calls name: of the many calls in a file, those that a rule may speak of."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from auditor.forensics.languages.rules import Language

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_NAME = 400
"""Bytes of what is called that are read as a name; of longer chains only the last part counts."""
_END = 80
_GENERIC = re.compile(r"::<.*>$", re.DOTALL)
"""Types that a call is told."""


def named_calls(
    source: bytes, language: Language, heads: Collection[str], nodes: Sequence[Node]
) -> Iterator[tuple[Node, str]]:
    """Calls that a rule may speak of, with what is called. `heads` are names that stand for something imported."""
    found = _by_first_bytes if language.plain is not None and language.further is not None else _by_last_part
    for node in found(source, language, heads, nodes):
        named = _callee(source, language, node)
        if named is not None and _is_wanted(named, language, heads):
            yield node, named


def _by_first_bytes(source: bytes, language: Language, heads: Collection[str], nodes: Sequence[Node]) -> Iterator[Node]:
    """Most calls are told by the bytes before their bracket, and most of these are alike.

    Of calls that begin at the same place, the inner one comes first: it is what the name at that place stands for, and
    the next goes on where it ends.
    """
    words = language.last_words | {name.encode() for name in heads} if heads else language.last_words
    begun: dict[bytes, bool] = {}
    further: dict[bytes, bool] = {}
    inner: Node | None = None
    begin = -1
    for node in nodes:
        start = node.start_byte
        if start == begin and inner is not None:
            first, form, known = inner.end_byte, language.further, further
        else:
            first, form, known = start, language.plain, begun
        inner, begin = node, start
        told = source[first : source.find(b"(", first, first + _MAX_NAME) + 1]
        wanted = known.get(told)
        if wanted is None:
            fit = None if form is None else form.fullmatch(told)
            wanted = known[told] = fit is None or fit[1].rpartition(b".")[2] in words
        if wanted:
            yield node


def _by_last_part(source: bytes, language: Language, heads: Collection[str], nodes: Sequence[Node]) -> Iterator[Node]:
    """Calls whose last part a rule names, which is looked at alone."""
    words, fields = language.last_words, language.callee[::-1]
    for node in nodes:
        part = next((held for name in fields if (held := node.child_by_field_name(name)) is not None), None)
        if part is None:
            continue
        start, end = part.byte_range
        told = source[max(start, end - _END) : end]
        if told.endswith(b">"):
            told = told.partition(b"::<")[0]
        if heads or told.rpartition(b".")[2].rpartition(b"::")[2] in words:
            yield node


def last_part(source: bytes, language: Language, node: Node) -> str:
    """The last part of what is called."""
    fields = language.callee[::-1]
    part = next((held for name in fields if (held := node.child_by_field_name(name)) is not None), None)
    if part is None:
        return ""
    start, end = part.byte_range
    told = source[max(start, end - _END) : end].rpartition(b".")[2].rpartition(b"::")[2]
    return told.decode("utf-8", errors="replace")


def _callee(source: bytes, language: Language, node: Node) -> str | None:
    """What is called, its parts joined by dots."""
    parts = []
    for name in language.callee:
        part = node.child_by_field_name(name)
        if part is not None:
            start, end = part.byte_range
            if end - start > _MAX_NAME:
                found = re.search(r"[.:](\w+)$", _text(source, max(start, end - _END), end))
                return f"?.{found[1]}" if found else None
            parts.append(_text(source, start, end))
    named = ".".join(parts).replace("?.", ".")
    return (_GENERIC.sub("", named) if "::<" in named else named) or None


def _text(source: bytes, start: int, end: int) -> str:
    return source[start:end].decode("utf-8", errors="replace")


def _is_wanted(named: str, language: Language, heads: Collection[str]) -> bool:
    last = named.rpartition(".")[2].rpartition("::")[2]
    return last in language.by_name or named.partition(".")[0] in heads
