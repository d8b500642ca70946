"""A change that leaves everything as it was: no score, no opinion, and a verdict that says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from auditor.domain import (
    Criterion,
    Evidence,
    Expect,
    GatePolicy,
    Rubric,
    Rule,
    Ruling,
    RulingStatus,
    Scope,
    Severity,
    Standing,
    State,
    Subject,
    Verdict,
    Waiver,
    assess_rubric,
)
from auditor.synthesis.decision_rules import waived_ruling
from auditor.synthesis.gate import empty_gate

_BLOCKING_SEVERITY = Severity.HIGH
"""What keeps a change from being empty although no file differs, such as a secret that one commit adds and the next takes out."""


def is_empty(
    subject: Subject, rubric: Rubric, evidence: Sequence[Evidence], gate: GatePolicy, waivers: Iterable[Waiver] = ()
) -> bool:
    """Is there nothing to judge? Only trees that are the same count, and only where the change alone is judged.

    Its commits must not hold anything grave either, nor leave it open whether they do: that is judged as in any change.
    """
    if not subject.unchanged or subject.scope is not Scope.INTRODUCED:
        return False
    out_of_force = {each.criterion for each in waivers if each.path is None}
    lowest = min(_BLOCKING_SEVERITY.rank, gate.no_new.rank if gate.no_new is not None else _BLOCKING_SEVERITY.rank)
    stand = _standings(rubric, evidence)
    return not any(
        each.state in (State.UNMET, State.UNKNOWN)
        and each.expectation.expect is Expect.NOT_FOUND
        and each.expectation.severity.rank >= lowest
        for criterion in rubric.criteria
        if criterion.id not in out_of_force
        for each in stand[criterion.id]
    )


def empty_verdict(
    rubric: Rubric, evidence: Sequence[Evidence], gate: GatePolicy, waivers: Iterable[Waiver] = ()
) -> Verdict:
    """The verdict on an empty change: every criterion without a score, every demand of the gate with its outcome."""
    by_criterion = {each.criterion: each for each in waivers if each.path is None}
    rulings = {each.id: _ruling(each, by_criterion.get(each.id)) for each in rubric.criteria}
    decided = empty_gate(rubric, gate, rulings, _standings(rubric, evidence))
    return Verdict(conclusion=decided.conclusion, overall=None, gate=decided, rulings=tuple(rulings.values()))


def _ruling(criterion: Criterion, waiver: Waiver | None) -> Ruling:
    if waiver is not None:
        return waived_ruling(criterion, waiver)
    return Ruling(
        criterion=criterion.id,
        status=RulingStatus.NOT_APPLICABLE,
        rule=Rule.NOT_APPLICABLE,
        sentence="The change is empty, so there is nothing to judge.",
    )


def _standings(rubric: Rubric, evidence: Sequence[Evidence]) -> Mapping[str, tuple[Standing, ...]]:
    return assess_rubric(rubric, evidence, Scope.INTRODUCED)
