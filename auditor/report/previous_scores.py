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
_MAX_SCORES = 200
_NO_SCORE = {
    RulingStatus.INCONCLUSIVE: "open",
    RulingStatus.NOT_APPLICABLE: "not applicable",
    RulingStatus.WAIVED: "waived",
    RulingStatus.JUDGED: "open",
}

Score = Annotated[float, Field(ge=1, le=5, strict=True, allow_inf_nan=False)]
CriterionId = Annotated[str, Field(pattern=IDENTIFIER, max_length=80)]


class PastVerdict(Frozen):
    """An earlier verdict: what it was measured by, and its scores."""

    rubric: str = Field(pattern=r"^[a-z][a-z0-9-]*$", max_length=80)
    digest: str = Field(pattern=r"^[0-9a-f]{16}$", description="The first 16 digits of the rubric's digest.")
    bench: str = Field(pattern=r"^[a-z][a-z0-9_-]*$", max_length=40)
    head: str = Field(pattern=r"^[0-9a-f]{40}([0-9a-f]{24})?$")
    base: str | None = Field(default=None, pattern=r"^[0-9a-f]{40}([0-9a-f]{24})?$")
    conclusion: Conclusion
    overall: Score | None = None
    scores: dict[CriterionId, Score | RulingStatus] = Field(max_length=_MAX_SCORES)


class VerdictHistory(Frozen):
    """What a check run records: its own verdict, and the one before it on another commit."""

    now: PastVerdict
    before: PastVerdict | None = None


class ScoreChange(Frozen):
    """One score then and now."""

    criterion: str = Field(description="Id; empty for the overall score.")
    title: str
    before: str
    after: str
    difference: float | None = Field(description="None where there was no score, or is none now.")


class VerdictChanges(Frozen):
    """What has changed since a verdict."""

    past: PastVerdict
    overall: ScoreChange | None
    changes: tuple[ScoreChange, ...]
    unchanged: int
    new: int = Field(description="Criteria that the last verdict did not know.")
    other_measure: bool = Field(description="Was it judged by another rubric text or another bench?")


def make_history(report: AuditReport, history: VerdictHistory | None = None) -> VerdictHistory | None:
    """What the next audit needs of this one; None when the record's names do not fit the line."""
    try:
        now = PastVerdict(
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
    return VerdictHistory(now=now, before=previous_verdict(report, history))


def previous_verdict(report: AuditReport, history: VerdictHistory | None) -> PastVerdict | None:
    """The verdict to compare with: the latest on another commit, so that a second run says what the first one said."""
    if history is None:
        return None
    past = history.before if history.now.head == report.subject.head else history.now
    return (
        past
        if past is not None and past.rubric == report.rubric.definition.id and past.head != report.subject.head
        else None
    )


def to_line(history: VerdictHistory) -> str:
    """The line that `parse_history` reads."""
    packed = json.dumps(history.model_dump(mode="json"), separators=(",", ":"), sort_keys=True)
    return f"<!-- automaton-auditor:verdict:1 {packed} -->"


def parse_history(text: str | None) -> VerdictHistory | None:
    """The verdicts in a check run's text: its first line, if it is exactly one of ours, else None."""
    found = _LINE.fullmatch((text or "").split("\n", 1)[0].rstrip("\r"))
    if found is None:
        return None
    try:
        return VerdictHistory.model_validate_json(found[1])
    except ValidationError:
        return None


def changes_since(report: AuditReport, history: VerdictHistory | None) -> VerdictChanges | None:
    """What has changed since the last verdict on another commit; none when there is no such verdict."""
    past = previous_verdict(report, history)
    if past is None:
        return None
    titles = {criterion.id: criterion.title for criterion in report.rubric.definition.criteria}
    known = [each for each in report.verdict.rulings if each.criterion in past.scores]
    changes = []
    for ruling in known:
        now = ruling.status if ruling.score is None else ruling.score
        then = past.scores[ruling.criterion]
        if then != now:
            changes.append(_make_change(ruling.criterion, titles.get(ruling.criterion, ruling.criterion), then, now))
    overall = report.verdict.overall
    return VerdictChanges(
        past=past,
        overall=_make_change("", "Overall", past.overall, overall) if past.overall != overall else None,
        changes=tuple(changes),
        unchanged=len(known) - len(changes),
        new=len(report.verdict.rulings) - len(known),
        other_measure=past.digest != report.rubric.digest[:16] or past.bench != report.tool.bench,
    )


def _make_change(
    criterion: str, title: str, then: float | RulingStatus | None, now: float | RulingStatus | None
) -> ScoreChange:
    both = isinstance(then, float) and isinstance(now, float)
    return ScoreChange(
        criterion=criterion,
        title=title,
        before=_score_text(then),
        after=_score_text(now),
        difference=round(now - then, 1) if both else None,  # type: ignore[operator]
    )


def _score_text(score: float | RulingStatus | None) -> str:
    if score is None:
        return "none"
    return _NO_SCORE[score] if isinstance(score, RulingStatus) else f"{score:.1f}"
