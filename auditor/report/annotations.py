"""Notes on the lines of a change: what decided the gate first, each place once, no more than can be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from auditor.domain import Annotation, AnnotationLevel, AuditReport, CodeLocation, Severity, Side
from auditor.report import objection_summary, verdict_sentences
from auditor.report.escaping import clip, for_check, for_plain
from auditor.report.fix_priorities import DECIDED, Priority, priorities
from auditor.report.github_links import is_tree_path

MAX_ANNOTATIONS = 50
MAX_TITLE_LENGTH = 255
MAX_MESSAGE_BYTES = 8_000
"""Bytes; GitHub takes 64 KB, and nobody reads that on a line."""
_MAX_RANGE_LINES = 30
_MAX_SENSITIVE = 10
_LEVELS = {
    Severity.CRITICAL: AnnotationLevel.FAILURE,
    Severity.HIGH: AnnotationLevel.FAILURE,
    Severity.MEDIUM: AnnotationLevel.WARNING,
    Severity.LOW: AnnotationLevel.NOTICE,
}
_LEVEL_ORDER = (AnnotationLevel.NOTICE, AnnotationLevel.WARNING, AnnotationLevel.FAILURE)


@dataclass(frozen=True)
class Annotations:
    """Those to be shown, in their rank, and how many places there are beyond them."""

    shown: tuple[Annotation, ...]
    left: int


@dataclass(frozen=True)
class _Note:
    """One thing seen at one place."""

    place: CodeLocation
    priority: Priority
    level: AnnotationLevel


def annotate(report: AuditReport, max_annotations: int = MAX_ANNOTATIONS) -> Annotations:
    """The notes on lines at the head, ranked: what decided a failed gate, then by severity.

    Everything gets its first place before anything gets its second. Places at the base, in deleted files or
    without a line are in the reports only.
    """
    by_place: dict[tuple[str, int], list[_Note]] = {}
    for note in _ranked_notes(report):
        by_place.setdefault((note.place.path, note.place.start or 1), []).append(note)
    facts = [_make_annotation(notes) for notes in by_place.values()]
    notes = [
        *_open_line_annotations(report),
        *facts,
        *_objection_annotations(report),
        *_sensitive_line_annotations(report),
    ]
    return Annotations(tuple(notes[:max_annotations]), max(0, len(notes) - max_annotations))


def _open_line_annotations(report: AuditReport) -> Iterator[Annotation]:
    """Lines that leave the gate open, because no rule could answer about them."""
    for evidence in verdict_sentences.open_evidence(report):
        for place in evidence.locations:
            if isinstance(place, CodeLocation) and place.start is not None and _is_at_head(place):
                yield Annotation(
                    path=place.path,
                    start_line=place.start,
                    end_line=min(place.end or place.start, place.start + _MAX_RANGE_LINES),
                    level=AnnotationLevel.WARNING,
                    title="Somebody must read this line",
                    message=_clip_bytes(_plain_text(evidence.statement, 1_000), MAX_MESSAGE_BYTES),
                )


def _objection_annotations(report: AuditReport) -> Iterator[Annotation]:
    """Standing objections on their lines. They are opinions, so none is more than a warning."""
    for each in objection_summary.standing(report):
        if each.side is not Side.HEAD or not _is_exact_path(each.path):
            continue
        parts = (*objection_summary.problem_sentences(each), objection_summary.fix_sentence(each))
        message = "\n".join(_plain_text(part, 1_000) for part in parts if part)
        yield Annotation(
            path=each.path,
            start_line=each.start,
            end_line=min(max(each.end, each.start), each.start + _MAX_RANGE_LINES),
            level=min(_LEVELS[each.severity], AnnotationLevel.WARNING, key=_LEVEL_ORDER.index),
            title="Judges see a defect",
            message=_clip_bytes(message, MAX_MESSAGE_BYTES),
        )


def _sensitive_line_annotations(report: AuditReport) -> Iterator[Annotation]:
    """The first sensitive lines, where somebody has to approve them."""
    if not verdict_sentences.needs_approval(report):
        return
    places = ((each, area) for area in report.sensitive_lines.areas for each in area.places)
    at_head = ((place, area) for place, area in places if place.start is not None and _is_at_head(place))
    for place, area in islice(at_head, _MAX_SENSITIVE):
        start = place.start or 1
        yield Annotation(
            path=place.path,
            start_line=start,
            end_line=min(place.end or start, start + _MAX_RANGE_LINES),
            level=AnnotationLevel.NOTICE,
            title="Sensitive line: review it before you approve",
            message=_plain_text(
                f"The change {area.does} here. No rule sees a fault in it, and rules do not see every fault.", 1_000
            ),
        )


def _ranked_notes(report: AuditReport) -> Iterator[_Note]:
    found = [
        (not priority.decided_gate, index, rank, _Note(place, priority, _level(priority, report)))
        for rank, priority in enumerate(priorities(report))
        for index, place in enumerate(_annotatable_places(priority))
    ]
    for *_, note in sorted(found, key=lambda each: each[:3]):
        yield note


def _annotatable_places(priority: Priority) -> Iterator[CodeLocation]:
    """Places that can have a note. A whole file gets one on its first line, only if it decided the gate."""
    places = [each for each in priority.evidence.locations if isinstance(each, CodeLocation)]
    for index, place in enumerate(places):
        if not _is_at_head(place):
            continue
        if place.start is not None or (priority.decided_gate and index == 0):
            yield place


def _is_at_head(place: CodeLocation) -> bool:
    """Is it in a file at the head whose path GitHub takes?"""
    return place.side is Side.HEAD and _is_exact_path(place.path)


def _is_exact_path(path: str) -> bool:
    """Can the path be given to GitHub word for word?"""
    return is_tree_path(path) and path.isprintable() and all(ord(each) <= 0xFFFF for each in path)


def _level(priority: Priority, report: AuditReport) -> AnnotationLevel:
    """By severity. What decided the gate is never less than a warning; what is in doubt is never a failure."""
    level = _LEVELS[priority.standing.expectation.severity]
    if priority.decided_gate:
        level = max(level, AnnotationLevel.WARNING, key=_LEVEL_ORDER.index)
    if priority.evidence.confidence < report.rubric.definition.rules.confirmed:
        level = min(level, AnnotationLevel.WARNING, key=_LEVEL_ORDER.index)
    return level


def _make_annotation(notes: list[_Note]) -> Annotation:
    """One note for all that was seen at a place; its title is that of the most severe."""
    first = notes[0]
    start = first.place.start or 1
    end = min(max(first.place.end or start, start), start + _MAX_RANGE_LINES)
    different = list(dict.fromkeys(_message(each.priority) for each in notes))
    level = max((each.level for each in notes), key=_LEVEL_ORDER.index)
    return Annotation(
        path=first.place.path,
        start_line=start,
        end_line=end,
        level=level,
        title=_plain_text(_title(first.priority), MAX_TITLE_LENGTH),
        message=_clip_bytes("\n\n".join(different), MAX_MESSAGE_BYTES),
    )


def _message(priority: Priority) -> str:
    seen = _plain_text(verdict_sentences.with_note(priority.evidence.statement, ""), 1_000)
    decided = f" This {DECIDED}." if priority.decided_gate else ""
    # Each note is read alone, so that none refers to another.
    advice = verdict_sentences.advice_sentences(replace(priority, same_as=0))
    return "\n".join((f"{seen}{decided}", *(_plain_text(each, 600) for each in advice)))


def _title(priority: Priority) -> str:
    """The criterion, with severity and certainty."""
    return f"{priority.criterion.title}: {priority.weight}"


def _plain_text(text: str, limit: int) -> str:
    """Plain words of at most so many characters, whatever escaping made of them."""
    return clip(for_check(for_plain(clip(text, limit))), limit - 1)


def _clip_bytes(text: str, limit: int) -> str:
    raw = text.encode()
    return text if len(raw) <= limit else f"{raw[: limit - 3].decode(errors='ignore')}\u2026"
