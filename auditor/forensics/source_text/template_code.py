"""The code of templates and views in languages that are parsed: rows of `template_languages.yaml`. Never says what a template prints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import Source, TopicRow, read_table

_DATA = Path(__file__).with_name("template_languages.yaml")
_MAX_SPANS = 5_000
_PAIRS = {"round": "()", "square": "[]", "curly": "{}"}
_DEPTH = 6


class TemplateLanguage(TopicRow):
    """A template language; the YAML file says what each field means."""

    language: str
    suffixes: tuple[str, ...] = ()
    holds: str = ""
    before: str = ""
    members: tuple[str, ...] = ()
    comment: str = ""
    code: tuple[str, ...]
    source: Source

    def owned(self) -> Iterable[str]:
        """Its suffixes."""
        return self.suffixes


class _Table(Frozen):
    templates: tuple[TemplateLanguage, ...]


@cache
def _rows() -> tuple[TemplateLanguage, ...]:
    return read_table(_DATA, _Table).templates


@cache
def template_languages() -> Mapping[str, str]:
    """The languages of the code in templates, by the suffix of the template."""
    return {suffix: row.language for row in _rows() for suffix in row.suffixes}


def template_of(text: str, suffix: str) -> TemplateLanguage | None:
    """The template language of a file, by its suffix or by what it holds; None where it is no template."""
    for row in _rows():
        is_named = suffix in row.suffixes if row.suffixes else suffix == row.language
        if is_named and (not row.holds or _compiled(row.holds).search(text)):
            return row
    return None


def code_spans(text: str, template: TemplateLanguage) -> Mapping[tuple[int, int], bool]:
    """Where the code of a template is, in order, and whether it is members of a class; pieces may overlap."""
    return dict(sorted(islice(_spans(text, template), _MAX_SPANS)))


def blanked(text: str) -> str:
    """A text with a blank in place of every character but line ends, so that lines and places stay what they are."""
    return _NOT_LINE_END.sub(" ", text)


_NOT_LINE_END = re.compile(r"[^\n]")


def _spans(text: str, template: TemplateLanguage) -> Iterator[tuple[tuple[int, int], bool]]:
    if template.comment:
        text = _compiled(template.comment).sub(lambda found: blanked(found[0]), text)
    for pattern in template.code:
        compiled = _compiled(pattern)
        name = "members" if "members" in compiled.groupindex else "code"
        for found in compiled.finditer(text):
            yield found.span(name), name == "members"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    for name, marks in _PAIRS.items():
        pattern = pattern.replace(f"{{{name}}}", _between(*map(re.escape, marks)))
    return re.compile(pattern, re.MULTILINE)


def _between(begin: str, end: str) -> str:
    """What two brackets hold, with such brackets among it, six deep."""
    plain = f"[^{begin}{end}]"
    held = f"{plain}{{0,5000}}+"
    for _ in range(_DEPTH):
        held = f"(?:{plain}{{1,5000}}+|{begin}{held}{end}){{0,400}}+"
    return held
