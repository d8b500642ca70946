"""Exhibits of a change as a prompt writes them. Their lines are harmless already: the dossier saw to it."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.domain import Exhibit, ExhibitLine, Side
from auditor.report.prompt_text import estimate_tokens, indented, replace_reserved_brackets


def exhibit_text(exhibit: Exhibit) -> str:
    """An exhibit as a prompt writes it: a head line, then `mark number| text` for each line."""
    about = f", in {indented(replace_reserved_brackets(exhibit.definition))}" if exhibit.definition else ""
    why = f", for {', '.join(exhibit.belongs_to)}" if exhibit.belongs_to else ""
    before = ", before the change" if exhibit.side is Side.BASE else ""
    head = f"[{exhibit.id}] {indented(replace_reserved_brackets(exhibit.path))}{before}{about}{why}"
    return "\n".join([head, *(line_text(each) for each in exhibit.lines)])


def line_text(line: ExhibitLine) -> str:
    """A line with what the change does to it and its number."""
    return f"{line.mark.value}{line.number}| {line.text}".rstrip()


def exhibit_tokens(exhibit: Exhibit) -> int:
    """About how many tokens an exhibit takes."""
    return estimate_tokens(exhibit_text(exhibit)) + 1


def exhibits_text(exhibits: Iterable[Exhibit]) -> str:
    """All exhibits, an empty line between them."""
    return "\n\n".join(map(exhibit_text, exhibits))
