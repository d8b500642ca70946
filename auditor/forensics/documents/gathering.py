"""The reports of an audit: those handed over, and those in the repository where the rubric looks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from auditor.domain import EntryKind, Papers, TreeEntry
from auditor.domain.globs import fits
from auditor.forensics.cache import RecordCache, probe_set_version
from auditor.forensics.documents.packing import packed, unpacked
from auditor.forensics.documents.passages import Document
from auditor.forensics.documents.reading import MAX_BYTES, MAX_DOCUMENTS, kind, read
from auditor.forensics.inputs import Reports
from auditor.repo import BlobReader, Refused

_READERS = 2


@dataclass(frozen=True)
class ReportFile:
    """A report as it was handed over: its name, and what it holds."""

    name: str
    content: bytes

    @property
    def digest(self) -> str:
        """What tells it from another one of the same name."""
        return hashlib.sha256(self.content).hexdigest()


def gather(
    given: Iterable[ReportFile],
    papers: Papers,
    head: Mapping[str, TreeEntry],
    reader: BlobReader,
    cache: RecordCache,
) -> Reports:
    """All reports, read; the same content is read once, now and later."""
    files = [(file, True) for file in given]
    names = {file.name for file, _ in files}
    documents: list[Document] = []
    for path, content in _contents(_fitting(head, papers.reports), reader):
        if isinstance(content, Refused):
            documents.append(Document(path, problem=content.reason))
        elif path not in names and not any(content == file.content for file, _ in files):
            files.append((ReportFile(path, content), False))
    with ThreadPoolExecutor(_READERS) as pool:
        documents += pool.map(lambda each: _read(each[0], cache, given=each[1]), files)
    return wanted(documents, papers)


def wanted(documents: Iterable[Document], papers: Papers) -> Reports:
    """Documents, with what a rubric looks for in them."""
    claims: dict[str, tuple[str, ...]] = {each.id: each.forms for each in papers.claims}
    return Reports(tuple(documents), papers.terms, papers.summaries, claims, papers.denials)


def fitting(head: Mapping[str, TreeEntry], globs: tuple[str, ...]) -> list[TreeEntry]:
    """The reports of the repository, to be made ready."""
    return list(_fitting(head, globs).values())


def _fitting(head: Mapping[str, TreeEntry], globs: tuple[str, ...]) -> dict[str, TreeEntry]:
    found = {
        path: entry
        for path, entry in sorted(head.items())
        if entry.kind is EntryKind.FILE and kind(path) and fits(path, globs)
    }
    return dict(list(found.items())[:MAX_DOCUMENTS])


def _contents(entries: Mapping[str, TreeEntry], reader: BlobReader) -> list[tuple[str, bytes | Refused]]:
    contents = dict(reader.read((entry.blob for entry in entries.values()), limit=MAX_BYTES))
    return [(path, contents[entry.blob]) for path, entry in entries.items()]


def _read(file: ReportFile, cache: RecordCache, *, given: bool) -> Document:
    key = f"{probe_set_version()}:document:{kind(file.name)}:{file.digest}"
    stored = cache.get([key]).get(key)
    if stored is not None:
        try:
            return replace(unpacked(stored), name=file.name, given=given)
        except ValueError:
            stored = None  # not what we wrote: read it afresh
    document = read(file.name, file.content, given=given)
    if not document.problem and not document.partial:
        cache.put({key: packed(document)})
    return document
