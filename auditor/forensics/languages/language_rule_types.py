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
  of its own costs nothing where its words stand nowhere, and a walk of its nodes otherwise: 0.01 for a kind that is as
  frequent as functions.
- Forms that begin with `\w*`, `.*` or `\s*` are tried at every character: begin with a letter or `\b`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from auditor.forensics.languages.keyword_search import BoundedCache, PatternSearch
from auditor.forensics.languages.string_syntax import DYNAMIC_MARK, ITEM_SEPARATOR, StringSyntax
from auditor.forensics.python.justifying_comments import UNINFORMATIVE_WORD
from auditor.forensics.source_text.decode_and_run_commands import DECODE_AND_RUN_COMMAND
from auditor.forensics.source_text.keyword_index import KeywordSearch


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """A compiled pattern of source text in which a dot matches line ends too."""
    return re.compile(pattern, re.DOTALL)


def encode_words(words: Iterable[str]) -> tuple[bytes, ...]:
    """The words as bytes."""
    return tuple(word.encode() for word in words)


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
"""Signs that stand in every file, and so often that finding them all takes time."""
_MIN_WORD_LENGTH = 3
"""Shortest word whose absence rules a file out."""
_SLASH_COMMENT = compile_pattern(r"//[^\n]*|/\*.*?\*/")


NOT_RELEVANT, FOR_RULES, FOR_QUERY_RULES, FOR_TESTS = 0, 1, 2, 4
"""Who may speak of a call, as far as the last part of what is called tells: rules, rules of queries only, and who looks for tests.

Numbers that are added up, as each call of each file is asked.
"""


def _word_selectivity(words: frozenset[str]) -> tuple[int, int, list[str]]:
    """Sort key: how strongly the absence of these words rules a file out."""
    return min(map(len, words)), -len(words), sorted(words)


def _header_word_sets(sought: PatternSearch) -> tuple[tuple[bytes, ...], ...]:
    """What stands in the source of a header of some form: one of each of these."""
    needs = () if sought.lowered else sought.needs
    plain = [words for words in needs if not any(quote in word for word in words for quote in "\"'`")]
    return tuple(encode_words(max(word.split() or [""], key=len) for word in words) for words in plain)


_DEFAULTED_VARIABLE = re.compile(r"\"?\$\{\w{1,60}:?-(?:[\w/-]{0,60}/)?(?P<program>[\w-]{1,40})\}\"?")


def default_program(named: str) -> str:
    """The program that a shell variable stands for unless it is set: `${CURL:-curl}`."""
    found = _DEFAULTED_VARIABLE.fullmatch(named) if "-" in named and "{" in named else None
    return named if found is None else found["program"]


def last_name_part(name: str) -> str:
    """The part of a qualified name behind the last dot or `::`."""
    return name.rpartition(".")[2].rpartition("::")[2]


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
    """The longest run of letters, of several the last: the end of a path tells more than what it begins with."""
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
    """What must not stand right before it."""
    in_function: bool = False
    """Only inside a function?"""
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
        """Does a file hold what this cannot do without? Asked before texts are put together and names followed, which costs far more.

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
    because: str = "whether it is ever used was not followed"
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
    because: str = "what the code may raise was not followed"
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
    because: str = "a tool for debugging may need it"
    reads: tuple[str, re.Pattern[str]] | None = None
    """A field of the node, or a key of the record that it is, and the form of the text that it stands for, names followed."""
    sources_pattern: re.Pattern[str] | None = None
    """A form of the source of that, or of the source of what its names were given."""
    unless_in_file: re.Pattern[bytes] | None = None
    """What the file must hold nowhere."""
    unless_nearby: re.Pattern[bytes] | None = None
    """What the function around it must not hold, nor the file where what it gives leaves that function."""
    unless_before: re.Pattern[bytes] | None = None
    """What must not stand right before it."""
    unless_after: re.Pattern[bytes] | None = None
    """What must not stand right behind it."""
    alone: bool = False
    """Only where it is a statement of its own?"""
    beside: tuple[bytes, ...] = ()
    """Of these words the file must hold one."""

    @cached_property
    def words(self) -> tuple[tuple[bytes, ...], ...]:
        """What fits the form holds one of each of these."""
        sought = None if self.form is None else PatternSearch(self.form)
        return () if sought is None or sought.lowered else tuple(encode_words(words) for words in sought.needs)

    @cached_property
    def needs(self) -> tuple[frozenset[str], ...]:
        """The same as they are asked for; some signs stand in every file."""
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
        """The same, and a word that must stand beside it."""
        return not any(map(said.isdisjoint, self._asked))

    @cached_property
    def _asked(self) -> tuple[frozenset[str], ...]:
        return (self._prefilter_words, *self.needs) if self.beside else self.needs

    @cached_property
    def telling(self) -> frozenset[str]:
        """Words of which a file must hold one; of several such sets that which few files hold, none where it asks for no words."""
        return self._prefilter_words or max(self.needs, key=_word_selectivity, default=frozenset())


@dataclass(frozen=True, eq=False)
class TestSyntax:
    """How a language's tests are written. Forms of a header see it without its title and its strings."""

    words: tuple[bytes, ...]
    """What a file that holds tests has at least one of."""
    checks: re.Pattern[str]
    """What a test has that may check something, helpers with telling names included."""
    counted: re.Pattern[str]
    """What checks something beyond doubt; counted line by line before and after a change."""
    is_counted_always_check: bool = False
    """Does whatever fits `counted` fit `checks` as well? Then where some is counted it is not asked again."""
    calls: re.Pattern[bytes] | None = None
    """Form of what is called, where a test is a call with a title and a function."""
    holders: re.Pattern[bytes] | None = None
    """Form of what is called to hold several tests together."""
    functions: re.Pattern[str] | None = None
    """Form of the header of a test that is a function: what is written above it, then its first line."""
    function_kinds: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    """Node kinds that hold several tests together."""
    above: frozenset[str] = frozenset()
    """Node kinds that stand before a function and belong to it."""
    skipped: re.Pattern[str] | None = None
    conditional: re.Pattern[str] | None = None
    alone: re.Pattern[str] | None = None
    announced: re.Pattern[str] | None = None
    """What in the header of a test says that running it checks something."""
    made: re.Pattern[bytes] | None = None
    """Form of the name and the body of what checks for others, where the grammar knows it for no function."""
    stops: re.Pattern[str] | None = None
    """First words of a statement after which a test does nothing."""
    trivial: re.Pattern[str] | None = None
    """Checks of what is always true."""
    comments: re.Pattern[str] = _SLASH_COMMENT
    constraint: re.Pattern[str] | None = None
    """What stands above all else in a file that is built under a condition only."""
    first_line_pattern: re.Pattern[str] | None = None
    """Form of the first line of a test, where the grammar knows no tests: they end with a bracket alone on its line."""
    beside: re.Pattern[str] | None = None
    """Form of the header of what is built for tests only, where that stands in the files of what is tested."""
    test_only_file: re.Pattern[str] | None = None
    """What stands above all else in a file of which that is true as a whole."""
    allows_whole_file_tests: bool = False
    """May a file be a test as a whole?"""

    @cached_property
    def checks_search(self) -> PatternSearch:
        """`checks`, sought by its words."""
        return PatternSearch(self.checks)

    @cached_property
    def counting(self) -> PatternSearch:
        """`counted`, sought by its words."""
        return PatternSearch(self.counted)

    @cached_property
    def trivial_search(self) -> PatternSearch | None:
        """`trivial`, sought by its words."""
        return None if self.trivial is None else PatternSearch(self.trivial)

    def has_trivial_check(self, text: str, places: Sequence[int] | None) -> bool:
        """Is something checked that is always true, in a text of which the places are known where `counted` may fit?"""
        if self.trivial_search is None:
            return False
        if places is None or not self._is_trivial_counted:
            return self.trivial_search.occurs(text)
        match = self.trivial_search.form.match
        return any(match(text, place) for place in places)

    @cached_property
    def _is_trivial_counted(self) -> bool:
        """Does all that is always true begin as what is counted does?"""
        seeming, counting = self.trivial_search, self.counting
        if seeming is None or seeming.lowered or counting.lowered:
            return False
        return bool(seeming.prefixes) and all(each.startswith(counting.prefixes) for each in seeming.prefixes)

    @cached_property
    def stops_search(self) -> PatternSearch | None:
        """`stops`, sought by its words."""
        return None if self.stops is None else PatternSearch(self.stops)

    @cached_property
    def file_keywords(self) -> frozenset[str]:
        """`words`, as they are asked for."""
        return frozenset(map(bytes.decode, self.words))

    def can_end_test_name(self, last: bytes) -> bool:
        """Can the name of a test, or of a group of tests, end with this part?"""
        return any(
            form_ is not None and form_.fullmatch(base + last)
            for form_ in (self.calls, self.holders)
            for base in (b"", b"it.", b"test.", b"describe.")
        )

    @cached_property
    def stop_words(self) -> frozenset[str]:
        """Of these words a file must hold one for `stops` to fit anything in it; none where that is open."""
        sought = self.stops_search
        return frozenset() if sought is None or sought.lowered else frozenset(next(iter(sought.needs), ()))

    @cached_property
    def header_words(self) -> tuple[tuple[bytes, ...], ...]:
        """What stands in the source of a header that fits `functions`: one of each of these, whatever blanks are between."""
        return () if self.heading is None else _header_word_sets(self.heading)

    @cached_property
    def beside_words(self) -> tuple[bytes, ...]:
        """The same of `beside`: one of these."""
        return (b"",) if self.beside is None else next(iter(_header_word_sets(PatternSearch(self.beside))), (b"",))

    @cached_property
    def heading(self) -> PatternSearch | None:
        """`functions`, sought by its words."""
        return None if self.functions is None else PatternSearch(self.functions)


@dataclass(frozen=True, eq=False)
class Language:
    """One language. Kinds are node kinds of its grammar."""

    name: str
    grammar: Callable[[bytes], Any]
    """The tree-sitter language for a content."""
    dialect_keywords: frozenset[str] = frozenset()
    """Of these words a content must hold one for that to be another than for an empty one; without any, all are asked."""
    calls: Mapping[str, str] = field(default_factory=dict)
    """Kinds of calls -> the field that holds what is called, or the last part of it."""
    callee_fields: tuple[str, ...] = ("function",)
    """Fields of a call that hold what is called; joined by a dot when there are several."""
    arguments: str = "arguments"
    functions: frozenset[str] = frozenset()
    branches: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    writing: StringSyntax | None = None
    """How texts are written and named."""
    passing: frozenset[str] = frozenset()
    """Kinds of what hands a failure on and is no look at the rest."""
    statements: frozenset[str] = frozenset({"expression_statement"})
    """Kinds of what stands around an expression whose value nobody wants."""
    modifiers: frozenset[str] = frozenset()
    """Kinds of what holds a statement, its `body`, and the condition behind it."""
    declared: bool = True
    """Is a name declared where it is first given a value?"""
    implicit_return_prefix: re.Pattern[bytes] | None = None
    """Form of what stands before a statement whose value is what its function gives."""
    wrapper_commands: frozenset[str] = frozenset()
    """Commands that run the command that their arguments are: rules speak of that."""
    wrappers: Callable[[bytes], frozenset[str]] = lambda _content: frozenset()
    """Functions of a file that do the same."""
    discarded_result_prefix: re.Pattern[bytes] | None = None
    """Form of what stands before a call when its value is given to nobody."""
    handlers: frozenset[str] = frozenset()
    handler_body: str = "body"
    comments: frozenset[str] = frozenset({"comment"})
    comment_starts: tuple[bytes, ...] = (b"//", b"/*")
    """What comments begin with."""
    unsupported_dialect: re.Pattern[bytes] | None = None
    """First words of a file in a dialect that the grammar does not know."""
    endless: Callable[[bytes], bool] = lambda _content: False
    """Does it hold source for which the parser takes time quadratic in its length?"""
    preprocess: Callable[[bytes], bytes] = lambda content: content
    """The content as the grammar can read it, byte for byte in its place."""
    preprocess_keywords: frozenset[str] = frozenset()
    """Of these words a content must hold one for that to be another; without any, all are asked."""
    alternative_parses: Callable[[bytes], Iterable[tuple[Any, bytes]]] = lambda _content: ()
    """Where a file has an error: grammars, and the content as each may read it, byte for byte in its place."""
    package_prefix: re.Pattern[str] | None = None
    """Form of what may stand before a name to tell where it is from; rules name it without."""
    types: tuple[bytes, ...] = ()
    """Forms that declare a name, `@` in them, with a type, their group."""
    failing: re.Pattern[bytes] | None = None
    """Form of the beginning of a function that may fail: its `name`, and `of` what type it is."""
    fallible_call_rules: tuple[CallRule, ...] = ()
    """Rules of calls of such functions of the same file."""
    imports: Callable[[str], dict[str, str]] | None = None
    """Local name -> what it stands for, of the text of a file."""
    head: re.Pattern[bytes] | None = None
    """Form of the beginning of a file that holds none of the nodes that are walked for in every file, in whole comments and statements."""
    imported: frozenset[str] = frozenset()
    """Of these words a file must hold one for its imports to tell anything; without any, all files are asked."""
    export_keywords: frozenset[str] = frozenset()
    """Words that tell whether a file offers anything."""
    test_syntax: TestSyntax | None = None
    rules: tuple[CallRule | ValueRule | HandlerRule | NodeRule, ...] = ()

    @cached_property
    def probes(self) -> frozenset[str]:
        """Questions that this language has rules for."""
        asked = {each.probe for each in self.rules}
        return frozenset(asked | ({"tests.without_assertions"} if self.test_syntax is not None else set()))

    @cached_property
    def opening(self) -> re.Pattern[bytes]:
        """The first bytes of any comment."""
        return re.compile(b"|".join(map(re.escape, self.comment_starts)))

    @cached_property
    def has_split_callee(self) -> bool:
        """Is the callee split over several fields of a call?"""
        return set(self.callee_fields) != set(self.calls.values())

    @cached_property
    def by_name(self) -> dict[str, list[CallRule]]:
        """Rules of calls by the last part of what they name."""
        found: dict[str, list[CallRule]] = {}
        for each in self.rules:
            if isinstance(each, CallRule):
                for end in dict.fromkeys(last_name_part(name) for name in each.names):
                    found.setdefault(end, []).append(each)
        return found

    @cached_property
    def applicable_rules(self) -> BoundedCache[str, tuple[tuple[CallRule, ...], bool]]:
        """What is called, its first part looked up among the imports -> the rules that name it, and is one of queries only?"""

        def of(called: str) -> tuple[tuple[CallRule, ...], bool]:
            rules = tuple(each for each in self.by_name.get(last_name_part(called), ()) if each.matches_name(called))
            return rules, any(each.requires_query_text for each in rules)

        return BoundedCache(of)

    @cached_property
    def value_rules(self) -> tuple[ValueRule, ...]:
        """Rules of values."""
        return tuple(each for each in self.rules if isinstance(each, ValueRule))

    @cached_property
    def handler_rules(self) -> tuple[HandlerRule, ...]:
        """Rules of handlers."""
        return tuple(each for each in self.rules if isinstance(each, HandlerRule))

    @cached_property
    def node_rules(self) -> dict[str, list[NodeRule]]:
        """Node rules by the node kind that each is about."""
        found: dict[str, list[NodeRule]] = {}
        for each in self.rules:
            if isinstance(each, NodeRule):
                found.setdefault(each.kind, []).append(each)
        return found

    @cached_property
    def silent(self) -> dict[str, tuple[frozenset[str], Mapping[str, int]]]:
        """Kinds of pieces -> words of which a file must hold one for any of their rules to speak, and how many rules of each question there are."""
        return {
            kind: (
                frozenset().union(*(each.telling for each in rules)),
                Counter(each.probe for each in rules),
            )
            for kind, rules in self.node_rules.items()
            if all(each.telling for each in rules)
        }

    @cached_property
    def relevance_by_callee(self) -> BoundedCache[bytes, int]:
        """The last part of a callee -> which readers of calls it may concern, as bits."""
        words = {
            end.encode(): FOR_QUERY_RULES if all(each.requires_query_text for each in rules) else FOR_RULES
            for end, rules in self.by_name.items()
        }
        words.update(dict.fromkeys(encode_words(self.wrapper_commands), FOR_RULES))

        def of(last: bytes) -> int:
            if last.endswith(b")"):
                return FOR_RULES + FOR_TESTS  # what another call gives, such as a module that is named where it is used
            plain = last.partition(b"::<")[0] if last.endswith(b">") else last
            if last.endswith((b"}", b'}"')) and plain not in words:
                plain = default_program(last.decode("utf-8", errors="replace")).encode()
            tests = self.test_syntax is not None and self.test_syntax.can_end_test_name(last)
            return words.get(plain.rpartition(b"::")[2], NOT_RELEVANT) + (FOR_TESTS if tests else NOT_RELEVANT)

        return BoundedCache(of)

    @cached_property
    def value_keywords(self) -> frozenset[str]:
        """A file must hold one of these words for a rule of values to speak, the longest of each rule's name."""
        return frozenset(
            max(re.findall(r"[A-Za-z_]{4,}", form_), key=len)
            for each in self.value_rules
            for form_ in each.name.pattern.split("|")
        )

    @cached_property
    def words(self) -> KeywordSearch:
        """All words that anything asks a file for."""
        found = KeywordSearch(
            (
                *self.value_keywords,
                *self.imported,
                *self.dialect_keywords,
                *self.preprocess_keywords,
                *self.export_keywords,
                *INTERNAL_MARKERS,
            )
        )
        if self.test_syntax is not None:
            found.add(self.test_syntax.file_keywords | self.test_syntax.stop_words)
        for each in (*self.rules, *self.fallible_call_rules):
            if isinstance(each, CallRule | NodeRule):
                found.add(each.file_keywords)
        return found

    @cached_property
    def groups(self) -> frozenset[str]:
        """Kinds of nodes that hold several tests together."""
        return frozenset() if self.test_syntax is None else self.test_syntax.groups

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Kinds of nodes that are walked for in every file."""
        asked = {*self.branches, *self.functions, *self.calls, *self.handlers, *self.groups}
        return frozenset(asked | (self.node_rules.keys() - self.rare_node_rules.keys()))

    @cached_property
    def rare_node_rules(self) -> dict[str, list[NodeRule]]:
        """Rules of pieces of a kind that nothing else asks for, and of which each tells words that few files hold."""
        known = {*self.branches, *self.functions, *self.calls, *self.handlers, *self.groups}
        return {
            kind: rules
            for kind, rules in self.node_rules.items()
            if kind not in known and all(each.needs for each in rules)
        }

    @cached_property
    def rare_node_keywords(self) -> frozenset[str]:
        """A file must hold one of these words for a rule of rare pieces to fit: of each rule those that tell most."""
        told = [max(each.needs, key=_word_selectivity) for rules in self.rare_node_rules.values() for each in rules]
        return frozenset().union(*told)

    @cached_property
    def kinds_with_values(self) -> frozenset[str]:
        """The same, and what gives a value to a name."""
        return self.kinds | self.values


CONSTANT_COMMAND_REASON = "the command is a constant, so nothing foreign can reach the shell here"
USE_NOT_TRACED_REASON = "what it protects was not followed"
KEYED_HASH_REASON = "with a key it has not been broken in practice (RFC 6151)"
ORIGIN_NOT_TRACED_REASON = "where its parts come from was not followed"
SQL_STATEMENT = r"(?i:[\s(]*(?:(?:--|#)[^\n]*\n\s*|/\*.{0,500}?\*/\s*)*(?:explain\s+(?:analyze\s+)?)?(?:with\s.{1,2000}?\bas\s*\(|select\b.+?\bfrom\b|insert\s+(?:or\s+\w+\s+|ignore\s+)?into\b|replace\s+into\b|merge\s+into\b|update\b.+?\bset\b|delete\s+from\b|truncate\s+(?:table\s)?|(?:drop|alter|create)\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+)?(?:table|view|index|database|schema|user|role|sequence|trigger|extension|function|publication)\b))"
BUILT_QUERY = compile_pattern(rf"^(?=[^{DYNAMIC_MARK}{ITEM_SEPARATOR}]{{0,4000}}{DYNAMIC_MARK}){SQL_STATEMENT}")
"""The text of a query into which something is filled."""
BUILT_VALUE_QUERY = compile_pattern(rf"^(?!\s*(?i:create|drop|alter|truncate)\b)(?:{BUILT_QUERY.pattern})")
"""The same without statements that take no parameters."""
BUILT_GRAPH_QUERY = compile_pattern(
    rf"^(?=[^{ITEM_SEPARATOR}]*{DYNAMIC_MARK})\s*(?i:(?:optional\s+)?match|merge|create|unwind|with|call)\b[^{DYNAMIC_MARK}{ITEM_SEPARATOR}]*[({{:'\"=]"
)
"""The same of a query for a database of graphs."""
GRAPH_DATABASE_KEYWORDS = (b"neo4j", b"Neo4j", b"neo4rs", b"memgraph", b"Memgraph", b"cypher", b"Cypher")
IDENTIFIER_REASON = "what is put in looks like a name of a table or column, which cannot be a parameter"
_FILLED_VALUE = rf"[\s'\"(%]*{DYNAMIC_MARK}(?!\.[a-z_])"
BUILT_CONDITION = compile_pattern(
    rf"(?i)^(?={SQL_STATEMENT})(?:[^{ITEM_SEPARATOR}]*{DYNAMIC_MARK})|[\w\"\])]\s*(?:[<>!=]=?|<>|\b(?:not\s+)?(?:like|ilike|in|between|is|regexp)\b){_FILLED_VALUE}|\w\(\s*(?:'[^'{DYNAMIC_MARK}{ITEM_SEPARATOR}]{{0,60}}'\s*,\s*){{0,3}}'[^'{DYNAMIC_MARK}{ITEM_SEPARATOR}]{{0,60}}{DYNAMIC_MARK}|^{DYNAMIC_MARK}\s*(?:=|[<>]|\blike\b|\bin\b)"
)
"""A part of a query into which a value is put."""
BUILT_QUERY_PART = compile_pattern(
    rf"[\w)\]\"',.]\s*{DYNAMIC_MARK}|{DYNAMIC_MARK}\s*[\w(\[\"',.]|{DYNAMIC_MARK}[\s,]+{DYNAMIC_MARK}"
)
"""Text with something put in, where all text is taken for a part of a query."""
_WRAPPER_PROGRAMS = rf"(?:(?:[\w./-]*/)?(?:sudo|doas|env|docker|docker-compose|podman|nerdctl|kubectl|oc|nsenter|unshare|chroot|lxc|incus|flatpak-spawn|systemd-run|timeout|nice|ionice|nohup|setsid|stdbuf|xargs|find|parallel|wsl(?:\.exe)?|heroku|fly|vagrant){ITEM_SEPARATOR}(?:[^{ITEM_SEPARATOR}]*{ITEM_SEPARATOR}){{0,12}}?)?"
"""Programs that run the command that their last arguments are."""
SHELL_INVOCATION = rf"^{_WRAPPER_PROGRAMS}(?:(?:/usr)?(?:/local)?(?:/bin/)?(?:ba|z|da|k)?sh{ITEM_SEPARATOR}(?:-[\w-]+{ITEM_SEPARATOR}(?:(?<=o{ITEM_SEPARATOR})\w+{ITEM_SEPARATOR})?){{0,4}}?-\w*c|(?i:(?:[\w:\\\\/]*[\\\\/])?cmd(?:\.exe)?{ITEM_SEPARATOR}(?:/\w{ITEM_SEPARATOR}){{0,3}}?/[ck]|(?:[\w:\\\\/]*[\\\\/])?(?:powershell|pwsh)(?:\.exe)?{ITEM_SEPARATOR}(?:-\w+{ITEM_SEPARATOR}){{0,6}}?(?:-c\w*|/c)))(?:{ITEM_SEPARATOR}|$)"
"""The words of a command line that hand the one after them to a shell."""
BUILT_INTERPRETER_COMMAND = compile_pattern(
    rf"^{_WRAPPER_PROGRAMS}(?:[\w./-]*/)?(?:node|python[\d.]*|perl|ruby|php|bun|osascript){ITEM_SEPARATOR}(?:-\w+{ITEM_SEPARATOR}){{0,3}}?(?:-[a-zA-Z]*[ecrp]|--eval|--print){ITEM_SEPARATOR}[^{ITEM_SEPARATOR}]*{DYNAMIC_MARK}"
)
"""The words of a command line that hand a text put together at run time to an interpreter as its program."""
BUILT_SHELL_COMMAND = compile_pattern(rf"{SHELL_INVOCATION}(?=.*{DYNAMIC_MARK})")
CONSTANT_SHELL_COMMAND = compile_pattern(SHELL_INVOCATION)
_REMOTE_SHELL = rf"^(?:sudo{ITEM_SEPARATOR})?(?:sshpass{ITEM_SEPARATOR}(?:[^{ITEM_SEPARATOR}]*{ITEM_SEPARATOR}){{1,3}}?)?(?:[\w./-]*/)?(?:ssh|autossh|mosh){ITEM_SEPARATOR}(?:[^{ITEM_SEPARATOR}]*{ITEM_SEPARATOR}){{1,12}}?"
BUILT_REMOTE_COMMAND = compile_pattern(
    rf"{_REMOTE_SHELL}(?=[^{ITEM_SEPARATOR}]*[\s;&|])(?=[^{ITEM_SEPARATOR}]*{DYNAMIC_MARK})[\w./{DYNAMIC_MARK}][^{ITEM_SEPARATOR}=\s]*[\s;&|]"
)
"""The words of a command line that hand a command, put together at run time, to a shell on another machine."""
CONSTANT_REMOTE_COMMAND = compile_pattern(
    rf"{_REMOTE_SHELL}[A-Za-z_][\w./-]*\s[^{ITEM_SEPARATOR}{DYNAMIC_MARK}]*(?:{ITEM_SEPARATOR}|$)"
)
BUILT_REMOTE_STATEMENT = "A command put together at run time is handed to a shell on another machine"
CONSTANT_REMOTE_STATEMENT = "A constant command is handed to a shell on another machine"
DECODED_SHELL_COMMAND = compile_pattern(rf"{SHELL_INVOCATION}.*(?:{DECODE_AND_RUN_COMMAND})")
_UNINFORMATIVE_WORDS = (
    rf"[^\w\n/*#]{{0,20}}(?i:{UNINFORMATIVE_WORD}(?:[^\w\n]{{1,20}}{UNINFORMATIVE_WORD}){{0,5}})[^\w\n]{{0,20}}"
)
UNINFORMATIVE_COMMENT_BODY = (
    rf"\{{\s*(?:(?://|#){_UNINFORMATIVE_WORDS}\n\s*|/\*+{_UNINFORMATIVE_WORDS}\n?\s*\*/\s*)\}}$"
)
"""A body of nothing but a comment that gives no reason."""
REPORTED_ELSEWHERE_REASON = "the failure may be told elsewhere"
UNCHECKED_OUTPUT_STATEMENT = "A child process runs, and its output is taken whether it failed or not"
EMPTY_OUTPUT_REASON = "an empty output may be told apart"
PRIVATE_FOLDER_REASON = "the folder may belong to one user"
PARTLY_GENERATED_REASON = "part of the name is made at run time"
FIXED_FILE_STATEMENT = "A file with a fixed name is written to the shared temporary folder"
GUESSABLE_FILE_STATEMENT = "A file with a name that can be guessed is written to the shared temporary folder"
GUESSABLE_FOLDER_STATEMENT = (
    "A folder with a name that can be guessed is made in the shared temporary folder, and taken if it is there already"
)
_TEMPORARY_FOLDER = r"(?:^|\n)/(?:(?:private/)?(?:var/)?tmp|dev/shm)"
FIXED_TEMPORARY_PATH = compile_pattern(
    rf"{_TEMPORARY_FOLDER}(?:/+|(?=[A-Za-z]))[^{DYNAMIC_MARK}{ITEM_SEPARATOR}\n]+(?:\n|$)"
)
"""A path in a folder that all users share, all of it known."""
GUESSABLE_TEMPORARY_PATH = compile_pattern(
    rf"{_TEMPORARY_FOLDER}(?:/+|(?=[A-Za-z{DYNAMIC_MARK}]))[^{ITEM_SEPARATOR}\n]*{DYNAMIC_MARK}"
)
"""The same with a part that is filled in."""
TEMPORARY_PATH_ARGUMENT = compile_pattern(
    rf"(?:^|[\s>{ITEM_SEPARATOR}])(?:--?[\w-]+=|of=|['\"])?/(?:(?:private/)?(?:var/)?tmp|dev/shm)(?:/+|(?=[A-Za-z{DYNAMIC_MARK}]))[\w.{DYNAMIC_MARK}-]"
)
"""A command in which such a path stands."""
READ_ONLY_COMMAND = compile_pattern(
    rf"^(?:sudo[\s{ITEM_SEPARATOR}]+)?(?:[\w./-]*/)?(?:cat|rm|rmdir|ls|stat|head|tail|grep|wc|file|du|df|diff|cmp|test|find|less|unlink|shred|md5sum|sha\d+sum|readlink|chmod|chown|pkill|kill|umount|mount|open|xdg-open|docker|podman)(?:[\s{ITEM_SEPARATOR}]|$)"
)
"""A command that writes nothing where it is told to look, or writes on another machine."""
_WORD_GAP = rf"[\s{ITEM_SEPARATOR}]"
UNVERIFIED_TLS_COMMAND = compile_pattern(
    rf"(?:^|[\s;&|(/{ITEM_SEPARATOR}])(?:curl{_WORD_GAP}(?:[^;|&\n]{{0,300}}?{_WORD_GAP})?(?:--insecure|-[a-zA-Z]{{0,8}}k[a-zA-Z]{{0,8}})|wget{_WORD_GAP}(?:[^;|&\n]{{0,300}}?{_WORD_GAP})?--no-check-certificate|git{_WORD_GAP}(?:[^;|&\n]{{0,200}}?{_WORD_GAP})?http\.sslVerify(?:=|{_WORD_GAP})(?:false|0))(?:{_WORD_GAP}|$)"
    rf"|\bStrictHostKeyChecking[= ](?:no|off)\b|\bUserKnownHostsFile[= ]/dev/null\b"
)
"""A command that tells its program not to verify the server."""
UNVERIFIED_TLS_KEYWORDS = (b"curl", b"wget", b"sslVerify", b"StrictHostKeyChecking", b"UserKnownHostsFile")
UNVERIFIED_TLS_URL = compile_pattern(
    r"^[rb]?#?[\"'`]{1,3}[^\"'`\s]{3,300}?(?:[?&;](?:tlsInsecure=true|tlsAllowInvalidCertificates=true|tlsAllowInvalidHostnames=true|sslmode=no-verify|tls=skip-verify|trustServerCertificate=true|TrustServerCertificate=true|TrustServerCertificate=True|verifyServerCertificate=false|ssl_cert_reqs=none|ssl_cert_reqs=CERT_NONE|ssl_verify=false|ssl_verify_cert=false)(?![\w-])|(?<=rediss:)//[^\"'`\s]{3,200}#insecure\b)"
)
"""A URL whose parameters switch verification off."""
PROGRAM_FILE_STATEMENT = "A program is told to use a file in the shared temporary folder whose name can be guessed"
WRITE_NOT_TRACED_REASON = "whether the program writes it was not followed"
RANDOM_NAME_SOURCE = compile_pattern(
    r"(?i)uuid|ulid|token|secret|rand|nonce|unique|mkd?s?temp|mktmp|nanoid|ksuid|cuid|hexdigest|createtemp|tempfile|(?<!os\.)tempdir\b"
)
"""Names of functions and variables that make a file name unguessable."""


_DEBUG_MARKER = r"(?i:x{3,}|z{3,}|a?sdf+(?:gh|asdf)*\b|qwert\w*|(?:i\s+am|i'm|got|am|in|right|reached|we\s+are|gets?|still)\s+here\b|here(?=\W*\d*\W*$)|here\s*[!?]+|>{3,}\s*\w|<{3,}\s*\w|!{3,}|\?{3,}\s*$|@{3,}|\w{1,20}(?:\s\w{1,20})?\s?[!?]{2,}\W*$|wtf\b|blah\b|foo(?:bar)?(?=\W*$))|HERE\b(?!\s+[A-Za-z])"
"""What somebody prints to find where a program gets to, and nobody on purpose."""
DEBUG_MARKER_TEXT = compile_pattern(rf"^[\"'`](?:\\n|[\s\[(*#=.:-]){{0,20}}(?:{_DEBUG_MARKER})")
DEBUG_LABEL_TEXT = compile_pattern(
    r"^[\"'`](?:\\n|[\s\[(*#=<>.:-]){0,20}(?:DEBUG\b|DBG\b|(?i:debug|dbg)\s*(?:[:>]|-+>|=+>))"
)
_SEPARATOR_TEXT = compile_pattern(r"^[\"'`]\s*(?:[=*#~_+-]\s{0,2}){3,}(?:\\n)?\s*[\"'`]$")
_VERBOSE_CONDITION = re.compile(
    rb"(?i)\b(?:if|unless|&&)\b[^\n]{0,60}(?:debug|verbose|trace)|(?:debug|verbose|trace)\w*(?:\(\))?\s*(?:&&|\))"
)


INTENDED_OUTPUT_REASON = "whoever runs it may be meant to read it"
BARE_VALUE_STATEMENT = "A value is printed as it is"


def debug_print_rules(calls: tuple[str, ...]) -> tuple[CallRule, CallRule, CallRule]:
    """Rules for calls that print texts which only debugging needs."""
    told = "A line is printed that says of itself that it is for debugging"
    meant = INTENDED_OUTPUT_REASON
    return (
        CallRule("text.debug_leftovers", calls, told, (ArgumentCondition(0, DEBUG_MARKER_TEXT),), 0.75, meant),
        CallRule(
            "text.debug_leftovers",
            calls,
            told,
            (ArgumentCondition(0, DEBUG_LABEL_TEXT),),
            0.6,
            meant,
            unless_in_file=_VERBOSE_CONDITION,
        ),
        CallRule(
            "text.debug_leftovers",
            calls,
            told,
            (ArgumentCondition(0, _SEPARATOR_TEXT), ArgumentCondition(1, compile_pattern(r"^[\w$.]+$"))),
            0.6,
            meant,
        ),
    )


def temporary_file_rules(
    calls: tuple[str, ...], *unless: ArgumentCondition, place: int | None = 0
) -> tuple[CallRule, CallRule]:
    """Rules for calls that write to a path at a position, where it lies in the shared temporary folder."""
    return (
        CallRule("code.insecure_temporary_file", calls, FIXED_FILE_STATEMENT, (ArgumentCondition(place, reads=FIXED_TEMPORARY_PATH),), 0.8, PRIVATE_FOLDER_REASON, unless),
        CallRule("code.insecure_temporary_file", calls, GUESSABLE_FILE_STATEMENT, (ArgumentCondition(place, reads=GUESSABLE_TEMPORARY_PATH),), 0.65, PARTLY_GENERATED_REASON, (*unless, ArgumentCondition(place, sources_pattern=RANDOM_NAME_SOURCE))),
    )  # fmt: skip


def temporary_argument_rule(calls: tuple[str, ...], *when: ArgumentCondition, place: int = ALL_ARGUMENTS) -> CallRule:
    """The rule for calls that start a program with a path in the shared temporary folder."""
    return CallRule(
        "code.insecure_temporary_file", calls, PROGRAM_FILE_STATEMENT, (*when, ArgumentCondition(place, reads=TEMPORARY_PATH_ARGUMENT)), 0.55, WRITE_NOT_TRACED_REASON,
        (ArgumentCondition(place, reads=READ_ONLY_COMMAND), ArgumentCondition(WHOLE_CALL if place == RECEIVER else None, sources_pattern=RANDOM_NAME_SOURCE)),
    )  # fmt: skip


def graph_query_rule(calls: tuple[str, ...]) -> CallRule:
    """The rule for calls that query a graph database."""
    return CallRule(
        "code.sql_from_strings", calls, "A query is put together from strings", (ArgumentCondition(None, reads=BUILT_GRAPH_QUERY),), 0.75, ORIGIN_NOT_TRACED_REASON, beside=GRAPH_DATABASE_KEYWORDS,
    )  # fmt: skip


_CLOCK_OR_PROCESS_ID = compile_pattern(
    r"Date\.now\(|process\.pid|\bgetTime\(\)|time\.Now\(\)|\bos\.Getpid\(|Time\.(?:now|current)|Process\.pid|\$\$|currentTimeMillis\(|nanoTime\(|process::id\(|SystemTime::now\(|Utc::now\(|Local::now\("
)
"""The time, or the number of a process: of these others try a few."""


def temporary_folder_rules(
    calls: tuple[str, ...], *when: ArgumentCondition, place: int = 0
) -> tuple[CallRule, CallRule]:
    """Rules for calls that create a folder and accept one that is there already."""
    probe, told = "code.insecure_temporary_file", GUESSABLE_FOLDER_STATEMENT
    counted = (
        ArgumentCondition(place, reads=GUESSABLE_TEMPORARY_PATH),
        *when,
        ArgumentCondition(place, sources_pattern=_CLOCK_OR_PROCESS_ID),
    )
    return (
        CallRule(
            probe,
            calls,
            told,
            (ArgumentCondition(place, reads=FIXED_TEMPORARY_PATH), *when),
            0.55,
            PRIVATE_FOLDER_REASON,
        ),
        CallRule(
            probe,
            calls,
            told,
            counted,
            0.55,
            PARTLY_GENERATED_REASON,
            (ArgumentCondition(place, sources_pattern=RANDOM_NAME_SOURCE),),
        ),
    )
