"""What is known when the inputs of probes are gathered, and how texts are read there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from auditor.domain import FileChange, History, Papers, Subject, TreeEntry
from auditor.forensics.engine.file_selection import Selection
from auditor.forensics.record_cache.disk_cache import RecordCache
from auditor.repo.git_objects import BlobReader
from auditor.repo.repository import Repo

if TYPE_CHECKING:
    from auditor.forensics.documents.report_selection import ReportFile


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
    workflow_path: str = ""


def read_texts(entries: Mapping[str, TreeEntry], reader: BlobReader, limit: int) -> dict[str, str | None]:
    """Text by path; None for what could not be read."""
    contents = dict(reader.read((entry.blob for entry in entries.values()), limit=limit))
    return {
        path: content.decode("utf-8", errors="backslashreplace").replace("\r\n", "\n")
        if isinstance(content := contents[entry.blob], bytes)
        else None
        for path, entry in entries.items()
    }
