"""The sensitive lines of a change in words, the same on every surface. They are a reading guide, and no findings."""

from __future__ import annotations

from collections.abc import Callable

from auditor.domain import CodeLocation, SensitiveArea, SensitiveLines
from auditor.english_counts import by_count, pluralize

MAX_AREAS = 6
"""Areas on a surface that has to stay short."""
MAX_PLACES = 3
"""Places of one area there."""
TITLE = "Sensitive lines for a reviewer to read"
NOTE = "These lines are not findings: no rule reports them with medium or higher severity. That does not mean that they are right."


def _more_places(area: SensitiveArea, shown: int) -> str:
    """What follows the shown places of an area: how many there are beside them; empty for none."""
    left = len(area.places) - min(shown, len(area.places)) + area.left_out
    if not left:
        return ""
    return f" and {left:,} more" if shown else pluralize(left, "place")


def list_places(area: SensitiveArea, shown: int, describe: Callable[[CodeLocation], str]) -> str:
    """The first places of an area as a surface describes them, and how many there are beside them."""
    return f"{', '.join(map(describe, area.places[:shown]))}{_more_places(area, shown)}"


def rest_sentence(lines: SensitiveLines, shown: int) -> str:
    """What is not listed: further areas, and files that were not searched; empty for nothing."""
    areas = [each.does for each in lines.areas[shown:]]
    beside = f"The change also {'; '.join(areas)}." if areas else ""
    unread = lines.unread_files
    files = (
        f"{unread:,} {by_count(unread, 'file was', 'files were')} too large to search for sensitive lines."
        if unread
        else ""
    )
    return " ".join(filter(None, (beside, files)))
