"""The job summary: the whole verdict on one page, as far as GitHub takes it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from auditor.domain import AuditReport
from auditor.report.escaped_templates import markdown_templates
from auditor.report.github_links import Links
from auditor.report.page_content import page
from auditor.report.previous_scores import VerdictHistory
from auditor.report.size_limits import DETAIL_STEPS, Detail, fit_to_size

MAX_BYTES = 1_000_000
"""Bytes. GitHub takes 1 MiB a step, and has lost what was just below that."""
_FULL_DETAIL = replace(
    DETAIL_STEPS[0],
    first=10,
    further=500,
    words=6_000,
    files=500,
    places=50,
    pieces=300,
    areas=20,
    area_places=50,
    requests=True,
)


def summary(
    report: AuditReport, links: Links, previous: VerdictHistory | None = None, notices: Iterable[str] = ()
) -> str:
    """The job summary. The same report, links and memory always give the same bytes."""
    said = tuple(notices)

    def render(detail: Detail, shortened: bool) -> str:
        shown = page(report, links, detail, memory=previous, notices=said, shortened=shortened)
        text: str = markdown_templates().get_template("summary.md.j2").render(page=shown)
        return text

    return fit_to_size(render, (_FULL_DETAIL, *DETAIL_STEPS), MAX_BYTES)
