"""The last verdict's scores, kept in the check run's own output, and what has changed since.

One line of JSON in an HTML comment, the first of the check run's text. It is never looked for in comments, which anybody
can write. Another workflow of the same repository could forge it all the same, so it is read as hostile input and only
informs: nothing of it reaches the gate.
"""

from __future__ import annotations

import json
import re
from typing import Annotated

from pydantic import Field, ValidationError

from auditor.domain import AuditReport, Conclusion, Frozen, RulingStatus
from auditor.domain.rubric_types import IDENTIFIER

_LINE = re.compile(r"<!-- automaton-auditor:verdict:1 (\{[ -~]{2,30000}\}) -->")
_MOST = 200
_NO_SCORE = {
    RulingStatus.INCONCLUSIVE: "open",
    RulingStatus.NOT_APPLICABLE: "not applicable",
    RulingStatus.WAIVED: "waived",
    RulingStatus.JUDGED: "open",
}

Score = Annotated[float, Field(ge=1, le=5, strict=True, allow_inf_nan=False)]
CriterionId = Annotated[str, Field(pattern=IDENTIFIER, max_length=80)]


class Past(Frozen):
    """A verdict as far as it is remembered: by what it was measured, and the scores."""

    rubric: str = Field(pattern=r"^[a-z][a-z0-9-]*$", max_length=80)
    digest: str = Field(pattern=r"^[0-9a-f]{16}$", description="The first 16 digits of the rubric's digest.")
    bench: str = Field(pattern=r"^[a-z][a-z0-9_-]*$", max_length=40)
    head: str = Field(pattern=r"^[0-9a-f]{40}([0-9a-f]{24})?$")
    base: str | None = Field(default=None, pattern=r"^[0-9a-f]{40}([0-9a-f]{24})?$")
    conclusion: Conclusion
    overall: Score | None = None
    scores: dict[CriterionId, Score | RulingStatus] = Field(max_length=_MOST)


class Memory(Frozen):
    """What a check run remembers: its own verdict, and the one before it on another commit."""

    now: Past
    before: Past | None = None


class Change(Frozen):
    """One score then and now."""

    criterion: str = Field(description="Id; empty for the overall score.")
    title: str
    before: str
    after: str
    difference: float | None = Field(description="None where there was no score, or is none now.")


class Since(Frozen):
    """What has changed since a verdict."""

    past: Past
    overall: Change | None
    changes: tuple[Change, ...]
    unchanged: int
    new: int = Field(description="Criteria that the last verdict did not know.")
    other_measure: bool = Field(description="Was it judged by another rubric text or another bench?")


def remember(report: AuditReport, memory: Memory | None = None) -> Memory | None:
    """What the next audit should know of this one; none when the record's names do not fit the line."""
    try:
        now = Past(
            rubric=report.rubric.definition.id,
            digest=report.rubric.digest[:16],
            bench=report.tool.bench,
            head=report.subject.head,
            base=report.subject.base,
            conclusion=report.verdict.conclusion,
            overall=report.verdict.overall,
            scores={
                each.criterion: each.status if each.score is None else each.score for each in report.verdict.rulings
            },
        )
    except ValidationError:
        return None
    return Memory(now=now, before=last(report, memory))


def last(report: AuditReport, memory: Memory | None) -> Past | None:
    """The verdict to compare with: the latest on another commit, so that a second run says what the first one said."""
    if memory is None:
        return None
    past = memory.before if memory.now.head == report.subject.head else memory.now
    return (
        past
        if past is not None and past.rubric == report.rubric.definition.id and past.head != report.subject.head
        else None
    )


def to_line(memory: Memory) -> str:
    """The line that `recall` reads."""
    packed = json.dumps(memory.model_dump(mode="json"), separators=(",", ":"), sort_keys=True)
    return f"<!-- automaton-auditor:verdict:1 {packed} -->"


def recall(text: str | None) -> Memory | None:
    """What a check run's text remembers: its first line, if it is one of ours to the letter, else nothing."""
    found = _LINE.fullmatch((text or "").split("\n", 1)[0].rstrip("\r"))
    if found is None:
        return None
    try:
        return Memory.model_validate_json(found[1])
    except ValidationError:
        return None


def since(report: AuditReport, memory: Memory | None) -> Since | None:
    """What has changed since the last verdict on another commit; none when there is no such verdict."""
    past = last(report, memory)
    if past is None:
        return None
    titles = {criterion.id: criterion.title for criterion in report.rubric.definition.criteria}
    known = [each for each in report.verdict.rulings if each.criterion in past.scores]
    changes = []
    for ruling in known:
        now = ruling.status if ruling.score is None else ruling.score
        then = past.scores[ruling.criterion]
        if then != now:
            changes.append(_change(ruling.criterion, titles.get(ruling.criterion, ruling.criterion), then, now))
    overall = report.verdict.overall
    return Since(
        past=past,
        overall=_change("", "Overall", past.overall, overall) if past.overall != overall else None,
        changes=tuple(changes),
        unchanged=len(known) - len(changes),
        new=len(report.verdict.rulings) - len(known),
        other_measure=past.digest != report.rubric.digest[:16] or past.bench != report.tool.bench,
    )


def _change(criterion: str, title: str, then: float | RulingStatus | None, now: float | RulingStatus | None) -> Change:
    both = isinstance(then, float) and isinstance(now, float)
    return Change(
        criterion=criterion,
        title=title,
        before=_told(then),
        after=_told(now),
        difference=round(now - then, 1) if both else None,  # type: ignore[operator]
    )


def _told(score: float | RulingStatus | None) -> str:
    if score is None:
        return "none"
    return _NO_SCORE[score] if isinstance(score, RulingStatus) else f"{score:.1f}"
