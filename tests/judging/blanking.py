"""Exhibits without what people wrote about the code: comments and docstrings blanked, every line where it was.

What a judge finds then it found in the code. A fix taken back also takes back the comment that explained it, which may tell.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from auditor.domain import Dossier, Exhibit, ExhibitLine, LineMark, Side
from auditor.forensics.source_text.comments import lines_without_comments
from auditor.forensics.source_text.file_roles import language
from auditor.report.prompt_text import indented

ReadFile = Callable[[str, Side], str | None]
"""The text of a file at one side of the change; None when it cannot be read."""


def blanked(dossier: Dossier, read: ReadFile) -> Dossier:
    """The dossier with exhibits of code alone. Lines that the dossier itself hid or cut stay as they are."""

    @cache
    def lines(path: str, side: Side) -> tuple[tuple[str, str], ...]:
        source = read(path, side) or ""
        bare = lines_without_comments(source, language(path))
        return tuple(zip(source.split("\n"), bare, strict=False))

    def line_of(exhibit: Exhibit, line: ExhibitLine) -> ExhibitLine:
        side = Side.BASE if line.mark is LineMark.REMOVED else exhibit.side
        known = lines(exhibit.path, side)
        if line.number > len(known):
            return line
        whole, bare = known[line.number - 1]
        is_as_written = line.text == indented(whole.removesuffix("\r"))
        return line.model_copy(update={"text": indented(bare.rstrip())}) if is_as_written else line

    exhibits = tuple(
        each.model_copy(update={"lines": tuple(line_of(each, line) for line in each.lines)})
        for each in dossier.exhibits
    )
    return dossier.model_copy(update={"exhibits": exhibits})
