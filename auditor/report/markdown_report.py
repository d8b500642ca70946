"""The report as Markdown that reads well on GitHub."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from auditor.domain import (
    AuditReport,
    Criterion,
    Evidence,
    Location,
    Opinion,
    Outcome,
    SensitiveArea,
)
from auditor.domain.english_lists import first_few
from auditor.report import bench_description, objection_summary, report_model, sensitive_summary, verdict_sentences
from auditor.report.escaped_templates import MAX_TEXT, SafeText, markdown_templates
from auditor.report.escaping import clip, for_code_span, for_markdown
from auditor.report.fix_priorities import Priority, priorities
from auditor.report.place_words import describe_place, further_places, side_note, whole_subject

MAX_FIRST = 10
MAX_PLACES = 12
MAX_FILES = 50
_MAX_QUOTE = 160
_OUTCOMES = {
    Outcome.FOUND: "seen",
    Outcome.NOT_FOUND: "not seen",
    Outcome.NOT_APPLICABLE: "does not apply",
    Outcome.UNAVAILABLE: "unknown",
}


def markdown(report: AuditReport) -> str:
    """The whole report. Every text of foreign origin is escaped by the template engine itself."""
    found = priorities(report)
    rows = report_model.rows(report)
    by_probe: dict[str, list[Evidence]] = defaultdict(list)
    for each in report.evidence:
        by_probe[each.probe].append(each)
    opinions: dict[str, list[Opinion]] = defaultdict(list)
    for opinion in report.opinions:
        opinions[opinion.criterion].append(opinion)
    dark = [file for file in report.coverage.files if file.is_incomplete]
    rendered: str = (
        _environment()
        .get_template("report.md.j2")
        .render(
            report=report,
            headline=verdict_sentences.verdict(report),
            reasons=verdict_sentences.other_reasons(report),
            subject=_subject(report),
            whole=SafeText(whole_subject(report)),
            rows=rows,
            scored=report_model.applicable_rows(rows),
            idle=report_model.inapplicable_sentence(rows),
            lead=SafeText(verdict_sentences.lead(report, found)),
            personas=report.rubric.definition.personas,
            objections=objection_summary.standing(report),
            objections_rest=objection_summary.rest_sentence(report, len(objection_summary.standing(report))),
            first=found[:MAX_FIRST],
            rest=len(found) - MAX_FIRST,
            nothing=SafeText(verdict_sentences.no_fixes(weak=0, defects=bool(objection_summary.standing(report)))),
            sensitive_title=SafeText(sensitive_summary.TITLE),
            sensitive_note=SafeText(sensitive_summary.NOTE),
            sensitive=report.sensitive_lines.areas,
            sensitive_rest=sensitive_summary.rest_sentence(report.sensitive_lines, len(report.sensitive_lines.areas)),
            evidence={
                each.id: report_model.group_inapplicable(_relevant(each, by_probe))
                for each in report.rubric.definition.criteria
            },
            opinions=opinions,
            coverage=report_model.coverage(report),
            dark=dark[:MAX_FILES],
            dark_rest=len(dark) - MAX_FILES,
            bench=bench_description.judged_by(report),
            waived=verdict_sentences.waiver_sentences(report),
            titles={persona.id: persona.title for persona in report.rubric.definition.personas},
        )
    )
    return rendered


def _relevant(criterion: Criterion, by_probe: Mapping[str, list[Evidence]]) -> Iterator[Evidence]:
    """The evidence that a criterion looks at, in the order in which it names the probes."""
    for expectation in criterion.evidence:
        yield from by_probe.get(expectation.probe, ())


def _subject(report: AuditReport) -> SafeText:
    about = report.subject
    name = for_markdown(f"{about.repository}{f'/{about.folder}' if about.folder else ''}")
    if about.merge_base is None:
        return SafeText(f"{name}, the whole tree at {for_code_span(about.head[:10])}")
    return SafeText(f"{name}, {for_code_span(f'{about.merge_base[:10]}..{about.head[:10]}')}")


@cache
def _environment() -> Any:
    environment = markdown_templates().overlay()
    environment.filters = {
        **environment.filters,
        "all_places": _all_places,
        "line_of_code": lambda quote: SafeText(for_code_span(clip(" ".join(quote.split()), _MAX_QUOTE))),
        "place": _place,
        "places": _places,
        "objection_place": lambda each: _place(objection_summary.place(each)),
        "outcome": _outcome,
        "area_places": _area_places,
        "codes": _id_list,
        "with_doubt": verdict_sentences.evidence_sentence,
        "ended": _with_full_stop,
    }
    return environment


def _place(location: Location, *, in_table: bool = False) -> SafeText:
    """A place as code: `path:line`, and whether it is on the base side."""
    return SafeText(_name(location, in_table=in_table) + side_note(location))


def _name(location: Location, *, in_table: bool = False) -> str:
    return for_code_span(clip(describe_place(location), MAX_TEXT), in_table=in_table)


def _all_places(finding: Priority) -> SafeText:
    """The places of a finding that has any."""
    first = finding.first
    return SafeText(f"{_name(first)}{further_places(finding.evidence.locations, _name)}" if first is not None else "")


def _places(evidence: Evidence) -> SafeText:
    return SafeText(first_few([_place(each, in_table=True) for each in evidence.locations], MAX_PLACES))


def _area_places(area: SensitiveArea) -> SafeText:
    return SafeText(sensitive_summary.list_places(area, MAX_PLACES, _place))


def _id_list(evidence: Iterable[Evidence]) -> SafeText:
    return SafeText(", ".join(for_code_span(clip(each.id, MAX_TEXT), in_table=True) for each in evidence))


def _with_full_stop(statement: str) -> str:
    return verdict_sentences.with_note(statement, "")


def _outcome(outcome: Outcome) -> SafeText:
    return SafeText(_OUTCOMES[outcome])
