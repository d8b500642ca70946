"""The five steps of an audit. Every collaborator is a parameter; nothing here knows how they work."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from auditor import __version__
from auditor.domain import (
    AuditReport,
    Evidence,
    GatePolicy,
    Rubric,
    RubricRecord,
    Scope,
    Subject,
    Timings,
    Tool,
    Verdict,
    Waiver,
)
from auditor.report.secret_redaction import redact_coverage
from auditor.synthesis import disputes, empty_verdict, is_empty, synthesise, waive

if TYPE_CHECKING:
    from auditor.forensics.engine.evidence_gathering import Gathered
    from auditor.judges.bench_interface import Bench, Hearing, Source
    from auditor.judges.image_classification import Pictures


@dataclass(frozen=True)
class Charge:
    """What is asked: the rubric, the gate in force, and where each came from."""

    rubric: Rubric
    rubric_origin: str
    rubric_digest: str
    gate: GatePolicy
    gate_origin: Mapping[str, str]
    waivers: tuple[Waiver, ...] = ()
    config_digest: str | None = None


class Ground(Protocol):
    """What the record says of the repository that was read."""

    @property
    def git_version(self) -> str: ...  # noqa: D102
    @property
    def git_processes(self) -> int: ...  # noqa: D102


@dataclass(frozen=True)
class Steps:
    """The collaborators: who gathers, who cleans, who judges, and who opens files and pictures."""

    gather: Callable[[Subject, Iterable[str]], Gathered]
    redact: Callable[[Iterable[Evidence]], tuple[Evidence, ...]]
    bench: Bench
    source: Source = field(default=lambda _path, _side: None)
    pictures: Pictures = field(default=lambda _evidence: ())
    libraries: Mapping[str, str] = field(default_factory=dict)


def audit(ground: Ground, subject: Subject, charge: Charge, steps: Steps) -> AuditReport:
    """Evidence, opinions, verdict, record. Evidence is cleaned of secrets before a judge sees it."""
    clock = _Clock()
    with clock("evidence"):
        gathered = steps.gather(subject, charge.rubric.probes())
        cleaned = steps.redact(gathered.evidence)
        evidence = waive(cleaned, charge.waivers)
        if not _is_empty(subject, charge, evidence):
            evidence = waive(steps.bench.look(cleaned, steps.pictures), charge.waivers)
    with clock("opinions"):
        hearing = _heard(subject, charge, steps, evidence, gathered.advice)
    with clock("verdict"):
        verdict = _verdict(subject, charge, evidence, hearing)
    return AuditReport(
        tool=_tool(ground, steps),
        subject=subject,
        rubric=RubricRecord(
            id=charge.rubric.id,
            origin=charge.rubric_origin,
            digest=charge.rubric_digest,
            definition=charge.rubric,
            gate=charge.gate,
            gate_origin=dict(charge.gate_origin),
            waivers=charge.waivers,
            config_digest=charge.config_digest,
        ),
        coverage=redact_coverage(gathered.coverage),
        evidence=evidence,
        opinions=hearing.opinions,
        abstentions=hearing.abstentions,
        hearing=hearing.record,
        verdict=verdict,
        cost=hearing.cost,
        timings=Timings(
            started_at=clock.started_at,
            seconds=clock.seconds,
            git_processes=ground.git_processes,
            cached_files=gathered.cached_files,
        ),
    )


def _is_empty(subject: Subject, charge: Charge, evidence: Sequence[Evidence]) -> bool:
    return is_empty(subject, charge.rubric, evidence, charge.gate, charge.waivers)


def _heard(
    subject: Subject, charge: Charge, steps: Steps, evidence: tuple[Evidence, ...], advice: Mapping[str, str]
) -> Hearing:
    """What the judges say; of an empty change nobody is asked."""
    from auditor.judges.bench_interface import Hearing

    if _is_empty(subject, charge, evidence):
        return Hearing((), ())
    hearing = steps.bench.hear(charge.rubric, evidence, subject.scope, advice)
    contested = disputes(charge.rubric, evidence, hearing.opinions, charge.waivers)
    return steps.bench.rehear(hearing, contested, steps.source) if contested else hearing


def _verdict(subject: Subject, charge: Charge, evidence: tuple[Evidence, ...], hearing: Hearing) -> Verdict:
    if _is_empty(subject, charge, evidence):
        return empty_verdict(charge.rubric, evidence, charge.gate, charge.waivers)
    return synthesise(
        charge.rubric,
        evidence,
        hearing.opinions,
        hearing.abstentions,
        scope=subject.scope,
        gate=charge.gate,
        waivers=charge.waivers,
        unconfirmed=hearing.record.unconfirmed,
    )


def scope_of(merge_base: str | None, *, whole_tree: bool) -> Scope:
    """What counts: with a base only what the change introduced, unless the whole tree is asked for."""
    return Scope.INTRODUCED if merge_base and not whole_tree else Scope.WHOLE_TREE


def _tool(ground: Ground, steps: Steps) -> Tool:
    return Tool(
        version=__version__,
        python=platform.python_version(),
        git=ground.git_version,
        bench=steps.bench.name,
        libraries=dict(steps.libraries),
    )


class _Clock:
    """Seconds by step."""

    def __init__(self) -> None:
        self.started_at = datetime.now(UTC).isoformat(timespec="seconds")
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.seconds[step] = round(time.perf_counter() - started, 3)
