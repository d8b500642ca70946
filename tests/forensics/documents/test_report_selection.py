"""The documents of an audit together cost a bounded time and memory; those beyond say so."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from auditor.domain import Papers
from auditor.forensics.documents import reader_child_process, report_selection
from auditor.forensics.documents.passages import Document, Passage, PassageKind
from auditor.forensics.documents.reader_child_process import TimedDocument
from auditor.forensics.documents.report_selection import ReportFile
from auditor.forensics.record_cache.disk_cache import RecordCache
from auditor.repo.git_objects import BlobReader
from tests.papers import pdf


def gathered(monkeypatch: pytest.MonkeyPatch, seconds: float, text: str = "words") -> Mapping[str, str]:
    """Problems by name of six documents, each of which says that reading it took so many seconds."""

    def taking(name: str, _content: bytes, *, is_supplied: bool = False, seconds: float = seconds) -> TimedDocument:
        return TimedDocument(
            Document(name, (Passage(PassageKind.PARAGRAPH, text, line=1),), given=is_supplied), min(seconds, cost)
        )

    cost = seconds
    monkeypatch.setattr(report_selection, "read_timed", taking)
    monkeypatch.setattr(report_selection, "_READER_THREADS", 1)
    files = [ReportFile(f"r{number}.md", b"words %d" % number) for number in range(6)]
    found = report_selection.gather(files, Papers(), {}, _NoBlobs(), RecordCache(None))
    return {each.name: each.problem for each in found.documents}


class _NoBlobs(BlobReader):
    """A repository without documents of its own."""

    def __init__(self) -> None:
        """Nothing stands behind it."""

    def read(self, *_: object, **__: object) -> dict[str, bytes]:  # type: ignore[override]
        return {}


def test_documents_that_together_take_too_long_are_left_out_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    problems = gathered(monkeypatch, report_selection.TOTAL_SECONDS / 4 - 0.1)
    assert [bool(each) for each in problems.values()] == [False] * 4 + [True] * 2
    assert "the time for all documents" in problems["r5.md"]


def test_documents_that_together_hold_too_much_text_are_dropped_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(report_selection, "MAX_TOTAL_LENGTH", 3_000)
    problems = gathered(monkeypatch, 0.1, "w" * 1_300)
    assert [bool(each) for each in problems.values()] == [False, False, True, True, True, True]
    assert "3,000 characters" in problems["r5.md"]


def test_many_small_documents_are_all_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any(gathered(monkeypatch, 1.0, "w" * 100_000).values())


def test_a_document_comes_back_with_what_reading_it_took() -> None:
    taken = reader_child_process.read_timed("r.pdf", pdf("words of a page"))
    assert taken.document.passages
    assert 0 < taken.seconds < reader_child_process.DOCUMENT_SECONDS


def test_a_document_of_more_text_than_comes_back_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_child_process, "MAX_ANSWER_BYTES", 1_000)
    assert reader_child_process.read("r.md", b"short").passages
    assert "more text than is read" in reader_child_process.read("r.md", b"words and words " * 100).problem
