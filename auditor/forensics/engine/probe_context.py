"""All that probes may ask for: what is known before files are looked at, and what results from looking at them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from auditor.domain import Coverage, Description, FileChange, History, Side, Subject, TreeEntry
from auditor.domain.glob_patterns import matches_any
from auditor.forensics.engine import blob_batch_reading
from auditor.forensics.engine.file_coverage import file_coverage, unread_sources
from auditor.forensics.engine.file_selection import Selection
from auditor.forensics.engine.input_providers import READY_KINDS, GatheredInputs
from auditor.forensics.engine.open_questions import OpenUses
from auditor.forensics.engine.product_test_files import ProductTestFiles
from auditor.forensics.engine.single_file_scan import MAX_TEXT_BYTES
from auditor.forensics.languages.language_registry import covered_languages
from auditor.forensics.probe_kit.file_record import FileRecord, ReadStatus
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, PythonModules, Tree
from auditor.forensics.probe_kit.side_records import SideRecords
from auditor.forensics.source_text.file_outline import Outline
from auditor.forensics.source_text.file_roles import language
from auditor.repo.git_objects import SkippedBlob

ReadBlobs = Callable[..., Iterator[tuple[str, bytes | SkippedBlob]]]
"""Contents of blobs, by their ids and the largest size that is read."""
MAX_DOCUMENT_BYTES = 1_000_000


@dataclass(frozen=True)
class InitialInputs:
    """Inputs that are there before any file is scanned. Probes that need nothing else run during the scan."""

    subject: Subject
    description: Description | None
    tree: Tree
    changes: tuple[FileChange, ...] | None
    history: Callable[[], History]
    selection: Selection
    patterns: tuple[str, ...]
    """Which files' texts probes want to read."""
    read: ReadBlobs
    gather_input: Callable[[type], object]
    """Inputs of the kinds that are ready as soon as contents can be read."""

    @cached_property
    def texts(self) -> Mapping[Side, Mapping[str, str]]:
        """The texts that some probe reads. Readers of contents must be done with it."""
        sides = {Side.HEAD: self.selection.head, Side.BASE: self.selection.base}
        return {side: _texts(entries, self.patterns, self.read) for side, entries in sides.items()}

    def given(self, kind: Any, reads: tuple[str, ...]) -> object:
        """The input of a kind, of texts those that fit the globs. Raises LookupError for what is not known yet."""
        if kind is Change:
            return None if self.changes is None else Change(self.changes)
        if kind is Documents:
            head, base = (
                {path: text for path, text in self.texts[side].items() if matches_any(path, reads)}
                for side in (Side.HEAD, Side.BASE)
            )
            return Documents(head, base)
        if kind is History:
            return self.history()
        if kind in READY_KINDS:
            return self.gather_input(kind)
        return {Subject: self.subject, Description: self.description, Tree: self.tree}[kind]


INITIAL_KINDS = frozenset({Change, Documents, History, Subject, Description, Tree, type(None), *READY_KINDS})
"""Kinds of input that `InitialInputs` gives."""


@dataclass(frozen=True)
class OutlineInputs:
    """What is there once each file has been looked at by itself. Questions about how code is built are asked while some are looked at again."""

    known: InitialInputs
    seen: blob_batch_reading.ScanResults
    served: ProductTestFiles
    """Files named like tests that product code imports, or a manifest runs."""
    drawn_in: tuple[FileChange, ...] = ()
    """Files that the change leaves alone and makes part of the product."""

    def given(self, kind: Any, reads: tuple[str, ...]) -> object:
        """The input of a kind, of texts those that fit the globs. Raises LookupError for what is not known yet."""
        return self.modules if kind is PythonModules else self.known.given(kind, reads)

    @cached_property
    def modules(self) -> PythonModules:
        """Outlines of both sides."""
        head, base = (
            {path: self.seen.records[blob_batch_reading.record_key(entry)] for path, entry in entries.items()}
            for entries in (self.known.selection.head, self.known.selection.base)
        )
        return PythonModules(
            _outlines(head, python=True),
            _outlines(base, python=True),
            {
                path: record.reason
                for path, record in head.items()
                if record.outline is None
                and language(path) in {"python", *covered_languages()}
                and record.reading is not ReadStatus.BINARY
            },
            _outlines(head, python=False),
            _outlines(base, python=False),
            self.served.head,
        )


def _outlines(records: Mapping[str, FileRecord], *, python: bool) -> dict[str, Outline]:
    """Outlines of Python, or of the other languages."""
    return {
        path: record.outline
        for path, record in records.items()
        if record.outline is not None and (language(path) == "python") is python
    }


OUTLINE_KINDS = INITIAL_KINDS | {PythonModules}
"""Kinds of input that `OutlineInputs` gives."""


@dataclass(frozen=True)
class ProbeInputs:
    """Everything that probes may ask for."""

    outlined: OutlineInputs
    rescanned_records: Mapping[Side, Mapping[str, FileRecord]]
    """Records of files that were looked at again, with what other modules pass on to them."""
    listing_completeness: tuple[bool, str]
    gathered: GatheredInputs
    open_uses: OpenUses
    """Lines that leave a question open where no rule reports anything about them."""

    @property
    def known(self) -> InitialInputs:
        """What was there before any file had been looked at."""
        return self.outlined.known

    @property
    def seen(self) -> blob_batch_reading.ScanResults:
        """What each file showed by itself."""
        return self.outlined.seen

    def given(self, kind: Any, reads: tuple[str, ...]) -> object:
        """The input of a kind, of texts those that fit the globs. Raises LookupError for what nobody provides."""
        if kind is Coverage:
            return self.coverage
        return self.gathered.by_kind[kind] if kind in self.gathered.by_kind else self.outlined.given(kind, reads)

    @cached_property
    def records(self) -> Mapping[Side, Mapping[str, FileRecord]]:
        """What each file showed, by side and path."""
        return {
            side: {path: self.seen.records[blob_batch_reading.record_key(entry)] for path, entry in entries.items()}
            | dict(self.rescanned_records[side])
            for side, entries in ((Side.HEAD, self.known.selection.head), (Side.BASE, self.known.selection.base))
        }

    @cached_property
    def head(self) -> SideRecords:
        """What the head's files showed, the second look included: not to be asked for before that is over."""
        return self._side_records(Side.HEAD, self.known.selection.head)

    @cached_property
    def base(self) -> SideRecords:
        """What the base side of the change showed, in the same way."""
        return self._side_records(Side.BASE, self.known.selection.base)

    def _side_records(self, side: Side, entries: Mapping[str, TreeEntry]) -> SideRecords:
        keys = {path: blob_batch_reading.record_key(entry) for path, entry in entries.items()}
        second = {path: self.seen.second[key] for path, key in keys.items() if key in self.seen.second}
        unread = unread_sources(self.known.selection.known_coverage) if side is Side.HEAD else {}
        served = self.outlined.served.head if side is Side.HEAD else self.outlined.served.base
        return SideRecords({**unread, **self.records[side]}, second, served)

    @cached_property
    def coverage(self) -> Coverage:
        """What became of every file in scope, by path."""
        files = [
            *self.known.selection.known_coverage,
            *(file_coverage(path, record) for path, record in self.records[Side.HEAD].items()),
        ]
        complete, reason = self.listing_completeness
        return Coverage(files=tuple(sorted(files, key=lambda file: file.path)), complete=complete, limit_reason=reason)


def _texts(
    entries: Mapping[str, TreeEntry],
    patterns: tuple[str, ...],
    read: ReadBlobs,
) -> dict[str, str]:
    fitting = {path: entry for path, entry in entries.items() if matches_any(path, patterns)}
    contents = dict(read((entry.blob for entry in fitting.values()), limit=min(MAX_DOCUMENT_BYTES, MAX_TEXT_BYTES)))
    return {
        path: content.decode("utf-8", errors="backslashreplace").replace("\r\n", "\n")
        for path, entry in fitting.items()
        if isinstance(content := contents[entry.blob], bytes) and b"\0" not in content[:8000]
    }
