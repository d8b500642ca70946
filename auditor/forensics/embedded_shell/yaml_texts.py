"""Scalars of YAML with their lines: how a shell reads a text that YAML folds, line by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import yaml

from auditor.forensics.embedded_shell.shell_script import LineSpan, consecutive_lines, same_lines


@dataclass(frozen=True, slots=True)
class YamlText:
    """A scalar with its first and last line in the file, and the file's lines for each line of the text."""

    text: str
    first: int
    last: int
    lines: tuple[LineSpan, ...]


def written_text(event: yaml.ScalarEvent, rows: Sequence[str]) -> YamlText:
    """A text with its lines. Of one that YAML folds, the lines are joined as a shell joins them, so that each keeps its own."""
    start, end = event.start_mark, event.end_mark
    first, last = (start.line + 1, end.line + 1) if start and end else (1, 1)
    if event.style == "|":
        return YamlText(event.value, first, last - 1, consecutive_lines(first + 1, event.value))
    if event.style == ">":
        body = _dedented(rows[first : last - 1])
        return YamlText(_folded(body), first, last - 1, consecutive_lines(first + 1, "\n".join(body)))
    if not event.style and last > first and "\n" not in event.value:
        body = [row.strip() for row in rows[first - 1 : last]]
        body[0] = rows[first - 1][start.column if start else 0 :].strip()
        if " ".join(filter(None, body)) == event.value:
            return YamlText(" \\\n".join(body), first, last, consecutive_lines(first, "\n".join(body)))
    return YamlText(event.value, first, last, same_lines(first, last, event.value))


def _dedented(rows: Sequence[str]) -> list[str]:
    """Rows without the indentation of the first that has words; blank ones at the end are left out."""
    depth = next((len(row) - len(row.lstrip(" ")) for row in rows if row.strip()), 0)
    body = [row[depth:].rstrip() for row in rows]
    while body and not body[-1]:
        body.pop()
    return body or [""]


def _folded(body: Sequence[str]) -> str:
    """A folded text; a row ends in a backslash where YAML joins it with the next: neither is blank or indented further."""
    joined = [
        f"{row} \\" if row and below and not row[0].isspace() and not below[0].isspace() else row
        for row, below in zip(body, [*body[1:], ""], strict=True)
    ]
    return "\n".join(joined)
