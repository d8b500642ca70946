"""The verdict of a record under another policy, from its evidence alone: no repository, no model.

A new rubric is judged by the embedded bench again, as an audit would: its opinions depend on the rubric. Opinions of a
model cannot be had again, so those on the record are used, and the result is marked as counterfactual.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from auditor import __version__
from auditor.domain import (
    AuditReport,
    Conclusion,
    Criterion,
    GatePolicy,
    Rubric,
    Severity,
    Standing,
    Verdict,
    assess_rubric,
)
from auditor.domain.simulation import AskedPolicy, Demand, SimulatedAudit, UnansweredAudit
from auditor.fleet.store import UnitFile
from auditor.judges.embedded_bench import EmbeddedBench, hear_scores
from auditor.synthesis import derive_verdict

_RUBRIC_ORIGIN = "rubric"


@dataclass(frozen=True)
class Policy:
    """Another rubric, and demands that replace those of each record. What is not given stays."""

    rubric: Rubric | None = None
    rubric_digest: str = ""
    overall: float | None = None
    criteria: Mapping[str, float] = field(default_factory=dict)
    no_new: Severity | None = None

    @property
    def asked(self) -> AskedPolicy:
        """The policy as the result names it."""
        return AskedPolicy(
            rubric=self.rubric.id if self.rubric else "",
            rubric_digest=self.rubric_digest,
            overall=self.overall,
            criteria=dict(self.criteria),
            no_new=self.no_new,
        )


def simulate(about: UnitFile, report: AuditReport, policy: Policy) -> SimulatedAudit | UnansweredAudit:
    """The record under the policy, or what it lacks."""
    rubric = policy.rubric or report.rubric.definition
    gate = gate_under(report, policy)
    lacks = tuple(_missing(report, rubric, gate))
    if lacks:
        return UnansweredAudit(key=about.key, repository=about.unit.repository, head=report.subject.head, lacks=lacks)
    is_same_rubric = rubric == report.rubric.definition
    is_embedded = report.tool.bench == EmbeddedBench.name
    standings = assess_rubric(rubric, report.evidence, report.subject.scope)
    heard = report if is_same_rubric or not is_embedded else _hear_again(report, rubric, standings)
    verdict = derive_verdict(heard, rubric, gate, standings)
    return SimulatedAudit(
        key=about.key,
        repository=about.unit.repository,
        head=report.subject.head,
        base=report.subject.base,
        pull_request=report.subject.pull_request,
        before=report.verdict.conclusion,
        after=verdict.conclusion,
        overall_before=report.verdict.overall,
        overall_after=verdict.overall,
        unmet=_unmet(verdict),
        unmet_before=_unmet(report.verdict),
        counterfactual=not is_same_rubric and not is_embedded,
        other_version=report.tool.version != __version__,
    )


def gate_under(report: AuditReport, policy: Policy) -> GatePolicy:
    """The gate in force, as an audit settles it: options, then what the record got from elsewhere, then the rubric."""
    recorded, origin = report.rubric.gate, report.rubric.gate_origin
    chosen = (policy.rubric or report.rubric.definition).gate

    def is_kept(demand: str) -> bool:
        return policy.rubric is None or origin.get(demand, _RUBRIC_ORIGIN) != _RUBRIC_ORIGIN

    of_rubric = chosen.criteria if policy.rubric is not None else {}
    kept = {name: score for name, score in recorded.criteria.items() if is_kept(f"criteria.{name}")}
    return GatePolicy(
        overall=policy.overall or (recorded if is_kept("overall") else chosen).overall,
        criteria={**of_rubric, **kept, **policy.criteria},
        no_new=policy.no_new or (recorded if is_kept("no_new") else chosen).no_new,
        objections=(recorded if is_kept("objections") else chosen).objections,
        approval_for=(recorded if is_kept("approval_for") else chosen).approval_for,
    )


def _missing(report: AuditReport, rubric: Rubric, gate: GatePolicy) -> Iterator[str]:
    """What the policy asks and the record does not have."""
    recorded = report.rubric.definition
    asked = recorded.probes() | {each.probe for each in report.evidence}
    needed = rubric.probes()
    yield from (f"rule {each} was not run" for each in sorted(needed - asked))
    if rubric.papers != recorded.papers and needed & _report_probes():
        yield "reports were read for other terms and claims"
    known = {each.id for each in rubric.criteria}
    yield from (
        f"the rubric has no criterion {each}, which the gate names" for each in sorted(set(gate.criteria) - known)
    )
    waived = {each.criterion for each in report.rubric.waivers}
    yield from (f"the rubric has no criterion {each}, which a waiver names" for each in sorted(waived - known))
    if report.tool.bench != EmbeddedBench.name and rubric is not recorded:
        judged = {each.criterion for each in report.opinions} | {each.criterion for each in report.abstentions}
        yield from (f"no model was asked about {each.id}" for each in _unheard(recorded, rubric, judged))


def _unheard(recorded: Rubric, rubric: Rubric, judged: set[str]) -> Iterator[Criterion]:
    """Criteria that the recorded rubric lacks, so that a model was never asked about them."""
    known = {each.id for each in recorded.criteria} | judged
    yield from (each for each in rubric.criteria if each.id not in known)


def _hear_again(report: AuditReport, rubric: Rubric, standings: Mapping[str, tuple[Standing, ...]]) -> AuditReport:
    """The record with the opinions that the embedded bench has under another rubric, without their words."""
    hearing = hear_scores(rubric, standings)
    return report.model_copy(
        update={
            "opinions": hearing.opinions,
            "abstentions": hearing.abstentions,
            "objections": (),
            "hearing": hearing.record,
        }
    )


def _unmet(verdict: Verdict) -> tuple[Demand, ...]:
    return tuple(
        Demand(name=each.demand, sentence=each.sentence)
        for each in verdict.gate.reasons
        if each.conclusion in {Conclusion.FAILED, Conclusion.INCONCLUSIVE}
    )


@cache
def _report_probes() -> frozenset[str]:
    """Ids of the probes that read reports on the system: what they look for there depends on the rubric."""
    from auditor.forensics.engine.probe_discovery import discover_probes
    from auditor.forensics.probe_kit.probe_decorators import SubjectProbe

    return frozenset(
        name
        for name, probe in discover_probes().items()
        if isinstance(probe, SubjectProbe) and "Reports" in probe.ask.__annotations__.values()
    )
