"""Inputs of probes that take a process or a trip of their own: started early, gathered once, and only when asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import islice
from posixpath import normpath
from typing import TYPE_CHECKING

from auditor.domain import EntryKind, FileChange, FileStatus, History, Papers, Side, Subject, TreeEntry
from auditor.domain.glob_patterns import matches_any
from auditor.forensics.agent_systems.system_report_types import AgentSystem
from auditor.forensics.dependencies import manifest_formats, popular_packages
from auditor.forensics.dependencies.manifest_inputs import Manifests
from auditor.forensics.documents.report_inputs import Reports
from auditor.forensics.documents.unchanged_documents import UnchangedDocuments
from auditor.forensics.engine.file_selection import BINARY_REASON, Selection
from auditor.forensics.public_api import package_reachability
from auditor.forensics.public_api.exported_files import PublicSurfaces
from auditor.forensics.public_api.init_reexports import find_package_inits, find_public_siblings
from auditor.forensics.public_api.package_reachability import Exposure
from auditor.forensics.python.thread_calls import BackgroundTask
from auditor.forensics.record_cache.disk_cache import RecordCache
from auditor.forensics.secrets.secret_places import CommittedSecrets
from auditor.forensics.source_text.file_roles import Role, role
from auditor.forensics.test_suites.settings_readers import MAX_SETTINGS_BYTES
from auditor.forensics.test_suites.suite_inputs import SuiteInputs, gather_suites
from auditor.forensics.workflows import zizmor_scan
from auditor.forensics.workflows.governance_files import called_scripts, is_agent_instruction, is_pipeline, resolve_link
from auditor.forensics.workflows.workflow_files import GovernanceFiles, WorkflowFile, WorkflowFiles
from auditor.lazy_regex import lazy_compile
from auditor.repo.git_objects import BlobReader
from auditor.repo.repository import Repo

if TYPE_CHECKING:
    from auditor.forensics.documents.report_selection import ReportFile
    from auditor.forensics.secrets import history_scan
    from auditor.forensics.secrets.secret_detector import Detector


@dataclass(frozen=True)
class GatheringContext:
    """What is known when inputs are gathered. The history may have to be waited for."""

    repo: Repo
    subject: Subject
    head: Mapping[str, TreeEntry]
    changes: tuple[FileChange, ...] | None
    selection: Selection
    history: Callable[[], History]
    exclude: tuple[str, ...]
    cache: RecordCache
    progress: Callable[[str, int, int], None]
    reports: tuple[ReportFile, ...] = ()
    papers: Papers = field(default_factory=Papers)
    check_name: str = ""


@dataclass(frozen=True)
class GatheredInputs:
    """Inputs by their type, values that must be in no fact, and contents in which some are."""

    by_kind: Mapping[type, object] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    secret_blobs: frozenset[str] = frozenset()


@dataclass(frozen=True)
class _WorkflowScan:
    """The texts of workflows by path, None where there is none to read, and what looks at them."""

    head: Mapping[str, str | None]
    base: Mapping[str, str | None]
    scan: zizmor_scan.WorkflowScan


class InputGatherer:
    """Gathers the inputs of the wanted kinds. Enter it before anything else is read: processes start then."""

    def __init__(self, wanted: frozenset[type]) -> None:
        self._wanted = wanted
        self._closing = ExitStack()
        self._detector: Detector | None = None
        self._search: BackgroundSecretSearch | None = None
        self._workflows: _WorkflowScan | None = None
        self._unread_workflows: dict[str, WorkflowFile] = {}
        self._given: dict[type, object] = {}

    def __enter__(self) -> InputGatherer:
        if CommittedSecrets in self._wanted:
            from auditor.forensics.secrets.secret_detector import Detector

            self._detector = Detector()
        return self

    def __exit__(self, *_: object) -> None:
        if self._detector is not None:
            self._detector.end()
        if self._search is not None:
            self._search.end()
        self._closing.close()

    def begin(self, order: GatheringContext, reader: BlobReader) -> None:
        """Start with what takes longest, beside whatever else is done until `gather` is called. The reader must be free."""
        if self._detector is not None and order.repo.is_local:
            self._search = BackgroundSecretSearch(order, self._detector)
        if WorkflowFiles in self._wanted:
            self._unread_workflows = {
                each.path: WorkflowFile("", unread=each.reason, is_action=_is_action(each.path))
                for each in order.selection.known_coverage
                if each.status is FileStatus.UNAVAILABLE and matches_any(each.path, WORKFLOW_PATTERNS)
            }
            head, base = (_workflow_texts(side, reader) for side in (order.selection.head, order.selection.base))
            readable = [
                (path, text) for side in (head, base) for path, text in sorted(side.items()) if text is not None
            ]
            scan = self._closing.enter_context(zizmor_scan.WorkflowScan(readable))
            self._workflows = _WorkflowScan(head, base, scan)

    def given(self, kind: type, order: GatheringContext, reader: BlobReader) -> object:
        """An input of one of the kinds that are `READY_KINDS`, gathered when it is first asked for. The reader must be free."""
        if kind not in self._given:
            self._given[kind] = (
                self._gather_workflows() if kind is WorkflowFiles else _GATHER_FUNCTIONS[kind](order, reader)
            )
        return self._given[kind]

    def gather(self, order: GatheringContext, reader: BlobReader) -> GatheredInputs:
        """Everything wanted. The reader must be free."""
        by_kind = {kind: self.given(kind, order, reader) for kind in READY_KINDS if kind in self._wanted}
        hidden: frozenset[str] = frozenset()
        secret_blobs: frozenset[str] = frozenset()
        if self._detector is not None:
            found = (
                self._search.result() if self._search is not None else _search_secrets(order, reader, self._detector)
            )
            by_kind[CommittedSecrets], hidden, secret_blobs = found.secrets, found.values, found.blobs
        if AgentSystem in self._wanted:
            from auditor.forensics.agent_systems import source_selection

            by_kind[AgentSystem] = source_selection.gather_agent_system(
                order.head, order.selection.head, order.exclude, reader, order.repo.prepare
            )
        if Reports in self._wanted:
            from auditor.forensics.documents import report_selection

            order.repo.prepare(
                each.blob for each in report_selection.matching_reports(order.head, order.papers.reports)
            )
            by_kind[Reports] = report_selection.gather(order.reports, order.papers, order.head, reader, order.cache)
        return GatheredInputs(by_kind, hidden, secret_blobs)

    def _gather_workflows(self) -> WorkflowFiles:
        assert self._workflows is not None, "workflows are read after `begin`"
        outcomes = self._workflows.scan.wait_for_outcomes()
        head, base = (_read_workflows(texts, outcomes) for texts in (self._workflows.head, self._workflows.base))
        return WorkflowFiles({**self._unread_workflows, **head}, base)


class BackgroundSecretSearch:
    """Secrets of the history looked for beside other work, with a git process of its own."""

    def __init__(self, order: GatheringContext, detector: Detector) -> None:
        if order.changes is not None:
            order.repo.files(Side.BASE)  # starts a git process, which the thread must not
        self._closing = ExitStack()
        reader = self._closing.enter_context(order.repo.blobs())
        self._awaited = False
        quiet = replace(order, progress=self._told(order.progress))
        self._search = BackgroundTask(lambda: _search_secrets(quiet, reader, detector), "secrets")
        self._search.begin()

    def result(self) -> history_scan.ScanResult:
        """What came of it, as soon as there is something."""
        self._awaited = True
        return self._search.result()

    def end(self) -> None:
        """Leave git. The detector must have ended, or the search come to its end."""
        self._search.wait()
        self._closing.close()

    def _told(self, progress: Callable[[str, int, int], None]) -> Callable[[str, int, int], None]:
        """Progress is shown once somebody waits for it; until then another step shows its own."""

        def tell(what: str, done: int, total: int) -> None:
            if self._awaited:
                progress(what, done, total)

        return tell


def _search_secrets(order: GatheringContext, reader: BlobReader, detector: Detector) -> history_scan.ScanResult:
    from auditor.forensics.secrets import history_scan

    ground = history_scan.ScanScope(
        history=order.history(),
        head_sha=order.subject.head,
        in_scope={
            **order.selection.head,
            **{
                each.path: order.head[each.path]
                for each in order.selection.known_coverage
                if each.reason == BINARY_REASON
            },
        },
        head=order.head,
        changes=order.changes,
        base=lambda: order.repo.files(Side.BASE).entries,
        exclude=order.exclude,
    )
    return history_scan.scan_history(
        ground,
        reader,
        detector,
        order.cache,
        order.repo.prepare,
        lambda done, total: order.progress("Looking for secrets", done, total),
    )


def _surfaces(order: GatheringContext, reader: BlobReader) -> PublicSurfaces:
    """What packages serve before and after: files that the change left alone are the same on both sides."""
    if order.changes is None:
        return PublicSurfaces()
    touched = frozenset(file.head.path for file in order.changes or () if file.head is not None)
    base = {path: each for path, each in order.head.items() if path not in touched} | dict(order.selection.base)
    changed = order.selection.head, order.selection.base
    named = [
        {**package_reachability.gem_exposure(paths, files), **package_reachability.composer_exposure(paths, files)}
        for paths, files in zip(changed, (frozenset(order.head), frozenset(base)), strict=True)
    ]
    if package_reachability.has_export_manifest([*order.head, *base]):
        head, before = named
    else:
        head, before = (
            {**package_reachability.exposure_without_manifest(paths), **each}
            for paths, each in zip(changed, named, strict=True)
        )
    private = [path for each in changed for path in each]
    around = sorted(find_public_siblings(private, {**order.head, **base}).items())
    product = ((path, names) for path, names in around if role(path) is Role.PRODUCT)
    near = dict(
        islice(product, _MAX_NEARBY_MODULES)
    )  # the same of both sides: else what was left out of one would be gone
    return PublicSurfaces(
        {**_surface(order, order.head, near, reader), **head}, {**_surface(order, base, near, reader), **before}
    )


def _surface(
    order: GatheringContext, side: Mapping[str, TreeEntry], near: Mapping[str, frozenset[str]], reader: BlobReader
) -> Mapping[str, Exposure]:
    files = frozenset(path for path, each in side.items() if each.kind is EntryKind.FILE)
    changed = [*order.selection.head, *order.selection.base]

    def read(paths: list[str]) -> Mapping[str, str]:
        wanted = {path: side[path] for path in paths}
        order.repo.prepare(each.blob for each in wanted.values())
        return {path: text for path, text in _texts(wanted, reader, _MAX_MODULE_BYTES).items() if text is not None}

    texts = read(sorted(package_reachability.nearest_manifests(changed, files))[:_MAX_PACKAGES])
    starts = {
        entry: path
        for path, text in texts.items()
        for entry in package_reachability.package_entry_points(path, text, files)
    }
    passing = {front: front for front in sorted(find_package_inits(changed, files))[:_MAX_PACKAGES]}
    told = read([path for path in near if path in files])
    passing |= {path: path for path, text in told.items() if any(name in text for name in near[path])}
    return package_reachability.follow_reexports({**starts, **passing}, files, read)


_MAX_MODULE_BYTES = 300_000
_MAX_PACKAGES = 100
_MAX_NEARBY_MODULES = 100
"""Public modules beside private ones that are read for what they pass on."""


_MAX_GOVERNING_FILES = 500
_MAX_GOVERNING_BYTES = 200_000
_CALL_ROUNDS = 2


def _governing_files(order: GatheringContext, reader: BlobReader) -> GovernanceFiles:
    """Of the base only: what a change says of itself governs nothing before it is merged."""
    if order.changes is None:
        return GovernanceFiles(check_name=order.check_name)
    known = [
        each
        for each in order.repo.files(Side.BASE).entries
        if is_pipeline(each.path) or is_agent_instruction(each.path)
    ]
    entries = {each.path: each for each in known[:_MAX_GOVERNING_FILES]}
    order.repo.prepare(each.blob for each in entries.values())
    said = _texts(entries, reader, _MAX_GOVERNING_BYTES)
    files = {path: text for path, text in said.items() if text and entries[path].kind is EntryKind.FILE}
    links = {path: text for path, text in said.items() if text and entries[path].kind is EntryKind.SYMLINK}
    ends = {path: end for path, text in links.items() if (end := resolve_link(path, text))}
    return GovernanceFiles(files, ends, _called_scripts(files, order, reader), order.check_name)


def _called_scripts(files: Mapping[str, str], order: GatheringContext, reader: BlobReader) -> dict[str, str]:
    """The shell scripts that pipelines name, and those that these name, by path."""
    entries = {each.path: each for each in order.repo.files(Side.BASE).entries if each.kind is EntryKind.FILE}
    texts = [text for path, text in files.items() if is_pipeline(path)]
    found: dict[str, str] = {}
    for _ in range(_CALL_ROUNDS):
        named = sorted(called_scripts(texts, entries.keys() - found.keys()))[:_MAX_GOVERNING_FILES]
        said = _texts({path: entries[path] for path in named}, reader, _MAX_GOVERNING_BYTES)
        texts = [text for text in said.values() if text]
        found |= {path: text for path, text in said.items() if text}
    return found


_MAX_UNCHANGED_DOCUMENTS = 500
_MAX_DOCUMENT_BYTES = 300_000
_MAX_REMOVED_PATHS = 200
"""Files that go from which a change is no renaming that somebody forgot to follow up."""
_MARKDOWN_PATTERNS = ("*.md", "**/*.md", "*.markdown", "**/*.markdown")


def _unchanged_documents(order: GatheringContext, reader: BlobReader) -> UnchangedDocuments:
    """Only those documents that contain the name of a removed file or folder."""
    left = {
        each.base.path for each in order.changes or () if each.base is not None and each.base.path not in order.head
    }
    touched = {each.head.path for each in order.changes or () if each.head is not None}
    linked = _linked_markdown(touched, order, reader)
    if not left or len(left) > _MAX_REMOVED_PATHS:
        return UnchangedDocuments(linked_texts=linked)
    standing = {folder for path in order.head for folder in _parent_folders(path)}
    gone = left | {folder for path in left for folder in _parent_folders(path) if folder not in standing}
    known = [path for path, each in order.head.items() if path not in touched and _is_markdown_document(path, each)]
    entries = {
        path: order.head[path]
        for path in sorted(known, key=lambda path: (path.count("/"), path))[:_MAX_UNCHANGED_DOCUMENTS]
    }
    order.repo.prepare(each.blob for each in entries.values())
    names = {path.rpartition("/")[2] for path in gone}
    said = _texts(entries, reader, _MAX_DOCUMENT_BYTES)
    kept = {path: text for path, text in said.items() if text and any(name in text for name in names)}
    return UnchangedDocuments(kept, frozenset(gone), linked)


def _linked_markdown(touched: set[str], order: GatheringContext, reader: BlobReader) -> dict[str, str]:
    """Markdown that the change leaves alone, and to the headings of which a document that it touches links."""
    wanted: set[str] = set()
    for path, text in _read_markdown(touched, order, reader).items():
        folder = path.rpartition("/")[0]
        links = islice(_HEADING_LINK.finditer(text), _MAX_HEADING_LINKS)
        wanted.update(normpath(f"{folder}/{each[1]}").lstrip("/") for each in links)
    return _read_markdown(wanted - touched, order, reader)


def _read_markdown(paths: set[str], order: GatheringContext, reader: BlobReader) -> dict[str, str]:
    """The texts of those of some paths at the head that are Markdown, of the first few."""
    there = [path for path in sorted(paths) if path in order.head and _is_markdown_document(path, order.head[path])]
    entries = {path: order.head[path] for path in there[:_MAX_UNCHANGED_DOCUMENTS]}
    order.repo.prepare(each.blob for each in entries.values())
    return {path: text for path, text in _texts(entries, reader, _MAX_DOCUMENT_BYTES).items() if text}


_HEADING_LINK = lazy_compile(r"(?:\]\(|\]:[ \t]{1,4})<?([^)\s#>:]{1,300})#[^)\s]")
"""A link to a heading of another file."""
_MAX_HEADING_LINKS = 200


def _is_markdown_document(path: str, entry: TreeEntry) -> bool:
    return entry.kind is EntryKind.FILE and matches_any(path, _MARKDOWN_PATTERNS) and role(path) is not Role.VENDORED


def _parent_folders(path: str) -> list[str]:
    """The folders that a file lies in."""
    parts = path.split("/")[:40]
    return ["/".join(parts[:depth]) for depth in range(1, len(parts))]


_MAX_MANIFESTS = 2_000


def _manifests(order: GatheringContext, reader: BlobReader) -> Manifests:
    """A lock file counts even when the change leaves it alone: that is how the two get out of step."""
    wanted = {path: each for path, each in order.head.items() if _is_own_manifest(path, each)}
    kept = dict(sorted(wanted.items(), key=lambda item: (item[0].count("/"), item[0]))[:_MAX_MANIFESTS])
    before = {path: each for path, each in order.selection.base.items() if _is_own_manifest(path, each)}
    order.repo.prepare(each.blob for each in (*kept.values(), *before.values()))
    return Manifests(
        head=_texts(kept, reader, manifest_formats.MAX_LOCK_LENGTH),
        base=_texts(before, reader, manifest_formats.MAX_LOCK_LENGTH),
        in_scope=frozenset(order.selection.head) & frozenset(kept),
        popular={registry: popular_packages.names(registry) for registry in popular_packages.registries()},
    )


def _is_own_manifest(path: str, entry: TreeEntry) -> bool:
    readable = manifest_formats.is_package_file(path) or manifest_formats.is_lock(path)
    return readable and entry.kind is EntryKind.FILE and role(path) is not Role.VENDORED


def _suites(order: GatheringContext, reader: BlobReader) -> SuiteInputs:
    """Settings of test runners on both sides, and tests that they leave out."""
    if order.changes is None:
        return SuiteInputs()

    def read(entries: Mapping[str, TreeEntry]) -> dict[str, str]:
        order.repo.prepare(each.blob for each in entries.values())
        return {path: text for path, text in _texts(entries, reader, MAX_SETTINGS_BYTES).items() if text is not None}

    base = {each.path: each for each in order.repo.files(Side.BASE).entries}
    return gather_suites(order.changes, order.head, base, read)


WORKFLOW_PATTERNS = (".github/workflows/*.yml", ".github/workflows/*.yaml", "**/action.yml", "**/action.yaml")


def _workflow_texts(entries: Mapping[str, TreeEntry], reader: BlobReader) -> dict[str, str | None]:
    fitting = {path: each for path, each in entries.items() if matches_any(path, WORKFLOW_PATTERNS)}
    return _texts(fitting, reader, zizmor_scan.MAX_WORKFLOW_LENGTH * 4)


def _is_action(path: str) -> bool:
    return path.rpartition("/")[2].startswith("action.")


def _read_workflows(
    texts: Mapping[str, str | None], outcomes: Mapping[zizmor_scan.Workflow, zizmor_scan.Outcome]
) -> dict[str, WorkflowFile]:
    too_large = zizmor_scan.UnreadableWorkflow("larger than a workflow is read")
    read: dict[str, WorkflowFile] = {}
    for path, text in texts.items():
        is_action = _is_action(path)
        outcome = too_large if text is None else outcomes[path, text]
        if isinstance(outcome, zizmor_scan.UnreadableWorkflow):
            read[path] = WorkflowFile(text or "", unread=outcome.reason, is_action=is_action)
        else:
            read[path] = WorkflowFile(text or "", outcome, is_action=is_action)
    return read


def _texts(entries: Mapping[str, TreeEntry], reader: BlobReader, limit: int) -> dict[str, str | None]:
    """Text by path; None for what could not be read."""
    contents = dict(reader.read((entry.blob for entry in entries.values()), limit=limit))
    return {
        path: content.decode("utf-8", errors="backslashreplace").replace("\r\n", "\n")
        if isinstance(content := contents[entry.blob], bytes)
        else None
        for path, entry in entries.items()
    }


_GATHER_FUNCTIONS: Mapping[type, Callable[[GatheringContext, BlobReader], object]] = {
    UnchangedDocuments: _unchanged_documents,
    GovernanceFiles: _governing_files,
    Manifests: _manifests,
    PublicSurfaces: _surfaces,
    SuiteInputs: _suites,
}
READY_KINDS: frozenset[type] = frozenset({WorkflowFiles, *_GATHER_FUNCTIONS})
"""Kinds of input that are had for little once contents can be read."""
