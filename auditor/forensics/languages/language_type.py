"""A language: its grammar, how it spells calls and strings, its rules, and which words say that one may apply."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from auditor.forensics.languages.grammar_kinds import GrammarKinds
from auditor.forensics.languages.keyword_gated_patterns import BoundedCache, encode_words
from auditor.forensics.languages.language_rule_types import (
    FOR_QUERY_RULES,
    FOR_RULES,
    FOR_TESTS,
    INTERNAL_MARKERS,
    NOT_RELEVANT,
    CallRule,
    HandlerRule,
    NodeRule,
    ValueRule,
    _word_selectivity,
    default_program,
    last_name_part,
    plain_last_part,
)
from auditor.forensics.languages.string_syntax import StringSyntax
from auditor.forensics.languages.test_syntax import TestSyntax
from auditor.forensics.source_text.keyword_index import KeywordSearch


@dataclass(frozen=True, eq=False)
class Language:
    """One language. Kinds are node kinds of its grammar."""

    name: str
    grammar: Callable[[bytes], Any]
    """The tree-sitter language for a content."""
    dialect_keywords: frozenset[str] = frozenset()
    """Of these words a content must hold one for that to be another than for an empty one; without any, all are asked."""
    calls: Mapping[str, str] = field(default_factory=dict)
    """Kinds of calls -> the field that holds what is called, or the last part of it; empty for their first part."""
    callee_fields: tuple[str, ...] = ("function",)
    """Fields of a call that hold what is called; joined by a dot when there are several."""
    arguments: str = "arguments"
    """The field of a call that holds its arguments, or the kind of that part where it is in no field."""
    argument_wrappers: frozenset[str] = frozenset()
    """Kinds of what surrounds each argument; the last part of one is the argument."""
    functions: frozenset[str] = frozenset()
    branches: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    computed_keys: tuple[str, ...] = ()
    """What a file contains in which a key of `values` may be an expression."""
    writing: StringSyntax | None = None
    """How texts are written and named."""
    passing: frozenset[str] = frozenset()
    """Kinds of what passes a failure on without looking at the rest."""
    statements: frozenset[str] = frozenset({"expression_statement"})
    """Kinds of what surrounds an expression whose value is not used."""
    modifiers: frozenset[str] = frozenset()
    """Kinds of what holds a statement, its `body`, and the condition behind it."""
    declared: bool = True
    """Is a name declared where it is first given a value?"""
    implicit_return_prefix: re.Pattern[bytes] | None = None
    """Form of what precedes a statement whose value is the result of its function."""
    wrapper_commands: frozenset[str] = frozenset()
    """Commands that run the command that their arguments are: rules speak of that."""
    wrappers: Callable[[bytes], frozenset[str]] = lambda _content: frozenset()
    """Functions of a file that do the same."""
    discarded_result_prefix: re.Pattern[bytes] | None = None
    """Form of what precedes a call whose value is not used."""
    truth_test_prefix: re.Pattern[bytes] | None = None
    """Form of what precedes a call that is taken for true or false, where that may be wrong."""
    handlers: frozenset[str] = frozenset()
    handler_body: str = "body"
    comments: frozenset[str] = frozenset({"comment"})
    comment_starts: tuple[bytes, ...] = (b"//", b"/*")
    """What comments begin with."""
    unsupported_dialect: re.Pattern[bytes] | None = None
    """First words of a file in a dialect that the grammar does not know."""
    endless: Callable[[bytes], bool] = lambda _content: False
    """Does it hold source for which the parser takes time quadratic in its length?"""
    line_continuation: bytes = b""
    """What joins a line to the next one; the source of a node is compared as if it were not there."""
    preprocess: Callable[[bytes], bytes] = lambda content: content
    """The content as the grammar can read it, byte for byte in its place."""
    preprocess_keywords: frozenset[str] = frozenset()
    """Of these words a content must hold one for that to be another; without any, all are asked."""
    alternative_parses: Callable[[bytes], Iterable[tuple[Any, bytes]]] = lambda _content: ()
    """Where a file has an error: grammars, and the content as each may read it, byte for byte in its place."""
    package_prefix: re.Pattern[str] | None = None
    """Form of a prefix that says where a name is from; rules use the name without it."""
    types: tuple[bytes, ...] = ()
    """Forms that declare a name, `@` in them, with a type, their group."""
    failing: re.Pattern[bytes] | None = None
    """Form of the beginning of a function that may fail, or gives a promise: its `name`, and `of` what type it is."""
    fallible_call_rules: tuple[CallRule, ...] = ()
    """Rules of calls of such functions of the same file."""
    imports: Callable[[str], dict[str, str]] | None = None
    """Local name -> what it stands for, of the text of a file."""
    head: re.Pattern[bytes] | None = None
    """Form of the beginning of a file that holds none of the nodes that are walked for in every file, in whole comments and statements."""
    imported: frozenset[str] = frozenset()
    """A file must contain one of these words for its imports to matter; without any, all files are asked."""
    exports: str = ""
    """The module of `exports/` that reads what a file offers to others."""
    compares_types: bool = False
    """Is what a file offers read without a change, too?"""
    export_keywords: frozenset[str] = frozenset()
    """Words of which a file that exports something contains one."""
    private_header: re.Pattern[str] | None = None
    """How the header of a function begins that nobody outside of its file calls."""
    script_signs: re.Pattern[str] | None = None
    """What the source of a file holds that is run, and that no other file takes functions from."""
    escaped_names: bool = False
    """May names be written with Unicode escapes?"""
    test_syntax: TestSyntax | None = None
    data_flow: GrammarKinds | None = None
    """What values are followed through; None where they are not."""
    rules: tuple[CallRule | ValueRule | HandlerRule | NodeRule, ...] = ()
    followed_probes: frozenset[str] = frozenset()
    """Questions that are answered by following values."""

    @cached_property
    def probes(self) -> frozenset[str]:
        """Questions that this language has rules for, or follows values for."""
        asked = {each.probe for each in self.rules} | self.followed_probes
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
    def _names_by_small_letters(self) -> dict[str, str]:
        """Last parts of what rules name, by their small letters, where the language takes capitals for the same."""
        caseless = self.data_flow is not None and self.data_flow.caseless_calls
        return {name.lower(): name for name in self.by_name} if caseless else {}

    def _in_letters_of_rules(self, called: str) -> str:
        """What is called, its last part in the letters in which rules name it."""
        last = last_name_part(called)
        known = self._names_by_small_letters.get(last.lower(), last)
        return called if known == last else called[: len(called) - len(last)] + known

    @cached_property
    def applicable_rules(self) -> BoundedCache[str, tuple[tuple[CallRule, ...], bool]]:
        """What is called, its first part looked up among the imports -> the rules that name it, and is one of queries only?"""

        def of(called: str) -> tuple[tuple[CallRule, ...], bool]:
            called = self._in_letters_of_rules(called)
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
            plain = last = plain_last_part(last)
            if last.endswith((b"}", b'}"')) and plain not in words:
                plain = default_program(last.decode("utf-8", errors="replace")).encode()
            tests = self.test_syntax is not None and self.test_syntax.can_end_test_name(last)
            plain = plain.rpartition(b"::")[2].lstrip(b"\\")
            if self._names_by_small_letters:
                plain = self._in_letters_of_rules(plain.decode("utf-8", errors="replace")).encode()
            return words.get(plain, NOT_RELEVANT) + (FOR_TESTS if tests else NOT_RELEVANT)

        return BoundedCache(of)

    @cached_property
    def value_keywords(self) -> frozenset[str]:
        """A file must hold one of these words for a rule of values to speak, the longest of each rule's name."""
        words = (
            max(re.findall(r"[A-Za-z_]{4,}", form_), key=len)
            for each in self.value_rules
            for form_ in each.name.pattern.split("|")
        )
        return frozenset((*words, *self.computed_keys))

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
        """Rules of pieces of a kind that nothing else asks for, and of which each names words that few files contain."""
        known = {*self.branches, *self.functions, *self.calls, *self.handlers, *self.groups}
        return {
            kind: rules
            for kind, rules in self.node_rules.items()
            if kind not in known and all(each.needs for each in rules)
        }

    @cached_property
    def rare_node_keywords(self) -> frozenset[str]:
        """A file must hold one of these words for a rule of rare pieces to fit: of each rule the rarest."""
        told = [max(each.needs, key=_word_selectivity) for rules in self.rare_node_rules.values() for each in rules]
        return frozenset().union(*told)

    @cached_property
    def kinds_with_values(self) -> frozenset[str]:
        """The same, and what gives a value to a name."""
        return self.kinds | self.values
