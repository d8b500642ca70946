"""Audit a drawn repository with the real engine, bench and synthesis, or ask the engine alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from auditor import pipeline, settings
from auditor.audit_builder import AuditRequest, AuditResult, ChangeReader, make_source_reader, run_audit
from auditor.domain import (
    ApprovalStatus,
    AuditReport,
    Description,
    Dossier,
    Evidence,
    GatePolicy,
    Outcome,
    Scope,
    Subject,
)
from auditor.forensics.engine import evidence_gathering
from auditor.forensics.engine.gathering_options import GatheredEvidence
from auditor.judges.bench_interface import Bench, SourceReader
from auditor.judges.embedded_bench import EmbeddedBench
from auditor.repo.repository import Repo
from auditor.repo.repository_opening import open_repository
from auditor.report.secret_redaction import redact_evidence
from tests.small_process import in_small_process

Answers = AuditReport | GatheredEvidence
"""A whole report, or what the engine alone answered."""


def audited(
    target: Path,
    base: str | None = None,
    *,
    cache: Path | None = None,
    jobs: int = 1,
    exclude: tuple[str, ...] = (),
    whole_tree: bool = False,
    bench: Bench | None = None,
    description: Description | None = None,
    rubric: str | None = None,
    gate: GatePolicy | None = None,
    gather_once: bool = False,
    author: ApprovalStatus = ApprovalStatus(),  # noqa: B008 - frozen
) -> AuditReport:
    """The report on a repository, as the command line would make it; by the embedded bench and the rubric's gate unless others are given.

    With `gather_once`, evidence of the same commits is gathered for the first of all such audits: for tests of what judges
    make of it. A bench of the test's own is heard in this process; all else is done in a smaller one.
    """
    make = _audited if bench is not None else in_small_process(_audited)
    return make(
        target,
        base,
        cache=cache,
        jobs=jobs,
        exclude=exclude,
        whole_tree=whole_tree,
        bench=bench,
        description=description,
        rubric=rubric,
        gate=gate,
        gather_once=gather_once,
        author=author,
    )


def _audited(
    target: Path,
    base: str | None,
    *,
    cache: Path | None,
    jobs: int,
    exclude: tuple[str, ...],
    whole_tree: bool,
    bench: Bench | None,
    description: Description | None,
    rubric: str | None,
    gate: GatePolicy | None,
    gather_once: bool,
    author: ApprovalStatus,
) -> AuditReport:
    with open_repository(target, base=base) as repo:
        settled = settings.resolve(
            settings.RequestedSettings(rubric=rubric, scope=Scope.WHOLE_TREE if whole_tree else None), repo
        )
        options = evidence_gathering.Options(
            jobs=jobs,
            cache=cache,
            whole_tree=settled.whole_tree,
            exclude=(*settled.exclude, *exclude),
            description=description,
        )
        subject = _subject(repo, whole_tree=settled.whole_tree).model_copy(update={"approval_status": author})
        change = ChangeReader(repo)

        def gather(about: Subject, probes: Iterable[str]) -> GatheredEvidence:
            if bench is None:
                return evidence_gathering.gather(repo, about, probes, options)
            return (_gathered_once if gather_once else _gathered_beside)(target, base, about, tuple(probes), options)

        steps = pipeline.Steps(
            gather=gather,
            redact=redact_evidence,
            bench=bench or EmbeddedBench(),
            dossier=change.dossier,
            serve=change.serve,
            excerpts=change.excerpts,
            sensitive_lines=change.sensitive_lines,
        )
        applied = settled.applied_rubric if gate is None else replace(settled.applied_rubric, gate=gate)
        return pipeline.audit(repo, subject, applied, steps)


_gathered: dict[tuple[object, ...], GatheredEvidence] = {}


def _gathered_once(
    target: Path, base: str | None, about: Subject, probes: tuple[str, ...], options: evidence_gathering.Options
) -> GatheredEvidence:
    """What was gathered of the same commits before: drawings of the same files have the same ids wherever they are."""
    key = (about, probes, options.whole_tree, options.exclude, options.description)
    if key not in _gathered:
        _gathered[key] = _gathered_beside(target, base, about, probes, options)
    return _gathered[key]


def _gathered_beside(
    target: Path,
    base: str | None,
    about: Subject,
    probes: tuple[str, ...],
    options: evidence_gathering.Options,
    head: str | None = None,
) -> GatheredEvidence:
    """The evidence, gathered in the small process; the bench is heard in this one."""
    return in_small_process(_gathered_there)(target, base, head, about, probes, options)


def _gathered_there(
    target: Path,
    base: str | None,
    head: str | None,
    about: Subject | None,
    probes: tuple[str, ...],
    options: evidence_gathering.Options,
) -> GatheredEvidence:
    with open_repository(target, base=base, head=head) as repo:
        return evidence_gathering.gather(repo, about or _subject(repo, whole_tree=False), probes, options)


def asked(
    target: Path,
    base: str | None,
    *probes: str,
    cache: Path | None = None,
    jobs: int = 1,
    description: Description | None = None,
) -> GatheredEvidence:
    """What the engine answers when it is asked these questions alone: half the work where nobody reads the verdict."""
    options = evidence_gathering.Options(jobs=jobs, cache=cache, description=description)
    answered = gathered(target, base, probes, options)
    return answered.model_copy(update={"evidence": redact_evidence(answered.evidence)})


def gathered(
    target: Path, base: str | None, probes: Iterable[str], options: evidence_gathering.Options
) -> GatheredEvidence:
    """What the engine answers to these questions with these options."""
    return in_small_process(_gathered_there)(target, base, None, None, tuple(probes), options)


def carried_out(request: AuditRequest) -> AuditResult:
    """The result of an audit that is requested as the command line and the Action do, in a folder or a checkout."""
    return in_small_process(_carried_out)(request)


def _carried_out(request: AuditRequest) -> AuditResult:
    return run_audit(request, lambda _what, _done, _all: None)


def _subject(repo: Repo, *, whole_tree: bool) -> Subject:
    return Subject(
        repository=repo.name,
        head=repo.head,
        base=repo.base,
        merge_base=repo.merge_base,
        scope=pipeline.scope_of(repo.merge_base, whole_tree=whole_tree),
        folder=repo.folder,
        unchanged=repo.unchanged,
    )


def found(report: Answers, probe: str, *, in_tests: bool = False) -> list[Evidence]:
    """What a probe found."""
    return [
        each
        for each in report.evidence
        if each.probe == probe and each.outcome is Outcome.FOUND and each.in_tests is in_tests
    ]


def places(evidence: list[Evidence]) -> list[tuple[str, int | None]]:
    """Paths and lines of code places."""
    return [(place.path, place.start) for each in evidence for place in each.locations if place.kind == "code"]


def covered(report: Answers) -> dict[str, tuple[str, str]]:
    """Status and reason of every file in scope."""
    return {file.path: (file.status.value, file.reason) for file in report.coverage.files}


def audited_change(
    target: Path,
    base: str,
    head: str,
    bench: Bench,
    criterion: str = "",
    adapt: Callable[[Dossier, SourceReader], Dossier] = lambda dossier, _read: dossier,
) -> AuditReport:
    """The report on the change between two commits, by the default rubric or by one criterion of it.

    `adapt` may change what judges are shown; it is given the dossier and a reader of the repository's files.
    """
    with open_repository(target, base=base, head=head) as repo:
        settled = settings.resolve(settings.RequestedSettings(), repo)
        applied = settled.applied_rubric
        if criterion:
            chosen = tuple(each for each in applied.rubric.criteria if each.id == criterion)
            least = {name: score for name, score in applied.gate.criteria.items() if name == criterion}
            one = applied.rubric.model_copy(update={"criteria": chosen, "gate": GatePolicy(criteria=least)})
            applied = replace(applied, rubric=one, gate=one.gate)
        options = evidence_gathering.Options(jobs=1, cache=None)
        change = ChangeReader(repo)
        steps = pipeline.Steps(
            gather=lambda about, probes: _gathered_beside(target, base, about, tuple(probes), options, head),
            redact=redact_evidence,
            bench=bench,
            dossier=lambda *asked: adapt(change.dossier(*asked), make_source_reader(repo, ())),
            serve=change.serve,
        )
        return pipeline.audit(repo, _subject(repo, whole_tree=False), applied, steps)


def gathered_seconds(target: Path, base: str, head: str) -> float:
    """Seconds that the evidence stage of a change takes in this process, without a cache."""
    with open_repository(target, base=base, head=head) as repo:
        settled = settings.resolve(settings.RequestedSettings(), repo)
        options = evidence_gathering.Options(jobs=1, cache=None)
        started = time.perf_counter()
        evidence_gathering.gather(
            repo, _subject(repo, whole_tree=False), settled.applied_rubric.rubric.probes(), options
        )
        return time.perf_counter() - started
