"""Rows of rules for languages: the closed schema of `other_languages` in a file of one question.

A row names the languages it is for. Rows of a language are in the order in which they are asked: of those that name the same
call, the first that fits is reported.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, field_validator, model_validator

from auditor.domain.frozen_model import Frozen
from auditor.forensics.languages.named_values import Condition, Definitions, ResultUse

Source = Annotated[str, Field(pattern=r"^https://\S+$")]
Languages = Annotated[tuple[str, ...], Field(min_length=1)]
Confidence = Annotated[float, Field(gt=0, le=1)]


class _Row(Frozen):
    languages: Languages
    source: Source | None = None


class _CallParts(Frozen):
    when: tuple[str | Condition, ...] = ()
    unless: tuple[str | Condition, ...] = ()
    result_unused: bool = False
    result_unchecked: str | ResultUse | None = None
    applies_to_callers: bool = False
    unless_in_file: str | None = None
    unless_nearby: str | None = None
    unless_before: str | None = None
    in_function: bool = False
    shown_argument: Annotated[int, Field(ge=0)] | None = None
    file_words: tuple[str, ...] = ()
    statement: str | None = None
    confidence: Confidence | None = None
    reason: str | None = None

    @property
    def is_complete(self) -> bool:
        """Does it say what is wrong, how sure that is, and why not more?"""
        return None not in (self.statement, self.confidence, self.reason)


class FormRow(_CallParts):
    """A rule that several rows share; `argument: given` in its conditions is the argument that a row names."""

    @model_validator(mode="after")
    def _complete(self) -> FormRow:
        if not self.is_complete:
            raise ValueError("a form needs `statement`, `confidence` and `reason`.")
        return self


class CallRow(_Row, _CallParts):
    """Calls by their names, with conditions of their own or with those of a form."""

    names: tuple[str, ...] = ()
    form: str | None = None
    argument: Annotated[int, Field(ge=0)] | str | None = None

    @model_validator(mode="after")
    def _complete(self) -> CallRow:
        if self.form is None and not self.is_complete:
            raise ValueError("a row needs `form`, or `statement`, `confidence` and `reason`.")
        if self.form is not None and self.model_fields_set - _BESIDE_FORM:
            raise ValueError(f"beside `form`, a row may only have {', '.join(sorted(_BESIDE_FORM - {'form'}))}.")
        if self.argument is not None and self.form is None:
            raise ValueError("`argument` is for rows with a `form`.")
        return self


_BESIDE_FORM = frozenset({"languages", "source", "names", "form", "argument", "when", "unless"})


class _Told(_Row):
    statement: str
    confidence: Confidence
    reason: str


class ValueRow(_Told):
    """A key or name that is given a value."""

    key: str
    value: str
    unless_in_file: str | None = None


class HandlerRow(_Told):
    """A handler of exceptions; `empty` asks that its body does nothing and says nothing."""

    matches: str | None = None
    empty: bool = False
    header: str | None = None
    tried: str | None = None
    unless: str | None = None
    within: str | None = None


class FieldText(Frozen):
    """A field of a node, or a key of the record that it is, and what its text reads like."""

    field: str
    text: str


class NodeRow(_Told):
    """Nodes of some kinds whose source matches a pattern."""

    kinds: Annotated[tuple[str, ...], Field(min_length=1)]
    matches: str | None = None
    reads: FieldText | None = None
    sources: str | None = None
    unless_in_file: str | None = None
    unless_nearby: str | None = None
    unless_before: str | None = None
    unless_after: str | None = None
    alone: bool = False
    file_words: tuple[str, ...] = ()
    followed_by: str | None = None
    unless_between: str | None = None
    unless_same: str | None = None


class QuestionRows(Definitions):
    """All rows of one question, with what they name."""

    question: str
    sources: dict[str, Source]
    forms: dict[str, tuple[FormRow, ...]] = Field(default_factory=dict)
    calls: tuple[CallRow, ...] = ()
    fallible_calls: tuple[CallRow, ...] = ()
    values: tuple[ValueRow, ...] = ()
    handlers: tuple[HandlerRow, ...] = ()
    nodes: tuple[NodeRow, ...] = ()

    @field_validator("calls", "fallible_calls", "values", "handlers", "nodes", mode="before")
    @classmethod
    def _rows(cls, rows: Any) -> Any:
        """No rows where those of other languages were left out."""
        return () if rows is None else rows


class QuestionFile(Frozen):
    """A file of one question: rows for Python, which other rooms read, and rows for other languages."""

    python: Any = None
    other_languages: QuestionRows
