r"""How a language's page is written: its grammar's words, and rules that name a probe, a form and a sentence.

What a rule costs, where parsing a file is one: all files together may take one more, for all rules of a language.

- The name of a call costs nothing: names are looked up, and a file that calls none of them asks no rule. A name that is
  called everywhere (`get`, `log`, `New`) costs as much as all that is asked of each of these calls.
- What the call itself tells, `kinds` and `compile_pattern` of `when`, is asked first and costs a microsecond a call.
- Words in `reads` of `when`, and in a `compile_pattern` beside it, are worked out and asked for next: all words of all rules are
  looked for in one pass over the file, which costs 0.03 however many they are. A form without any word of three letters (`\0`, `^[^\0]+$`) is tried on every
  call that is left. So is what `unless` holds.
- `reads` and `sources_pattern` follow names, up to a hundred microseconds: let `kinds` or a `compile_pattern` of the same argument, or an
  argument before it, turn most calls away.
- `unless_in_file` is looked for by its words, once a file; one that begins with `\A(?!` has none, and goes through all of it.
- Where a word of a `ValueRule`'s name is found, all pairs and assignments of the file are walked for. A `NodeRule` of a kind
  of its own costs nothing where its words do not occur, and a walk of its nodes otherwise: 0.01 for a kind that is as
  frequent as functions.
- Forms that begin with `\w*`, `.*` or `\s*` are tried at every character: begin with a letter or `\b`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

from auditor.constant_folding.escape_sequences import NAME_ESCAPES, decode_escapes
from auditor.forensics.languages.built_query_patterns import BUILT_QUERY, BUILT_VALUE_QUERY
from auditor.forensics.languages.keyword_gated_patterns import PatternSearch, encode_words

_QUERY_STARTS = tuple(
    re.compile(
        quote
        + rb"(?=[\sacdimrstuw])\s{0,100}(?:(?:select|insert|update|delete|replace|merge)\s|(?:drop|alter|create|truncate)\s+\w|with\s+\w+\s+as\b)"
    )
    for quote in (b'"', b"'", b"`", rb"<<[-~]?\w{1,40}[^\n]{0,200}\n")
)
"""A text that begins like a query, in small letters, by its quotation mark: a form that begins with one letter is found three times as fast."""


def has_query_text(source: bytes) -> bool:
    """Does some text in the source begin like an SQL query?"""
    lowered = source.lower()
    return any(each.search(lowered) is not None for each in _QUERY_STARTS)


_WORD_RUN = re.compile(r"\w*")
_COMMON_SIGNS = frozenset("\"'`(){}\n:;.=-0")
"""Characters so frequent in every file that finding them all takes time."""
_MIN_WORD_LENGTH = 3
"""Shortest word whose absence rules a file out."""


NOT_RELEVANT, FOR_RULES, FOR_QUERY_RULES, FOR_TESTS = 0, 1, 2, 4
"""Who may speak of a call, as far as the last part of what is called tells: rules, rules of queries only, and who looks for tests.

Numbers that are added up, as each call of each file is asked.
"""


def _word_selectivity(words: frozenset[str]) -> tuple[int, int, list[str]]:
    """Sort key: how strongly the absence of these words rules a file out."""
    return min(map(len, words)), -len(words), sorted(words)


_DEFAULTED_VARIABLE = re.compile(r"\"?\$\{\w{1,60}:?-(?:[\w/-]{0,60}/)?(?P<program>[\w-]{1,40})\}\"?")


def default_program(named: str) -> str:
    """The program that a shell variable stands for unless it is set: `${CURL:-curl}`."""
    found = _DEFAULTED_VARIABLE.fullmatch(named) if "-" in named and "{" in named else None
    return named if found is None else found["program"]


def last_name_part(name: str) -> str:
    """The part of a qualified name behind the last dot or `::`."""
    return name.rpartition(".")[2].rpartition("::")[2]


def plain_last_part(part: bytes) -> bytes:
    """The last part of a name without what may be before it, such as blanks and comments at the end of a line, and without escapes."""
    if b"\\" in part:
        part = decode_escapes(part.decode("utf-8", errors="replace"), NAME_ESCAPES).encode()
    found = _BEHIND_OTHER_SIGNS.search(part)
    return part if found is None else found[1]


_BEHIND_OTHER_SIGNS = re.compile(rb"(?:\s|\*/|^@|(?:^|[.:])r#)([\w$]+)$")


INTERNAL_MARKERS = ("@internal", "@private", "@api private", ":nodoc:", "doc(hidden")
"""Comments and attributes that mark a public name as internal to the project."""
ERROR_KIND = "ERROR"
"""The node kind that tree-sitter gives to source it cannot parse."""
ALL_ARGUMENTS, RECEIVER, WHOLE_CALL, SOURCE_BEFORE, SOURCE_AFTER = -1, -2, -3, -4, -5
"""Places: all arguments as one list, what a method is called on, the call itself, and the source before and behind it."""


@dataclass(frozen=True, eq=False)
class ArgumentCondition:
    """What an argument must look like: its place (None for any), its form in the source, its kinds of node.

    With `reads` the form of the text that it stands for, names followed: see `texts`.
    """

    place: int | None = 0
    form: re.Pattern[str] | None = None
    kinds: frozenset[str] = frozenset()
    reads: re.Pattern[str] | None = None
    distinguishes_identifiers: bool = False
    """Do names of tables and columns not count as filled in?"""
    sources_pattern: re.Pattern[str] | None = None
    """A form of its source, or of the source of what its names were given."""
    typed: re.Pattern[str] | None = None
    """The form of a type that some parameter, field or variable of its name is declared with; it is enough where `reads` does not fit."""

    def can_match(self, has: Callable[[frozenset[str], bool], bool], temporary: Callable[[], bool]) -> bool:
        """Does a file hold the words without which nothing in it fits? What gives the temporary folder reads like it.

        `has` tells whether it holds one of some words, or may do so in small letters.
        """
        for words, either in self.needs:
            if not has(words, either) and not ("tmp" in words and temporary()):
                return False
        return True

    @property
    def is_syntactic(self) -> bool:
        """Can it be decided from the call alone, without resolving names?"""
        followed = self.reads is not None or self.sources_pattern is not None or self.typed is not None
        return not followed and self.place not in {ALL_ARGUMENTS, RECEIVER}

    @cached_property
    def needs(self) -> tuple[tuple[frozenset[str], bool], ...]:
        """Words of each of which a file holds one, and whether in small letters.

        What fits a form of the source stands in it as it is. What a text comes to may be put together from parts, but
        nobody takes a word apart.
        """
        of_form = () if self.form is None else _required_word_sets(self.form, whole=True)
        if self.typed is not None:
            return of_form if self.reads is not None else of_form + _required_word_sets(self.typed, whole=True)
        return of_form if self.reads is None else of_form + _required_word_sets(self.reads, whole=False)


@dataclass(frozen=True, slots=True)
class UncheckedResult:
    """Signs that nobody checks how a call ended: source before it, source after it, or each use of its result."""

    before: re.Pattern[bytes] | None = None
    behind: re.Pattern[bytes] | None = None
    uses: re.Pattern[bytes] | None = None
    """Form of a use that does not ask: the last sign before the name, `@` for the name itself, and what follows it."""
    dropped: bool = True
    """Does it show as well that nobody takes what the call gives?"""


@cache
def _required_word_sets(form_: re.Pattern[str], *, whole: bool) -> tuple[tuple[frozenset[str], bool], ...]:
    """What a form cannot do without, of the kind above; not whole, only the letters of it."""
    sought = PatternSearch(form_)
    found = [words if whole else list(map(_longest_run, words)) for words in sought.needs]
    return tuple(
        (frozenset(words), sought.lowered) for words in found if all(len(each) >= _MIN_WORD_LENGTH for each in words)
    )


def _longest_run(word: str) -> str:
    """The longest run of letters, of several the last: the end of a path says more than its beginning."""
    runs: list[str] = _WORD_RUN.findall(word)
    return max(reversed(runs), key=len)


class _Rule:
    """What rules of calls and of pieces have in common."""

    probe: str
    beside: tuple[bytes, ...]

    @cached_property
    def _prefilter_words(self) -> frozenset[str]:
        return frozenset(map(bytes.decode, self.beside))

    @property
    def is_about_swallowed_errors(self) -> bool:
        """Does it report that an error was dropped silently? A comment with a reason excuses that."""
        return self.probe == "code.swallowed_exception"


@dataclass(frozen=True, eq=False)
class CallRule(_Rule):
    """A call by its full name (`child_process.exec`), or by its method alone (`.query`)."""

    probe: str
    names: tuple[str, ...]
    statement: str
    when: tuple[ArgumentCondition, ...] = ()
    confidence: float = 0.9
    because: str = ""
    unless: tuple[ArgumentCondition, ...] = ()
    dropped: bool = False
    """Only where nobody looks at what the call gives?"""
    unchecked_result: UncheckedResult | None = None
    """Only where nobody looks, or where that is seen in one of these ways?"""
    applies_to_callers: bool = False
    """Are calls of a function that forwards a parameter to this call reported as well?"""
    unless_in_file: re.Pattern[bytes] | None = None
    """What the file must hold nowhere."""
    unless_nearby: re.Pattern[bytes] | None = None
    """What the function around it must not hold, nor the file where what it gives leaves that function."""
    unless_before: re.Pattern[bytes] | None = None
    """What must not directly precede it."""
    in_function: bool = False
    """Only inside a function?"""
    shown_argument: int | None = None
    """The argument that the finding shows with the name of what is called."""
    beside: tuple[bytes, ...] = ()
    """Of these words the file must hold one: asked before all else, and faster than any form."""

    @cached_property
    def file_keywords(self) -> frozenset[str]:
        """Words that it asks a file for, as they are."""
        asked = (words for each in self.followed for words, either in each.needs if not either)
        return self._prefilter_words.union(*asked)

    @cached_property
    def forwarded_position(self) -> int:
        """The position of the argument that is forwarded."""
        return next((each.place for each in self.when if each.place is not None and each.place >= 0), 0)

    @cached_property
    def requires_query_text(self) -> bool:
        """Does it apply only where some text begins like a query?"""
        return any(each.reads is BUILT_QUERY or each.reads is BUILT_VALUE_QUERY for each in self.when)

    @cached_property
    def syntactic_conditions(self) -> tuple[ArgumentCondition, ...]:
        """Conditions that the call alone decides."""
        return tuple(each for each in self.when if each.is_syntactic)

    @cached_property
    def followed(self) -> tuple[ArgumentCondition, ...]:
        """Conditions for which names have to be resolved."""
        return tuple(each for each in self.when if not each.is_syntactic)

    def matches_name(self, called: str) -> bool:
        """Is one of its names the name that is called?"""
        return (
            called in self._whole
            or (called.endswith(self._methods) and called not in self._methods)
            or ("::" in called and called.endswith(self._paths))
        )

    @cached_property
    def _whole(self) -> frozenset[str]:
        return frozenset(name for name in self.names if not name.startswith("."))

    @cached_property
    def _methods(self) -> tuple[str, ...]:
        return tuple(name for name in self.names if name.startswith("."))

    @cached_property
    def _paths(self) -> tuple[str, ...]:
        return tuple(f"::{name}" for name in self._whole)

    def can_apply(self, has: Callable[[frozenset[str], bool], bool], temporary: Callable[[], bool]) -> bool:
        """Does a file hold what this cannot do without? Asked before texts are assembled and names followed, which costs far more.

        Of what the call itself tells it is not asked: that costs less than to look through the file.
        """
        if self.beside and not has(self._prefilter_words, False):
            return False
        return self.requires_query_text or all(each.can_match(has, temporary) for each in self.followed)


@dataclass(frozen=True, slots=True)
class ValueRule:
    """A key or name that is given a value: `rejectUnauthorized: false`."""

    probe: str
    name: re.Pattern[str]
    value: re.Pattern[str]
    statement: str
    confidence: float = 0.95
    because: str = "whether it is used was not analysed"
    unless_in_file: re.Pattern[bytes] | None = None
    """What the file must hold nowhere."""


@dataclass(frozen=True, slots=True)
class HandlerRule:
    """A handler of exceptions whose text fits a form; `empty` asks that its body does nothing and says nothing."""

    probe: str
    statement: str
    form: re.Pattern[str] | None = None
    empty: bool = False
    confidence: float = 0.9
    because: str = "which exceptions the code can raise was not analysed"
    header: re.Pattern[bytes] | None = None
    """Form of the header of the function around it."""
    tried: re.Pattern[str] | None = None
    """Form of all that is tried, up to the handler."""
    unless: re.Pattern[str] | None = None
    """Form of a handler of which it is not told where something around it, in the same function, begins like `within`."""
    within: re.Pattern[str] | None = None


@dataclass(frozen=True, eq=False)
class NodeRule(_Rule):
    """A rule for nodes of one kind whose source matches a pattern."""

    probe: str
    kind: str
    statement: str
    form: re.Pattern[str] | None = None
    confidence: float = 0.95
    because: str = "a debugging tool may need it"
    reads: tuple[str, re.Pattern[str]] | None = None
    """A field of the node, or a key of the record that it is, and the form of the text that it stands for, names followed."""
    sources_pattern: re.Pattern[str] | None = None
    """A form of the source of that, or of the source of what its names were given."""
    unless_in_file: re.Pattern[bytes] | None = None
    """What the file must hold nowhere."""
    unless_nearby: re.Pattern[bytes] | None = None
    """What the function around it must not hold, nor the file where what it gives leaves that function."""
    unless_before: re.Pattern[bytes] | None = None
    """What must not directly precede it."""
    unless_after: re.Pattern[bytes] | None = None
    """What must not directly follow it."""
    alone: bool = False
    """Only where it is a statement of its own?"""
    beside: tuple[bytes, ...] = ()
    """Of these words the file must hold one."""
    followed_by: re.Pattern[bytes] | None = None
    """What the source behind it must hold, where its group `same` holds what the group `same` of the form does."""
    unless_between: re.Pattern[bytes] | None = None
    """What the source between the two must not hold."""
    unless_same: re.Pattern[bytes] | None = None
    """What the file must hold nowhere, where its group `same` holds what the group `same` of the form does; comments apart."""

    @cached_property
    def words(self) -> tuple[tuple[bytes, ...], ...]:
        """What fits the form holds one of each of these."""
        sought = None if self.form is None else PatternSearch(self.form)
        return () if sought is None or sought.lowered else tuple(encode_words(words) for words in sought.needs)

    @cached_property
    def needs(self) -> tuple[frozenset[str], ...]:
        """The same as they are asked for; some signs are in every file."""
        told = (frozenset(map(bytes.decode, words)) for words in self.words)
        return tuple(words for words in told if words.isdisjoint(_COMMON_SIGNS))

    @cached_property
    def file_keywords(self) -> frozenset[str]:
        """Words that it asks a file for."""
        return self._prefilter_words.union(*self.needs)

    def can_match(self, said: frozenset[str]) -> bool:
        """Are there, among the words that a file holds, those that its form cannot do without?"""
        return not any(map(said.isdisjoint, self.needs))

    def can_apply(self, said: frozenset[str]) -> bool:
        """The same, and a word that must be beside it."""
        return not any(map(said.isdisjoint, self._asked))

    @cached_property
    def _asked(self) -> tuple[frozenset[str], ...]:
        return (self._prefilter_words, *self.needs) if self.beside else self.needs

    @cached_property
    def telling(self) -> frozenset[str]:
        """Words of which a file must hold one; of several such sets that which few files hold, none where it asks for no words."""
        return self._prefilter_words or max(self.needs, key=_word_selectivity, default=frozenset())
