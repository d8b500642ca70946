"""Documents that a change leaves alone and may make wrong: they name what it removes, or have headings that it links to."""

from __future__ import annotations

from itertools import islice
from posixpath import normpath

from auditor.domain import EntryKind, TreeEntry
from auditor.domain.glob_patterns import matches_any
from auditor.forensics.documents.unchanged_documents import UnchangedDocuments
from auditor.forensics.engine.gathering_context import GatheringContext, read_texts
from auditor.forensics.source_text.file_roles import Role, role
from auditor.forensics.source_text.folders import all_folders, folders_above
from auditor.lazy_regex import lazy_compile
from auditor.repo.git_objects import BlobReader

_MAX_UNCHANGED_DOCUMENTS = 500
_MAX_DOCUMENT_BYTES = 300_000
_MAX_REMOVED_PATHS = 200
"""Files that go from which a change is no renaming that somebody forgot to follow up."""
_MARKDOWN_PATTERNS = ("*.md", "**/*.md", "*.markdown", "**/*.markdown")


def unchanged_documents(order: GatheringContext, reader: BlobReader) -> UnchangedDocuments:
    """Only those documents that contain the name of a removed file or folder."""
    left = {
        each.base.path for each in order.changes or () if each.base is not None and each.base.path not in order.head
    }
    touched = {each.head.path for each in order.changes or () if each.head is not None}
    linked = _linked_markdown(touched, order, reader)
    if not left or len(left) > _MAX_REMOVED_PATHS:
        return UnchangedDocuments(linked_texts=linked)
    standing = all_folders(order.head)
    gone = left | {folder for path in left for folder in folders_above(path) if folder not in standing}
    known = [path for path, each in order.head.items() if path not in touched and _is_markdown_document(path, each)]
    entries = {
        path: order.head[path]
        for path in sorted(known, key=lambda path: (path.count("/"), path))[:_MAX_UNCHANGED_DOCUMENTS]
    }
    order.repo.prepare(each.blob for each in entries.values())
    names = {path.rpartition("/")[2] for path in gone}
    said = read_texts(entries, reader, _MAX_DOCUMENT_BYTES)
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
    return {path: text for path, text in read_texts(entries, reader, _MAX_DOCUMENT_BYTES).items() if text}


_HEADING_LINK = lazy_compile(r"(?:\]\(|\]:[ \t]{1,4})<?([^)\s#>:]{1,300})#[^)\s]")
"""A link to a heading of another file."""
_MAX_HEADING_LINKS = 200


def _is_markdown_document(path: str, entry: TreeEntry) -> bool:
    return entry.kind is EntryKind.FILE and matches_any(path, _MARKDOWN_PATTERNS) and role(path) is not Role.VENDORED
