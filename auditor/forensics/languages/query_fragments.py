"""Pieces of a query that were made elsewhere: a condition beside the values of its parameters, `"... where " + where, args...`.

Asked only of what would be told as a query put together from strings, and that is handed a list of values.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auditor.forensics.languages.allow_list_checks import AllowListChecks
from auditor.forensics.languages.constant_names import is_constant
from auditor.forensics.languages.language_rule_types import BUILT_VALUE_QUERY, CallRule
from auditor.forensics.languages.parsed_file import ParsedFile
from auditor.forensics.languages.string_building import Texts, is_open
from auditor.forensics.languages.string_syntax import FILLED, NAMED

if TYPE_CHECKING:
    from tree_sitter import Node

_PIECE = "\x02"
"""Stands for a piece of a query that was not followed."""
_CLAUSE = re.compile(
    r"(?i)(?:where|clause|condition|predicate|fragment|filter|order|having)s?(?:_?(?:sql|str|string|text|part|clause)s?)?(?:\(\))?$"
)
_MARKS = re.compile(r"(?i)(?:in_?clause|placeholder|marks|bindvar)s?$")
"""Names of what stands for as many values as are handed over beside the query."""
_AS_VALUE = re.compile(
    rf"['\"]%?{_PIECE}|{_PIECE}%?['\"]|(?:[=<>]|\b(?i:like|ilike|in|between|values))\s*\(?\s*{_PIECE}"
)
"""A piece that stands where a value does, whatever it is called."""
_VALUES = re.compile(
    r"^(?:\.\.\.|\*)[A-Za-z_@]|\.\.\.$|^(?:@|\w+\.){0,3}(?:args|arguments|params|parameters|values|bindings|binds)(?:\.toArray\([^()]{0,40}\))?$"
)
"""A list of values that is handed over beside the query."""
_CALLED = re.compile(rb"=\s{0,20}(?:await\s{1,20})?(?:\w{1,60}\.){0,3}(?P<maker>\w{1,80})\(")
_MOST_RETURNS, _MOST_GIVEN = 10, 20
STATEMENT = "A piece of a query made elsewhere is put into it as text"
BECAUSE = "how the piece is made was not followed; values may be parameters in it"
CONFIDENCE = 0.6


def hands_values(file: ParsedFile, rule: CallRule, arguments: Sequence[Node]) -> bool:
    """Is a call given a list of values behind the query that a rule of values asks about?"""
    first = rule.when[0] if rule.when else None
    if first is None or first.reads is not BUILT_VALUE_QUERY or first.place is None or first.place < 0:
        return False
    return any(_VALUES.search(file.text(each, 120)) for each in arguments[first.place + 1 :])


def told_of(file: ParsedFile, query: Node) -> str | None:
    """What is put into a query that is handed a list of values: a piece, nothing (None), or something else ("")."""
    text = _followed(file).reads(query, told_apart=True)
    if BUILT_VALUE_QUERY.search(text) or _AS_VALUE.search(text):
        return ""
    return STATEMENT if _PIECE in text else None


def _followed(file: ParsedFile) -> Texts:
    """The texts of a file in which clauses have a mark of their own, and those read like constants that are made of nothing else."""
    if file.pieces is None:
        texts = file.texts
        pieces = _Pieces(file, AllowListChecks(file.source.decode("latin-1"), file.outermost_function))
        pieces.texts = Texts(texts.names, texts.functions, texts.defined, pieces.is_fixed, unfollowed=pieces.mark)
        file.pieces = pieces.texts
    return file.pieces


@dataclass(eq=False)
class _Pieces:
    """What a file tells of its clauses."""

    file: ParsedFile
    fixed: AllowListChecks
    texts: Texts = field(init=False)
    known: dict[int, str | None] = field(default_factory=dict)
    """Bodies of functions, by where they begin -> what those give back."""

    def mark(self, name: str, place: int) -> str:
        """What stands for a name, or for what a call `name()` gives, that was not followed; nothing for one that is no clause."""
        if _MARKS.search(name):
            given = self._given(name, place)
            return "?" if given is None or is_open(given) else ""
        if _CLAUSE.search(name) is None:
            return ""
        made = self._given_back(name[:-2]) if name.endswith("()") else self._given(name, place)
        if made is None:
            return _PIECE
        if _AS_VALUE.search(made) or not is_open(made) or NAMED in made:
            return ""
        return _PIECE if FILLED in made or _PIECE in made else "0"

    def _given(self, name: str, place: int) -> str | None:
        """What a name was given before a place, where all of that is constant or made by functions of the file."""
        events = self.texts.names.assignments_to(name)
        last = bisect_left(events, place, key=lambda each: each.start)
        seen = [each for each in events[max(0, last - _MOST_GIVEN) : last] if self.texts.sees(each.start, place)]
        ways: list[str] = []
        for each in seen:
            called = _CALLED.search(self.file.source, each.start, each.end)
            if called is None and not each.empty:
                ways.append(self.texts.reads(each.value) if each.value is not None else FILLED)
            elif called is not None:
                ways.append(self._given_back(called["maker"].decode()) or FILLED)
        return "\n".join(ways) if ways and last <= _MOST_GIVEN else None

    def _given_back(self, name: str) -> str | None:
        """All that a function of the file gives back, of several values the first."""
        function = self.texts.defined(name)
        body = None if function is None else function.child_by_field_name("body")
        if body is None:
            return None
        if body.start_byte not in self.known:
            self.known[body.start_byte] = None  # what leads back to itself
            returned = list(self.texts.names.within(self.texts.writing.returns, *body.byte_range))
            if 0 < len(returned) <= _MOST_RETURNS:
                firsts = [next(iter(each.named_children), None) for each in returned]
                ways = [self.texts.reads(each) for each in firsts if each is not None]
                self.known[body.start_byte] = "\n".join(ways)
        return self.known[body.start_byte]

    def is_fixed(self, name: str, place: int) -> bool:
        """Can a name only stand for what the program lists, or is it a parameter that is given constants alone?"""
        return is_constant(self.file, self.fixed, name, place)
