"""Deriving a recorded verdict again, from its evidence and opinions alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from auditor.domain import (
    AuditReport,
    Dossier,
    ExhibitKind,
    GatePolicy,
    Objection,
    Rubric,
    Standing,
    Verdict,
)
from auditor.synthesis.approval_gate import ApprovalCase
from auditor.synthesis.empty_change import empty_verdict, is_empty
from auditor.synthesis.objection_states import merge, settle
from auditor.synthesis.verdict_builder import BesideOpinions, synthesise


@dataclass(frozen=True)
class Difference:
    """Where the record and its derivation part."""

    path: str
    recorded: object
    derived: object


@dataclass(frozen=True)
class Comparison:
    """The verdict derived again, and how it differs from the recorded one."""

    verdict: Verdict
    differences: tuple[Difference, ...]

    @property
    def same(self) -> bool:
        """Is nothing different?"""
        return not self.differences


def replay(report: AuditReport, rubric: Rubric | None = None) -> Comparison:
    """Derive the verdict of a record again; with another rubric, say what it would have changed.

    The gate and waivers are those on the record, except that another rubric brings its own gate.
    """
    derived = derive_verdict(report, rubric or report.rubric.definition, rubric.gate if rubric else report.rubric.gate)
    differences = [*_differences(_to_keyed_dict(report.verdict), _to_keyed_dict(derived), "verdict")]
    if rubric is None:
        recorded, again = (
            {each.id: each.model_dump(mode="json") for each in objections}
            for objections in (report.objections, derive_objections(report, report.rubric.definition))
        )
        differences += _differences(recorded, again, "objections")
    return Comparison(derived, tuple(differences))


def derive_verdict(
    report: AuditReport,
    rubric: Rubric,
    gate: GatePolicy,
    standings: Mapping[str, tuple[Standing, ...]] | None = None,
) -> Verdict:
    """The verdict on the evidence and opinions of a record by a rubric and a gate.

    `standings` are those of `assess_rubric`, where they are known already.
    """
    if is_empty(report.subject, rubric, report.evidence, gate, report.rubric.waivers):
        return empty_verdict(rubric, report.evidence, gate, report.rubric.waivers)
    return synthesise(
        rubric,
        report.evidence,
        report.opinions,
        report.abstentions,
        scope=report.subject.scope,
        gate=gate,
        waivers=report.rubric.waivers,
        beside=BesideOpinions(
            unconfirmed=report.hearing.unconfirmed,
            dossier=Dossier(
                exhibits=tuple(each for each in report.exhibits if each.kind is not ExhibitKind.DOCUMENT),
                documents=tuple(each for each in report.exhibits if each.kind is ExhibitKind.DOCUMENT),
                omissions=report.hearing.omissions,
                product_lines=report.hearing.product_lines,
            ),
            objections=derive_objections(report, rubric),
            standings=standings,
            approval=ApprovalCase(report.subject.approval_status, report.sensitive_lines),
        ),
    )


def derive_objections(report: AuditReport, rubric: Rubric) -> tuple[Objection, ...]:
    """The objections of a record merged and settled again, from what judges raised and how they voted."""
    merged = merge(report.hearing.raised, [each.id for each in rubric.personas])
    votes = [vote for each in report.objections for vote in each.votes]
    return settle(merged, votes, rubric, report.evidence)


def _to_keyed_dict(verdict: Verdict) -> dict[str, Any]:
    """A verdict with rulings and demands under their names, so that a difference has a readable path."""
    plain = verdict.model_dump(mode="json")
    plain["rulings"] = {each["criterion"]: each for each in plain["rulings"]}
    plain["gate"]["reasons"] = {each["demand"]: each for each in plain["gate"]["reasons"]}
    return plain


def _differences(recorded: Any, derived: Any, path: str) -> Iterator[Difference]:
    """Depth is that of a verdict, so recursion is bounded."""
    if isinstance(recorded, dict) and isinstance(derived, dict):
        for key in dict.fromkeys([*recorded, *derived]):
            yield from _differences(recorded.get(key), derived.get(key), f"{path}.{key}")
    elif recorded != derived:
        yield Difference(path, recorded, derived)
