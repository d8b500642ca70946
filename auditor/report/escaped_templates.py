"""Templates whose every printed value is escaped, unless it is marked as ours."""

from __future__ import annotations

from functools import cache
from typing import Any

from auditor import packaged_files
from auditor.report.escaping import clip, for_code_span, for_html_in_markdown, for_markdown

MAX_TEXT = 10_000
"""Characters of one text on any page; the record keeps them all."""


class SafeText(str):
    """Text of our own, or already escaped. Anything else that a template prints is escaped."""

    __slots__ = ()


@cache
def markdown_templates() -> Any:
    """The Markdown templates. What they print is escaped by `finalize`, not by the author of a template."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(packaged_files.templates()),
        finalize=_finalize,
        autoescape=False,  # noqa: S701 - the sink is Markdown: `finalize` escapes whatever is not marked as ours
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(code=code, cell=cell, word=word, html=html)
    return environment


def _finalize(value: object) -> object:
    if isinstance(value, (SafeText, int, float)):
        return value
    return "" if value is None else for_markdown(clip(str(value), MAX_TEXT))


def code(text: str) -> SafeText:
    """Foreign text as code."""
    return SafeText(for_code_span(clip(text, MAX_TEXT)))


def cell(text: str) -> SafeText:
    """Foreign text as code in a table."""
    return SafeText(for_code_span(clip(text, MAX_TEXT), in_table=True))


def word(value: str) -> SafeText:
    """A word of ours (a rule, a status): shown as it is, underscores as blanks."""
    return SafeText(str(value).replace("_", " "))


def html(text: str) -> SafeText:
    """Foreign text inside an HTML block, where Markdown's own escapes have no effect."""
    return SafeText(for_html_in_markdown(text))
