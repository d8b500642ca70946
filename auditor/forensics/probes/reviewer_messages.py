"""Text that speaks to an automated reviewer instead of to the people who read the code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from auditor import strict_yaml
from auditor.domain.frozen_model import Frozen
from auditor.forensics.probe_kit.probe_decorators import text_probe
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.forensics.source_text.site_probe_types import Site, Text
from auditor.lazy_regex import lazy_compile

_DATA = Path(__file__).with_name("reviewer_phrases.yaml")
_WINDOW = 3
"""Lines that a sentence may run over."""
_MAX_LINE = 1_000
_MAX_SITES = 20
_COMMENT_MARKS = lazy_compile(r"^[\s>*/#;%'\"|+-]+|[\s*/'\"\\]+$")
_WORD_SEAMS = lazy_compile(r"(?<=[a-z])(?=[A-Z])|[_\u200b\u200c\u200d\u2060\ufeff\u00ad]+|(?<=\w)[.-](?=\w)")
_PROMPT_FILE = lazy_compile(
    r"\b(?:openai|anthropic|langchain|langgraph|litellm|llama_index|ollama|genai|ChatPromptTemplate|chat\.completions|messages\.create|SystemMessage|HumanMessage)\b"
)
_ABOUT_INJECTION = lazy_compile(r"prompt[ _-]?injection|jailbreak|red[ _-]?team|adversarial|OWASP", re.IGNORECASE)


class Row(Frozen):
    """One way of speaking to a reviewer, in one language."""

    language: str
    anchors: tuple[str, ...] = Field(min_length=1)
    pattern: str
    meaning: str
    confidence: float = Field(default=0.9, gt=0, lt=1)


class _Table(Frozen):
    source: str = Field(pattern="^https://")
    rows: tuple[Row, ...] = Field(min_length=1)


class _Phrase(NamedTuple):
    anchors: frozenset[str]
    anchor_form: re.Pattern[str]
    pattern: re.Pattern[str]
    meaning: str
    confidence: float


@cache
def _phrases() -> tuple[_Phrase, ...]:
    rows = strict_yaml.parse(_Table, _DATA.read_text(encoding="utf-8"), _DATA.name).rows
    return tuple(
        _Phrase(
            register_keywords(*row.anchors),
            re.compile("|".join(map(re.escape, row.anchors))),
            re.compile(row.pattern, re.IGNORECASE),
            row.meaning,
            row.confidence,
        )
        for row in rows
    )


@text_probe("code.addresses_reviewer", none_statement="No text speaks to an automated reviewer.")
def reviewer_messages(text: Text) -> Iterator[Site]:
    """Does text in the change speak to an automated reviewer?

    Counts: orders to ignore instructions, messages to a reviewer, requests for a score or for silence, claims of an
    approval that make a review needless, and marks that divide the prompts of a model; in comments, strings, names and documents, in
    ten languages.

    Remove it: a reviewer judges what the code does. Prompts of a product belong in files of their own.
    """
    phrases = [each for each in _phrases() if text.says(each.anchors)]
    if not phrases:
        return
    doubt = _doubt(text.content)
    seen = 0
    last = -_WINDOW
    for number in sorted({line for each in phrases for line in _lines_to_try(text, each)}):
        if seen >= _MAX_SITES:
            return
        if number - last < _WINDOW:
            continue
        found = _spoken(phrases, [_plain_words(each) for each in text.lines[number : number + _WINDOW]])
        if found is not None:
            seen, last = seen + 1, number
            statement = f"Text that speaks to an automated reviewer: it {found.meaning}"
            sure = min(found.confidence, 0.6) if doubt else found.confidence
            yield Site(number + 1, number + 1, statement, "message to a reviewer", sure, doubt or _MAY_BE_QUOTED)


def _lines_to_try(text: Text, phrase: _Phrase) -> Iterator[int]:
    """Lines, from 0, at which a sentence with one of the anchors may begin."""
    for number, line in enumerate(text.lines):
        if phrase.anchor_form.search(line, 0, _MAX_LINE):
            yield from range(max(0, number - _WINDOW + 1), number + 1)


def _spoken(phrases: Sequence[_Phrase], lines: Sequence[str]) -> _Phrase | None:
    """The phrase that begins in the first of some lines."""
    if not lines[0]:
        return None
    window = " ".join(each for each in lines if each)
    for phrase in phrases:
        found = phrase.pattern.search(window)
        if found is not None and found.start() <= len(lines[0]):
            return phrase
    return None


_MAY_BE_QUOTED = "it may be meant for people, or quoted"


def _doubt(content: str) -> str:
    """Why the text may not mean us; empty where nothing in the file says so."""
    if _PROMPT_FILE.search(content):
        return "the file talks to a model, so that these may be prompts of the product"
    return "the file is about such attacks" if _ABOUT_INJECTION.search(content) else ""


def _plain_words(line: str) -> str:
    """The words of a line: marks of comments and quotes at its ends are taken out, words of identifiers are apart."""
    return _WORD_SEAMS.sub(" ", _COMMENT_MARKS.sub("", line[:_MAX_LINE]))
