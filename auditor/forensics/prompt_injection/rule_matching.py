"""The terms in plain words, and the rules that hold of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import ahocorasick_rs

from auditor.forensics.prompt_injection import vocabulary
from auditor.forensics.prompt_injection.vocabulary import Kind, Language, Mark, Rule, Term

_MAX_TAGS = 16
"""Words of a class that are looked at in a window: more are only in what is made to take long."""
_LONGEST_TERM = 60
_LETTERS_A_WORD = 6
_WIDE_LETTERS_A_WORD = 2
_SENTENCE_WORDS = 3
"""Words that the end of a sentence keeps two words further apart."""
_FORBIDDING_WORDS = 3
"""Words between those of a rule and one that forbids it."""
_ACTORS = ("ai", "judge", "bot", "tool")
_NAMING = ("change", "finding", "ai", "bot", "judge")
_BRANDS = ("brand",)
"""Classes of names, whose parts mean nothing by themselves; no brand is a name of somebody."""
_CLAUSE_ENDS = re.compile(r"[;,:=] ")
_VALUE_MARKS = frozenset({" :", " ="})
_UNSPACED = frozenset({"Chinese", "Japanese", "Korean"})
_SHARED = "all"
_SHARE = 0.7
"""Words that a language must know of those that the best one does."""


class Tag(NamedTuple):
    """A term where it is in plain words."""

    start: int
    end: int


class Hit(NamedTuple):
    """A rule or mark that holds, and where."""

    rule: Rule | Mark
    gives: Kind
    start: int
    end: int


@dataclass(slots=True)
class TaggedWords:
    """Plain words with the terms of a language in them, by class."""

    text: str
    page: Language
    tags: dict[str, list[Tag]] = field(default_factory=dict)
    known: set[int] = field(default_factory=set)
    """Where terms begin."""

    def add(self, term: Term, tag: Tag) -> None:
        """Note a term."""
        self.known.add(tag.start)
        for name in term.classes:
            tags = self.tags.setdefault(name, [])
            if len(tags) < _MAX_TAGS:
                tags.append(tag)

    def of(self, classes: Sequence[str]) -> list[Tag]:
        """The tags of any of some classes."""
        return [tag for name in classes for tag in self.tags.get(name, ())]

    def apart(self, one: Tag, other: Tag) -> float:
        """How many words are between two tags; the end of a sentence counts as some, a comma as two."""
        start, end = (one.end, other.start) if one.start <= other.start else (other.end, one.start)
        if start >= end:
            return 0.0
        between = self.text[start:end]
        letters = _LETTERS_A_WORD if between.isascii() or not vocabulary.WIDE.search(between) else _WIDE_LETTERS_A_WORD
        return len(between) / letters + _SENTENCE_WORDS * between.count(";") + 2 * between.count(",")

    def is_order(self, tag: Tag) -> bool:
        """May a verb be an order where it is: neither what somebody does or may do, nor a condition, nor the name of a value?"""
        if self._is_possibility(tag):
            return False
        if tag.start == 0 or self.text[tag.start - 2 : tag.start - 1] in {";", ",", ":", "="}:
            return True
        before = [
            each for each in self.of(sorted(vocabulary.rule_table().ordering_classes)) if each.end == tag.start - 1
        ]
        if self.page.plain_verbs:
            return any(self._is_right_before("this", tag.end) or self.text[each.end - 1] != "s" for each in before)
        actors = (each for each in self.of(_ACTORS) if each.end == tag.start - self._gap)
        return not any(self._ends_before(each, "det") for each in actors)

    def _is_possibility(self, tag: Tag) -> bool:
        """Is it what may be done, a condition, a noun, or the name of a value?"""
        is_name = self.page.plain_verbs and self.text[tag.end : tag.end + 2] in _VALUE_MARKS
        is_noun = self._ends_before(tag, "det") and tag.start > 0
        return (
            is_name
            or is_noun
            or self._ends_before(tag, "will")
            or self._is_right_before("when", tag.end - 1 + self._gap)
        )

    def is_called(self, tag: Tag) -> bool:
        """Is somebody addressed: is a name alone, behind one word or behind a `to` at the beginning of a clause, and a comma or colon behind it?"""
        if self.text[tag.end : tag.end + 2] not in {" ,", " :"}:
            return False
        before = _CLAUSE_ENDS.split(self.text[: tag.start])[-1]
        if any(each.start == tag.start - len(before) for each in self.tags.get("toward", ())):
            return True
        return len(before.split()) < 2 and not self._ends_before(tag, "det")

    @property
    def _gap(self) -> int:
        return 0 if self.page.language in _UNSPACED else 1

    def _ends_before(self, tag: Tag, name: str) -> bool:
        """Does a word of a class end just before another?"""
        return any(each.end == tag.start - self._gap for each in self.tags.get(name, ()))

    def _is_right_before(self, name: str, end: int) -> bool:
        """Does a word of a class begin just behind a place?"""
        return any(each.start == end + 1 for each in self.tags.get(name, ()))

    def drop_parts_of_names(self) -> None:
        """Leave out what is only a part of a longer name: in `merge request` nobody asks to merge."""
        names = [tag for tag in self.of(_NAMING) if " " in self.text[tag.start : tag.end] or not self.text.isascii()]
        brands = self.of(_BRANDS)
        for name, tags in self.tags.items() if names or brands else ():
            wholes = brands if name in _NAMING else [*brands, *names]
            tags[:] = [each for each in tags if not any(_is_part(each, whole) for whole in wholes)]


def _is_part(tag: Tag, whole: Tag) -> bool:
    return whole.start <= tag.start and tag.end <= whole.end and tag.end - tag.start < whole.end - whole.start


def tag_words(text: str) -> list[TaggedWords]:
    """The terms in plain words, for each language that most of them belong to."""
    search, listed = _term_search()
    pages: dict[str, TaggedWords] = {}
    for index, start, end in search.find_matches_as_indexes(f" {text} ", overlapping=True):
        for term in listed[index]:
            words = pages.get(term.page.language)
            if words is None:
                words = pages[term.page.language] = TaggedWords(text, term.page)
            words.add(term, Tag(start if term.begins else start - 1, end - 2 if term.ends else end - 1))
    shared = pages.pop(_SHARED, None)
    most = max((len(each.known) for each in pages.values()), default=0)
    kept = [each for each in pages.values() if len(each.known) >= _SHARE * most]
    for words in kept:
        for name, tags in shared.tags.items() if shared else ():
            words.tags.setdefault(name, []).extend(tags)
        words.drop_parts_of_names()
    return kept or ([shared] if shared else [])


@cache
def _term_search() -> tuple[ahocorasick_rs.AhoCorasick, tuple[tuple[Term, ...], ...]]:
    """A search for all terms in plain words with a blank before and behind them."""
    listed: dict[str, list[Term]] = {}
    for text, term in vocabulary.terms():
        listed.setdefault(f"{' ' if term.begins else ''}{text}{' ' if term.ends else ''}", []).append(term)
    return ahocorasick_rs.AhoCorasick(list(listed)), tuple(map(tuple, listed.values()))


def rules_that_hold(words: TaggedWords) -> Iterator[Hit]:
    """Where each rule holds for the first time."""
    bits = _class_bits()
    present = sum(bits[name] for name in words.tags)
    for rule, needs in _rules():
        if all(present & mask for _, mask in needs):
            hit = _holds(rule, [names for names, _ in needs], words)
            if hit:
                yield hit


@cache
def _rules() -> tuple[tuple[Rule, tuple[tuple[tuple[str, ...], int], ...]], ...]:
    """The rules; for each of their words the classes that it may be of, also as bits."""
    bits = _class_bits()
    split = ((rule, [tuple(need.split("|")) for need in rule.needs]) for rule in vocabulary.rule_table().rules)
    return tuple((rule, tuple((names, sum(bits[name] for name in names)) for names in needs)) for rule, needs in split)


@cache
def _class_bits() -> Mapping[str, int]:
    """A bit for each class of terms."""
    names = sorted({name for _, term in vocabulary.terms() for name in term.classes})
    return {name: 1 << number for number, name in enumerate(names)}


def _holds(rule: Rule, needs: Sequence[Sequence[str]], words: TaggedWords) -> Hit | None:
    if rule.languages and words.page.language not in rule.languages:
        return None
    candidates = [words.of(each) for each in needs[1:]]
    for first in words.of(needs[0]):
        if (rule.imperative and not words.is_order(first)) or (rule.vocative and not words.is_called(first)):
            continue
        chosen = _chosen(rule, first, candidates, words)
        if chosen is None:
            continue
        whole = Tag(min(each.start for each in chosen), max(each.end for each in chosen))
        if not _is_forbidden(rule, whole, words):
            return Hit(rule, rule.gives, whole.start, whole.end)
    return None


def _is_forbidden(rule: Rule, whole: Tag, words: TaggedWords) -> bool:
    """Is a word that forbids the rule inside of what it matches, just before it or just after it?"""
    before = (tag for tag in words.of(rule.unless) if tag.start < whole.end)
    after = (tag for tag in words.of(rule.unless_after) if tag.end > whole.start)
    return any(words.apart(tag, whole) <= _FORBIDDING_WORDS for tag in (*before, *after))


def _chosen(rule: Rule, first: Tag, candidates: Sequence[Sequence[Tag]], words: TaggedWords) -> list[Tag] | None:
    """The nearest words that a rule needs beside its first one."""
    chosen = [first]
    reach = rule.within * _LETTERS_A_WORD
    for tags in candidates:
        lowest = chosen[-1].end if rule.strict else first.end if rule.ordered else first.start - reach - _LONGEST_TERM
        near = [
            (gap, tag)
            for tag in tags
            if lowest <= tag.start <= first.end + reach
            and all(tag.end <= each.start or tag.start >= each.end for each in chosen)
            and (gap := words.apart(first, tag)) <= rule.within
        ]
        if not near:
            return None
        chosen.append(min(near)[1])
    return chosen
