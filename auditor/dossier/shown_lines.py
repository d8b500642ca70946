"""Lines of code as judges and readers see them: no secrets, nothing invisible, no line without end."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from auditor.domain import ExhibitLine, LineMark
from auditor.report.prompt_text import REDACTED_LINE, indented, replace_reserved_brackets
from auditor.report.secret_redaction import redact_lines

_MAX_UNCHANGED = 500
"""Characters of an unchanged line that are shown."""
_MAX_CHANGED = 4_000
"""Characters of a changed line that are shown: what is pushed out of sight on a long line is read as well."""
_BEYOND = 500
"""Characters after the cut in which a secret that begins before it is still recognised."""
_BLANKS = re.compile(r"(?<=\S)[ \t]{41,}(?=\S)")
"""Blanks in the middle of a line that push the rest of it out of sight."""


def is_cut(line: ExhibitLine) -> bool:
    """Is only the start of the line shown?"""
    return len(line.text) > _most(line) < len(_without_blanks(line))


def cut_lines(lines: Sequence[ExhibitLine]) -> tuple[ExhibitLine, ...]:
    """The lines as long as they are shown, but with secrets: good for their size alone."""
    return tuple(each.model_copy(update={"text": _without_blanks(each)[: _most(each)]}) for each in lines)


def shown_lines(lines: Sequence[ExhibitLine], secret_lines: Collection[int]) -> tuple[ExhibitLine, ...]:
    """The lines without secrets and invisible characters, cut where they are long.

    `secret_lines` are numbers at the head in which a probe has seen a secret; those lines are hidden whole.
    """
    whole = [_without_blanks(each) for each in lines]
    texts = redact_lines(text[: _most(line) + _BEYOND] for line, text in zip(lines, whole, strict=True))
    shown = []
    for line, text, redacted in zip(lines, whole, texts, strict=True):
        hidden = line.mark is not LineMark.REMOVED and line.number in secret_lines
        more = len(text) - _most(line)
        clean = REDACTED_LINE if hidden else indented(redacted[: _most(line)])
        shown.append(line.model_copy(update={"text": f"{clean} ⟨{more:,} more characters⟩" if more > 0 else clean}))
    return tuple(shown)


def _most(line: ExhibitLine) -> int:
    return _MAX_CHANGED if line.mark in (LineMark.ADDED, LineMark.REMOVED) else _MAX_UNCHANGED


def _without_blanks(line: ExhibitLine) -> str:
    return _BLANKS.sub(lambda found: f" ⟨{len(found[0]):,} blanks⟩ ", replace_reserved_brackets(line.text))
