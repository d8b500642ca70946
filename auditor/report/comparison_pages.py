"""A comparison of records as a Markdown text, and as one HTML page that needs nothing else."""

from __future__ import annotations

from auditor.domain.comparison import RecordSetComparison
from auditor.report import comparison_content
from auditor.report.comparison_sentences import set_headline
from auditor.report.escaped_templates import markdown_templates
from auditor.report.html_templates import render_page

MAX_PLACES = 40


def markdown(comparison: RecordSetComparison) -> str:
    """The comparison in GitHub Markdown. Every text of a record is escaped by the template engine."""
    text: str = markdown_templates().get_template("comparison.md.j2").render(_values(comparison))
    return text


def html(comparison: RecordSetComparison) -> str:
    """The comparison as a page. Every text of a record is escaped by the template engine."""
    return render_page("comparison.html.j2", **_values(comparison))


def _values(comparison: RecordSetComparison) -> dict[str, object]:
    """What both templates print."""
    contents = tuple(comparison_content.comparison_content(each, MAX_PLACES) for each in comparison.pairs)
    single = comparison_content.is_single_pair(comparison)
    return {
        "single": single,
        "headline": contents[0].headline if single else set_headline(comparison),
        "notes": (*comparison_content.left_out_sentences(comparison), *comparison_content.set_notes(comparison)),
        "comparison": comparison,
        "rows": comparison_content.pair_rows(comparison),
        "contents": contents,
    }
