"""What the check run shows: title, summary, text and notes on lines, each within GitHub's limits."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.domain import AuditReport, CheckOutput
from auditor.report import annotations as notes
from auditor.report import answers_kept_on_check_run, verdict_sentences
from auditor.report import previous_scores as past
from auditor.report.escaped_templates import SafeText, markdown_templates
from auditor.report.escaping import clip, for_check, for_plain
from auditor.report.github_links import Links
from auditor.report.page_content import page
from auditor.report.previous_scores import VerdictHistory
from auditor.report.size_limits import DETAIL_STEPS, Detail, fit_to_size

MAX_BYTES = 65_000
"""Bytes of UTF-8, for summary and text each. GitHub refuses more than 65,535 characters, and more than 65,535 bytes."""
MAX_TITLE_LENGTH = 200


def check_output(
    report: AuditReport,
    links: Links,
    previous: VerdictHistory | None = None,
    notices: Iterable[str] = (),
    *,
    max_annotations: int = notes.MAX_ANNOTATIONS,
    answers: str = "",
) -> CheckOutput:
    """The output of the check run.

    Its text begins with the line that the next audit reads the scores from, and ends with the sealed answers to keep.
    """
    said = tuple(notices)
    marked = notes.annotate(report, max_annotations)
    memory = past.make_history(report, previous)
    own = {
        "left_out": _left_out_note(marked, links),
        "memory": SafeText(past.to_line(memory)) if memory is not None else None,
    }

    kept = answers_kept_on_check_run.to_line(answers)

    def text(template: str, most: int = MAX_BYTES) -> str:
        def render(detail: Detail, shortened: bool) -> str:
            shown = page(report, links, detail, memory=previous, notices=said, shortened=shortened)
            drawn: str = markdown_templates().get_template(template).render(page=shown, **own)
            return for_check(drawn)

        return fit_to_size(render, DETAIL_STEPS, most)

    return CheckOutput(
        title=clip(for_check(for_plain(verdict_sentences.verdict(report))), MAX_TITLE_LENGTH),
        summary=text("check_summary.md.j2"),
        text="\n\n".join(filter(None, (text("check_text.md.j2", MAX_BYTES - len(kept) - 2).rstrip("\n"), kept))) + "\n",
        annotations=marked.shown,
    )


def _left_out_note(marked: notes.Annotations, links: Links) -> SafeText | None:
    if not marked.left:
        return None
    where = f"[the whole report]({links.report or links.run})" if links.report or links.run else "the whole report"
    places = "place is" if marked.left == 1 else "places are"
    return SafeText(f"{len(marked.shown)} notes are on the lines; {marked.left:,} more {places} in {where}.")
