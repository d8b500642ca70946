"""Patterns, lists, sentences and conditions by name, as descriptions and rows refer to them.

`{name}` in a pattern stands for the text of a named pattern, as in all tables.
`{name}` as an item of a list stands for the items of a named list. A statement, a reason, a condition or a result that is one
word is a name. Every pattern is compiled so that a dot matches line ends too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Annotated, Literal, TypeVar

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.forensics.languages import built_query_patterns
from auditor.forensics.languages.string_syntax import DYNAMIC_MARK, IDENTIFIER_MARK, ITEM_SEPARATOR
from auditor.forensics.library_models.named_patterns import SHARED_PATTERNS, UnknownName, replace_names, unknown_name
from auditor.forensics.library_models.shell_programs import UNIX_SHELLS
from auditor.forensics.python.justifying_comments import UNINFORMATIVE_WORD
from auditor.forensics.source_text import decode_and_run_commands
from auditor.lazy_regex import lazy_compile

Value = TypeVar("Value")
_MAX_DEPTH = 20
_MAX_PATTERN_LENGTH = 20_000
_ITEM = re.compile(r"\{(?P<name>[a-z]\w*)\}")
_WORD = re.compile(r"[a-z]\w*")
PROVIDED_PATTERNS: Mapping[str, str] = {
    **SHARED_PATTERNS,
    "built_graph_query": built_query_patterns.BUILT_GRAPH_QUERY.pattern,
    "built_query": built_query_patterns.BUILT_QUERY.pattern,
    "built_query_unanchored": built_query_patterns.BUILT_QUERY.pattern.removeprefix("^"),
    "built_value_query": built_query_patterns.BUILT_VALUE_QUERY.pattern,
    "built_value_query_unanchored": built_query_patterns.BUILT_VALUE_QUERY.pattern.removeprefix("^"),
    "decode_and_run_command": decode_and_run_commands.DECODE_AND_RUN_COMMAND,
    "decode_command": decode_and_run_commands.DECODE_COMMAND,
    "dynamic": DYNAMIC_MARK,
    "identifier": IDENTIFIER_MARK,
    "separator": ITEM_SEPARATOR,
    "sql_statement": built_query_patterns.SQL_STATEMENT,
    "uninformative_word": UNINFORMATIVE_WORD,
}
"""Patterns that code asks for as well, and the marks of what a text is put together of."""
PROVIDED_LISTS: Mapping[str, tuple[str, ...]] = {
    "shells": tuple(f"{folder}{name}" for folder in ("", "/bin/", "/usr/bin/") for name in sorted(UNIX_SHELLS))
}
"""Lists that code knows as well."""
_SHARED_PATTERNS = {
    each.pattern: each for each in (built_query_patterns.BUILT_QUERY, built_query_patterns.BUILT_VALUE_QUERY)
}
"""Those that rules are known by."""


class Condition(Frozen):
    """What an argument of a call looks like."""

    argument: (
        Annotated[int, Field(ge=0)]
        | Literal["any", "all", "receiver", "call", "source_before", "source_after", "given"]
    )
    matches: str | None = None
    kinds: tuple[str, ...] = ()
    reads: str | None = None
    distinguishes_identifiers: bool = False
    sources: str | None = None
    declared_type: str | None = None


class ResultUse(Frozen):
    """Signs that nobody checks how a call ended."""

    before: str | None = None
    behind: str | None = None
    uses: str | None = None
    dropped: bool = True


class Definitions(Frozen):
    """What a file names for its own rows."""

    statements: dict[str, str] = Field(default_factory=dict)
    reasons: dict[str, str] = Field(default_factory=dict)
    patterns: dict[str, str] = Field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    conditions: dict[str, Condition] = Field(default_factory=dict)
    results: dict[str, ResultUse] = Field(default_factory=dict)


class Scope:
    """What names stand for: those of a file, then of the files around it, then what code provides."""

    def __init__(self, definitions: Iterable[Definitions]) -> None:
        self._definitions = tuple(definitions)
        self._expanded: dict[str, str] = {}

    def pattern(self, text: str) -> re.Pattern[str]:
        """The pattern of a text, with names replaced."""
        return _compiled(self.expand(text))

    def byte_pattern(self, text: str) -> re.Pattern[bytes]:
        """The same for a source that is read as bytes."""
        return _compiled_bytes(self.expand(text))

    def expand(self, text: str, depth: int = 0) -> str:
        """The text of a pattern, with names replaced."""
        if depth > _MAX_DEPTH:
            raise UnknownName("patterns refer to each other in a circle.")
        expanded = replace_names(text, lambda name: self._named_pattern(name, depth))
        if len(expanded) > _MAX_PATTERN_LENGTH:
            raise UnknownName(f"longer than {_MAX_PATTERN_LENGTH:,} characters with its names replaced.")
        return expanded

    def _named_pattern(self, name: str, depth: int) -> str:
        if name not in self._expanded:
            text = self._find(lambda each: each.patterns, name)
            if text is None and name not in PROVIDED_PATTERNS:
                raise unknown_name("pattern", name, {*PROVIDED_PATTERNS, *self._names(lambda each: each.patterns)})
            self._expanded[name] = PROVIDED_PATTERNS[name] if text is None else self.expand(text, depth + 1)
        return self._expanded[name]

    def items(self, given: Iterable[str], depth: int = 0) -> tuple[str, ...]:
        """The items of a list, with names of lists replaced by theirs."""
        if depth > _MAX_DEPTH:
            raise UnknownName("lists refer to each other in a circle.")
        found: list[str] = []
        for each in given:
            named = _ITEM.fullmatch(each)
            if named is None:
                found.append(each)
                continue
            held = self._find(lambda known: known.lists, named["name"]) or PROVIDED_LISTS.get(named["name"])
            if held is None:
                known = {*PROVIDED_LISTS, *self._names(lambda each: each.lists)}
                raise unknown_name("list", named["name"], known)
            found += self.items(held, depth + 1)
        return tuple(found)

    def statement(self, text: str) -> str:
        """The statement that a word names, or the sentence itself."""
        return self._named(text, "statement", lambda each: each.statements)

    def reason(self, text: str) -> str:
        """The reason that a word names, or the words themselves."""
        return self._named(text, "reason", lambda each: each.reasons)

    def condition(self, given: str | Condition) -> Condition:
        """The condition that a word names, or the one given."""
        return self._named(given, "condition", lambda each: each.conditions) if isinstance(given, str) else given

    def result(self, given: str | ResultUse) -> ResultUse:
        """The use of a result that a word names, or the one given."""
        return self._named(given, "result", lambda each: each.results) if isinstance(given, str) else given

    def _named(self, text: str, kind: str, table: Callable[[Definitions], Mapping[str, Value]]) -> Value:
        found = self._find(table, text)
        if found is not None:
            return found
        if _WORD.fullmatch(text) or kind in {"condition", "result"}:
            raise unknown_name(kind, text, self._names(table))
        return text  # type: ignore[return-value]  # a sentence

    def _find(self, table: Callable[[Definitions], Mapping[str, Value]], name: str) -> Value | None:
        return next((held[name] for each in self._definitions if name in (held := table(each))), None)

    def _names(self, table: Callable[[Definitions], Mapping[str, object]]) -> set[str]:
        return {name for each in self._definitions for name in table(each)}


@cache
def _compiled(text: str) -> re.Pattern[str]:
    return _SHARED_PATTERNS.get(text) or lazy_compile(text, re.DOTALL)


@cache
def _compiled_bytes(text: str) -> re.Pattern[bytes]:
    return lazy_compile(text.encode("latin-1"), re.DOTALL)
