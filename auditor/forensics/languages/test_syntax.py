"""How tests of a language look: where one begins, what checks something and what skips."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from auditor.forensics.languages.keyword_gated_patterns import PatternSearch, compile_pattern, encode_words

SLASH_COMMENT = compile_pattern(r"//[^\n]*|/\*.*?\*/")


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
    """Node kinds that precede a function and belong to it."""
    annotations_in_comments: bool = False
    """Do comments above a function say what is asked of it: `@test`?"""
    skipped: re.Pattern[str] | None = None
    conditional: re.Pattern[str] | None = None
    alone: re.Pattern[str] | None = None
    announced: re.Pattern[str] | None = None
    """What in the header of a test says that running it checks something."""
    made: re.Pattern[bytes] | None = None
    """Form of the name and the body of what checks for others, where the grammar knows it for no function."""
    stops: re.Pattern[str] | None = None
    """First words of a statement after which a test does nothing."""
    preparations: re.Pattern[str] | None = None
    """Form of the header of a function that runs before each test of what contains it."""
    trivial: re.Pattern[str] | None = None
    """Checks of what is always true."""
    comments: re.Pattern[str] = SLASH_COMMENT
    constraint: re.Pattern[str] | None = None
    """First lines of a file that is only built under a condition."""
    first_line_pattern: re.Pattern[str] | None = None
    """Form of the first line of a test, where the grammar knows no tests: they end with a bracket alone on its line."""
    beside: re.Pattern[str] | None = None
    """Form of the header of what is built for tests only, where that is in the files of what is tested."""
    test_only_file: re.Pattern[str] | None = None
    """First lines of a file of which that is true as a whole."""
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
        """What is in the source of a header that fits `functions`: one of each of these, whatever blanks are between."""
        return () if self.heading is None else _header_word_sets(self.heading)

    @cached_property
    def beside_words(self) -> tuple[bytes, ...]:
        """The same of `beside`: one of these."""
        return (b"",) if self.beside is None else next(iter(_header_word_sets(PatternSearch(self.beside))), (b"",))

    @cached_property
    def heading(self) -> PatternSearch | None:
        """`functions`, sought by its words."""
        return None if self.functions is None else PatternSearch(self.functions)


def _header_word_sets(sought: PatternSearch) -> tuple[tuple[bytes, ...], ...]:
    """What is in the source of a header of some form: one of each of these."""
    needs = () if sought.lowered else sought.needs
    plain = [words for words in needs if not any(quote in word for word in words for quote in "\"'`")]
    return tuple(encode_words(max(word.split() or [""], key=len) for word in words) for words in plain)
