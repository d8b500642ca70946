"""What to fix first: the broken expectations behind the scores, the most severe first, each place once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from auditor.domain import (
    AuditReport,
    CodeLocation,
    Conclusion,
    Criterion,
    Evidence,
    Location,
    RulingStatus,
    Severity,
    Standing,
    State,
    assess_rubric,
)
from auditor.report.certainty import Certainty, certainty_of
from auditor.report.escaping import clip, for_code_span, for_markdown
from auditor.rule_pages import FindingText, finding_text


@dataclass(frozen=True)
class Priority:
    """One finding: where, what was seen, why it matters, what to try, when it is fine."""

    criterion: Criterion
    standing: Standing
    evidence: Evidence
    first: Location | None
    more: int
    """Further places of the same kind."""
    advice: str
    decided_gate: bool
    certainty: Certainty
    again: bool = False
    """Is the advice that of the one before it?"""

    @property
    def rule(self) -> str:
        """The id of the rule that reports it."""
        return self.evidence.probe

    @property
    def confirmed(self) -> bool:
        """Is the fact sure enough to count as confirmed by the rubric's rules?"""
        return self.certainty is Certainty.CONFIRMED

    @property
    def weak(self) -> bool:
        """Is it only possible, or of low severity? Such findings come last and are folded; what decided the gate is not weak."""
        slight = self.standing.expectation.severity is Severity.LOW or self.certainty is Certainty.POSSIBLE
        return slight and not self.decided_gate

    @property
    def tried(self) -> str:
        """What to try, in a list that is read from its beginning."""
        return "as above." if self.again else self.advice

    @property
    def harm(self) -> str:
        """What can go wrong, as the page of the rule says; empty if that was just said."""
        return "" if self.again else self._text.harm

    @property
    def fine_if(self) -> str:
        """When it may stay as it is, a clause without a full stop; empty if that was just said."""
        return "" if self.again else self._text.fine_if

    @property
    def _text(self) -> FindingText:
        return finding_text(self.rule, self.evidence.statement, getattr(self.first, "path", ""))

    def further_places(self, limit: int = 3) -> tuple[str, ...]:
        """Some places of the same kind beside the first: `line 7` in the same file, `path:line` elsewhere."""
        here = getattr(self.first, "path", "")
        others = self.evidence.locations[1 : limit + 1]
        return tuple(
            f"line {each.start}"
            if isinstance(each, CodeLocation) and each.path == here and each.start is not None
            else each.spoken
            for each in others
        )

    @property
    def weight(self) -> str:
        """Severity and certainty in words: `high`, or `high, likely`."""
        severity = self.standing.expectation.severity.value
        return severity if self.confirmed else f"{severity}, {self.certainty}"


def priorities(report: AuditReport) -> tuple[Priority, ...]:
    """Everything broken in a judged criterion: what failed the gate first, then by severity, weight and confidence; weak findings last."""
    rubric = report.rubric.definition
    failed = {
        reason.demand.removeprefix("criteria.")
        for reason in report.verdict.gate.reasons
        if reason.conclusion is Conclusion.FAILED
    }
    blamed = {
        each
        for reason in report.verdict.gate.reasons
        if reason.conclusion is Conclusion.FAILED
        for each in reason.evidence
    }
    status = {ruling.criterion: ruling.status for ruling in report.verdict.rulings}
    advice = advice_by_probe(report)
    standings = assess_rubric(rubric, report.evidence, report.subject.scope)
    found: list[Priority] = []
    told: set[str] = set()
    for criterion in rubric.criteria:
        if status.get(criterion.id) not in (RulingStatus.JUDGED, RulingStatus.INCONCLUSIVE):
            continue
        for standing in standings[criterion.id]:
            if standing.state is not State.UNMET:
                continue
            for evidence in standing.evidence:
                if evidence.id in told:
                    continue
                told.add(evidence.id)
                certainty = certainty_of(evidence.confidence, rubric.rules.confirmed)
                blame = evidence.id in blamed and certainty is Certainty.CONFIRMED
                found.append(_priority(criterion, standing, evidence, advice, decided=blame, certainty=certainty))
    ranked = sorted(_with_failed_criteria(found, failed), key=_rank)
    before = [("", ""), *((each.rule, each.advice) for each in ranked)]
    return tuple(
        replace(each, again=bool(each.advice) and (each.rule, each.advice) == said)
        for each, said in zip(ranked, before, strict=False)
    )


def _with_failed_criteria(found: list[Priority], failed: set[str]) -> list[Priority]:
    """Findings of a criterion below its threshold decided the gate: those that are confirmed, or all where none is."""
    sure = {each.criterion.id for each in found if each.confirmed}
    return [
        replace(each, decided_gate=True)
        if each.criterion.id in failed and (each.confirmed or each.criterion.id not in sure)
        else each
        for each in found
    ]


def _priority(
    criterion: Criterion,
    standing: Standing,
    evidence: Evidence,
    advice: dict[str, str],
    *,
    decided: bool,
    certainty: Certainty,
) -> Priority:
    places = evidence.locations
    return Priority(
        criterion=criterion,
        standing=standing,
        evidence=evidence,
        first=places[0] if places else None,
        more=max(0, len(places) - 1),
        advice=advice.get(evidence.id) or advice.get(evidence.probe, ""),
        decided_gate=decided,
        certainty=certainty,
    )


def _rank(priority: Priority) -> tuple[bool, bool, float, float, float, str]:
    """The most severe first. Each severity weighs twice the one below it; what is not confirmed weighs by its confidence."""
    expectation = priority.standing.expectation
    lost = expectation.weight * (1 - priority.standing.credit) * priority.criterion.weight
    likely = 1.0 if priority.confirmed else priority.evidence.confidence
    return (
        not priority.decided_gate,
        priority.weak,
        -(2**expectation.severity.rank) * likely,
        -lost * priority.evidence.confidence,
        -priority.evidence.confidence,
        priority.evidence.id,
    )


def advice_by_probe(report: AuditReport) -> dict[str, str]:
    """What judges suggested, by evidence id and by probe. A step that names a place of the evidence is before others."""
    places = {each.id: {getattr(place, "path", "") for place in each.locations} - {""} for each in report.evidence}
    probe_of = {each.id: each.probe for each in report.evidence}
    steps = [step for opinion in report.opinions for step in opinion.remediation if step.evidence in probe_of]
    advice: dict[str, str] = {}
    for step in sorted(steps, key=lambda each: each.path not in places[each.evidence]):
        if step.change:
            advice.setdefault(step.evidence, step.change)
            advice.setdefault(probe_of[step.evidence], step.change)
    return advice


def further_sentence(priority: Priority, write: Callable[[str], str]) -> str:
    """` and 7 more (line 31, line 40, b.py:3, …)`, each place written by `write`; empty where the first is the only one."""
    if not priority.more:
        return ""
    shown = priority.further_places()
    rest = ", …" if priority.more > len(shown) else ""
    return f" and {priority.more:,} more ({', '.join(write(each) for each in shown)}{rest})"


def further_in_markdown(priority: Priority, limit: int) -> str:
    """The same for Markdown: places as code, of at most `limit` characters, lines of the same file as plain words."""

    def write(place: str) -> str:
        short = clip(place, limit)
        return for_markdown(short) if short.startswith("line ") else for_code_span(short)

    return further_sentence(priority, write)


DECIDED = "makes the check fail"
"""Said of a finding because of which the gate failed."""


def describe_place(location: Location | None) -> str:
    """A place as `path:line`, a commit or a page; empty where there is none."""
    return location.spoken if location is not None else ""
