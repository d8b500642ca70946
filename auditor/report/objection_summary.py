"""Which objections of judges a reader sees, in which order, and what is said of the rest."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.domain import AuditReport, Location, Objection, ObjectionState
from auditor.domain.evidence import CodeLocation
from auditor.report.verdict_sentences import with_note

MAX_SHOWN = 3
"""Standing objections in a comment; users of other reviewers read four comments and skip the rest."""


def standing(report: AuditReport) -> tuple[Objection, ...]:
    """The standing ones that no probe reports already, the most severe first."""
    return _by_severity(each for each in _in_state(report, ObjectionState.STANDING) if not each.reported_by)


def contested(report: AuditReport) -> tuple[Objection, ...]:
    """Those on which the judges do not agree, the most severe first."""
    return _by_severity(_in_state(report, ObjectionState.CONTESTED))


def place(objection: Objection) -> Location:
    """Its lines as a location, with the quote."""
    return CodeLocation(
        path=objection.path,
        start=objection.start,
        end=objection.end,
        quote=objection.quote,
        side=objection.side,
        definition=objection.definition,
    )


def problem_sentences(objection: Objection) -> tuple[str, str, str]:
    """What is wrong, when it happens and what follows, as whole sentences."""
    parts = (objection.claim, f"When: {objection.trigger}", f"Then: {objection.effect}")
    claim, trigger, effect = (with_note(each, "") for each in parts)
    return claim, trigger, effect


def fix_sentence(objection: Objection) -> str:
    """What to try; empty where no fix was named."""
    return with_note(f"Try: {objection.fix}", "") if objection.fix else ""


def rest_sentence(report: AuditReport, shown: int) -> str:
    """How many objections are not shown, by state; empty where none is left."""
    counts = (
        (len(standing(report)) - shown, "more"),
        (
            sum(bool(each.reported_by) for each in _in_state(report, ObjectionState.STANDING)),
            "reported by a probe already",
        ),
        (len(contested(report)), "contested"),
        (len(_in_state(report, ObjectionState.DISMISSED)), "dismissed"),
    )
    parts = [f"{count} {word}" for count, word in counts if count > 0]
    return f"Objections not shown here: {', '.join(parts)}." if parts else ""


def _in_state(report: AuditReport, state: ObjectionState) -> list[Objection]:
    return [each for each in report.objections if each.state is state]


def _by_severity(objections: Iterable[Objection]) -> tuple[Objection, ...]:
    return tuple(sorted(objections, key=lambda each: (-each.severity.rank, each.path, each.start)))
