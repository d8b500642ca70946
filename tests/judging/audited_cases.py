"""Cases audited by `auditor fleet run` with the embedded bench, and what the record of each says, also under another rubric.

A folder holds all of it: scratch clones with the commits that take fixes back, the targets, and the store. Running again
audits only what has no record yet.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import yaml

from auditor import rubric_loader
from auditor.domain import AuditReport, Conclusion, Rubric, State, assess_expectations
from auditor.domain.simulation import SimulatedAudit
from auditor.fleet.policy_simulation import Policy, simulate
from auditor.fleet.record_reading import read_records
from auditor.fleet.store import Store, StoredRecord
from auditor.report.report_json import from_json
from tests.judging.cases import Case, Kind, git

_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class AuditedCase:
    """What the audit of a case says."""

    kind: Kind
    held_out: bool
    score: float
    """Overall score, 1 to 5."""
    broken: frozenset[str]
    """Rules whose expectation the change breaks."""
    blocked_by: frozenset[str]
    """Demands of the gate that are not met, such as `overall`."""

    @property
    def brings_bug(self) -> bool:
        """Does a known bug come with it?"""
        return self.kind.brings_bug


@dataclass(frozen=True)
class _Recorded:
    head: str
    finished_at: str
    score: float | None
    broken: frozenset[str]
    blocked_by: frozenset[str]


def audit(cases: Sequence[Case], folder: Path, workers: int) -> int:
    """Audit the cases that have no record yet, and give the exit code of `auditor fleet run`."""
    targets = folder / "targets.yaml"
    targets.write_text(yaml.safe_dump({"targets": list(_targets(cases))}), encoding="utf-8")
    arguments = ("fleet", "run", str(targets), "--store", str(folder / "store"), "--workers", str(workers))
    return subprocess.run([sys.executable, "-m", "auditor", *arguments], cwd=_ROOT, check=False).returncode


def _targets(cases: Sequence[Case]) -> Iterable[dict[str, object]]:
    by_repository: dict[Path, list[str]] = {}
    for each in cases:
        base = git(each.path, "rev-parse", each.base).strip()
        by_repository.setdefault(each.path, []).append(f"{base}..{each.head}")
    for path, changes in by_repository.items():
        yield {"repository": str(path.resolve()), "changes": changes}


def read(cases: Sequence[Case], folder: Path, rubric: Rubric) -> list[AuditedCase]:
    """What the newest record of each case says under a rubric. Cases without a record, or without a score, are left out."""
    policy = Policy(rubric=rubric, rubric_digest=rubric_loader.digest(rubric))
    store = Store.open(folder / "store")
    make = partial(_recorded, policy, rubric)
    recorded = [each.value for each in read_records(store, make, processes=1) if each.value is not None]
    newest = {each.head: each for each in sorted(recorded, key=lambda each: each.finished_at)}
    return [
        AuditedCase(case.kind, case.held_out, found.score, found.broken, found.blocked_by)
        for case in cases
        if (found := newest.get(case.head)) is not None and found.score is not None
    ]


def _recorded(policy: Policy, rubric: Rubric, record: StoredRecord, content: bytes) -> _Recorded | None:
    assert record.about is not None, "a record without a description is left out before"
    report = from_json(content, "it")
    found = simulate(record.about, report, policy)
    if not isinstance(found, SimulatedAudit):
        return None
    return _Recorded(
        head=record.about.unit.head,
        finished_at=record.about.finished_at,
        score=found.overall_after,
        broken=broken_rules(report, rubric),
        blocked_by=frozenset(each.name for each in found.unmet) if found.after is Conclusion.FAILED else frozenset(),
    )


def rubric_without(rubric: Rubric, rules: Collection[str]) -> Rubric:
    """A rubric that does not ask about some rules. Criteria of which nothing is left go, too. Raises ValueError for others."""
    unknown = sorted(set(rules) - rubric.probes())
    if unknown:
        raise ValueError(f"the rubric {rubric.id} has no rule {', '.join(unknown)}")
    criteria = [
        each.model_copy(update={"evidence": tuple(one for one in each.evidence if one.probe not in rules)})
        for each in rubric.criteria
    ]
    left = tuple(each for each in criteria if each.evidence or each.exhibits or each.documents)
    return rubric.model_copy(update={"criteria": left})


def broken_rules(report: AuditReport, rubric: Rubric) -> frozenset[str]:
    """Rules of which the change breaks what a rubric expects. What the rubric tolerates breaks nothing."""
    return frozenset(
        each.expectation.probe
        for criterion in rubric.criteria
        for each in assess_expectations(criterion, report.evidence, report.subject.scope)
        if each.state is State.UNMET
    )
