"""Rulings on all criteria, the overall score and the gate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from auditor.domain import (
    Abstention,
    Criterion,
    Dossier,
    DroppedCitation,
    Evidence,
    Exhibit,
    GatePolicy,
    Objection,
    Opinion,
    Rubric,
    Ruling,
    Scope,
    SetAside,
    Standing,
    Unconfirmed,
    Verdict,
    Waiver,
    assess_rubric,
)
from auditor.synthesis.approval_gate import ApprovalCase, add_approval_demand
from auditor.synthesis.citation_check import check_citations, sources_for
from auditor.synthesis.decision_case import Case
from auditor.synthesis.decision_rules import rule_on
from auditor.synthesis.gate import judge_gate
from auditor.synthesis.gate_margin import add_close_calls
from auditor.synthesis.mean_score import mean_score
from auditor.synthesis.missing_opinions import apply_missing_opinions
from auditor.synthesis.missing_votes import apply_missing_votes
from auditor.synthesis.objection_effects import with_objections
from auditor.synthesis.objection_gate import add_objection_demand


@dataclass(frozen=True)
class BesideOpinions:
    """What the hearing gave beside opinions and abstentions."""

    unconfirmed: tuple[Unconfirmed, ...] = ()
    """Opinions whose judges gave no usable answer in the re-hearing."""
    dossier: Dossier = field(default_factory=Dossier)
    """What judges were shown of the change."""
    objections: tuple[Objection, ...] = ()
    """Settled already."""
    standings: Mapping[str, tuple[Standing, ...]] | None = None
    """Those of `assess_rubric`, where they are known already."""
    approval: ApprovalCase = field(default_factory=ApprovalCase)


NOTHING_BESIDE = BesideOpinions()


def synthesise(
    rubric: Rubric,
    evidence: Sequence[Evidence],
    opinions: Iterable[Opinion],
    abstentions: Iterable[Abstention],
    *,
    scope: Scope,
    gate: GatePolicy,
    waivers: Iterable[Waiver] = (),
    beside: BesideOpinions = NOTHING_BESIDE,
) -> Verdict:
    """The verdict. Waivers are those in force: their dates were looked at before."""
    by_id = {each.id: each for each in evidence}
    shown = {each.id: each for each in beside.dossier.all_exhibits}
    heard = _group_by_criterion(opinions)
    silent = tuple(abstentions)
    faltered = beside.unconfirmed
    waived = {each.criterion: each for each in waivers if each.path is None}
    stand = beside.standings or assess_rubric(rubric, evidence, scope)
    rulings: dict[str, Ruling] = {}
    cases: dict[str, Case] = {}
    for criterion in rubric.criteria:
        own = heard.get(criterion.id, ())
        case = _make_case(rubric, criterion, stand[criterion.id], own, silent, by_id, shown, waived.get(criterion.id))
        if again := tuple(each.judge for each in faltered if each.criterion == criterion.id):
            case = replace(case, unconfirmed=again)
        cases[criterion.id] = (
            with_objections(case, beside.dossier, beside.objections, evidence) if criterion.exhibits else case
        )
        rulings[criterion.id] = rule_on(cases[criterion.id])
    overall = mean_score(rubric, {name: ruling.score for name, ruling in rulings.items()})
    asked = judge_gate(rubric, gate, rulings, overall, stand, beside.objections)
    asked = apply_missing_opinions(rubric, asked, cases, rulings)
    voted = apply_missing_votes(rubric, asked, cases)
    demanded = add_objection_demand(rubric, voted, gate.objections, beside.objections, cases)
    approved = add_approval_demand(demanded, gate.approval_for, beside.approval)
    decided = add_close_calls(rubric, approved, cases)
    return Verdict(conclusion=decided.conclusion, overall=overall, gate=decided, rulings=tuple(rulings.values()))


def _group_by_criterion(opinions: Iterable[Opinion]) -> dict[str, list[Opinion]]:
    """The opinions on each criterion, in their order."""
    grouped: dict[str, list[Opinion]] = {}
    for each in opinions:
        grouped.setdefault(each.criterion, []).append(each)
    return grouped


def _make_case(
    rubric: Rubric,
    criterion: Criterion,
    stand: tuple[Standing, ...],
    opinions: Sequence[Opinion],
    abstentions: Sequence[Abstention],
    by_id: Mapping[str, Evidence],
    exhibits: Mapping[str, Exhibit],
    waiver: Waiver | None,
) -> Case:
    kept: list[Opinion] = []
    aside: list[SetAside] = []
    dropped: list[DroppedCitation] = []
    sources = sources_for(criterion, by_id, exhibits)
    for persona in rubric.personas:
        said = [each for each in opinions if each.judge == persona.id]
        for number, each in enumerate(said):
            found = check_citations(each, sources)
            reason = "the judge had spoken already" if number else found.reason
            dropped += found.dropped
            if reason:
                aside.append(SetAside(judge=each.judge, score=each.score, reason=reason))
            else:
                kept.append(each)
    own = tuple(each for each in abstentions if each.criterion == criterion.id)
    return Case(rubric, criterion, stand, tuple(kept), tuple(aside), own, waiver, tuple(dropped))
