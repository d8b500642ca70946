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
    Dossier,
    Evidence,
    Excerpt,
    Exhibit,
    GatePolicy,
    Objection,
    Rubric,
    RubricRecord,
    Scope,
    SensitiveLines,
    Severity,
    Standing,
    State,
    Subject,
    TeamRowsRecord,
    Timings,
    Tool,
    Verdict,
    Waiver,
    assess_rubric,
)
from auditor.report.secret_redaction import redact_coverage
from auditor.synthesis import (
    ApprovalCase,
    BesideOpinions,
    apply_waivers,
    empty_verdict,
    find_disputes,
    is_empty,
    merge,
    settle,
    synthesise,
)

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
    team_rows: TeamRowsRecord | None = None


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
    dossier: Callable[[Sequence[Evidence], int, bool], Dossier] = field(
        default=lambda _evidence, _tokens, _documents: Dossier()
    )
    """Makes the dossier of so many tokens at most; the last argument says whether changed documents are shown."""
    serve: Callable[[Sequence[Evidence], Dossier, Sequence[str]], tuple[Exhibit, ...]] = field(
        default=lambda _evidence, _dossier, _needs: ()
    )
    excerpts: Callable[[Sequence[Evidence], Sequence[Evidence]], tuple[Excerpt, ...]] = field(
        default=lambda _findings, _evidence: ()
    )
    """Shows the code around findings; the second argument is all evidence, which says where secrets are."""
    sensitive_lines: Callable[[Sequence[Evidence], Sequence[Evidence]], SensitiveLines] = field(
        default=lambda _findings, _evidence: SensitiveLines()
    )
    """Shows lines of a change to read first, those of findings left out; the second argument is all evidence."""
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
    with clock("dossier"):
        dossier = _make_dossier(subject, applied, steps, evidence)
    with clock("opinions"):
        heard = _hear(subject, applied, steps, _Case(evidence, dossier, gathered.advice))
    hearing = heard.hearing
    unmet = _unmet(applied.rubric, evidence, subject.scope)
    with clock("excerpts"):
        excerpts = steps.excerpts(_findings(unmet), evidence)
    with clock("sensitive_lines"):
        sensitive_lines = _sensitive_lines(subject, unmet, steps, evidence)
    approval = ApprovalCase(subject.approval_status, sensitive_lines)
    with clock("verdict"):
        verdict = _reach_verdict(subject, applied, heard, approval)
    return AuditReport(
        tool=_tool(repository, steps),
        subject=subject,
        rubric=_rubric_record(applied),
        coverage=redact_coverage(gathered.coverage),
        evidence=evidence,
        exhibits=heard.shown.all_exhibits,
        excerpts=excerpts,
        sensitive_lines=sensitive_lines,
        opinions=hearing.opinions,
        objections=heard.objections,
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


def _rubric_record(applied: AppliedRubric) -> RubricRecord:
    """The rubric as the record keeps it."""
    return RubricRecord(
        id=applied.rubric.id,
        origin=applied.rubric_origin,
        digest=applied.rubric_digest,
        definition=applied.rubric,
        gate=applied.gate,
        gate_origin=dict(applied.gate_origin),
        waivers=applied.waivers,
        config_digest=applied.config_digest,
        team_rows=applied.team_rows,
    )


def _sensitive_lines(
    subject: Subject, unmet: Iterable[Standing], steps: Steps, evidence: Sequence[Evidence]
) -> SensitiveLines:
    """Lines of the change to read first; none of a whole tree. A finding of low severity hides no line: it may be folded."""
    if subject.scope is not Scope.INTRODUCED:
        return SensitiveLines()
    shown = (each for each in unmet if each.expectation.severity is not Severity.LOW)
    return steps.sensitive_lines(_findings(shown), evidence)


def _unmet(rubric: Rubric, evidence: Iterable[Evidence], scope: Scope) -> tuple[Standing, ...]:
    """The broken expectations of the rubric, in its order."""
    assessed = assess_rubric(rubric, evidence, scope).values()
    return tuple(each for standings in assessed for each in standings if each.state is State.UNMET)


def _findings(unmet: Iterable[Standing]) -> tuple[Evidence, ...]:
    """The evidence that breaks expectations, each once."""
    return tuple({each.id: each for standing in unmet for each in standing.evidence}.values())


def _is_empty(subject: Subject, applied: AppliedRubric, evidence: Sequence[Evidence]) -> bool:
    return is_empty(subject, applied.rubric, evidence, applied.gate, applied.waivers)


@dataclass(frozen=True)
class _Case:
    """What the judges hear."""

    evidence: tuple[Evidence, ...]
    dossier: Dossier
    advice: Mapping[str, str]


@dataclass(frozen=True)
class _Heard:
    """What the judges said of a case, with their objections settled."""

    case: _Case
    hearing: Hearing
    objections: tuple[Objection, ...] = ()
    served: tuple[Exhibit, ...] = ()
    """What judges asked to see before the vote."""

    @property
    def shown(self) -> Dossier:
        """All that judges read of the change, in either round."""
        dossier = self.case.dossier
        return dossier.model_copy(update={"exhibits": (*dossier.exhibits, *self.served)}) if self.served else dossier


def _make_dossier(subject: Subject, applied: AppliedRubric, steps: Steps, evidence: tuple[Evidence, ...]) -> Dossier:
    """The change as exhibits; empty where no judge reads it, or no criterion may rest on it."""
    tokens = steps.bench.exhibit_tokens(applied.rubric)
    if tokens is None or subject.merge_base is None or _is_empty(subject, applied, evidence):
        return Dossier()
    return steps.dossier(evidence, tokens, any(each.documents for each in applied.rubric.criteria))


def _hear(subject: Subject, applied: AppliedRubric, steps: Steps, case: _Case) -> _Heard:
    """The judges' opinions and votes; no judge is asked about an empty change."""
    from auditor.judges.bench_interface import Hearing

    rubric, evidence = applied.rubric, case.evidence
    if _is_empty(subject, applied, evidence):
        return _Heard(case, Hearing((), ()))
    hearing = steps.bench.hear(rubric, evidence, subject.scope, case.advice, case.dossier)
    contested = find_disputes(rubric, evidence, hearing.opinions, applied.waivers, case.dossier.all_exhibits)
    merged = merge(hearing.record.raised, [each.id for each in rubric.personas])
    served: tuple[Exhibit, ...] = ()
    if contested or merged:
        needs = [each.needs for one in merged for each in one.raised if each.needs]
        served = steps.serve(evidence, case.dossier, needs) if needs else ()
        hearing = steps.bench.rehear(hearing, contested, steps.source, merged, served)
    return _Heard(case, hearing, settle(merged, hearing.votes, rubric, evidence), served)


def _reach_verdict(subject: Subject, applied: AppliedRubric, heard: _Heard, approval: ApprovalCase) -> Verdict:
    evidence, hearing = heard.case.evidence, heard.hearing
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
        beside=BesideOpinions(hearing.record.unconfirmed, heard.shown, heard.objections, approval=approval),
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
