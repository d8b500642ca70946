"""The comment on a pull request: the verdict, what changed, what to fix first; the rest folded."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.domain import AuditReport, comment_marker
from auditor.report.escaped_templates import SafeText, markdown_templates
from auditor.report.github_links import Links
from auditor.report.page_content import page
from auditor.report.previous_scores import VerdictHistory
from auditor.report.size_limits import DETAIL_STEPS, Detail, fit_to_size

MAX_BYTES = 65_000
"""Bytes. GitHub takes 65,536 characters; what is below in bytes is below in characters, and leaves room to spare."""


def comment(
    report: AuditReport, links: Links, previous: VerdictHistory | None = None, notices: Iterable[str] = ()
) -> str:
    """The comment's body. The same report, links and memory always give the same bytes."""
    said = tuple(notices)

    def render(detail: Detail, shortened: bool) -> str:
        shown = page(report, links, detail, memory=previous, notices=said, shortened=shortened)
        text: str = (
            markdown_templates()
            .get_template("comment.md.j2")
            .render(page=shown, marker=SafeText(comment_marker(report.rubric.definition.id)))
        )
        return text

    return fit_to_size(render, DETAIL_STEPS[1:], MAX_BYTES)
