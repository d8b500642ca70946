"""Inputs of probes that take a process or a trip of their own: started early, gathered once, and only when asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auditor.domain import EntryKind, Side, TreeEntry
from auditor.forensics.agent_systems.system_report_types import AgentSystem
from auditor.forensics.dependencies import manifest_formats, popular_packages
from auditor.forensics.dependencies.manifest_inputs import Manifests
from auditor.forensics.documents.report_inputs import Reports
from auditor.forensics.documents.unchanged_documents import UnchangedDocuments
from auditor.forensics.engine.affected_documents import unchanged_documents
from auditor.forensics.engine.gathering_context import GatheringContext, read_texts
from auditor.forensics.engine.public_surfaces import public_surfaces
from auditor.forensics.engine.secret_search import BackgroundSecretSearch, search_secrets
from auditor.forensics.engine.workflow_inputs import WorkflowReading
from auditor.forensics.public_api.exported_files import PublicSurfaces
from auditor.forensics.secrets.secret_places import CommittedSecrets
from auditor.forensics.source_text.file_roles import Role, role
from auditor.forensics.test_suites.settings_readers import MAX_SETTINGS_BYTES
from auditor.forensics.test_suites.suite_inputs import SuiteInputs, gather_suites
from auditor.forensics.workflows.ci_systems import included_pipelines
from auditor.forensics.workflows.governance_files import called_scripts, is_agent_instruction, is_pipeline, resolve_link
from auditor.forensics.workflows.recipe_files import recipe_files_by_program
from auditor.forensics.workflows.workflow_files import GovernanceFiles, WorkflowFiles
from auditor.repo.git_objects import BlobReader

if TYPE_CHECKING:
    from auditor.forensics.secrets.secret_detector import Detector


@dataclass(frozen=True)
class GatheredInputs:
    """Inputs by their type, values that must be in no fact, and contents in which some are."""

    by_kind: Mapping[type, object] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    secret_blobs: frozenset[str] = frozenset()


class InputGatherer:
    """Gathers the inputs of the wanted kinds. Enter it before anything else is read: processes start then."""

    def __init__(self, wanted: frozenset[type]) -> None:
        self._wanted = wanted
        self._closing = ExitStack()
        self._detector: Detector | None = None
        self._search: BackgroundSecretSearch | None = None
        self._workflows: WorkflowReading | None = None
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
            self._workflows = WorkflowReading.of(order, reader)
            self._closing.enter_context(self._workflows.scan)

    def given(self, kind: type, order: GatheringContext, reader: BlobReader) -> object:
        """An input of one of the kinds that are `READY_KINDS`, gathered when it is first asked for. The reader must be free."""
        if kind not in self._given:
            self._given[kind] = (
                self._read_workflows() if kind is WorkflowFiles else _GATHER_FUNCTIONS[kind](order, reader)
            )
        return self._given[kind]

    def gather(self, order: GatheringContext, reader: BlobReader) -> GatheredInputs:
        """Everything wanted. The reader must be free."""
        by_kind = {kind: self.given(kind, order, reader) for kind in READY_KINDS if kind in self._wanted}
        hidden: frozenset[str] = frozenset()
        secret_blobs: frozenset[str] = frozenset()
        if self._detector is not None:
            found = self._search.result() if self._search is not None else search_secrets(order, reader, self._detector)
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

    def _read_workflows(self) -> WorkflowFiles:
        assert self._workflows is not None, "workflows are read after `begin`"
        return self._workflows.result()


_MAX_GOVERNING_FILES = 500
_MAX_GOVERNING_BYTES = 200_000
_CALL_ROUNDS = 2


def _governing_files(order: GatheringContext, reader: BlobReader) -> GovernanceFiles:
    """Of the base only: what a change says of itself governs nothing before it is merged."""
    if order.changes is None:
        return GovernanceFiles(check_name=order.check_name, workflow_path=order.workflow_path)
    known = [
        each
        for each in order.repo.files(Side.BASE).entries
        if is_pipeline(each.path) or is_agent_instruction(each.path)
    ]
    entries = {each.path: each for each in known[:_MAX_GOVERNING_FILES]}
    order.repo.prepare(each.blob for each in entries.values())
    said = read_texts(entries, reader, _MAX_GOVERNING_BYTES)
    files = {path: text for path, text in said.items() if text and entries[path].kind is EntryKind.FILE}
    links = {path: text for path, text in said.items() if text and entries[path].kind is EntryKind.SYMLINK}
    ends = {path: end for path, text in links.items() if (end := resolve_link(path, text))}
    included = _included_files(files, order, reader)
    scripts = _called_scripts({**files, **included}, order, reader, included.keys())
    return GovernanceFiles(
        {**files, **included}, ends, scripts, frozenset(included), order.check_name, order.workflow_path
    )


def _included_files(files: Mapping[str, str], order: GatheringContext, reader: BlobReader) -> dict[str, str]:
    """The files that pipelines take in and that are no pipelines by their names, by path."""
    entries = {each.path: each for each in order.repo.files(Side.BASE).entries if each.kind is EntryKind.FILE}
    found: dict[str, str] = {}
    for _ in range(_CALL_ROUNDS):
        several = included_pipelines({**files, **found}, entries.keys()).values()
        named = sorted({each for paths in several for each in paths} - files.keys() - found.keys())
        said = read_texts({path: entries[path] for path in named[:_MAX_GOVERNING_FILES]}, reader, _MAX_GOVERNING_BYTES)
        found |= {path: text for path, text in said.items() if text}
    return found


def _called_scripts(
    files: Mapping[str, str], order: GatheringContext, reader: BlobReader, included: Collection[str]
) -> dict[str, str]:
    """The shell scripts that pipelines name, and those that these name, and files of recipes, by path."""
    entries = {each.path: each for each in order.repo.files(Side.BASE).entries if each.kind is EntryKind.FILE}
    texts = [text for path, text in files.items() if is_pipeline(path) or path in included]
    recipes = {path for paths in recipe_files_by_program().values() for path in paths if path in entries}
    said = read_texts({path: entries[path] for path in sorted(recipes)}, reader, _MAX_GOVERNING_BYTES) if texts else {}
    found = {path: text for path, text in said.items() if text}
    for _ in range(_CALL_ROUNDS):
        named = sorted(called_scripts(texts, entries.keys() - found.keys()))[:_MAX_GOVERNING_FILES]
        said = read_texts({path: entries[path] for path in named}, reader, _MAX_GOVERNING_BYTES)
        texts = [text for text in said.values() if text]
        found |= {path: text for path, text in said.items() if text}
    return found


_MAX_MANIFESTS = 2_000


def _manifests(order: GatheringContext, reader: BlobReader) -> Manifests:
    """A lock file counts even when the change leaves it alone: that is how the two get out of step."""
    wanted = {path: each for path, each in order.head.items() if _is_own_manifest(path, each)}
    kept = dict(sorted(wanted.items(), key=lambda item: (item[0].count("/"), item[0]))[:_MAX_MANIFESTS])
    before = {path: each for path, each in order.selection.base.items() if _is_own_manifest(path, each)}
    order.repo.prepare(each.blob for each in (*kept.values(), *before.values()))
    return Manifests(
        head=read_texts(kept, reader, manifest_formats.MAX_LOCK_LENGTH),
        base=read_texts(before, reader, manifest_formats.MAX_LOCK_LENGTH),
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
        return {
            path: text for path, text in read_texts(entries, reader, MAX_SETTINGS_BYTES).items() if text is not None
        }

    base = {each.path: each for each in order.repo.files(Side.BASE).entries}
    return gather_suites(order.changes, order.head, base, read)


_GATHER_FUNCTIONS: Mapping[type, Callable[[GatheringContext, BlobReader], object]] = {
    UnchangedDocuments: unchanged_documents,
    GovernanceFiles: _governing_files,
    Manifests: _manifests,
    PublicSurfaces: public_surfaces,
    SuiteInputs: _suites,
}
READY_KINDS: frozenset[type] = frozenset({WorkflowFiles, *_GATHER_FUNCTIONS})
"""Kinds of input that are had for little once contents can be read."""
