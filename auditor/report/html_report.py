"""The report as one HTML page that needs nothing else: no script, no font, no picture, no request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from auditor.domain import AuditReport, FileStatus, RulingStatus
from auditor.report import (
    bench_description,
    objection_summary,
    page_plots,
    report_model,
    sensitive_summary,
    topology,
    verdict_sentences,
)
from auditor.report import previous_scores as past
from auditor.report.certainty import meaning_of
from auditor.report.fix_priorities import Priority, priorities
from auditor.report.github_links import Links
from auditor.report.html_templates import render_page
from auditor.report.html_views import MAX_FINDINGS, ViewBuilder, unread_files, waivers
from auditor.report.place_words import whole_subject
from auditor.report.previous_scores import VerdictHistory


def html(
    report: AuditReport,
    links: Links | None = None,
    previous: VerdictHistory | None = None,
    notices: Iterable[str] = (),
    *,
    in_site: bool = False,
) -> str:
    """The page: no script, no font, no picture, no request. Every text is escaped by the template engine.

    `in_site` says whether it is one of the site of a store, and so has a link to the overview.
    """
    reader = ViewBuilder(report, links or Links(), past.changes_since(report, previous))
    found = priorities(report)
    rows = report_model.rows(report)
    applicable = report_model.applicable_rows(rows)
    standing = objection_summary.standing(report)
    return render_page(
        "report.html.j2",
        report=report,
        in_site=in_site,
        verdict=verdict_sentences.verdict(report),
        word=verdict_sentences.CONCLUSION_WORDS[report.verdict.conclusion],
        also=verdict_sentences.other_reasons(report),
        subject=report_model.subject(report),
        whole=whole_subject(report),
        since=reader.since,
        facts=_facts(report, found),
        overall=page_plots.overall_without_threshold(report),
        demands=page_plots.demands(report),
        ticks=tuple((each, page_plots.percent(each)) for each in page_plots.TICKS),
        chapters=[reader.criterion_view(row) for row in rows],
        scored={row.criterion.id for row in applicable},
        idle=report_model.inapplicable_sentence(rows),
        lead=verdict_sentences.lead(report, found),
        objections=[reader.objection(each) for each in standing],
        contested=[reader.objection(each) for each in objection_summary.contested(report)],
        objections_rest=objection_summary.rest_sentence(report, len(standing)),
        **_findings(reader, found, defects=bool(standing)),
        sensitive_title=sensitive_summary.TITLE,
        sensitive_note=sensitive_summary.NOTE,
        sensitive=[reader.sensitive(each) for each in report.sensitive_lines.areas],
        sensitive_rest=sensitive_summary.rest_sentence(report.sensitive_lines, len(report.sensitive_lines.areas)),
        heat=page_plots.heat_map(found[:MAX_FINDINGS]),
        built=topology.built_graphs(report),
        claimed=topology.claimed_graphs(report),
        dark=unread_files(report),
        waivers=waivers(report),
        notices=tuple(notices),
        judged_by=bench_description.judged_by(report),
        coverage=report_model.coverage(report),
        links=links or Links(),
        titles=reader.titles,
        price=bench_description.price,
    )


def _findings(reader: ViewBuilder, found: Sequence[Priority], *, defects: bool) -> dict[str, object]:
    """The findings, the weak ones apart, and the sentences around them."""
    shown = reader.findings(found)
    firm = [each for each in shown if not each.priority.weak]
    weak = [each for each in shown if each.priority.weak]
    return {
        "findings": firm,
        "weak": weak,
        "findings_left": len(found) - len(shown),
        "nothing": verdict_sentences.no_fixes(weak=0, defects=defects),
        "weak_sentence": verdict_sentences.weak_sentence(len(weak)),
        "meaning_of": meaning_of,
    }


def _facts(report: AuditReport, found: Sequence[Priority]) -> tuple[tuple[str, str], ...]:
    """The figures under the verdict, each with its name."""
    overall, rulings, files = report.verdict.overall, report.verdict.rulings, report.coverage.files
    judged = sum(each.status is RulingStatus.JUDGED for each in rulings)
    analysed = sum(each.status is FileStatus.ANALYSED for each in files)
    return (
        ("Overall", f"{overall:.1f} of 5" if overall is not None else report_model.NO_SCORE),
        ("Findings", f"{len(found):,}"),
        ("Criteria judged", f"{judged} of {len(rulings)}"),
        ("Files analysed", f"{analysed:,} of {len(files):,}"),
    )
