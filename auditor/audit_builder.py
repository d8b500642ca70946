"""One order for an audit carried out: the real objects are built here, for people and for GitHub alike."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from auditor import child_process, pipeline, settings
from auditor.domain import AuditReport, Description, Evidence, Side, Subject, UserError
from auditor.judges.bench_factory import BenchSettings, bench
from auditor.judges.embedded_bench import EmbeddedBench
from auditor.settings import Inconclusive, Settings, Wishes

if TYPE_CHECKING:
    from auditor.forensics.documents.report_selection import ReportFile
    from auditor.forensics.engine.evidence_gathering import Options
    from auditor.judges.bench_interface import Bench, Source
    from auditor.judges.image_classification import Picture, Pictures
    from auditor.repo.repository import Repo

_MAX_SOURCE = 400_000
"""Bytes of a file that a judge may be shown whole."""
_MAX_REPORT = 50_000_000
_DIAGRAMS = "diagrams.parallel"
"""The probe that tells of pictures."""
Step = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is; zero when that is not known."""
Consult = Callable[[Settings], str]
"""Asked who is to judge, once it is settled what is asked and before anything is paid for."""


@dataclass(frozen=True)
class Commission:
    """What to audit, by whose wishes, and with what means. `timeout` is in seconds for one git command."""

    target: str
    base: str | None = None
    head: str | None = None
    token: str | None = field(default=None, repr=False)
    timeout: float = 300.0
    wishes: Wishes = field(default_factory=Wishes)
    judging: BenchSettings = field(default_factory=lambda: BenchSettings(judges="embedded"))
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Where the credentials of a model are looked up."""
    cache: Path | None = None
    jobs: int | None = None
    repository: str | None = None
    """What the record calls the repository; none for the name that follows from the target."""
    pull_request: int | None = None
    fork: bool | None = None
    description: Description | None = None
    """What the author says of the change: for probes alone."""
    reports: tuple[Path, ...] = ()
    """Reports on the system, beside what the repository holds."""
    check_name: str = ""
    """Of the check run that the verdict goes to, or nothing where none is written."""
    expected_head: str | None = None
    """The commit that the head has to be; raises Moved when it is another one by now."""


@dataclass(frozen=True)
class Carried:
    """An order carried out."""

    report: AuditReport
    notices: tuple[str, ...]
    inconclusive: Inconclusive
    """What the trusted configuration says of a verdict that could not be reached."""
    answers: str = ""
    """What judges answered, sealed for the next audit; empty for nothing."""
    questions: Mapping[str, str] = field(default_factory=dict)
    """What each probe asks, by its id, where probes were loaded."""


class Moved(Exception):
    """The head is not the commit that was ordered: there is a newer one."""

    def __init__(self, head: str) -> None:
        super().__init__(f"the head has moved to {head}")
        self.head = head


def carry_out(order: Commission, step: Step, consult: Consult | None = None) -> Carried:
    """Open the repository, settle what is asked, and run the pipeline.

    `consult` may name other judges than the order does. Raises UserError for what a user can mend, and Moved.
    """
    from auditor.forensics.record_cache.disk_cache import trouble_with
    from auditor.repo.repository import open_repository

    trouble = "" if order.cache is None else trouble_with(order.cache)
    if trouble:
        order = replace(order, cache=None)
    step("Opening the repository", 0, 0)
    with open_repository(
        order.target, base=order.base, head=order.head, timeout=order.timeout, token=order.token
    ) as repo:
        if order.expected_head not in (None, repo.head):
            raise Moved(repo.head)
        settled = settings.resolve(order.wishes, repo)
        judges = order.judging.judges if consult is None else consult(settled)
        options = _options(order, settled, step)
        judge = bench(_judging(order, judges, settled.instructions), order.environment)
        report = pipeline.audit(repo, _subject(order, repo, settled), settled.charge, _steps(repo, judge, options))
        kept = order.judging.sealed
        answers = kept.sealed() if kept is not None else ""
        told = kept.notices if kept is not None else ()
        remarks = (*filter(None, [trouble]), *repo.notices, *settled.notices, *told, *child_process.notices())
        return Carried(report, remarks, settled.inconclusive, answers)


def _subject(order: Commission, repo: Repo, settled: Settings) -> Subject:
    return Subject(
        repository=order.repository or repo.name,
        head=repo.head,
        base=repo.base,
        merge_base=repo.merge_base,
        scope=pipeline.scope_of(repo.merge_base, whole_tree=settled.whole_tree),
        folder=repo.folder,
        unchanged=repo.unchanged,
        pull_request=order.pull_request,
        fork=order.fork,
    )


def _options(order: Commission, settled: Settings, step: Step) -> Options:
    """How evidence is gathered. Raises UserError for a report that cannot be read."""
    from auditor.forensics.engine import evidence_gathering

    options = evidence_gathering.Options(
        cache=order.cache,
        whole_tree=settled.whole_tree,
        exclude=settled.exclude,
        description=order.description,
        reports=tuple(_report(file) for file in order.reports),
        papers=settled.charge.rubric.papers,
        check_name=order.check_name,
        progress=step,
    )
    return replace(options, jobs=order.jobs) if order.jobs else options


def _steps(repo: Repo, judge: Bench, options: Options) -> pipeline.Steps:
    from auditor.forensics.engine import evidence_gathering
    from auditor.forensics.record_cache.installed_engines import version_of
    from auditor.report.secret_redaction import redact_evidence

    return pipeline.Steps(
        gather=lambda about, probes: evidence_gathering.gather(repo, about, probes, options),
        redact=redact_evidence,
        bench=judge,
        source=_source(repo),
        pictures=_pictures(repo, options.reports),
        libraries={"ruff": version_of("ruff"), **_asking(judge.name)},
    )


def _report(file: Path) -> ReportFile:
    """A report that was handed over. Raises UserError when it cannot be read."""
    from auditor.forensics.documents.reader_child_process import KINDS, MAX_BYTES, kind
    from auditor.forensics.documents.report_selection import ReportFile

    if kind(file.name) is None:
        known = ", ".join(f".{suffix}" for suffix in sorted(KINDS))
        raise UserError(f"--report {file} is of no kind that is read: give one of {known}.")
    try:
        if file.stat().st_size > MAX_BYTES:
            raise UserError(f"--report {file} is larger than {MAX_BYTES:,} bytes: give a smaller one.")
        return ReportFile(file.name, file.read_bytes())
    except OSError as error:
        raise UserError(f"--report {file} cannot be read ({error.strerror}): give the path of a document.") from error


def _judging(order: Commission, judges: str, instructions: str) -> BenchSettings:
    """Who judges: as ordered, with the trusted configuration's words and a place for answers beside the cache."""
    store = None if order.cache is None else order.cache / "answers"
    return replace(order.judging, judges=judges, instructions=instructions, store=store)


def _asking(name: str) -> dict[str, str]:
    """The library that asks a model, where one is asked."""
    from auditor.forensics.record_cache.installed_engines import version_of

    return {} if name == EmbeddedBench.name else {"anthropic": version_of("anthropic")}


def _source(repo: Repo) -> Source:
    """Opens a file of the repository for judges; None for what is no readable text."""

    def read(path: str, side: Side) -> str | None:
        try:
            content = repo.read(path, side, limit=_MAX_SOURCE)
        except UserError:
            return None
        return None if content is None or b"\0" in content else content.decode("utf-8", errors="backslashreplace")

    return read


def _pictures(repo: Repo, reports: Iterable[ReportFile]) -> Pictures:
    """Opens the pictures that evidence says nobody looked at: in reports handed over, and in the repository."""
    given = {file.name: file.content for file in reports}

    def read(name: str) -> bytes | None:
        if name in given:
            return given[name]
        try:
            return repo.read(name, limit=_MAX_REPORT)
        except UserError:
            return None

    def opened(evidence: Evidence) -> Sequence[Picture]:
        from auditor.forensics.documents.unread_images import pictures
        from auditor.judges.image_classification import Picture

        return [
            Picture(source, image.media_type, image.content) for source, image in pictures(evidence, _DIAGRAMS, read)
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
