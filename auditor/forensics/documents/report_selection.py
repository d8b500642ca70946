"""The reports of an audit: those given, and those in the repository where the rubric looks."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from auditor.domain import EntryKind, Papers, TreeEntry
from auditor.domain.glob_patterns import matches_any
from auditor.forensics.documents.document_formats import document_format
from auditor.forensics.documents.document_json import pack, unpack
from auditor.forensics.documents.passages import Document
from auditor.forensics.documents.reader_child_process import (
    DOCUMENT_SECONDS,
    MAX_DOCUMENT_BYTES,
    MAX_DOCUMENTS,
    read_timed,
)
from auditor.forensics.documents.report_inputs import Reports
from auditor.forensics.record_cache.disk_cache import RecordCache, probe_set_version
from auditor.repo.git_objects import BlobReader, SkippedBlob

TOTAL_SECONDS = 120.0
"""Processor seconds for all documents of an audit; a hundred honest ones of ten pages take fifty."""
MAX_TOTAL_LENGTH = 30_000_000
"""Characters of all documents that are kept in memory; a hundred reports of fifty pages have fifteen million."""
_READER_THREADS = 2
_PASSAGE_OVERHEAD = 100
"""What a passage counts beside its characters: the shortest takes room, too."""


@dataclass(frozen=True)
class ReportFile:
    """A report as it was given: its name, and what it holds."""

    name: str
    content: bytes

    @property
    def digest(self) -> str:
        """What distinguishes it from another one of the same name."""
        return hashlib.sha256(self.content).hexdigest()


@dataclass
class _Budget:
    """What is left of the time and of the memory for all documents together."""

    seconds: float = field(default_factory=lambda: TOTAL_SECONDS)
    text: int = field(default_factory=lambda: MAX_TOTAL_LENGTH)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def spend(self, seconds: float) -> None:
        """Take away what reading a document took."""
        with self.lock:
            self.seconds -= seconds

    def kept(self, document: Document) -> Document:
        """The document, or in its place one that says why it was dropped."""
        size = sum(len(each.text) + _PASSAGE_OVERHEAD for each in document.passages)
        with self.lock:
            if size <= self.text:
                self.text -= size
                return document
        problem = f"it exceeds the limit of {MAX_TOTAL_LENGTH:,} characters for all documents"
        return Document(document.name, problem=problem, given=document.given)


def gather(
    supplied: Iterable[ReportFile],
    papers: Papers,
    head: Mapping[str, TreeEntry],
    reader: BlobReader,
    cache: RecordCache,
) -> Reports:
    """All reports, read; the same content is read once, now and later."""
    files = [(file, True) for file in supplied]
    names = {file.name for file, _ in files}
    documents: list[Document] = []
    for path, content in _read_contents(_matching_entries(head, papers.reports), reader):
        if isinstance(content, SkippedBlob):
            documents.append(Document(path, problem=content.reason))
        elif path not in names and not any(content == file.content for file, _ in files):
            files.append((ReportFile(path, content), False))
    room = _Budget()
    with ThreadPoolExecutor(_READER_THREADS) as pool:
        documents += pool.map(lambda each: room.kept(_read_cached(each[0], cache, room, is_supplied=each[1])), files)
    return make_reports(documents, papers)


def make_reports(documents: Iterable[Document], papers: Papers) -> Reports:
    """Documents, with what a rubric looks for in them."""
    claims: dict[str, tuple[str, ...]] = {each.id: each.forms for each in papers.claims}
    return Reports(
        tuple(documents), papers.terms, papers.summaries, claims, denials=papers.denials, negations=papers.negations
    )


def matching_reports(head: Mapping[str, TreeEntry], globs: tuple[str, ...]) -> list[TreeEntry]:
    """The reports of the repository, to be made ready."""
    return list(_matching_entries(head, globs).values())


def _matching_entries(head: Mapping[str, TreeEntry], globs: tuple[str, ...]) -> dict[str, TreeEntry]:
    found = {
        path: entry
        for path, entry in sorted(head.items())
        if entry.kind is EntryKind.FILE and document_format(path) and matches_any(path, globs)
    }
    return dict(list(found.items())[:MAX_DOCUMENTS])


def _read_contents(entries: Mapping[str, TreeEntry], reader: BlobReader) -> list[tuple[str, bytes | SkippedBlob]]:
    contents = dict(reader.read((entry.blob for entry in entries.values()), limit=MAX_DOCUMENT_BYTES))
    return [(path, contents[entry.blob]) for path, entry in entries.items()]


def _read_cached(file: ReportFile, cache: RecordCache, budget: _Budget, *, is_supplied: bool) -> Document:
    key = f"{probe_set_version()}:document:{document_format(file.name)}:{file.digest}"
    stored = cache.get([key]).get(key)
    if stored is not None:
        try:
            return replace(unpack(stored), name=file.name, given=is_supplied)
        except ValueError:
            stored = None  # not what we wrote: read it afresh
    if budget.seconds < 1:
        problem = f"the time for all documents ({TOTAL_SECONDS:g} seconds) was used up before it"
        return Document(file.name, problem=problem, given=is_supplied)
    document, spent = read_timed(
        file.name, file.content, is_supplied=is_supplied, seconds=min(DOCUMENT_SECONDS, budget.seconds)
    )
    budget.spend(spent)
    if not document.problem and not document.partial:
        cache.put({key: pack(document)})
    return document
