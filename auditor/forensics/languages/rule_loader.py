"""Rules of a language, made of the rows of every question. Only rows that name the language are parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from auditor.forensics.languages.language_rule_types import (
    ALL_ARGUMENTS,
    RECEIVER,
    SOURCE_AFTER,
    SOURCE_BEFORE,
    WHOLE_CALL,
    ArgumentCondition,
    CallRule,
    HandlerRule,
    NodeRule,
    UncheckedResult,
    ValueRule,
)
from auditor.forensics.languages.named_values import Condition, Definitions, Scope
from auditor.forensics.languages.rule_rows import (
    CallRow,
    FormRow,
    HandlerRow,
    NodeRow,
    QuestionFile,
    QuestionRows,
    ValueRow,
)
from auditor.forensics.library_models.file_sections import question_files, rows_of_language
from auditor.forensics.library_models.named_patterns import UnknownName
from auditor.row_tables import build_table, read_table
from auditor.strict_yaml import Lines
from auditor.user_error import UserError

Rule = CallRule | ValueRule | HandlerRule | NodeRule
RowKind = TypeVar("RowKind", CallRow, ValueRow, HandlerRow, NodeRow)
RuleKind = TypeVar("RuleKind", CallRule, ValueRule, HandlerRule, NodeRule)
SHARED_FILE = Path(__file__).with_name("shared_definitions.yaml")
_PLACES: dict[int | str, int | None] = {
    "all": ALL_ARGUMENTS,
    "any": None,
    "call": WHOLE_CALL,
    "receiver": RECEIVER,
    "source_after": SOURCE_AFTER,
    "source_before": SOURCE_BEFORE,
}


def shared_definitions() -> Definitions:
    """What rows of several questions name."""
    return read_table(SHARED_FILE, Definitions)


def load_rules(language: str, own: Definitions) -> tuple[tuple[Rule, ...], tuple[CallRule, ...]]:
    """The rules of a language, and those of its functions that may fail. `own` is what its description names."""
    rules: list[Rule] = []
    fallible: list[CallRule] = []
    for path in question_files():
        text = rows_of_language(path.read_text(encoding="utf-8"), language)
        rows = build_table(QuestionFile, text, path, part=language).other_languages
        made = rules_of_rows(rows, Lines(path.name, text), language, own)
        rules += made[0]
        fallible += made[1]
    return tuple(rules), tuple(fallible)


def rules_of_rows(
    rows: QuestionRows, lines: Lines, language: str, own: Definitions
) -> tuple[list[Rule], list[CallRule]]:
    """The rules of a language in the rows of one file. Raises UserError listing every mistake as `origin:line: sentence`."""
    builder = _RuleBuilder(rows, Scope((rows, own, shared_definitions())))
    mistakes: list[str] = []

    def made(section: str, held: Sequence[RowKind], make: Callable[[RowKind], Iterator[RuleKind]]) -> list[RuleKind]:
        found: list[RuleKind] = []
        for number, row in enumerate(held):
            try:
                found += make(row) if language in row.languages else ()
            except UnknownName as error:
                mistakes.append(lines.mistake(("other_languages", section, number), str(error)))
        return found

    rules: list[Rule] = [
        *made("calls", rows.calls, builder.calls),
        *made("values", rows.values, builder.value),
        *made("handlers", rows.handlers, builder.handler),
        *made("nodes", rows.nodes, builder.nodes),
    ]
    fallible = made("fallible_calls", rows.fallible_calls, builder.calls)
    if mistakes:
        raise UserError("\n".join(mistakes))
    return rules, fallible


class _RuleBuilder:
    """Rules of rows, names looked up."""

    def __init__(self, rows: QuestionRows, scope: Scope) -> None:
        self._rows, self._scope = rows, scope

    def calls(self, row: CallRow) -> Iterator[CallRule]:
        """The rules of a row of calls: one, or those of its form."""
        forms: Sequence[FormRow | CallRow] = (row,)
        if row.form is not None:
            if row.form not in self._rows.forms:
                raise UnknownName(f"no form is called {row.form!r}.")
            forms = self._rows.forms[row.form]
        for each in forms:
            yield self._call(row, each)

    def _call(self, row: CallRow, form: FormRow | CallRow) -> CallRule:
        scope = self._scope
        added = () if form is row else (row.when, row.unless)
        when, unless = (
            tuple(self._condition(each, row.argument) for each in (*own, *more))
            for own, more in zip((form.when, form.unless), added or ((), ()), strict=True)
        )
        used = None if form.result_unchecked is None else scope.result(form.result_unchecked)
        return CallRule(
            self._rows.question,
            scope.items(row.names),
            scope.statement(form.statement or ""),
            when,
            form.confidence or 0.0,
            scope.reason(form.reason or ""),
            unless,
            dropped=form.result_unused,
            unchecked_result=None
            if used is None
            else UncheckedResult(
                self._bytes(used.before), self._bytes(used.behind), self._bytes(used.uses), used.dropped
            ),
            applies_to_callers=form.applies_to_callers,
            unless_in_file=self._bytes(form.unless_in_file),
            unless_nearby=self._bytes(form.unless_nearby),
            unless_before=self._bytes(form.unless_before),
            in_function=form.in_function,
            shown_argument=form.shown_argument,
            beside=self._words(form.file_words),
        )

    def _condition(self, given: str | Condition, argument: int | str | None) -> ArgumentCondition:
        row = self._scope.condition(given)
        place: int | str = row.argument
        if place == "given":
            if argument is None:
                raise UnknownName("a row of this form names its `argument`.")
            place = argument
        if isinstance(place, str) and place not in _PLACES:
            raise UnknownName(f"{place!r} is no argument.")
        return ArgumentCondition(
            _PLACES.get(place) if isinstance(place, str) else place,
            self._text(row.matches),
            frozenset(self._scope.items(row.kinds)),
            self._text(row.reads),
            row.distinguishes_identifiers,
            self._text(row.sources),
            self._text(row.declared_type),
        )

    def value(self, row: ValueRow) -> Iterator[ValueRule]:
        """The rule of a row of values."""
        yield ValueRule(
            self._rows.question,
            self._scope.pattern(row.key),
            self._scope.pattern(row.value),
            self._scope.statement(row.statement),
            row.confidence,
            self._scope.reason(row.reason),
            self._bytes(row.unless_in_file),
        )

    def handler(self, row: HandlerRow) -> Iterator[HandlerRule]:
        """The rule of a row of handlers."""
        yield HandlerRule(
            self._rows.question,
            self._scope.statement(row.statement),
            self._text(row.matches),
            row.empty,
            row.confidence,
            self._scope.reason(row.reason),
            self._bytes(row.header),
            self._text(row.tried),
            self._text(row.unless),
            self._text(row.within),
        )

    def nodes(self, row: NodeRow) -> Iterator[NodeRule]:
        """The rules of a row of nodes, one for each kind."""
        for kind in self._scope.items(row.kinds):
            yield NodeRule(
                self._rows.question,
                kind,
                self._scope.statement(row.statement),
                self._text(row.matches),
                row.confidence,
                self._scope.reason(row.reason),
                None if row.reads is None else (row.reads.field, self._scope.pattern(row.reads.text)),
                self._text(row.sources),
                self._bytes(row.unless_in_file),
                self._bytes(row.unless_nearby),
                self._bytes(row.unless_before),
                self._bytes(row.unless_after),
                row.alone,
                self._words(row.file_words),
                self._bytes(row.followed_by),
                self._bytes(row.unless_between),
                self._bytes(row.unless_same),
            )

    def _text(self, pattern: str | None) -> re.Pattern[str] | None:
        return None if pattern is None else self._scope.pattern(pattern)

    def _bytes(self, pattern: str | None) -> re.Pattern[bytes] | None:
        return None if pattern is None else self._scope.byte_pattern(pattern)

    def _words(self, words: Sequence[str]) -> tuple[bytes, ...]:
        return tuple(each.encode() for each in self._scope.items(words))
