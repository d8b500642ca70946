"""What to fix first: the broken expectations behind the scores, the most severe first, each place once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from auditor.domain import (
    AuditReport,
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
from auditor.report.certainty import Certainty, certainty_of, meaning_of
from auditor.report.code_lines import CodeFinder
from auditor.report.telling_line import telling_line
from auditor.rule_pages import FindingText, finding_text


@dataclass(frozen=True)
class Priority:
    """One finding: where, what was seen, why it matters, what to try, when it is fine."""

    criterion: Criterion
    standing: Standing
    evidence: Evidence
    first: Location | None
    quote: str
    """A line at the first place that says more than the statement; empty where none does."""
    advice: str
    decided_gate: bool
    certainty: Certainty
    same_as: int = 0
    """The number of the finding just before it, counted from 1, of which the same is to be said; 0 for none."""

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
        slight = self.severity is Severity.LOW or self.certainty is Certainty.POSSIBLE
        return slight and not self.decided_gate

    @property
    def tried(self) -> str:
        """What to try, in a list that is read from its beginning."""
        return f"as in finding {self.same_as}." if self.same_as else self.advice

    @property
    def harm(self) -> str:
        """What can go wrong, as the page of the rule says; empty if that was just said."""
        return "" if self.same_as else self._text.harm

    @property
    def fine_if(self) -> str:
        """When it may stay as it is, a clause without a full stop; empty if that was just said."""
        return "" if self.same_as else self._text.fine_if

    @property
    def _text(self) -> FindingText:
        return finding_text(self.rule, self.evidence.statement, getattr(self.first, "path", ""))

    @property
    def severity(self) -> Severity:
        """How severe it is, as the rubric says."""
        return self.standing.expectation.severity

    @property
    def weight(self) -> str:
        """Severity and certainty in two words: `high severity`, or `high severity, likely`."""
        return f"{self.severity} severity" if self.confirmed else f"{self.severity} severity, {self.certainty}"

    @property
    def weight_explained(self) -> str:
        """The same with what the word for the certainty means, and that the finding decided the gate where it did."""
        meaning = f" ({meaning_of(self.certainty)})" if not self.confirmed else ""
        return f"{self.weight}{meaning}{f', {DECIDED}' if self.decided_gate else ''}"


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
    code = CodeFinder(report)
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
                found.append(_priority(criterion, standing, evidence, advice, code, decided=blame, certainty=certainty))
    ranked = sorted(_with_failed_criteria(found, failed), key=_rank)
    return tuple(_referring_back(ranked))


def _referring_back(ranked: Sequence[Priority]) -> Iterator[Priority]:
    """The findings in their order; one of which the same is to be said as of the one before refers to the first of them."""
    before, said = ("", "", "", ""), 0
    for number, each in enumerate(ranked, start=1):
        texts = (each.rule, each.advice, each.harm, each.fine_if)
        said = said if each.advice and texts == before else number
        before = texts
        yield each if said == number else replace(each, same_as=said)


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
    code: CodeFinder,
    *,
    decided: bool,
    certainty: Certainty,
) -> Priority:
    first = evidence.locations[0] if evidence.locations else None
    return Priority(
        criterion=criterion,
        standing=standing,
        evidence=evidence,
        first=first,
        quote=telling_line(evidence.statement, first, code),
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


DECIDED = "makes the check fail"
"""Said of a finding because of which the gate failed."""
