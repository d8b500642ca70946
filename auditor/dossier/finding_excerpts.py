"""Code around findings for readers of the report: at the head with the removed lines between, or at the base."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from auditor.domain import CodeLocation, Evidence, Excerpt, ExhibitLine, FileChange, LineMark, Side, TreeEntry
from auditor.domain.glob_patterns import matches_any
from auditor.dossier.builder import ChangeView
from auditor.dossier.changed_file import ChangedFile
from auditor.dossier.hunk_exhibits import head_lines, merged_regions, removals
from auditor.dossier.shown_lines import shown_lines
from auditor.forensics.source_text.text_decoding import decode_text
from auditor.report.secret_redaction import redact_across_lines

CONTEXT = 3
"""Lines before and after those of a finding."""
MAX_SPAN = 12
"""Lines of one finding that are shown; of a longer one its beginning."""
MAX_PLACES = 3
"""Places of one finding."""
MAX_FILES = 40
MAX_FILE_BYTES = 256 * 1024
"""Of a larger file nothing is shown: all of it is searched for secrets first."""
MAX_BYTES = 2 << 20
"""Bytes of all files that are searched."""
MAX_LINES = 3_000
"""Lines of all excerpts."""

_Region = tuple[int, int]


@dataclass(frozen=True)
class _Source:
    """One side of a file: its lines, and what the change did to it, if anything."""

    path: str
    side: Side
    entry: TreeEntry
    change: FileChange | None


def excerpts(
    findings: Iterable[Evidence],
    view: ChangeView,
    secret_lines: Mapping[str, Collection[int]],
    withheld: Sequence[str] = (),
) -> tuple[Excerpt, ...]:
    """The code around the first places of each finding, overlapping stretches as one, in the order of paths.

    `withheld` are globs of files that are not shown, `secret_lines` the lines by file at the head that hold secrets.
    """
    wanted = _wanted(findings, withheld)
    changed = {entry.path: each for each in view.changes for entry in (each.base, each.head) if entry is not None}
    sources = [
        _Source(path, side, entry, changed.get(path))
        for path, side in islice(wanted, MAX_FILES)
        if (entry := _entry(view, changed.get(path), path, side)) is not None
    ]
    bases = [each.change.base for each in sources if each.change is not None and each.change.base is not None]
    contents = view.read([*(each.entry for each in sources), *bases])
    contents = _within_limits(contents)
    found: list[Excerpt] = []
    room = MAX_LINES
    for source in sorted(sources, key=lambda each: (each.path, each.side)):
        for lines in _stretches(source, wanted[source.path, source.side], contents):
            if lines and len(lines) <= room:
                room -= len(lines)
                shown = shown_lines(lines, secret_lines.get(source.path, ()))
                found.append(Excerpt(path=source.path, side=source.side, lines=shown))
    return tuple(found)


def _within_limits(contents: Mapping[str, bytes | None]) -> dict[str, bytes]:
    """The contents that are small enough, the first ones as long as there is room."""
    kept: dict[str, bytes] = {}
    room = MAX_BYTES
    for blob, content in contents.items():
        if content is not None and len(content) <= min(room, MAX_FILE_BYTES):
            room -= len(content)
            kept[blob] = content
    return kept


def _wanted(findings: Iterable[Evidence], withheld: Sequence[str]) -> dict[tuple[str, Side], list[_Region]]:
    """The regions to show by file and side, files in the order of the findings."""
    wanted: dict[tuple[str, Side], list[_Region]] = defaultdict(list)
    for finding in findings:
        for place in finding.locations[:MAX_PLACES]:
            if isinstance(place, CodeLocation) and place.start is not None and not matches_any(place.path, withheld):
                last = min(place.end or place.start, place.start + MAX_SPAN - 1)
                wanted[place.path, place.side].append((max(1, place.start - CONTEXT), last + CONTEXT))
    return wanted


def _entry(view: ChangeView, change: FileChange | None, path: str, side: Side) -> TreeEntry | None:
    if side is Side.HEAD:
        return view.head.get(path)
    entry = change.base if change is not None else None
    return entry if entry is not None and entry.path == path else None


def _stretches(
    source: _Source, regions: Iterable[_Region], contents: Mapping[str, bytes | None]
) -> Iterable[list[ExhibitLine]]:
    own = _lines(contents.get(source.entry.blob))
    change = source.change
    if source.side is Side.BASE or change is None or change.head is None:
        gone = change.deleted_lines if change is not None and source.side is Side.BASE else frozenset()
        return [_plain(own, gone, first, last) for first, last in merged_regions(regions)]
    before = _lines(contents.get(change.base.blob)) if change.base is not None else ()
    file = ChangedFile(change, before, own)
    removed = removals(file)
    return [_without_long_removals(head_lines(file, removed, first, last)) for first, last in merged_regions(regions)]


def _plain(lines: Sequence[str], gone: Collection[int], first: int, last: int) -> list[ExhibitLine]:
    return [
        ExhibitLine(mark=LineMark.REMOVED if number in gone else LineMark.KEPT, number=number, text=lines[number - 1])
        for number in range(first, min(last, len(lines)) + 1)
    ]


def _without_long_removals(lines: Iterable[ExhibitLine]) -> list[ExhibitLine]:
    """The lines with at most MAX_SPAN removed ones in a row."""
    kept: list[ExhibitLine] = []
    row = 0
    for each in lines:
        row = row + 1 if each.mark is LineMark.REMOVED else 0
        if row <= MAX_SPAN:
            kept.append(each)
    return kept


def _lines(content: bytes | None) -> tuple[str, ...]:
    """The lines of a text without secrets over several lines; none of what is no text."""
    if content is None:
        return ()
    text, is_text = decode_text(content)
    if not is_text:
        return ()
    lines = text.decode("utf-8", errors="backslashreplace").removesuffix("\n").split("\n")
    return redact_across_lines(each.removesuffix("\r") for each in lines)
