"""Pieces of a query that were made elsewhere: a condition beside the values of its parameters, `"... where " + where, args...`.

Asked only about what would be reported as a query built from strings, and that is passed a list of values.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auditor.forensics.languages.allow_list_checks import AllowListChecks
from auditor.forensics.languages.assigned_texts import is_constant_or_unresolved
from auditor.forensics.languages.built_query_patterns import BUILT_VALUE_QUERY
from auditor.forensics.languages.constant_names import is_constant
from auditor.forensics.languages.language_rule_types import CallRule
from auditor.forensics.languages.parsed_file import ParsedFile
from auditor.forensics.languages.string_building import TextResolver
from auditor.forensics.languages.string_syntax import DYNAMIC_MARK, IDENTIFIER_MARK

if TYPE_CHECKING:
    from tree_sitter import Node

_CLAUSE_MARK = "\x02"
"""Stands for a piece of a query that was not followed."""
_CLAUSE_NAME = re.compile(
    r"(?i)(?:where|clause|condition|predicate|fragment|filter|order|having)s?(?:_?(?:sql|str|string|text|part|clause)s?)?(?:\(\))?$"
)
_PLACEHOLDER_NAME = re.compile(r"(?i)(?:in_?clause|placeholder|marks|bindvar)s?$")
"""Names of placeholders for as many values as are passed next to the query."""
_CLAUSE_AS_VALUE = re.compile(
    rf"['\"]%?{_CLAUSE_MARK}|{_CLAUSE_MARK}%?['\"]|(?:[=<>]|\b(?i:like|ilike|in|between|values))\s*\(?\s*{_CLAUSE_MARK}"
)
"""A piece in the place of a value, whatever its name."""
_VALUE_LIST = re.compile(
    r"^(?:\.\.\.|\*)[A-Za-z_@]|\.\.\.$|^(?:@|\w+\.){0,3}(?:args|arguments|params|parameters|values|bindings|binds)(?:\.toArray\([^()]{0,40}\))?$"
)
"""A list of values that is passed next to the query."""
_ASSIGNED_CALL = re.compile(rb"=\s{0,20}(?:await\s{1,20})?(?:\w{1,60}\.){0,3}(?P<maker>\w{1,80})\(")
_MAX_RETURNS, _MAX_ASSIGNMENTS = 10, 20
STATEMENT = "Part of a query is interpolated into another query"
REASON = "how the piece is made was not followed; values may be parameters in it"
CONFIDENCE = 0.6


def passes_values(file: ParsedFile, rule: CallRule, behind: Sequence[Node]) -> bool:
    """Is one of the arguments behind the query that a rule for values asks about a list of values?"""
    first = rule.when[0] if rule.when else None
    if first is None or first.reads is not BUILT_VALUE_QUERY or first.place is None or first.place < 0:
        return False
    return any(_VALUE_LIST.search(file.text(each, 120)) for each in behind)


def query_statement(file: ParsedFile, query: Node) -> str | None:
    """The statement about a query passed with values: for a clause, none (None), or another part ("")."""
    text = _clause_texts(file).reads(query, told_apart=True)
    if BUILT_VALUE_QUERY.search(text) or _CLAUSE_AS_VALUE.search(text):
        return ""
    return STATEMENT if _CLAUSE_MARK in text else None


def _clause_texts(file: ParsedFile) -> TextResolver:
    """The texts of a file in which clauses have a mark of their own; clauses made only of constants resolve to them."""
    if file.pieces is None:
        texts = file.texts
        pieces = _ClauseResolver(file, AllowListChecks(file.source.decode("latin-1"), file.outermost_function))
        pieces.texts = TextResolver(
            texts.names, texts.functions, texts.defined, pieces.is_constant, unresolved_mark=pieces.mark
        )
        file.pieces = pieces.texts
    return file.pieces


@dataclass(eq=False)
class _ClauseResolver:
    """Resolves clauses of queries that are built elsewhere in a file."""

    file: ParsedFile
    fixed: AllowListChecks
    texts: TextResolver = field(init=False)
    known: dict[int, str | None] = field(default_factory=dict)
    """Bodies of functions, by where they begin -> what those give back."""

    def mark(self, name: str, place: int) -> str:
        """What stands for a name, or for what a call `name()` gives, that was not followed; nothing for one that is no clause."""
        if _PLACEHOLDER_NAME.search(name):
            given = self._given(name, place)
            return "?" if given is None or is_constant_or_unresolved(given) else ""
        if _CLAUSE_NAME.search(name) is None:
            return ""
        made = self._call_result(name[:-2]) if name.endswith("()") else self._given(name, place)
        if made is None:
            return _CLAUSE_MARK
        if _CLAUSE_AS_VALUE.search(made) or not is_constant_or_unresolved(made) or IDENTIFIER_MARK in made:
            return ""
        return _CLAUSE_MARK if DYNAMIC_MARK in made or _CLAUSE_MARK in made else "0"

    def _given(self, name: str, place: int) -> str | None:
        """What a name was given before a place, where all of that is constant or made by functions of the file."""
        events = self.texts.names.assignments_to(name)
        last = bisect_left(events, place, key=lambda each: each.start)
        seen = [
            each for each in events[max(0, last - _MAX_ASSIGNMENTS) : last] if self.texts.is_visible(each.start, place)
        ]
        ways: list[str] = []
        for each in seen:
            called = _ASSIGNED_CALL.search(self.file.source, each.start, each.end)
            if called is None and not each.empty:
                ways.append(self.texts.reads(each.value) if each.value is not None else DYNAMIC_MARK)
            elif called is not None:
                ways.append(self._call_result(called["maker"].decode()) or DYNAMIC_MARK)
        return "\n".join(ways) if ways and last <= _MAX_ASSIGNMENTS else None

    def _call_result(self, name: str) -> str | None:
        """All that a function of the file returns, of several values the first."""
        function = self.texts.defined(name)
        body = None if function is None else function.child_by_field_name("body")
        if body is None:
            return None
        if body.start_byte not in self.known:
            self.known[body.start_byte] = None  # what leads back to itself
            returned = list(self.texts.names.within(self.texts.writing.returns, *body.byte_range))
            if 0 < len(returned) <= _MAX_RETURNS:
                firsts = [next(iter(each.named_children), None) for each in returned]
                ways = [self.texts.reads(each) for each in firsts if each is not None]
                self.known[body.start_byte] = "\n".join(ways)
        return self.known[body.start_byte]

    def is_constant(self, name: str, place: int) -> bool:
        """Can a name only stand for what the program lists, or is it a parameter that is given constants alone?"""
        return is_constant(self.file, self.fixed, name, place)
