"""What every report says, before it is rendered for Markdown or a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from auditor.domain import (
    AuditReport,
    Conclusion,
    Criterion,
    Evidence,
    FileStatus,
    Opinion,
    Outcome,
    Ruling,
    RulingStatus,
    Subject,
)
from auditor.english_counts import pluralize

NO_SCORE = "\u2013"
"""What stands where there is no score: an en dash."""


@dataclass(frozen=True)
class Row:
    """One line of the criterion table."""

    criterion: Criterion
    ruling: Ruling
    scores: tuple[str, ...]
    """As the personas gave them, in the rubric's order; an en dash where there is none."""
    final: str
    rule: str
    decided: str
    """What the score comes from, in words for a table."""

    @property
    def applies(self) -> bool:
        """Does the criterion make sense for the subject?"""
        return self.ruling.status is not RulingStatus.NOT_APPLICABLE


def reasons(report: AuditReport) -> tuple[str, ...]:
    """Why the gate did not pass; empty when it did."""
    ended = report.verdict.conclusion
    if ended is Conclusion.PASSED:
        return ()
    return tuple(each.sentence for each in report.verdict.gate.reasons if each.conclusion is not Conclusion.PASSED)


def subject(report: AuditReport) -> str:
    """What was audited, in a line."""
    return describe_subject(report.subject)


def describe_subject(about: Subject) -> str:
    """Repository, folder and commits of a subject, in a line."""
    where = f"{about.repository}{f'/{about.folder}' if about.folder else ''}"
    if about.merge_base is None:
        return f"{where}, the whole tree at {about.head[:10]}"
    scope = " (whole tree counts)" if about.scope.value == "whole_tree" else ""
    return f"{where}, {about.merge_base[:10]}..{about.head[:10]}{scope}"


def rows(report: AuditReport) -> tuple[Row, ...]:
    """The criterion table, every criterion of the rubric in its order."""
    rubric = report.rubric.definition
    said = {(each.criterion, each.judge): each for each in reversed(report.opinions)}
    rulings = {each.criterion: each for each in report.verdict.rulings}
    return tuple(
        Row(
            criterion=criterion,
            ruling=rulings[criterion.id],
            scores=tuple(
                _score_text(said.get((criterion.id, persona.id)), rulings[criterion.id]) for persona in rubric.personas
            ),
            final=final_text(rulings[criterion.id]),
            rule=rulings[criterion.id].rule.spoken,
            decided=decided_by(rulings[criterion.id]),
        )
        for criterion in rubric.criteria
        if criterion.id in rulings
    )


def decided_by(ruling: Ruling) -> str:
    """The rule that gave the score, or the cap that lowered it: the opinions alone would not explain it then."""
    lowering = [each.cap for each in ruling.caps if each.lowered]
    return f"capped at {min(lowering):.1f}" if lowering else ruling.rule.spoken


def applicable_rows(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The rows worth a line of a table: those that apply, and all where none does."""
    return tuple(row for row in rows if row.applies) or rows


def inapplicable_sentence(rows: tuple[Row, ...]) -> str:
    """A sentence about the criteria that do not apply and have no line in the table; empty when there are none."""
    beside = [row.criterion.title for row in rows if row not in applicable_rows(rows)]
    return f"Does not apply here: {', '.join(beside)}." if beside else ""


def _score_text(opinion: Opinion | None, ruling: Ruling) -> str:
    if opinion is None:
        return NO_SCORE
    aside = any(each.judge == opinion.judge for each in ruling.set_aside)
    return f"({opinion.score})" if aside else str(opinion.score)


def final_text(ruling: Ruling) -> str:
    """The score with one decimal, or the status in words."""
    return f"{ruling.score:.1f}" if ruling.score is not None else _STATUS[ruling.status]


_STATUS = {
    RulingStatus.JUDGED: NO_SCORE,
    RulingStatus.INCONCLUSIVE: "open",
    RulingStatus.NOT_APPLICABLE: "n/a",
    RulingStatus.WAIVED: "waived",
}


def group_inapplicable(evidence: Iterable[Evidence]) -> tuple[tuple[Evidence, ...], ...]:
    """Pieces of evidence in their order; those that do not apply for one and the same reason as one."""
    groups: dict[tuple[str, bool] | str, list[Evidence]] = {}
    for each in evidence:
        idle = each.outcome is Outcome.NOT_APPLICABLE
        groups.setdefault((each.statement, each.in_tests) if idle else each.id, []).append(each)
    return tuple(map(tuple, groups.values()))


def coverage(report: AuditReport) -> str:
    """How far the files were looked into, in a line."""
    counts = Counter(file.status for file in report.coverage.files)
    parts = [f"{counts[status]:,} {word}" for status, word in _WORDS if counts[status]]
    unlisted = f" The list is not whole: {report.coverage.limit_reason}." if not report.coverage.complete else ""
    files = len(report.coverage.files)
    if not files:
        return f"No file is in scope.{unlisted}"
    return f"{pluralize(files, 'file')} in scope: {', '.join(parts)}.{unlisted}"


_WORDS = (
    (FileStatus.ANALYSED, "analysed"),
    (FileStatus.PARTIAL, "read in part"),
    (FileStatus.TEXT, "read as text"),
    (FileStatus.UNAVAILABLE, "not readable"),
    (FileStatus.EXCLUDED, "excluded"),
    (FileStatus.NOT_APPLICABLE, "with nothing to analyse"),
)
