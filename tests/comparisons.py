"""Comparisons to render: of two realistic records, and of records that carry one text in every free field."""

from __future__ import annotations

from typing import Any

from auditor.domain import (
    AuditReport,
    ConsequenceKind,
    Objection,
    ObjectionState,
    Quote,
    Reach,
    Severity,
)
from auditor.domain.comparison import RecordSetComparison
from auditor.ledger.record_comparison import compare_records
from tests.hostile import hostile


def objection(number: int, mark: str, state: ObjectionState = ObjectionState.STANDING, **more: Any) -> Objection:
    """One objection; `mark` is its fingerprint."""
    return Objection(
        **{
            "id": f"objection#{number}",
            "fingerprint": f"v1:{mark}",
            "path": "parcels/rates.py",
            "start": 3,
            "end": 3,
            "quote": "rate / weight",
            "caused_by": Quote(exhibit="hunk#1", quote="rate / weight"),
            "claim": "Divides by zero",
            "trigger": "The weight is 0",
            "consequence": ConsequenceKind.CRASH,
            "effect": "The request fails",
            "reach": Reach.SOME_INPUT,
            "severity": Severity.MEDIUM,
            "fix": "Check the weight",
            "raised_by": ("prosecutor",),
            "state": state,
            **more,
        }
    )


def with_objections(report: AuditReport, *objections: Objection) -> AuditReport:
    """The record with these objections instead of its own."""
    return report.model_copy(update={"objections": objections})


def single(
    before: AuditReport, after: AuditReport, names: tuple[str, str] = ("a.json", "b.json")
) -> RecordSetComparison:
    """One pair, as two records on the command line make it."""
    return RecordSetComparison(pairs=(compare_records(before, after, names),))


def hostile_pair(payload: str) -> RecordSetComparison:
    """One pair of records with the payload in every free text and in their names: findings, rulings and objections differ."""
    text = payload.encode("utf-8", "replace").decode()
    own = [objection(1, each, path=text, claim=text, quote=text) for each in ("aa", "bb", "cc")]
    contested = own[1].model_copy(update={"state": ObjectionState.CONTESTED})
    return single(
        with_objections(hostile(payload, decided=True), *own[:2]),
        with_objections(hostile(payload, decided=False), contested, own[2]),
        (text, text),
    )


def hostile_folders(payload: str) -> RecordSetComparison:
    """The same pair among others, with records that have no partner and files that are no records."""
    text = payload.encode("utf-8", "replace").decode()
    (pair,) = hostile_pair(payload).pairs
    same = compare_records(hostile(payload), hostile(payload), (text, text))
    return RecordSetComparison(pairs=(pair, same), only_before=(text,), only_after=(text, text), not_read=(text,))
