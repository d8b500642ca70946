"""Places in words, the same on every surface: lines, other files, and the side of the change."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from auditor.domain import AuditReport, CodeLocation, CommitLocation, DocumentLocation, Location, Side
from auditor.domain.english_lists import enumerated

_MAX_LINES = 3
"""Further lines of the same file that are named beside the first place of a finding."""
_MAX_OTHERS = 2
"""Places in other files that are."""


def describe_place(location: Location | None) -> str:
    """A place as `path:line`, a commit or a page; empty where there is none."""
    return location.spoken if location is not None else ""


def side_note(location: Location) -> str:
    """What follows a place that only the base side has: ` (before the change)`; else empty."""
    return " (before the change)" if isinstance(location, CodeLocation) and location.side is Side.BASE else ""


def place_with_side(location: Location) -> str:
    """A place, and the side where it is the base."""
    return f"{describe_place(location)}{side_note(location)}"


def whole_subject(report: AuditReport) -> str:
    """The place of a finding that has no line and no file of its own."""
    return "The whole repository" if report.subject.merge_base is None else "The change as a whole"


def further_places(
    locations: Sequence[Location], write: Callable[[Location], str], rest: str = "all listed in the report"
) -> str:
    """What follows the first place of a finding: the others, and the side where it is the base.

    Such as `, also lines 31, 40, 52 and 5 more` or `, also b.py:3 and c.py:9 (before the change)`. Places in other files
    are written by `write`. `rest` says where those are that have no room here.
    """
    places = list({(describe_place(each), side_note(each)): each for each in locations}.values())
    if not places:
        return ""
    first, others = places[0], places[1:]
    one_side = len({side_note(each) for each in places}) == 1
    if not others:
        return side_note(first)
    beside = one_side and all(_is_line_beside(each, first) for each in others)
    most = _MAX_LINES if beside else _MAX_OTHERS
    most += len(others) == most + 1  # one that is left out takes more words than its name
    shown, left = others[:most], len(others) - most
    if beside:
        named = [str(each.start) for each in shown if isinstance(each, CodeLocation)]
        lead, kind = "line " if len(others) == 1 else "lines ", ""
    else:
        named = [write(each) if one_side else f"{write(each)}{side_note(each)}" for each in shown]
        lead, kind = "", f" {_plural_kind(others)}"
    listed = f"{', '.join(named)} and {left:,} more{kind}, {rest}" if left > 0 else enumerated(named)
    own, shared = ("", side_note(first)) if one_side else (side_note(first), "")
    return f"{own}, also {lead}{listed}{shared}"


def _is_line_beside(location: Location, first: Location) -> bool:
    """Is it a line in the file of the first place, which is a line too?"""
    return (
        isinstance(location, CodeLocation)
        and isinstance(first, CodeLocation)
        and location.path == first.path
        and None not in (location.start, first.start)
    )


def _plural_kind(locations: Sequence[Location]) -> str:
    if all(isinstance(each, CodeLocation) and each.start is None for each in locations):
        return "files"
    if all(isinstance(each, CommitLocation) for each in locations):
        return "commits"
    return "pages" if all(isinstance(each, DocumentLocation) for each in locations) else "places"
