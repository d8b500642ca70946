"""Lines of code as judges and readers see them: no secrets, nothing invisible, no line without end."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from auditor.domain import ExhibitLine, LineMark
from auditor.report.prompt_text import indented
from auditor.report.secret_redaction import redact_lines

MAX_LINE = 500
"""Characters of a line that are shown."""
_HIDDEN_LINE = "[a line with a secret, not shown]"


def shown_lines(lines: Sequence[ExhibitLine], secret_lines: Collection[int]) -> tuple[ExhibitLine, ...]:
    """The lines without secrets and invisible characters, cut where they are long.

    `secret_lines` are numbers at the head in which a probe has seen a secret; those lines are hidden whole.
    """
    texts = redact_lines(each.text[:MAX_LINE] for each in lines)
    shown = []
    for line, text in zip(lines, texts, strict=True):
        hidden = line.mark is not LineMark.REMOVED and line.number in secret_lines
        more = len(line.text) - MAX_LINE
        clean = _HIDDEN_LINE if hidden else indented(text)
        shown.append(line.model_copy(update={"text": f"{clean} [{more:,} more characters]" if more > 0 else clean}))
    return tuple(shown)
