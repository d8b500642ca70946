"""Rows of an answer as a table for a terminal, CSV, JSON or Markdown. Texts in them come from audited repositories."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence

from auditor.english_counts import pluralize
from auditor.report.escaping import clip, for_code_span, for_terminal, visible

_MAX_CELL = 80
"""Characters of a cell on a terminal."""
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
Rows = Sequence[Sequence[object]]


def terminal_table(columns: Sequence[str], rows: Rows) -> str:
    """Columns as wide as their content, long texts cut, and the number of rows."""
    shown = [[for_terminal(clip(_spoken(each), _MAX_CELL)) for each in row] for row in rows]
    names = [for_terminal(each) for each in columns]
    widths = [max(map(len, column)) for column in zip(names, *shown, strict=True)]
    numeric = [
        all(isinstance(row[place], (int, float)) or row[place] is None for row in rows) for place in range(len(names))
    ]
    lines = [_line(names, widths, numeric), "  ".join("-" * width for width in widths)]
    lines += [_line(row, widths, numeric) for row in shown]
    return "\n".join([*lines, f"({pluralize(len(rows), 'row')})"]) + "\n"


def _line(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    padded = [
        each.rjust(width) if right else each.ljust(width)
        for each, width, right in zip(cells, widths, numeric, strict=True)
    ]
    return "  ".join(padded).rstrip()


def csv_text(columns: Sequence[str], rows: Rows) -> str:
    """CSV with a header. A text that a spreadsheet would run as a formula gets a `'` in front."""
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow([_csv_cell(each) for each in columns])
    writer.writerows([_csv_cell(each) for each in row] for row in rows)
    return page.getvalue()


def _csv_cell(value: object) -> object:
    if value is None or isinstance(value, (bool, int, float)):
        return value
    text = visible(str(value))
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def json_text(columns: Sequence[str], rows: Rows) -> str:
    """A list of objects. It is ASCII, so that nothing in it acts on a terminal."""
    names = _distinct(columns)
    found = [dict(zip(names, map(_plain, row), strict=True)) for row in rows]
    return json.dumps(found, ensure_ascii=True, indent=2) + "\n"


def _distinct(columns: Sequence[str]) -> list[str]:
    """The names of the columns, each once."""
    found: list[str] = []
    for each in columns:
        name, number = each, 1
        while name in found:
            number += 1
            name = f"{each}_{number}"
        found.append(name)
    return found


def _plain(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items()}
    return str(value)


def markdown_text(columns: Sequence[str], rows: Rows) -> str:
    """A table in GitHub Markdown, texts as code."""
    lines = [
        "| " + " | ".join(_cell(each) for each in columns) + " |",
        "|" + " :-- |" * len(columns),
        *("| " + " | ".join(_cell(each) for each in row) + " |" for row in rows),
    ]
    return "\n".join(lines) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, (bool, int, float)):
        return _spoken(value)
    return for_code_span(clip(str(value), 1_000), in_table=True) if str(value) else ""


def _spoken(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)
