"""HTML pages that need nothing else: no script, no font, no picture, no request. Every printed value is escaped."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import Any

from auditor import packaged_files
from auditor.report import verdict_sentences
from auditor.report.escaping import CODE, clip, visible

MAX_TEXT = 10_000
"""Characters of one text on a page; the record keeps them all."""


def render_page(template: str, **values: object) -> str:
    """The page. The template engine escapes every text; the style is allowed by its hash, and nothing else is."""
    style = _style()
    text: str = (
        _environment()
        .get_template(template)
        .render(
            style=_mark_safe(style),
            style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
            **values,
        )
    )
    return text


@cache
def _style() -> str:
    return (packaged_files.templates() / "report.css").read_text(encoding="utf-8")


@cache
def _environment() -> Any:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(packaged_files.templates()),
        autoescape=True,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(
        prose=_prose,
        bare=lambda statement: statement.rstrip().removesuffix("."),
        ended=lambda statement: verdict_sentences.with_note(statement, ""),
        doubt=verdict_sentences.confidence_note,
        word=lambda value: str(value).replace("_", " "),
    )
    return environment


def _finalize(value: object) -> object:
    """What is printed, without unseen characters and not endless. Escaping follows."""
    from markupsafe import Markup

    if isinstance(value, (Markup, int, float)):
        return value
    return "" if value is None else visible(clip(str(value), MAX_TEXT))


def _prose(text: str) -> object:
    """Sentences in which what is between backticks is shown as code."""
    from markupsafe import Markup, escape

    pieces = CODE.split(str(_finalize(text)))
    return Markup("").join(
        Markup("<code>{}</code>").format(each) if index % 2 else escape(each) for index, each in enumerate(pieces)
    )


def _mark_safe(text: str) -> object:
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - the style sheet that ships with the tool
