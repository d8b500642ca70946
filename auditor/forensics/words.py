"""Which words stand in a text: all that any rule looks for, found in one pass.

Most rules have something to say about few files, and a word tells which: no `PASSWORD_HASHERS`, no setting of Django to
look at. A search of its own for each word reads every file anew; here any number of words costs as much as three searches
did (`ahocorasick_rs`, a multi-pattern search), so a rule that starts with such a question is nearly free where it has
nothing to do.
"""

from __future__ import annotations

from functools import lru_cache

import ahocorasick_rs

_watched: dict[str, None] = {}


def watched(*words: str) -> frozenset[str]:
    """Words to be looked for in every text from now on, wherever they stand, as parts of longer words too; the same as a set to ask with."""
    _watched.update(dict.fromkeys(words))
    return frozenset(words)


def known() -> int:
    """How many words are looked for."""
    return len(_watched)


def standing(text: str) -> frozenset[str]:
    """Those of all watched words that stand in a text."""
    first, longer, beginnings = _searches(len(_watched))
    try:
        found = frozenset(first.find_matches_as_strings(text, overlapping=True))
    except UnicodeEncodeError:  # half of a pair of UTF-16, which an escape in a notebook can write
        return standing(text.encode("utf-8", "replace").decode())
    if found.isdisjoint(beginnings):
        return found
    return found.union(longer.find_matches_as_strings(text, overlapping=True))


@lru_cache(maxsize=1)
def _searches(_of: int) -> tuple[ahocorasick_rs.AhoCorasick, ahocorasick_rs.AhoCorasick, frozenset[str]]:
    """A search for the words that hold no other, one for those that do, and the words that stand in these.

    Up to a hundred words the search skips most of a text, which makes it three times as fast as with more of them; those
    that hold another are looked for only where that one was found.
    """
    search = ahocorasick_rs.AhoCorasick(list(_watched), store_patterns=True)
    held = {word: {*search.find_matches_as_strings(word, overlapping=True)} - {word} for word in _watched}
    first = [word for word, parts in held.items() if not parts]
    longer = [word for word, parts in held.items() if parts]
    return (
        ahocorasick_rs.AhoCorasick(first, store_patterns=True),
        ahocorasick_rs.AhoCorasick(longer, store_patterns=True),
        frozenset().union(*held.values()),
    )
