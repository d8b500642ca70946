"""Messages of commits that would fit any commit."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import NameSet, Row, Source, read_table

_MEANINGLESS_SUBJECT = lazy_compile(
    r"^(?:test|tests|temp|typos?|clean|asdf+\w*|qwert\w*|blah+|x{2,}|a{2,}|\W+)\W*$", re.IGNORECASE
)
_DATA = Path(__file__).with_name("stock_words.yaml")


class _Words(Row):
    language: str
    words: NameSet
    source: Source


class _Table(Frozen):
    words: tuple[_Words, ...]


@cache
def _stock_words() -> frozenset[str]:
    """Words that say neither what was changed, nor why, in all languages."""
    return frozenset(word for row in read_table(_DATA, _Table).words for word in row.words)


_SPECIFIC_MARK = lazy_compile(r"[#/`:@_<>|=&$(){}\[\]\"']|->|\d{3}|\w?[.]\w")
"""Marks of an issue, a path, a name or a version."""
_TYPE_PREFIX = lazy_compile(r"(?:chore|fix|feat|refactor|style|misc|wip)!?:\s+(?=\S)", re.IGNORECASE)
_SMALL_NUMBER = lazy_compile(r"\d{1,2}")
_MAX_STOCK_WORDS = 6


def is_uninformative(subject: str) -> bool:
    """Is a subject too short or made of stock words? A character of a wide script counts twice."""
    text = subject.strip()
    length = sum(2 if unicodedata.east_asian_width(each) in {"W", "F"} else 1 for each in text[:4])
    return (
        length < 4
        or bool(_MEANINGLESS_SUBJECT.match(text))
        or _has_only_stock_words(_TYPE_PREFIX.sub("", text[:200], count=1))
    )


def _has_only_stock_words(text: str) -> bool:
    """Is it made of nothing but words that fit any commit? An issue, a name or a version is specific."""
    if _SPECIFIC_MARK.search(text):
        return False
    if any(len(each) >= 4 and each.isupper() for each in re.findall(r"[A-Za-z]+", text)) and not text.isupper():
        return False  # a file such as CHANGES or TODO
    words = [each for each in re.split(r"[^\w]+", text.lower()) if each and not _SMALL_NUMBER.fullmatch(each)]
    return 0 < len(words) <= _MAX_STOCK_WORDS and all(re.sub(r"\d{1,2}$", "", each) in _stock_words() for each in words)
