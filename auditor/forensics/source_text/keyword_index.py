"""Which words are in a text: all that any rule looks for, found in one pass.

Most rules have something to say about few files, and a word tells which: no `PASSWORD_HASHERS`, no setting of Django to
look at. A search of its own for each word reads every file anew; here any number of words costs as much as three searches
did (`ahocorasick_rs`, a multi-pattern search), so a rule that starts with such a question is nearly free where it has
nothing to do.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cached_property

import ahocorasick_rs


class KeywordSearch:
    """A multi-pattern search for many words at once; words can be added at any time."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._words = dict.fromkeys(words)

    def __len__(self) -> int:
        return len(self._words)

    def add(self, words: Iterable[str]) -> None:
        """Look for these, too, in every text from now on."""
        before = len(self)
        self._words.update(dict.fromkeys(words))
        if len(self) > before:
            self.__dict__.pop("_search", None)

    def standing(self, text: str) -> frozenset[str]:
        """The words that occur in a text."""
        try:
            return frozenset(self._search.find_matches_as_strings(text, overlapping=True))
        except UnicodeEncodeError:  # half of a pair of UTF-16, which an escape in a notebook can write
            return self.standing(text.encode("utf-8", "replace").decode())

    @cached_property
    def _search(self) -> ahocorasick_rs.AhoCorasick:
        """A table of what follows each letter: beyond a hundred words it has to be asked for, and is more than twice as fast."""
        table = ahocorasick_rs.Implementation.DFA
        return ahocorasick_rs.AhoCorasick(list(self._words), store_patterns=True, implementation=table)


def normalize_identifiers(text: str) -> str:
    """The text with plain letters for those that Python takes for plain ones in a name (NFKC): wide, slanted, raised ones."""
    if text.isascii():
        return text
    letters = {each: unicodedata.normalize("NFKC", each) for each in set(text) if not each.isascii()}
    plain = {ord(each): put for each, put in letters.items() if put.isascii() and f"_{put}".isidentifier()}
    return text.translate(plain) if plain else text


_REGISTERED_KEYWORDS = KeywordSearch()


def register_keywords(*words: str) -> frozenset[str]:
    """Register words that are searched for in every text, also as parts of longer words; returns them as a set."""
    _REGISTERED_KEYWORDS.add(words)
    return frozenset(words)


def keyword_count() -> int:
    """How many words are registered."""
    return len(_REGISTERED_KEYWORDS)


def find_keywords(text: str) -> frozenset[str]:
    """The registered words that occur in a text."""
    return _REGISTERED_KEYWORDS.standing(text)
