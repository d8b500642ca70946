"""What every rule about reports says of those that could not be read."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.documents.passages import Passage, PassageKind
from auditor.forensics.documents.report_inputs import Reports
from auditor.forensics.probe_kit.fact_outcomes import unavailable


def unread_report_facts(reports: Reports) -> Iterator[Fact]:
    """The facts for documents that could not be read, and for none at all."""
    if not reports.documents:
        yield unavailable(reports.absence)
    for document in reports.documents:
        if document.problem:
            yield unavailable(
                f"`{document.name}` could not be read: {document.problem}.",
                at=[document.at(Passage(PassageKind.PARAGRAPH, "", line=None))],
            )
