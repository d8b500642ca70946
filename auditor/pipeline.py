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
from auditor.synthesis import apply_waivers, empty_verdict, find_disputes, is_empty, synthesise

if TYPE_CHECKING:
    from auditor.forensics.engine.evidence_gathering import GatheredEvidence
    from auditor.judges.bench_interface import Bench, Hearing, SourceReader
    from auditor.judges.image_classification import PictureFinder


@dataclass(frozen=True)
class AppliedRubric:
    """The rubric, the gate in force and the waivers, with the origin of each."""

    rubric: Rubric
    rubric_origin: str
    rubric_digest: str
    gate: GatePolicy
    gate_origin: Mapping[str, str]
    waivers: tuple[Waiver, ...] = ()
    config_digest: str | None = None


class RepositoryInfo(Protocol):
    """What the record says of the repository that was read."""

    @property
    def git_version(self) -> str: ...  # noqa: D102
    @property
    def git_processes(self) -> int: ...  # noqa: D102


@dataclass(frozen=True)
class Steps:
    """The collaborators: who gathers, who cleans, who judges, and who opens files and pictures."""

    gather: Callable[[Subject, Iterable[str]], GatheredEvidence]
    redact: Callable[[Iterable[Evidence]], tuple[Evidence, ...]]
    bench: Bench
    source: SourceReader = field(default=lambda _path, _side: None)
    pictures: PictureFinder = field(default=lambda _evidence: ())
    libraries: Mapping[str, str] = field(default_factory=dict)


def audit(repository: RepositoryInfo, subject: Subject, applied: AppliedRubric, steps: Steps) -> AuditReport:
    """Evidence, opinions, verdict, record. Evidence is cleaned of secrets before a judge sees it."""
    clock = _Clock()
    with clock("evidence"):
        gathered = steps.gather(subject, applied.rubric.probes())
        cleaned = steps.redact(gathered.evidence)
        evidence = apply_waivers(cleaned, applied.waivers)
        if not _is_empty(subject, applied, evidence):
            evidence = apply_waivers(steps.bench.look(cleaned, steps.pictures), applied.waivers)
    with clock("opinions"):
        hearing = _hear(subject, applied, steps, evidence, gathered.advice)
    with clock("verdict"):
        verdict = _reach_verdict(subject, applied, evidence, hearing)
    return AuditReport(
        tool=_tool(repository, steps),
        subject=subject,
        rubric=RubricRecord(
            id=applied.rubric.id,
            origin=applied.rubric_origin,
            digest=applied.rubric_digest,
            definition=applied.rubric,
            gate=applied.gate,
            gate_origin=dict(applied.gate_origin),
            waivers=applied.waivers,
            config_digest=applied.config_digest,
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
            git_processes=repository.git_processes,
            cached_files=gathered.cached_files,
        ),
    )


def _is_empty(subject: Subject, applied: AppliedRubric, evidence: Sequence[Evidence]) -> bool:
    return is_empty(subject, applied.rubric, evidence, applied.gate, applied.waivers)


def _hear(
    subject: Subject, applied: AppliedRubric, steps: Steps, evidence: tuple[Evidence, ...], advice: Mapping[str, str]
) -> Hearing:
    """The judges' opinions; no judge is asked about an empty change."""
    from auditor.judges.bench_interface import Hearing

    if _is_empty(subject, applied, evidence):
        return Hearing((), ())
    hearing = steps.bench.hear(applied.rubric, evidence, subject.scope, advice)
    contested = find_disputes(applied.rubric, evidence, hearing.opinions, applied.waivers)
    return steps.bench.rehear(hearing, contested, steps.source) if contested else hearing


def _reach_verdict(
    subject: Subject, applied: AppliedRubric, evidence: tuple[Evidence, ...], hearing: Hearing
) -> Verdict:
    if _is_empty(subject, applied, evidence):
        return empty_verdict(applied.rubric, evidence, applied.gate, applied.waivers)
    return synthesise(
        applied.rubric,
        evidence,
        hearing.opinions,
        hearing.abstentions,
        scope=subject.scope,
        gate=applied.gate,
        waivers=applied.waivers,
        unconfirmed=hearing.record.unconfirmed,
    )


def scope_of(merge_base: str | None, *, whole_tree: bool) -> Scope:
    """What counts: with a base only what the change introduced, unless the whole tree is asked for."""
    return Scope.INTRODUCED if merge_base and not whole_tree else Scope.WHOLE_TREE


def _tool(repository: RepositoryInfo, steps: Steps) -> Tool:
    return Tool(
        version=__version__,
        python=platform.python_version(),
        git=repository.git_version,
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
