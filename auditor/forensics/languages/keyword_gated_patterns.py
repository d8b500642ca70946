"""Forms that are found by words they cannot do without: looking for a word costs a fraction of trying a form at every character.

The words are derived from the pattern itself, so its author need not list them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, TypeVar

import ahocorasick_rs

_MAX_KEYS = 20_000
_MAX_KEY_LENGTH = 80
_MIN_PIECE_LENGTH = 4
"""Letters of a piece; shorter ones are in every file."""
_MAX_WORDS = 40
"""Words of a form beyond which trying it everywhere is no slower."""
_MIN_PREFIX_LENGTH = 2
"""Characters of a beginning that is not made longer where that would give more than a few words for it."""
_MAX_BRANCHES = 4
_MAX_REQUIRED_SETS = 3
_SELECTIVE_LENGTH = 5
"""Characters from which on a word is not found by accident; of such words the fewest are looked for."""

_IGNORE_CASE_FLAG = re.compile(r"\(\?[a-zA-Z]*i")

Words = tuple[str, ...]
known_needs: dict[tuple[str, int], tuple[Words, ...]] = {}
"""The needs of patterns that were worked out before, by their source and flags."""
_MAX_KNOWN_NEEDS = 20_000
Key = TypeVar("Key", str, bytes)
Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class PatternSearch:
    """A pattern, and the words by which its matches are found."""

    form: re.Pattern[str]

    @cached_property
    def prefixes(self) -> Words:
        """Words of which every match begins with one; none where that is open."""
        return self._normalize_words(_required_prefixes(self._parts))

    @cached_property
    def needs(self) -> tuple[Words, ...]:
        """Whatever fits holds one word at least of each of these."""
        key = (self.form.pattern, int(self.form.flags))
        found = known_needs.get(key)
        if found is None:
            found = tuple(dict.fromkeys(map(self._normalize_words, _required_word_sets(self._parts))))
            found = found[:_MAX_REQUIRED_SETS]
            if len(known_needs) < _MAX_KNOWN_NEEDS:
                known_needs[key] = found
        return found

    @cached_property
    def lowered(self) -> bool:
        """Are capitals taken for small letters in any part? Its words are then looked for in small letters."""
        return bool(self.form.flags & re.IGNORECASE) or _IGNORE_CASE_FLAG.search(self.form.pattern) is not None

    def occurs(self, text: str) -> bool:
        """Does the form fit anywhere in the text?"""
        return self.found(text) is not None

    def found(self, text: str) -> re.Match[str] | None:
        """A place where the form fits, not always the first one."""
        told = self._told(text) if self.lowered else text
        if self._prefilter_words and not self._may_occur(told):
            return None
        if not self.prefixes or told is None:
            return self.form.search(text)
        fits, find = self.form.match, told.find
        for piece, sought in self._prefix_groups:
            if len(sought) > 1 and piece not in told:
                continue
            for begun, words in sought:
                place = find(begun)
                while place >= 0:
                    if (words is None or told.startswith(words, place)) and (fit := fits(text, place)):
                        return fit
                    place = find(begun, place + 1)
        return None

    def fits(self, text: str) -> Iterator[re.Match[str]]:
        """Where the form fits, one after the other."""
        told = self._told(text)
        if not self._may_occur(told):
            return
        if not self.prefixes or told is None:
            yield from self.form.finditer(text)
            return
        end, match = 0, self.form.match
        for place in self._places(told):
            if place >= end and (fit := match(text, place)):
                yield fit
                end = fit.end()

    def lines(self, text: str, places: Sequence[int] | None = None) -> int:
        """How many times it fits, counted once from there to the end of the line; `places` where they were asked for before."""
        places = self.places(text) if places is None else places
        if places is None:
            return _count_matched_lines(text, self.form.finditer(text)) if self._may_occur(self._told(text)) else 0
        count, fitted, end, match = 0, 0, -1, self.form.match
        for place in places:
            if place >= fitted and (fit := match(text, place)):
                fitted = fit.end()
                if place > end:
                    count += 1
                    end = text.find("\n", fitted)
                    if end < 0:
                        break
        return count

    def places(self, text: str) -> list[int] | None:
        """Where it may fit, in order; None where that may be anywhere."""
        told = self._told(text)
        return self._places(told) if self.prefixes and told is not None else None

    def _may_occur(self, told: str | None) -> bool:
        if told is not None:
            for words in self._prefilter_words:
                for word in words:
                    if word in told:
                        break
                else:
                    return False
        return True

    @cached_property
    def _prefilter_words(self) -> tuple[Words, ...]:
        """Words to search for first: where few words can begin a match, others do not help."""
        return tuple(words for words in self.needs if not self.prefixes or 2 * len(words) <= len(self.prefixes))

    def _places(self, told: str) -> list[int]:
        """Where any of the words is that it begins with, in order."""
        return sorted([start for _, start, _ in self._search.find_matches_as_indexes(told, overlapping=True)])

    @cached_property
    def _search(self) -> ahocorasick_rs.AhoCorasick:
        table = ahocorasick_rs.Implementation.DFA
        return ahocorasick_rs.AhoCorasick(list(self.prefixes), implementation=table)

    @cached_property
    def _prefix_groups(self) -> tuple[tuple[str, tuple[tuple[str, Words | None], ...]], ...]:
        """What it begins with, by the piece that several share, those that are said first before the others.

        Where all of them begin with their piece, that is looked for instead, and tells where one of them may stand.
        """
        pieces = [
            piece for piece, _ in shared_substrings([word for word in self.prefixes if len(word) >= _MIN_PIECE_LENGTH])
        ]
        held: dict[str, list[str]] = {}
        for word in self.prefixes:
            held.setdefault(next((piece for piece in pieces if piece in word), word), []).append(word)
        return tuple((piece, tuple(_search_terms(piece, words))) for piece, words in held.items())

    def _told(self, text: str) -> str | None:
        """The text as the words are looked for in; None where its letters have no small ones, place by place."""
        if not self.lowered:
            return text
        return text.lower() if text.isascii() or self.form.flags & re.ASCII else None

    @cached_property
    def _parts(self) -> Sequence[tuple[Any, Any]]:
        return tuple(parser.parse(self.form.pattern, self.form.flags & ~re.UNICODE))

    def _normalize_words(self, words: Iterable[str]) -> Words:
        """Words as they are looked for, without those that begin with another one."""
        told = {word.lower() if self.lowered else word for word in words}
        least = [word for word in told if not any(word != each and word.startswith(each) for each in told)]
        said = self.form.pattern
        return tuple(sorted(least, key=lambda word: (word not in said, said.find(word), word)))


class BoundedCache(dict[Key, Value]):
    """A cache of computed values with a limit: keys come from audited files, so those beyond it are computed again."""

    def __init__(self, compute: Callable[[Key], Value]) -> None:
        super().__init__()
        self._compute: Callable[[Key], Value] = compute

    def __missing__(self, key: Key) -> Value:
        value: Value = self._compute(key)
        if len(self) < _MAX_KEYS and len(key) <= _MAX_KEY_LENGTH:
            self[key] = value
        return value


def _search_terms(piece: str, words: Sequence[str]) -> Iterator[tuple[str, Words | None]]:
    """Search terms, and the words that must follow there: one piece for words that all begin with it."""
    if len(words) > 1 and all(each.startswith(piece) for each in words):
        yield piece, tuple(words)
    else:
        yield from ((word, None) for word in words)


def find_word_offsets(source: bytes, words: Iterable[bytes]) -> list[int]:
    """The offsets of all words, in order, followed by the length of the source."""
    found = [len(source)]
    for word in words:
        place = source.find(word)
        while place >= 0:
            found.append(place)
            place = source.find(word, place + 1)
    return sorted(found)


def shared_substrings(words: Collection[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Substrings to search for in place of words, and the words that hold each.

    What holds none of the pieces holds none of the words. Looking for a long word is cheaper than for a short one, but
    one look for a piece is cheaper than many for the words that share it.
    """
    left = {word for word in words if not any(each != word and each in word for each in words)}
    while left:
        pieces = {
            word[a:b] for word in left for a in range(len(word)) for b in range(a + _MIN_PIECE_LENGTH, len(word) + 1)
        }
        spared = {
            piece: sum(map(search_cost, held)) - search_cost(piece)
            for piece in pieces
            if (held := [word for word in left if piece in word])
        }
        piece = max(sorted(spared), key=lambda each: (spared[each], len(each)))
        those = tuple(sorted(word for word in left if piece in word))
        yield piece, those
        left.difference_update(those)


def search_cost(word: str) -> float:
    """The measured cost of one search for a word: a fixed part, and one that shrinks with its length."""
    return 2 + 20 / len(word)


def _count_matched_lines(text: str, fits: Iterable[re.Match[str]]) -> int:
    """The same of fits that are known."""
    count, end = 0, -1
    for fit in fits:
        if fit.start() > end:
            count += 1
            end = text.find("\n", fit.end())
            if end < 0:
                break
    return count


def _split_prefixes(parts: Sequence[tuple[Any, Any]]) -> tuple[set[str], set[str]]:
    """What a form begins with: texts after which anything may follow, and texts that are all of it."""
    ended: set[str] = set()
    whole = {""}
    for code, value in parts:
        further, all_of_it = _prefixes_of_part(code, value)
        branches = len(further) + len(all_of_it)
        if branches > 1 and (
            len(whole) * branches > _MAX_WORDS
            or (branches > _MAX_BRANCHES and min(map(len, whole)) >= _MIN_PREFIX_LENGTH)
        ):
            return ended | whole, set()
        ended |= {before + after for before in whole for after in further}
        grown = {before + after for before in whole for after in all_of_it}
        known = tuple(ended)
        whole = {word for word in grown if not word.startswith(known)} if known else grown
        if not whole:
            break
    return ended, whole


def _required_prefixes(parts: Sequence[tuple[Any, Any]]) -> set[str]:
    """Words of which every match begins with one; none when that is open."""
    ended, whole = _split_prefixes(parts)
    words = ended | whole
    return words if "" not in words and len(words) <= _MAX_WORDS else set()


def _required_word_sets(parts: Sequence[tuple[Any, Any]]) -> list[set[str]]:
    """Sets of words of which every match holds one each, the longest and fewest first."""
    found = []
    for place, (code, value) in enumerate(parts):
        if place == 0 or code is not codes.LITERAL or parts[place - 1][0] is not codes.LITERAL:
            found.append(_required_prefixes(parts[place:]))
        if code is codes.SUBPATTERN:
            found += _required_word_sets(value[-1])
        elif code is codes.BRANCH:
            ways = [_required_word_sets(each)[:1] for each in value[1]]
            found.append({word for way in ways for word in way[0]} if all(ways) else set())
        elif code in _REPEATS and value[0] > 0:
            found += _required_word_sets(value[-1])
    known = [words for words in found if words and len(words) <= _MAX_WORDS]
    return sorted(known, key=lambda words: (-min(_SELECTIVE_LENGTH, *map(len, words)), len(words), sorted(words)))


_ANY_TEXT: tuple[set[str], set[str]] = ({""}, set())
_ZERO_WIDTH = {codes.AT, codes.ASSERT, codes.ASSERT_NOT}
_REPEATS = {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}


def _prefixes_of_part(code: Any, value: Any) -> tuple[set[str], set[str]]:
    """The same of one part of a form."""
    if code in _ZERO_WIDTH:
        return set(), {""}
    if code is codes.LITERAL or (code is codes.IN and all(kind is codes.LITERAL for kind, _ in value)):
        return set(), {chr(each) for each in ([value] if code is codes.LITERAL else [each for _, each in value])}
    if code is codes.SUBPATTERN:
        return _split_prefixes(value[-1])
    if code is codes.BRANCH:
        ways = [_split_prefixes(each) for each in value[1]]
        return {word for ended, _ in ways for word in ended}, {word for _, whole in ways for word in whole}
    if code in _REPEATS:
        least, most, part = value
        ended, whole = _split_prefixes(part)
        if most != 1:
            ended, whole = ended | whole, set()
        return (ended, whole | {""}) if least == 0 else (ended, whole)
    return _ANY_TEXT


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """A compiled pattern of source text in which a dot matches line ends too."""
    return re.compile(pattern, re.DOTALL)


def encode_words(words: Iterable[str]) -> tuple[bytes, ...]:
    """The words as bytes."""
    return tuple(word.encode() for word in words)
