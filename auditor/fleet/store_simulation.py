"""All records of a store under another policy, by several processes."""

from __future__ import annotations

from functools import partial

from auditor.domain import UserError
from auditor.domain.simulation import SimulatedAudit, Simulation, UnansweredAudit
from auditor.fleet.policy_simulation import Policy, simulate
from auditor.fleet.record_reading import read_records
from auditor.fleet.store import Store, StoredRecord
from auditor.report.report_json import from_json


def simulate_store(store: Store, policy: Policy, processes: int | None = None) -> Simulation:
    """The verdict of every record under the policy. Raises UserError when there is no record."""
    audits: list[SimulatedAudit] = []
    unanswered: list[UnansweredAudit] = []
    not_read: dict[str, str] = {}
    for each in read_records(store, partial(_simulate, policy), processes):
        if isinstance(each.value, SimulatedAudit):
            audits.append(each.value)
        elif each.value is not None:
            unanswered.append(each.value)
        else:
            not_read[each.key] = each.problem
    if not (audits or unanswered or not_read):
        raise UserError(f"{store.path} holds no record: run `auditor fleet run` first.")
    return Simulation(policy=policy.asked, audits=tuple(audits), unanswered=tuple(unanswered), not_read=not_read)


def _simulate(policy: Policy, record: StoredRecord, content: bytes) -> SimulatedAudit | UnansweredAudit:
    assert record.about is not None, "a record without a description is left out before"
    return simulate(record.about, from_json(content, "it"), policy)
