r"""How a language's page is written: its grammar's words, and rules that name a probe, a form and a sentence.

What a rule costs, where parsing a file is one: all files together may take one more, for all rules of a language.

- The name of a call costs nothing: names are looked up, and a file that calls none of them asks no rule. A name that is
  called everywhere (`get`, `log`, `New`) costs as much as all that is asked of each of these calls.
- What the call itself tells, `kinds` and `form` of `when`, is asked first and costs a microsecond a call.
- Words in `reads` of `when`, and in a `form` beside it, are worked out and asked for next: all words of all rules are
  looked for in one pass over the file, which costs 0.03 however many they are. A form without any word of three letters (`\0`, `^[^\0]+$`) is tried on every
  call that is left. So is what `unless` holds.
- `reads` and `made_of` follow names, up to a hundred microseconds: let `kinds` or a `form` of the same argument, or an
  argument before it, turn most calls away.
- `without` is looked for by its words, once a file; one that begins with `\A(?!` has none, and goes through all of it.
- Where a word of a `Value`'s name is found, all pairs and assignments of the file are walked for. A `Piece` of a kind
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

from auditor.forensics.languages.keyword_search import Remembered, Sought
from auditor.forensics.languages.string_syntax import FILLED, NEXT, Writing
from auditor.forensics.python.justifying_comments import SHRUG
from auditor.forensics.source_text.decode_and_run_commands import DECODE_AND_RUN_COMMAND
from auditor.forensics.source_text.keyword_index import KeywordSearch


def form(pattern: str) -> re.Pattern[str]:
    """A compiled form of source text."""
    return re.compile(pattern, re.DOTALL)


def encoded(words: Iterable[str]) -> tuple[bytes, ...]:
    """Words as they stand in a file."""
    return tuple(word.encode() for word in words)


_QUERIES = tuple(
    re.compile(
        quote
        + rb"(?=[\sacdimrstuw])\s{0,100}(?:(?:select|insert|update|delete|replace|merge)\s|(?:drop|alter|create|truncate)\s+\w|with\s+\w+\s+as\b)"
    )
    for quote in (b'"', b"'", b"`", rb"<<[-~]?\w{1,40}[^\n]{0,200}\n")
)
"""A text that begins like a query, in small letters, by its quotation mark: a form that begins with one letter is found three times as fast."""


def holds_queries(source: bytes) -> bool:
    """Does some text begin like a query?"""
    lowered = source.lower()
    return any(each.search(lowered) is not None for each in _QUERIES)


_WORDS = re.compile(r"\w*")
_EVERYWHERE = frozenset("\"'`(){}\n:;.=-0")
"""Signs that stand in every file, and so often that finding them all takes time."""
_TELLING = 3
"""Letters of a word whose being there tells something."""
_SLASHED = form(r"//[^\n]*|/\*.*?\*/")


NOBODY, RULES, OF_QUERIES, TESTS = 0, 1, 2, 4
"""Who may speak of a call, as far as the last part of what is called tells: rules, rules of queries only, and who looks for tests.

Numbers that are added up, as each call of each file is asked.
"""


def _telling(words: frozenset[str]) -> tuple[int, int, list[str]]:
    """How much it tells that none of some words is there."""
    return min(map(len, words)), -len(words), sorted(words)


def _words_of_header(sought: Sought) -> tuple[tuple[bytes, ...], ...]:
    """What stands in the source of a header of some form: one of each of these."""
    needs = () if sought.lowered else sought.needs
    plain = [words for words in needs if not any(quote in word for word in words for quote in "\"'`")]
    return tuple(encoded(max(word.split() or [""], key=len) for word in words) for words in plain)


_BY_DEFAULT = re.compile(r"\"?\$\{\w{1,60}:?-(?:[\w/-]{0,60}/)?(?P<program>[\w-]{1,40})\}\"?")


def by_default(named: str) -> str:
    """The program that a variable of a script stands for where nobody sets it: `${CURL:-curl}`."""
    found = _BY_DEFAULT.fullmatch(named) if "-" in named and "{" in named else None
    return named if found is None else found["program"]


def last_of(name: str) -> str:
    """The last part of what is called."""
    return name.rpartition(".")[2].rpartition("::")[2]


KEPT = ("@internal", "@private", "@api private", ":nodoc:", "doc(hidden")
"""How a comment, or an attribute, says that something is open for the project itself and promised to nobody else."""
BROKEN = "ERROR"
"""The kind of what the grammar could not make anything of."""
ALL, RECEIVER, ITSELF, BEFORE, BEHIND = -1, -2, -3, -4, -5
"""Places: all arguments as one list, what a method is called on, the call itself, and the source before and behind it."""


@dataclass(frozen=True, eq=False)
class Argument:
    """What an argument must look like: its place (None for any), its form in the source, its kinds of node.

    With `reads` the form of the text that it stands for, names followed: see `texts`.
    """

    place: int | None = 0
    form: re.Pattern[str] | None = None
    kinds: frozenset[str] = frozenset()
    reads: re.Pattern[str] | None = None
    told_apart: bool = False
    """Does what goes by the name of a table or a column not count as filled in?"""
    made_of: re.Pattern[str] | None = None
    """A form of its source, or of the source of what its names were given."""
    typed: re.Pattern[str] | None = None
    """The form of a type that some parameter, field or variable of its name is declared with; it is enough where `reads` does not fit."""

    def may_fit(self, has: Callable[[frozenset[str], bool], bool], temporary: Callable[[], bool]) -> bool:
        """Does a file hold the words without which nothing in it fits? What gives the temporary folder reads like it.

        `has` tells whether it holds one of some words, or may do so in small letters.
        """
        for words, either in self.needs:
            if not has(words, either) and not ("tmp" in words and temporary()):
                return False
        return True

    @property
    def is_told_at_once(self) -> bool:
        """Is all that it asks told by the call itself, with no name followed?"""
        followed = self.reads is not None or self.made_of is not None or self.typed is not None
        return not followed and self.place not in {ALL, RECEIVER}

    @cached_property
    def needs(self) -> tuple[tuple[frozenset[str], bool], ...]:
        """Words of each of which a file holds one, and whether in small letters.

        What fits a form of the source stands in it as it is. What a text comes to may be put together from parts, but
        nobody takes a word apart.
        """
        of_form = () if self.form is None else _needed(self.form, whole=True)
        if self.typed is not None:
            return of_form if self.reads is not None else of_form + _needed(self.typed, whole=True)
        return of_form if self.reads is None else of_form + _needed(self.reads, whole=False)


@dataclass(frozen=True, slots=True)
class Unlooked:
    """What shows that nobody asks how something ended: what stands before the call, or behind it, or each use of its name."""

    before: re.Pattern[bytes] | None = None
    behind: re.Pattern[bytes] | None = None
    uses: re.Pattern[bytes] | None = None
    """Form of a use that does not ask: the last sign before the name, `@` for the name itself, and what follows it."""
    dropped: bool = True
    """Does it show as well that nobody takes what the call gives?"""


@cache
def _needed(form_: re.Pattern[str], *, whole: bool) -> tuple[tuple[frozenset[str], bool], ...]:
    """What a form cannot do without, of the kind above; not whole, only the letters of it."""
    sought = Sought(form_)
    found = [words if whole else list(map(_longest, words)) for words in sought.needs]
    return tuple((frozenset(words), sought.lowered) for words in found if all(len(each) >= _TELLING for each in words))


def _longest(word: str) -> str:
    """The longest run of letters, of several the last: the end of a path tells more than what it begins with."""
    runs: list[str] = _WORDS.findall(word)
    return max(reversed(runs), key=len)


class _Rule:
    """What rules of calls and of pieces have in common."""

    probe: str
    beside: tuple[bytes, ...]

    @cached_property
    def _beside(self) -> frozenset[str]:
        return frozenset(map(bytes.decode, self.beside))

    @property
    def says_nothing(self) -> bool:
        """Is it told that something was dropped without a word? A reason beside it is a word."""
        return self.probe == "code.swallowed_exception"


@dataclass(frozen=True, eq=False)
class Call(_Rule):
    """A call by its full name (`child_process.exec`), or by its method alone (`.query`)."""

    probe: str
    names: tuple[str, ...]
    statement: str
    when: tuple[Argument, ...] = ()
    confidence: float = 0.9
    because: str = ""
    unless: tuple[Argument, ...] = ()
    dropped: bool = False
    """Only where nobody looks at what the call gives?"""
    unlooked: Unlooked | None = None
    """Only where nobody looks, or where that is seen in one of these ways?"""
    handed_on: bool = False
    """Are calls of a function of the file that hands a parameter on to this, at the place that is asked of first, told as well?"""
    without: re.Pattern[bytes] | None = None
    """What the file must hold nowhere."""
    without_near: re.Pattern[bytes] | None = None
    """What the function around it must not hold, nor the file where what it gives leaves that function."""
    unless_before: re.Pattern[bytes] | None = None
    """What must not stand right before it."""
    in_function: bool = False
    """Only inside a function?"""
    beside: tuple[bytes, ...] = ()
    """Of these words the file must hold one: asked before all else, and faster than any form."""

    @cached_property
    def watched(self) -> frozenset[str]:
        """Words that it asks a file for, as they are."""
        asked = (words for each in self.followed for words, either in each.needs if not either)
        return self._beside.union(*asked)

    @cached_property
    def handed_place(self) -> int:
        """The place of what is handed on."""
        return next((each.place for each in self.when if each.place is not None and each.place >= 0), 0)

    @cached_property
    def of_queries(self) -> bool:
        """Can it speak only where some text begins like a query?"""
        return any(each.reads is GLUED_QUERY or each.reads is VALUE_QUERY for each in self.when)

    @cached_property
    def at_once(self) -> tuple[Argument, ...]:
        """What it asks that the call itself tells."""
        return tuple(each for each in self.when if each.is_told_at_once)

    @cached_property
    def followed(self) -> tuple[Argument, ...]:
        """What it asks of names and what they stand for."""
        return tuple(each for each in self.when if not each.is_told_at_once)

    def names_it(self, called: str) -> bool:
        """Is one of its names that of what is called?"""
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

    def may_speak(self, has: Callable[[frozenset[str], bool], bool], temporary: Callable[[], bool]) -> bool:
        """Does a file hold what this cannot do without? Asked before texts are put together and names followed, which costs far more.

        Of what the call itself tells it is not asked: that costs less than to look through the file.
        """
        if self.beside and not has(self._beside, False):
            return False
        return self.of_queries or all(each.may_fit(has, temporary) for each in self.followed)


@dataclass(frozen=True, slots=True)
class Value:
    """A key or name that is given a value: `rejectUnauthorized: false`."""

    probe: str
    name: re.Pattern[str]
    value: re.Pattern[str]
    statement: str
    confidence: float = 0.95
    because: str = "whether it is ever used was not followed"
    without: re.Pattern[bytes] | None = None
    """What the file must hold nowhere."""


@dataclass(frozen=True, slots=True)
class Handler:
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
class Piece(_Rule):
    """Any node of a kind whose text fits a form."""

    probe: str
    kind: str
    statement: str
    form: re.Pattern[str] | None = None
    confidence: float = 0.95
    because: str = "a tool for debugging may need it"
    reads: tuple[str, re.Pattern[str]] | None = None
    """A field of the node, or a key of the record that it is, and the form of the text that it stands for, names followed."""
    made_of: re.Pattern[str] | None = None
    """A form of the source of that, or of the source of what its names were given."""
    without: re.Pattern[bytes] | None = None
    """What the file must hold nowhere."""
    without_near: re.Pattern[bytes] | None = None
    """What the function around it must not hold, nor the file where what it gives leaves that function."""
    unless_before: re.Pattern[bytes] | None = None
    """What must not stand right before it."""
    unless_behind: re.Pattern[bytes] | None = None
    """What must not stand right behind it."""
    alone: bool = False
    """Only where it is a statement of its own?"""
    beside: tuple[bytes, ...] = ()
    """Of these words the file must hold one."""

    @cached_property
    def words(self) -> tuple[tuple[bytes, ...], ...]:
        """What fits the form holds one of each of these."""
        sought = None if self.form is None else Sought(self.form)
        return () if sought is None or sought.lowered else tuple(encoded(words) for words in sought.needs)

    @cached_property
    def needs(self) -> tuple[frozenset[str], ...]:
        """The same as they are asked for; some signs stand in every file."""
        told = (frozenset(map(bytes.decode, words)) for words in self.words)
        return tuple(words for words in told if words.isdisjoint(_EVERYWHERE))

    @cached_property
    def watched(self) -> frozenset[str]:
        """Words that it asks a file for."""
        return self._beside.union(*self.needs)

    def may_fit(self, said: frozenset[str]) -> bool:
        """Are there, among the words that a file holds, those that its form cannot do without?"""
        return not any(map(said.isdisjoint, self.needs))

    def may_speak(self, said: frozenset[str]) -> bool:
        """The same, and a word that must stand beside it."""
        return not any(map(said.isdisjoint, self._asked))

    @cached_property
    def _asked(self) -> tuple[frozenset[str], ...]:
        return (self._beside, *self.needs) if self.beside else self.needs

    @cached_property
    def telling(self) -> frozenset[str]:
        """Words of which a file must hold one; of several such sets that which few files hold, none where it asks for no words."""
        return self._beside or max(self.needs, key=_telling, default=frozenset())


@dataclass(frozen=True, eq=False)
class Testing:
    """How a language's tests are written. Forms of a header see it without its title and its strings."""

    words: tuple[bytes, ...]
    """What a file that holds tests has at least one of."""
    checks: re.Pattern[str]
    """What a test has that may check something, helpers with telling names included."""
    counted: re.Pattern[str]
    """What checks something beyond doubt; counted line by line before and after a change."""
    counted_checks: bool = False
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
    comments: re.Pattern[str] = _SLASHED
    constraint: re.Pattern[str] | None = None
    """What stands above all else in a file that is built under a condition only."""
    by_lines: re.Pattern[str] | None = None
    """Form of the first line of a test, where the grammar knows no tests: they end with a bracket alone on its line."""
    beside: re.Pattern[str] | None = None
    """Form of the header of what is built for tests only, where that stands in the files of what is tested."""
    all_for_tests: re.Pattern[str] | None = None
    """What stands above all else in a file of which that is true as a whole."""
    whole_files: bool = False
    """May a file be a test as a whole?"""

    @cached_property
    def checking(self) -> Sought:
        """`checks`, sought by its words."""
        return Sought(self.checks)

    @cached_property
    def counting(self) -> Sought:
        """`counted`, sought by its words."""
        return Sought(self.counted)

    @cached_property
    def seeming(self) -> Sought | None:
        """`trivial`, sought by its words."""
        return None if self.trivial is None else Sought(self.trivial)

    def seems(self, text: str, places: Sequence[int] | None) -> bool:
        """Is something checked that is always true, in a text of which the places are known where `counted` may fit?"""
        if self.seeming is None:
            return False
        if places is None or not self._seems_counted:
            return self.seeming.occurs(text)
        match = self.seeming.form.match
        return any(match(text, place) for place in places)

    @cached_property
    def _seems_counted(self) -> bool:
        """Does all that is always true begin as what is counted does?"""
        seeming, counting = self.seeming, self.counting
        if seeming is None or seeming.lowered or counting.lowered:
            return False
        return bool(seeming.starts) and all(each.startswith(counting.starts) for each in seeming.starts)

    @cached_property
    def stopping(self) -> Sought | None:
        """`stops`, sought by its words."""
        return None if self.stops is None else Sought(self.stops)

    @cached_property
    def watched(self) -> frozenset[str]:
        """`words`, as they are asked for."""
        return frozenset(map(bytes.decode, self.words))

    def may_end(self, last: bytes) -> bool:
        """May the name of a test, or of what holds several, end with this part?"""
        return any(
            form_ is not None and form_.fullmatch(base + last)
            for form_ in (self.calls, self.holders)
            for base in (b"", b"it.", b"test.", b"describe.")
        )

    @cached_property
    def stop_words(self) -> frozenset[str]:
        """Of these words a file must hold one for `stops` to fit anything in it; none where that is open."""
        sought = self.stopping
        return frozenset() if sought is None or sought.lowered else frozenset(next(iter(sought.needs), ()))

    @cached_property
    def header_words(self) -> tuple[tuple[bytes, ...], ...]:
        """What stands in the source of a header that fits `functions`: one of each of these, whatever blanks are between."""
        return () if self.heading is None else _words_of_header(self.heading)

    @cached_property
    def beside_words(self) -> tuple[bytes, ...]:
        """The same of `beside`: one of these."""
        return (b"",) if self.beside is None else next(iter(_words_of_header(Sought(self.beside))), (b"",))

    @cached_property
    def heading(self) -> Sought | None:
        """`functions`, sought by its words."""
        return None if self.functions is None else Sought(self.functions)


@dataclass(frozen=True, eq=False)
class Language:
    """One language. Kinds are node kinds of its grammar."""

    name: str
    grammar: Callable[[bytes], Any]
    """The tree-sitter language for a content."""
    dialects: frozenset[str] = frozenset()
    """Of these words a content must hold one for that to be another than for an empty one; without any, all are asked."""
    calls: Mapping[str, str] = field(default_factory=dict)
    """Kinds of calls -> the field that holds what is called, or the last part of it."""
    callee: tuple[str, ...] = ("function",)
    """Fields of a call that hold what is called; joined by a dot when there are several."""
    arguments: str = "arguments"
    functions: frozenset[str] = frozenset()
    branches: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    writing: Writing | None = None
    """How texts are written and named."""
    passing: frozenset[str] = frozenset()
    """Kinds of what hands a failure on and is no look at the rest."""
    statements: frozenset[str] = frozenset({"expression_statement"})
    """Kinds of what stands around an expression whose value nobody wants."""
    modifiers: frozenset[str] = frozenset()
    """Kinds of what holds a statement, its `body`, and the condition behind it."""
    declared: bool = True
    """Is a name declared where it is first given a value?"""
    given_back: re.Pattern[bytes] | None = None
    """Form of what stands before a statement whose value is what its function gives."""
    hands_on: frozenset[str] = frozenset()
    """Commands that run the command that their arguments are: rules speak of that."""
    wrappers: Callable[[bytes], frozenset[str]] = lambda _content: frozenset()
    """Functions of a file that do the same."""
    unwanted: re.Pattern[bytes] | None = None
    """Form of what stands before a call when its value is given to nobody."""
    handlers: frozenset[str] = frozenset()
    handler_body: str = "body"
    comments: frozenset[str] = frozenset({"comment"})
    commented: tuple[bytes, ...] = (b"//", b"/*")
    """What comments begin with."""
    dialect: re.Pattern[bytes] | None = None
    """First words of a file in a dialect that the grammar does not know."""
    endless: Callable[[bytes], bool] = lambda _content: False
    """Does it hold what no person writes, and the parser takes time for that grows with the square of its length?"""
    prepared: Callable[[bytes], bytes] = lambda content: content
    """The content as the grammar can read it, byte for byte in its place."""
    unready: frozenset[str] = frozenset()
    """Of these words a content must hold one for that to be another; without any, all are asked."""
    otherwise: Callable[[bytes], Iterable[tuple[Any, bytes]]] = lambda _content: ()
    """Where a file has an error: grammars, and the content as each may read it, byte for byte in its place."""
    packages: re.Pattern[str] | None = None
    """Form of what may stand before a name to tell where it is from; rules name it without."""
    types: tuple[bytes, ...] = ()
    """Forms that declare a name, `@` in them, with a type, their group."""
    failing: re.Pattern[bytes] | None = None
    """Form of the beginning of a function that may fail: its `name`, and `of` what type it is."""
    of_failing: tuple[Call, ...] = ()
    """Rules of calls of such functions of the same file."""
    imports: Callable[[str], dict[str, str]] | None = None
    """Local name -> what it stands for, of the text of a file."""
    head: re.Pattern[bytes] | None = None
    """Form of the beginning of a file that holds none of the nodes that are walked for in every file, in whole comments and statements."""
    imported: frozenset[str] = frozenset()
    """Of these words a file must hold one for its imports to tell anything; without any, all files are asked."""
    offering: frozenset[str] = frozenset()
    """Words that tell whether a file offers anything."""
    testing: Testing | None = None
    rules: tuple[Call | Value | Handler | Piece, ...] = ()

    @cached_property
    def probes(self) -> frozenset[str]:
        """Questions that this language has rules for."""
        asked = {each.probe for each in self.rules}
        return frozenset(asked | ({"tests.without_assertions"} if self.testing is not None else set()))

    @cached_property
    def opening(self) -> re.Pattern[bytes]:
        """The first bytes of any comment."""
        return re.compile(b"|".join(map(re.escape, self.commented)))

    @cached_property
    def in_parts(self) -> bool:
        """Does what is called stand in several fields?"""
        return set(self.callee) != set(self.calls.values())

    @cached_property
    def by_name(self) -> dict[str, list[Call]]:
        """Rules of calls by the last part of what they name."""
        found: dict[str, list[Call]] = {}
        for each in self.rules:
            if isinstance(each, Call):
                for end in dict.fromkeys(last_of(name) for name in each.names):
                    found.setdefault(end, []).append(each)
        return found

    @cached_property
    def speaking(self) -> Remembered[str, tuple[tuple[Call, ...], bool]]:
        """What is called, its first part looked up among the imports -> the rules that name it, and is one of queries only?"""

        def of(called: str) -> tuple[tuple[Call, ...], bool]:
            rules = tuple(each for each in self.by_name.get(last_of(called), ()) if each.names_it(called))
            return rules, any(each.of_queries for each in rules)

        return Remembered(of)

    @cached_property
    def of_values(self) -> tuple[Value, ...]:
        """Rules of values."""
        return tuple(each for each in self.rules if isinstance(each, Value))

    @cached_property
    def of_handlers(self) -> tuple[Handler, ...]:
        """Rules of handlers."""
        return tuple(each for each in self.rules if isinstance(each, Handler))

    @cached_property
    def of_pieces(self) -> dict[str, list[Piece]]:
        """Rules of pieces by the node kind that each speaks of."""
        found: dict[str, list[Piece]] = {}
        for each in self.rules:
            if isinstance(each, Piece):
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
            for kind, rules in self.of_pieces.items()
            if all(each.telling for each in rules)
        }

    @cached_property
    def speaks_of(self) -> Remembered[bytes, int]:
        """What is called, from its last dot on -> who may speak of it."""
        words = {
            end.encode(): OF_QUERIES if all(each.of_queries for each in rules) else RULES
            for end, rules in self.by_name.items()
        }
        words.update(dict.fromkeys(encoded(self.hands_on), RULES))

        def of(last: bytes) -> int:
            if last.endswith(b")"):
                return RULES + TESTS  # what another call gives, such as a module that is named where it is used
            plain = last.partition(b"::<")[0] if last.endswith(b">") else last
            if last.endswith((b"}", b'}"')) and plain not in words:
                plain = by_default(last.decode("utf-8", errors="replace")).encode()
            tests = self.testing is not None and self.testing.may_end(last)
            return words.get(plain.rpartition(b"::")[2], NOBODY) + (TESTS if tests else NOBODY)

        return Remembered(of)

    @cached_property
    def value_words(self) -> frozenset[str]:
        """A file must hold one of these words for a rule of values to speak, the longest of each rule's name."""
        return frozenset(
            max(re.findall(r"[A-Za-z_]{4,}", form_), key=len)
            for each in self.of_values
            for form_ in each.name.pattern.split("|")
        )

    @cached_property
    def words(self) -> KeywordSearch:
        """All words that anything asks a file for."""
        found = KeywordSearch((*self.value_words, *self.imported, *self.dialects, *self.unready, *self.offering, *KEPT))
        if self.testing is not None:
            found.add(self.testing.watched | self.testing.stop_words)
        for each in (*self.rules, *self.of_failing):
            if isinstance(each, Call | Piece):
                found.add(each.watched)
        return found

    @cached_property
    def groups(self) -> frozenset[str]:
        """Kinds of nodes that hold several tests together."""
        return frozenset() if self.testing is None else self.testing.groups

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Kinds of nodes that are walked for in every file."""
        asked = {*self.branches, *self.functions, *self.calls, *self.handlers, *self.groups}
        return frozenset(asked | (self.of_pieces.keys() - self.of_rare.keys()))

    @cached_property
    def of_rare(self) -> dict[str, list[Piece]]:
        """Rules of pieces of a kind that nothing else asks for, and of which each tells words that few files hold."""
        known = {*self.branches, *self.functions, *self.calls, *self.handlers, *self.groups}
        return {
            kind: rules
            for kind, rules in self.of_pieces.items()
            if kind not in known and all(each.needs for each in rules)
        }

    @cached_property
    def rare_words(self) -> frozenset[str]:
        """A file must hold one of these words for a rule of rare pieces to fit: of each rule those that tell most."""
        told = [max(each.needs, key=_telling) for rules in self.of_rare.values() for each in rules]
        return frozenset().union(*told)

    @cached_property
    def kinds_and_values(self) -> frozenset[str]:
        """The same, and what gives a value to a name."""
        return self.kinds | self.values


FIXED = "the command is a constant, so nothing foreign can reach the shell here"
JUDGED = "what it protects was not followed"
KEYED = "with a key it has not been broken in practice (RFC 6151)"
PASSED = "where its parts come from was not followed"
SQL = r"(?i:[\s(]*(?:(?:--|#)[^\n]*\n\s*|/\*.{0,500}?\*/\s*)*(?:explain\s+(?:analyze\s+)?)?(?:with\s.{1,2000}?\bas\s*\(|select\b.+?\bfrom\b|insert\s+(?:or\s+\w+\s+|ignore\s+)?into\b|replace\s+into\b|merge\s+into\b|update\b.+?\bset\b|delete\s+from\b|truncate\s+(?:table\s)?|(?:drop|alter|create)\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+)?(?:table|view|index|database|schema|user|role|sequence|trigger|extension|function|publication)\b))"
GLUED_QUERY = form(rf"^(?=[^{FILLED}{NEXT}]{{0,4000}}{FILLED}){SQL}")
"""The text of a query into which something is put."""
VALUE_QUERY = form(rf"^(?!\s*(?i:create|drop|alter|truncate)\b)(?:{GLUED_QUERY.pattern})")
"""The same without what no parameter can stand in."""
GLUED_GRAPH_QUERY = form(
    rf"^(?=[^{NEXT}]*{FILLED})\s*(?i:(?:optional\s+)?match|merge|create|unwind|with|call)\b[^{FILLED}{NEXT}]*[({{:'\"=]"
)
"""The same of a query for a database of graphs."""
OF_GRAPHS = (b"neo4j", b"Neo4j", b"neo4rs", b"memgraph", b"Memgraph", b"cypher", b"Cypher")
IDENTIFIER = "what is put in looks like a name of a table or column, which cannot be a parameter"
_VALUE = rf"[\s'\"(%]*{FILLED}(?!\.[a-z_])"
GLUED_CONDITION = form(
    rf"(?i)^(?={SQL})(?:[^{NEXT}]*{FILLED})|[\w\"\])]\s*(?:[<>!=]=?|<>|\b(?:not\s+)?(?:like|ilike|in|between|is|regexp)\b){_VALUE}|\w\(\s*(?:'[^'{FILLED}{NEXT}]{{0,60}}'\s*,\s*){{0,3}}'[^'{FILLED}{NEXT}]{{0,60}}{FILLED}|^{FILLED}\s*(?:=|[<>]|\blike\b|\bin\b)"
)
"""A part of a query into which a value is put."""
GLUED_PART = form(rf"[\w)\]\"',.]\s*{FILLED}|{FILLED}\s*[\w(\[\"',.]|{FILLED}[\s,]+{FILLED}")
"""Text with something put in, where all text is taken for a part of a query."""
_THROUGH = rf"(?:(?:[\w./-]*/)?(?:sudo|doas|env|docker|docker-compose|podman|nerdctl|kubectl|oc|nsenter|unshare|chroot|lxc|incus|flatpak-spawn|systemd-run|timeout|nice|ionice|nohup|setsid|stdbuf|xargs|find|parallel|wsl(?:\.exe)?|heroku|fly|vagrant){NEXT}(?:[^{NEXT}]*{NEXT}){{0,12}}?)?"
"""Programs that run the command that their last arguments are."""
SHELLS = rf"^{_THROUGH}(?:(?:/usr)?(?:/local)?(?:/bin/)?(?:ba|z|da|k)?sh{NEXT}(?:-[\w-]+{NEXT}(?:(?<=o{NEXT})\w+{NEXT})?){{0,4}}?-\w*c|(?i:(?:[\w:\\\\/]*[\\\\/])?cmd(?:\.exe)?{NEXT}(?:/\w{NEXT}){{0,3}}?/[ck]|(?:[\w:\\\\/]*[\\\\/])?(?:powershell|pwsh)(?:\.exe)?{NEXT}(?:-\w+{NEXT}){{0,6}}?(?:-c\w*|/c)))(?:{NEXT}|$)"
"""The words of a command line that hand the one after them to a shell."""
IN_AN_INTERPRETER = form(
    rf"^{_THROUGH}(?:[\w./-]*/)?(?:node|python[\d.]*|perl|ruby|php|bun|osascript){NEXT}(?:-\w+{NEXT}){{0,3}}?(?:-[a-zA-Z]*[ecrp]|--eval|--print){NEXT}[^{NEXT}]*{FILLED}"
)
"""The words of a command line that hand a text put together at run time to an interpreter as its program."""
IN_A_SHELL = form(rf"{SHELLS}(?=.*{FILLED})")
FIXED_IN_A_SHELL = form(SHELLS)
_ELSEWHERE = rf"^(?:sudo{NEXT})?(?:sshpass{NEXT}(?:[^{NEXT}]*{NEXT}){{1,3}}?)?(?:[\w./-]*/)?(?:ssh|autossh|mosh){NEXT}(?:[^{NEXT}]*{NEXT}){{1,12}}?"
ON_ANOTHER_MACHINE = form(rf"{_ELSEWHERE}(?=[^{NEXT}]*[\s;&|])(?=[^{NEXT}]*{FILLED})[\w./{FILLED}][^{NEXT}=\s]*[\s;&|]")
"""The words of a command line that hand a command, put together at run time, to a shell on another machine."""
FIXED_ON_ANOTHER_MACHINE = form(rf"{_ELSEWHERE}[A-Za-z_][\w./-]*\s[^{NEXT}{FILLED}]*(?:{NEXT}|$)")
FOREIGN_COMMAND = "A command put together at run time is handed to a shell on another machine"
FIXED_FOREIGN_COMMAND = "A constant command is handed to a shell on another machine"
DECODED_IN_A_SHELL = form(rf"{SHELLS}.*(?:{DECODE_AND_RUN_COMMAND})")
_SHRUGS = rf"[^\w\n/*#]{{0,20}}(?i:{SHRUG}(?:[^\w\n]{{1,20}}{SHRUG}){{0,5}})[^\w\n]{{0,20}}"
SHRUGGED = rf"\{{\s*(?:(?://|#){_SHRUGS}\n\s*|/\*+{_SHRUGS}\n?\s*\*/\s*)\}}$"
"""A body of nothing but a comment that gives no reason."""
DROPPED_RESULT = "the failure may be told elsewhere"
OUTPUT_TAKEN = "A child process runs, and its output is taken whether it failed or not"
PERHAPS_EMPTY = "an empty output may be told apart"
ONE_USER = "the folder may belong to one user"
IN_PART = "part of the name is made at run time"
FIXED_NAME = "A file with a fixed name is written to the shared temporary folder"
GUESSED_NAME = "A file with a name that can be guessed is written to the shared temporary folder"
FOLDER_NAME = (
    "A folder with a name that can be guessed is made in the shared temporary folder, and taken if it is there already"
)
_SHARED = r"(?:^|\n)/(?:(?:private/)?(?:var/)?tmp|dev/shm)"
SHARED_FIXED = form(rf"{_SHARED}(?:/+|(?=[A-Za-z]))[^{FILLED}{NEXT}\n]+(?:\n|$)")
"""A path in a folder that all users share, all of it known."""
SHARED_GUESSED = form(rf"{_SHARED}(?:/+|(?=[A-Za-z{FILLED}]))[^{NEXT}\n]*{FILLED}")
"""The same with something filled in."""
SHARED_HANDED = form(
    rf"(?:^|[\s>{NEXT}])(?:--?[\w-]+=|of=|['\"])?/(?:(?:private/)?(?:var/)?tmp|dev/shm)(?:/+|(?=[A-Za-z{FILLED}]))[\w.{FILLED}-]"
)
"""A command in which such a path stands."""
ONLY_READS = form(
    rf"^(?:sudo[\s{NEXT}]+)?(?:[\w./-]*/)?(?:cat|rm|rmdir|ls|stat|head|tail|grep|wc|file|du|df|diff|cmp|test|find|less|unlink|shred|md5sum|sha\d+sum|readlink|chmod|chown|pkill|kill|umount|mount|open|xdg-open|docker|podman)(?:[\s{NEXT}]|$)"
)
"""A command that writes nothing where it is told to look, or writes on another machine."""
_BETWEEN = rf"[\s{NEXT}]"
LAX_PROGRAM = form(
    rf"(?:^|[\s;&|(/{NEXT}])(?:curl{_BETWEEN}(?:[^;|&\n]{{0,300}}?{_BETWEEN})?(?:--insecure|-[a-zA-Z]{{0,8}}k[a-zA-Z]{{0,8}})|wget{_BETWEEN}(?:[^;|&\n]{{0,300}}?{_BETWEEN})?--no-check-certificate|git{_BETWEEN}(?:[^;|&\n]{{0,200}}?{_BETWEEN})?http\.sslVerify(?:=|{_BETWEEN})(?:false|0))(?:{_BETWEEN}|$)"
    rf"|\bStrictHostKeyChecking[= ](?:no|off)\b|\bUserKnownHostsFile[= ]/dev/null\b"
)
"""A command that tells its program not to check who answers."""
LAX_WORDS = (b"curl", b"wget", b"sslVerify", b"StrictHostKeyChecking", b"UserKnownHostsFile")
LAX_ADDRESS = form(
    r"^[rb]?#?[\"'`]{1,3}[^\"'`\s]{3,300}?(?:[?&;](?:tlsInsecure=true|tlsAllowInvalidCertificates=true|tlsAllowInvalidHostnames=true|sslmode=no-verify|tls=skip-verify|trustServerCertificate=true|TrustServerCertificate=true|TrustServerCertificate=True|verifyServerCertificate=false|ssl_cert_reqs=none|ssl_cert_reqs=CERT_NONE|ssl_verify=false|ssl_verify_cert=false)(?![\w-])|(?<=rediss:)//[^\"'`\s]{3,200}#insecure\b)"
)
"""An address that says itself that nothing is checked."""
HANDED_NAME = "A program is told to use a file in the shared temporary folder whose name can be guessed"
NOT_FOLLOWED = "whether the program writes it was not followed"
UNGUESSABLE = form(
    r"(?i)uuid|ulid|token|secret|rand|nonce|unique|mkd?s?temp|mktmp|nanoid|ksuid|cuid|hexdigest|createtemp|tempfile|(?<!os\.)tempdir\b"
)
"""What makes a name that nobody can guess, told by its name."""


_MARK = r"(?i:x{3,}|z{3,}|a?sdf+(?:gh|asdf)*\b|qwert\w*|(?:i\s+am|i'm|got|am|in|right|reached|we\s+are|gets?|still)\s+here\b|here(?=\W*\d*\W*$)|here\s*[!?]+|>{3,}\s*\w|<{3,}\s*\w|!{3,}|\?{3,}\s*$|@{3,}|\w{1,20}(?:\s\w{1,20})?\s?[!?]{2,}\W*$|wtf\b|blah\b|foo(?:bar)?(?=\W*$))|HERE\b(?!\s+[A-Za-z])"
"""What somebody prints to find where a program gets to, and nobody on purpose."""
MARKED = form(rf"^[\"'`](?:\\n|[\s\[(*#=.:-]){{0,20}}(?:{_MARK})")
SAYS_DEBUG = form(r"^[\"'`](?:\\n|[\s\[(*#=<>.:-]){0,20}(?:DEBUG\b|DBG\b|(?i:debug|dbg)\s*(?:[:>]|-+>|=+>))")
_SEPARATOR = form(r"^[\"'`]\s*(?:[=*#~_+-]\s{0,2}){3,}(?:\\n)?\s*[\"'`]$")
_ASKED_FOR = re.compile(
    rb"(?i)\b(?:if|unless|&&)\b[^\n]{0,60}(?:debug|verbose|trace)|(?:debug|verbose|trace)\w*(?:\(\))?\s*(?:&&|\))"
)


READ_BY_SOMEBODY = "whoever runs it may be meant to read it"
AS_IT_IS = "A value is printed as it is"


def marked(calls: tuple[str, ...]) -> tuple[Call, Call, Call]:
    """Calls that print: what is said of those whose first words nobody prints on purpose."""
    told = "A line is printed that says of itself that it is for debugging"
    meant = READ_BY_SOMEBODY
    return (
        Call("text.debug_leftovers", calls, told, (Argument(0, MARKED),), 0.75, meant),
        Call("text.debug_leftovers", calls, told, (Argument(0, SAYS_DEBUG),), 0.6, meant, without=_ASKED_FOR),
        Call(
            "text.debug_leftovers", calls, told, (Argument(0, _SEPARATOR), Argument(1, form(r"^[\w$.]+$"))), 0.6, meant
        ),
    )


def temporary(calls: tuple[str, ...], *unless: Argument, place: int | None = 0) -> tuple[Call, Call]:
    """Calls that write to a path, at its place: what is said of it where that lies in the shared temporary folder."""
    return (
        Call("code.insecure_temporary_file", calls, FIXED_NAME, (Argument(place, reads=SHARED_FIXED),), 0.8, ONE_USER, unless),
        Call("code.insecure_temporary_file", calls, GUESSED_NAME, (Argument(place, reads=SHARED_GUESSED),), 0.65, IN_PART, (*unless, Argument(place, made_of=UNGUESSABLE))),
    )  # fmt: skip


def handed(calls: tuple[str, ...], *when: Argument, place: int = ALL) -> Call:
    """Calls that start a program with a command, of which its arguments or what stands at a place tell."""
    return Call(
        "code.insecure_temporary_file", calls, HANDED_NAME, (*when, Argument(place, reads=SHARED_HANDED)), 0.55, NOT_FOLLOWED,
        (Argument(place, reads=ONLY_READS), Argument(ITSELF if place == RECEIVER else None, made_of=UNGUESSABLE)),
    )  # fmt: skip


def graph_queries(calls: tuple[str, ...]) -> Call:
    """Calls that ask a database of graphs."""
    return Call(
        "code.sql_from_strings", calls, "A query is put together from strings", (Argument(None, reads=GLUED_GRAPH_QUERY),), 0.75, PASSED, beside=OF_GRAPHS,
    )  # fmt: skip


_COUNTED = form(
    r"Date\.now\(|process\.pid|\bgetTime\(\)|time\.Now\(\)|\bos\.Getpid\(|Time\.(?:now|current)|Process\.pid|\$\$|currentTimeMillis\(|nanoTime\(|process::id\(|SystemTime::now\(|Utc::now\(|Local::now\("
)
"""The time, or the number of a process: of these others try a few."""


def folder(calls: tuple[str, ...], *when: Argument, place: int = 0) -> tuple[Call, Call]:
    """Calls that make a folder and do not mind that it is there already."""
    probe, told = "code.insecure_temporary_file", FOLDER_NAME
    counted = (Argument(place, reads=SHARED_GUESSED), *when, Argument(place, made_of=_COUNTED))
    return (
        Call(probe, calls, told, (Argument(place, reads=SHARED_FIXED), *when), 0.55, ONE_USER),
        Call(probe, calls, told, counted, 0.55, IN_PART, (Argument(place, made_of=UNGUESSABLE),)),
    )
