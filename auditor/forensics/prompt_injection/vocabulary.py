"""The words of ten languages by what they mean in a message to a reviewer, and the rules that join them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.forensics.prompt_injection.plain_words import plain_words
from auditor.lazy_regex import lazy_compile
from auditor.row_tables import NameSet, Source, read_table

_HERE = Path(__file__).parent
Kind = Literal["reader", "order", "claim", "frame", "attack"]
_MIN_STEM, _MAX_STEM = 4, 7
_DISGUISED_STEM = 4
_LETTERS_FOR_DIGITS = {"a": "4", "e": "3", "i": "1", "o": "0", "s": "5", "t": "7"}
_SPACERS = (" ", ".", "-", "_", "*", " . ", ". ")
_BEFORE, _AFTER = ("\n", " ", "_", "-", '"', "'", "(", "@", "/"), (" ", "_", "-", ":", ",", ".", "s ")
WIDE = lazy_compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class Language(Frozen):
    """The words of one language.

    `anchors` are parts of words as files hold them, without one of which no file is looked into; `short` are anchors that must stand
    alone, `vague` may as well mean something else, `disguised` are those that are also looked for with blanks between the letters or digits in place of some. In `terms`, `*`
    stands for any ending. Where `plain_verbs` is true, a verb of an order may as well say what many do every day; a comma may stand
    before the word `after_comma`.
    """

    language: str
    anchors: str
    vague: str = ""
    short: str = ""
    disguised: str = ""
    plain_verbs: bool = False
    after_comma: str = ""
    terms: dict[str, str]


class Rule(Frozen):
    """Which classes of words mean something when they are together."""

    gives: Kind
    weight: int = Field(ge=1, le=5)
    needs: tuple[str, ...] = Field(min_length=1)
    within: int = Field(ge=0, le=20)
    ordered: bool = False
    strict: bool = False
    imperative: bool = False
    vocative: bool = False
    calls: bool = False
    unless: tuple[str, ...] = ()
    unless_after: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    meaning: str = ""


class Mark(Frozen):
    """What gives away a forged prompt by its punctuation."""

    form: str
    weight: int = Field(ge=1, le=5)
    meaning: str


class RuleTable(Frozen):
    """All rules and marks."""

    source: Source
    common_classes: NameSet
    verdict_classes: NameSet
    """Classes without whose words nothing is made of one that only may mean a reviewer."""
    ordering_classes: NameSet
    """Classes after whose words a plain verb is an order."""
    rules: tuple[Rule, ...] = Field(min_length=1)
    marks: tuple[Mark, ...] = Field(min_length=1)


class Term(NamedTuple):
    """What a word or phrase of a language may be part of, and whether words begin and end with it."""

    page: Language
    classes: tuple[str, ...]
    begins: bool
    ends: bool


class Stems(NamedTuple):
    """Parts of words, in lower case, and the languages they are of: for a reviewer, for what may also be one, and for a verdict."""

    clear: Mapping[str, frozenset[str]]
    vague: Mapping[str, frozenset[str]]
    said: Mapping[str, frozenset[str]]


@cache
def languages() -> tuple[Language, ...]:
    """The vocabularies of all languages."""
    files = sorted((_HERE / "words").glob("*.yaml"))
    return tuple(read_table(each, Language) for each in files)


@cache
def rule_table() -> RuleTable:
    """The rules that join the words."""
    return read_table(_HERE / "rules.yaml", RuleTable)


def file_anchors() -> set[str]:
    """What a file must hold to be looked into, in every case of letters that it may be written in."""
    return {each for page in languages() for each in _anchors_of(page, "anchors", "vague", "short")}


def _anchors_of(page: Language, *lists: str) -> Iterator[str]:
    for name in lists:
        for each in _entries(getattr(page, name)):
            if name == "short":
                yield from (
                    f"{before}{cased}{after}" for before, cased, after in product(_BEFORE, (each, each.upper()), _AFTER)
                )
            else:
                yield from (each, each.upper(), each.capitalize())


def disguised_anchors() -> set[str]:
    """Anchors with blanks between their letters, or with digits for some of them."""
    stems = [each[:_DISGUISED_STEM] for each in _all("disguised")]
    spaced = {
        spacer.join(cased) for each in stems for spacer in _SPACERS for cased in (each, each.upper(), each.capitalize())
    }
    digits = {variant for each in _all("disguised") for variant in _with_digits(each[: _DISGUISED_STEM + 1])}
    return spaced | digits | {each.upper() for each in digits}


def _with_digits(stem: str) -> Iterator[str]:
    """All ways of writing a stem with digits for at least one letter."""
    choices = [(letter, _LETTERS_FOR_DIGITS[letter]) if letter in _LETTERS_FOR_DIGITS else (letter,) for letter in stem]
    return (written for each in product(*choices) if (written := "".join(each)) != stem)


def stems() -> Stems:
    """What lines must hold to be read."""
    clear = ((each.lower(), page.language) for page in languages() for each in _anchors_of(page, "anchors", "short"))
    vague = ((each.lower(), page.language) for page in languages() for each in _anchors_of(page, "vague"))
    return Stems(_by_stem(clear), _by_stem(vague), _by_stem(_verdict_stems()))


def _by_stem(pairs: Iterable[tuple[str, str]]) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for stem, language in pairs:
        found.setdefault(stem, set()).add(language)
    return {stem: frozenset(each) for stem, each in sorted(found.items())}


@cache
def terms() -> tuple[tuple[str, Term], ...]:
    """All terms in plain words, with what they are in each language."""
    return tuple(each for page in languages() for each in _terms_of(page))


def _terms_of(page: Language) -> Iterator[tuple[str, Term]]:
    classes: dict[tuple[str, bool], set[str]] = {}
    for name, listed in page.terms.items():
        for each in _entries(listed):
            for written in _forms(page, each):
                classes.setdefault((written, each.endswith("*")), set()).add(name)
    for (text, is_open), names in classes.items():
        ends = not (is_open or WIDE.match(text[-1]))
        yield text, Term(page, tuple(sorted(names)), not WIDE.match(text), ends)


def _forms(page: Language, entry: str) -> set[str]:
    """A term in plain words, and with the comma that may be in it."""
    text = plain_words(entry.rstrip("*"))
    return {text, text.replace(f" {page.after_comma}", f" , {page.after_comma}")} if page.after_comma else {text}


def _common_texts() -> set[str]:
    """Terms of which every file is full."""
    return {
        text
        for page in languages()
        for name in rule_table().common_classes & page.terms.keys()
        for each in _entries(page.terms[name])
        for text in _forms(page, each)
    }


def _verdict_stems() -> Iterator[tuple[str, str]]:
    """Beginnings of the rarest words of all terms of a verdict, with and without the marks of their letters."""
    common = _common_texts()
    for page in languages():
        for name in rule_table().verdict_classes & page.terms.keys():
            for each in _entries(page.terms[name]):
                for text in {each.rstrip("*").lower(), plain_words(each.rstrip("*"))}:
                    stem = _stem(text, common)
                    if stem:
                        yield stem, page.language


def _stem(text: str, common: set[str]) -> str:
    """The beginning of a term's longest word; empty where every file is full of it."""
    words = text.split()
    longest = max((each for each in words if each not in common), key=len, default="")
    if not longest.isascii() and WIDE.search(longest):
        return longest
    return longest[:_MAX_STEM] if len(longest) >= (_MIN_STEM if len(words) == 1 else _MAX_STEM) else ""


def _all(name: str) -> Iterator[str]:
    """The entries of one list in all languages."""
    return (each for page in languages() for each in _entries(getattr(page, name)))


def _entries(listed: str) -> Iterable[str]:
    """The entries of a list with commas."""
    return filter(None, map(str.strip, listed.split(",")))
