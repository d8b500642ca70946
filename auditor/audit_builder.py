"""One order for an audit carried out: the real objects are built here, for people and for GitHub alike."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from auditor import child_process, pipeline, settings
from auditor.domain import (
    ApprovalStatus,
    AuditReport,
    Description,
    Dossier,
    EntryKind,
    Evidence,
    Excerpt,
    Exhibit,
    ExhibitMode,
    SensitiveLines,
    Side,
    Subject,
    TreeEntry,
    UserError,
)
from auditor.domain.evidence import secret_lines
from auditor.domain.glob_patterns import matches_any
from auditor.judges.bench_factory import BenchSettings, make_bench
from auditor.judges.embedded_bench import EmbeddedBench
from auditor.settings import Inconclusive, RequestedSettings, Settings

if TYPE_CHECKING:
    from auditor.dossier.builder import ChangeView, DossierOptions
    from auditor.forensics.documents.report_selection import ReportFile
    from auditor.forensics.engine.evidence_gathering import Options
    from auditor.judges.bench_interface import Bench, SourceReader
    from auditor.judges.image_classification import Picture, PictureFinder
    from auditor.repo.git_objects import BlobReader
    from auditor.repo.repository import Repo
    from auditor.report.rule_page_text import RuleText

_MAX_SOURCE_BYTES = 400_000
"""Bytes of a file that a judge may be shown whole."""
_MAX_REPORT_BYTES = 50_000_000
_DIAGRAM_PROBE = "diagrams.parallel"
"""The probe whose evidence may name pictures."""
ProgressCallback = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is; 0 when unknown."""
JudgeChooser = Callable[[Settings], str]
"""Called with the resolved settings before anything is paid for; returns who judges."""


@dataclass(frozen=True)
class AuditRequest:
    """What to audit, with which settings and means. `timeout` is in seconds for one git command."""

    target: str
    base: str | None = None
    head: str | None = None
    token: str | None = field(default=None, repr=False)
    timeout: float = 300.0
    requested_settings: RequestedSettings = field(default_factory=RequestedSettings)
    bench_settings: BenchSettings = field(default_factory=lambda: BenchSettings(judges="embedded"))
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Where the credentials of a model are looked up."""
    cache: Path | None = None
    jobs: int | None = None
    repository: str | None = None
    """What the record calls the repository; none for the name that follows from the target."""
    pull_request: int | None = None
    fork: bool | None = None
    approval_status: ApprovalStatus = field(default_factory=ApprovalStatus)
    description: Description | None = None
    """What the author says of the change: for probes alone."""
    reports: tuple[Path, ...] = ()
    """Reports on the system, beside what the repository holds."""
    check_name: str = ""
    """Of the check run that the verdict goes to, or nothing where none is written."""
    workflow_path: str = ""
    """The workflow of the audited repository that runs this audit, where it is known."""
    expected_head: str | None = None
    """The commit that the head has to be; raises Moved when it is another one by now."""


@dataclass(frozen=True)
class AuditResult:
    """The result of an audit."""

    report: AuditReport
    notices: tuple[str, ...]
    inconclusive: Inconclusive
    """What the trusted configuration says of a verdict that could not be reached."""
    answers: str = ""
    """What judges answered, sealed for the next audit; empty for nothing."""
    rules: Mapping[str, RuleText] = field(default_factory=dict)
    """The page of each rule, by its id, where rules were loaded."""


class HeadMoved(Exception):
    """The head is not the commit that was requested: there is a newer one."""

    def __init__(self, head: str) -> None:
        super().__init__(f"the head has moved to {head}")
        self.head = head


def run_audit(request: AuditRequest, step: ProgressCallback, choose_judges: JudgeChooser | None = None) -> AuditResult:
    """Open the repository, settle what is asked, and run the pipeline.

    `choose_judges` may name other judges than the order does. Raises UserError for what a user can mend, and Moved.
    """
    from auditor.forensics.record_cache.disk_cache import folder_problem
    from auditor.repo.repository_opening import open_repository

    trouble = "" if request.cache is None else folder_problem(request.cache)
    if trouble:
        request = replace(request, cache=None)
    step("Opening the repository", 0, 0)
    with open_repository(
        request.target, base=request.base, head=request.head, timeout=request.timeout, token=request.token
    ) as repo:
        if request.expected_head not in (None, repo.head):
            raise HeadMoved(repo.head)
        settled = settings.resolve(request.requested_settings, repo)
        judges = request.bench_settings.judges if choose_judges is None else choose_judges(settled)
        options = _options(request, settled, step)
        judge = make_bench(_bench_settings(request, judges, settled), request.environment)
        with _rows_in_force(settled):
            report = pipeline.audit(
                repo,
                _subject(request, repo, settled),
                settled.applied_rubric,
                _make_steps(
                    judge,
                    options,
                    ChangeReader(repo, request.bench_settings.exhibits, settled.never_send, settled.exclude),
                ),
            )
        kept = request.bench_settings.sealed
        answers = kept.sealed() if kept is not None else ""
        told = kept.notices if kept is not None else ()
        remarks = (*filter(None, [trouble]), *repo.notices, *settled.notices, *told, *child_process.notices())
        return AuditResult(report, remarks, settled.inconclusive, answers)


def _rows_in_force(settled: Settings) -> AbstractContextManager[None]:
    """Has the team's own rows count for what is done inside."""
    if settled.team_rows is None:
        return nullcontext()
    from auditor.forensics.library_models.team_rows import in_force

    return in_force(settled.team_rows)


def _subject(request: AuditRequest, repo: Repo, settled: Settings) -> Subject:
    return Subject(
        repository=request.repository or repo.name,
        head=repo.head,
        base=repo.base,
        merge_base=repo.merge_base,
        scope=pipeline.scope_of(repo.merge_base, whole_tree=settled.whole_tree),
        folder=repo.folder,
        unchanged=repo.unchanged,
        pull_request=request.pull_request,
        fork=request.fork,
        approval_status=request.approval_status,
    )


def _options(request: AuditRequest, settled: Settings, step: ProgressCallback) -> Options:
    """How evidence is gathered. Raises UserError for a report that cannot be read."""
    from auditor.forensics.engine import evidence_gathering

    options = evidence_gathering.Options(
        cache=request.cache,
        whole_tree=settled.whole_tree,
        exclude=settled.exclude,
        description=request.description,
        reports=tuple(_read_report(file) for file in request.reports),
        papers=settled.applied_rubric.rubric.papers,
        check_name=request.check_name,
        workflow_path=request.workflow_path,
        progress=step,
    )
    return replace(options, jobs=request.jobs) if request.jobs else options


def _make_steps(judge: Bench, options: Options, change: ChangeReader) -> pipeline.Steps:
    from auditor.forensics.engine import evidence_gathering
    from auditor.forensics.record_cache.installed_engines import installed_version
    from auditor.report.secret_redaction import redact_evidence

    return pipeline.Steps(
        gather=lambda about, probes: evidence_gathering.gather(change.repo, about, probes, options),
        redact=redact_evidence,
        bench=judge,
        source=change.source,
        pictures=_make_picture_finder(change.repo, options.reports),
        dossier=change.dossier,
        serve=change.serve,
        excerpts=change.excerpts,
        sensitive_lines=change.sensitive_lines,
        libraries={"ruff": installed_version("ruff"), **_model_libraries(judge.name)},
    )


_MAX_BLOB_BYTES = 1 << 20


@dataclass(frozen=True)
class ChangeReader:
    """Shows judges the change of a repository: the dossier, and what they ask to see beside it."""

    repo: Repo
    mode: ExhibitMode = ExhibitMode.CONTEXT
    never_send: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def dossier(self, evidence: Sequence[Evidence], tokens: int, documents: bool) -> Dossier:
        """The change as exhibits of at most so many tokens. Lines in which a probe has seen a secret are not shown."""
        from auditor.dossier.builder import build

        return build(change_view(self.repo), replace(self._options(evidence, tokens), documents=documents))

    @property
    def source(self) -> SourceReader:
        """Opens a file for judges who hear a criterion again; none where no code may be shown."""
        if self.mode is ExhibitMode.NONE:
            return lambda _path, _side: None
        return make_source_reader(self.repo, self.never_send)

    def serve(self, evidence: Sequence[Evidence], dossier: Dossier, needs: Sequence[str]) -> tuple[Exhibit, ...]:
        """What judges asked for before a vote."""
        from auditor.dossier.requested_code import serve

        return serve(change_view(self.repo), self._options(evidence, dossier.tokens), dossier, needs)

    def excerpts(self, findings: Sequence[Evidence], evidence: Sequence[Evidence]) -> tuple[Excerpt, ...]:
        """The code around findings, for readers of the report."""
        if not any(each.locations for each in findings):
            return ()
        from auditor.dossier.finding_excerpts import excerpts

        return excerpts(findings, change_view(self.repo), secret_lines(evidence), (*self.never_send, *self.exclude))

    def sensitive_lines(self, findings: Sequence[Evidence], evidence: Sequence[Evidence]) -> SensitiveLines:
        """Lines of the change to read first, for readers of the report."""
        from auditor.dossier.sensitive_line_reading import sensitive_lines

        withheld = (*self.never_send, *self.exclude)
        with self.repo.blobs() as reader:
            return sensitive_lines(findings, change_view(self.repo, reader), secret_lines(evidence), withheld)

    def _options(self, evidence: Sequence[Evidence], tokens: int) -> DossierOptions:
        from auditor.dossier.builder import DossierOptions

        return DossierOptions(
            mode=self.mode,
            budget=tokens,
            never_send=self.never_send,
            exclude=self.exclude,
            secret_lines=secret_lines(evidence),
        )


def change_view(repo: Repo, opened: BlobReader | None = None) -> ChangeView:
    """What the dossier reads of a repository: with an open reader, or with a git process for each reading."""
    from auditor.dossier.builder import ChangeView

    def read(entries: Iterable[TreeEntry]) -> dict[str, bytes | None]:
        ids = list(dict.fromkeys(each.blob for each in entries if each.kind is EntryKind.FILE))
        repo.prepare(ids)
        with nullcontext(opened) if opened is not None else repo.blobs() as reader:
            found = reader.read(ids, limit=_MAX_BLOB_BYTES)
            return {blob: content if isinstance(content, bytes) else None for blob, content in found}

    return ChangeView(repo.changes(), {each.path: each for each in repo.files().entries}, read)


def _read_report(file: Path) -> ReportFile:
    """A report that was given. Raises UserError when it cannot be read."""
    from auditor.forensics.documents.document_formats import document_format, document_formats
    from auditor.forensics.documents.reader_child_process import MAX_DOCUMENT_BYTES
    from auditor.forensics.documents.report_selection import ReportFile

    if document_format(file.name) is None:
        known = ", ".join(f".{suffix}" for suffix in sorted(document_formats()))
        raise UserError(f"--report {file} has an unsupported format: use one of {known}.")
    try:
        if file.stat().st_size > MAX_DOCUMENT_BYTES:
            raise UserError(f"--report {file} is larger than {MAX_DOCUMENT_BYTES:,} bytes: give a smaller one.")
        return ReportFile(file.name, file.read_bytes())
    except OSError as error:
        raise UserError(f"--report {file} cannot be read ({error.strerror}): give the path of a document.") from error


def _bench_settings(request: AuditRequest, judges: str, settled: Settings) -> BenchSettings:
    """The bench as requested, with the trusted configuration's instructions and a store beside the cache."""
    store = None if request.cache is None else request.cache / "answers"
    return replace(
        request.bench_settings,
        judges=judges,
        instructions=settled.instructions,
        never_send=settled.never_send,
        store=store,
    )


def _model_libraries(name: str) -> dict[str, str]:
    """The library that asks a model, where one is asked."""
    from auditor.forensics.record_cache.installed_engines import installed_version

    return {} if name == EmbeddedBench.name else {"anthropic": installed_version("anthropic")}


def make_source_reader(repo: Repo, never_send: tuple[str, ...]) -> SourceReader:
    """Opens a file of the repository for judges; None for what is no readable text, or may not be sent."""

    def read(path: str, side: Side) -> str | None:
        if matches_any(path, never_send):
            return None
        try:
            content = repo.read(path, side, limit=_MAX_SOURCE_BYTES)
        except UserError:
            return None
        return None if content is None or b"\0" in content else content.decode("utf-8", errors="backslashreplace")

    return read


def _make_picture_finder(repo: Repo, reports: Iterable[ReportFile]) -> PictureFinder:
    """Opens the pictures that evidence says nobody looked at: in given reports, and in the repository."""
    given = {file.name: file.content for file in reports}

    def read(name: str) -> bytes | None:
        if name in given:
            return given[name]
        try:
            return repo.read(name, limit=_MAX_REPORT_BYTES)
        except UserError:
            return None

    def opened(evidence: Evidence) -> Sequence[Picture]:
        from auditor.forensics.documents.unread_images import pictures
        from auditor.judges.image_classification import Picture

        return [
            Picture(source, image.media_type, image.content)
            for source, image in pictures(evidence, _DIAGRAM_PROBE, read)
        ]

    return opened


def default_cache() -> Path | None:
    """`auditor` in the user's cache folder; none where it cannot be made, for nobody asked for it."""
    root = os.environ.get("XDG_CACHE_HOME", "")
    home = os.environ.get("HOME", "")
    caches = Path(root) if Path(root).is_absolute() else Path(home) / ".cache" if home else None
    if caches is None:
        return None
    try:
        (caches / "auditor").mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return caches / "auditor"
