"""What a dossier shows of a change, and what it takes: figures that need no model."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from auditor.audit_builder import change_view
from auditor.domain import Dossier, ExhibitKind, Hunk, LineMark
from auditor.dossier.builder import DossierOptions, build
from auditor.forensics.source_text.file_roles import Role, role
from auditor.repo.repository_opening import open_repository
from tests.auditing import gathered_seconds
from tests.judging.cases import Case

SIZES = (5, 30, 100)
"""Files up to which a change belongs to a row."""


@dataclass(frozen=True)
class Shown:
    """One change and its dossier."""

    files: int
    product_hunks: int
    shown: int
    """Product hunks of which every changed line is in an exhibit."""
    in_definition: int
    with_caller: int
    with_test: int
    tokens: int
    seconds: float
    evidence_seconds: float


def shown(case: Case) -> Shown:
    """Build the dossier of a case and count."""
    with open_repository(case.path, base=case.base, head=case.head) as repo:
        view = change_view(repo)
        started = time.perf_counter()
        dossier = build(view, DossierOptions())
        seconds = time.perf_counter() - started
        product = [
            (change.path, hunk) for change in view.changes if role(change.path) is Role.PRODUCT for hunk in change.hunks
        ]
        whole = [each for each in product if _is_whole(each, dossier)]
    hunks = [each for each in dossier.exhibits if each.kind is ExhibitKind.HUNK and role(each.path) is Role.PRODUCT]
    beside = {
        kind: {hunk for each in dossier.exhibits if each.kind is kind for hunk in each.belongs_to}
        for kind in ExhibitKind
    }
    return Shown(
        files=len(view.changes),
        product_hunks=len(product),
        shown=len(whole),
        in_definition=sum(each.definition is not None for each in hunks),
        with_caller=sum(each.id in beside[ExhibitKind.CALLER] for each in hunks),
        with_test=sum(each.id in beside[ExhibitKind.TEST] for each in hunks),
        tokens=dossier.tokens,
        seconds=seconds,
        evidence_seconds=gathered_seconds(case.path, case.base, case.head),
    )


def _is_whole(each: tuple[str, Hunk], dossier: Dossier) -> bool:
    path, hunk = each
    wanted = {("+", n) for n in range(hunk.head_start, hunk.head_start + hunk.head_count)} | {
        ("-", n) for n in range(hunk.base_start, hunk.base_start + hunk.base_count)
    }
    there = {
        (line.mark.value, line.number)
        for exhibit in dossier.exhibits
        if exhibit.kind is ExhibitKind.HUNK and exhibit.path == path
        for line in exhibit.lines
        if line.mark is not LineMark.KEPT
    }
    return wanted <= there


def table(found: Sequence[Shown]) -> str:
    """Rows by size of change."""
    rows = ["| files | changes | product hunks | shown whole | exhibits in a definition | with caller | with test | tokens, median | seconds / evidence stage |", "|:--|--:|--:|--:|--:|--:|--:|--:|--:|"]  # fmt: skip
    lowest = 0
    for size in SIZES:
        group = [each for each in found if lowest < each.files <= size]
        lowest = size
        if group:
            hunks = sum(each.product_hunks for each in group)
            count = max(1, hunks)
            tokens = sorted(each.tokens for each in group)[len(group) // 2]
            ratio = sum(each.seconds for each in group) / max(0.001, sum(each.evidence_seconds for each in group))
            shares = [f"{sum(getattr(each, name) for each in group) / count:.2f}" for name in ("shown", "in_definition", "with_caller", "with_test")]  # fmt: skip
            rows.append(f"| up to {size} | {len(group)} | {hunks} | {' | '.join(shares)} | {tokens:,} | {ratio:.2f} |")
    return "\n".join(rows)
