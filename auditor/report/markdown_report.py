"""The report as Markdown that reads well on GitHub."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from auditor.domain import (
    AuditReport,
    CodeLocation,
    Criterion,
    Evidence,
    FileStatus,
    Location,
    Opinion,
    Outcome,
    Side,
)
from auditor.domain.english_lists import first_few
from auditor.report import bench_description, report_model, verdict_sentences
from auditor.report.escaped_templates import LONGEST, Own, markdown_templates
from auditor.report.escaping import clip, for_code_span, for_markdown
from auditor.report.fix_priorities import priorities, spoken

FIRST = 10
PLACES = 12
FILES = 50
_OUTCOMES = {
    Outcome.FOUND: "seen",
    Outcome.NOT_FOUND: "not seen",
    Outcome.NOT_APPLICABLE: "does not apply",
    Outcome.UNAVAILABLE: "could not be told",
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
    dark = [
        file
        for file in report.coverage.files
        if file.status in (FileStatus.UNAVAILABLE, FileStatus.PARTIAL, FileStatus.EXCLUDED)
    ]
    rendered: str = (
        _environment()
        .get_template("report.md.j2")
        .render(
            report=report,
            headline=verdict_sentences.verdict(report),
            reasons=verdict_sentences.also(report),
            subject=_subject(report),
            rows=rows,
            scored=report_model.scored(rows),
            idle=report_model.idle(rows),
            lead=Own(verdict_sentences.lead(report, found)),
            personas=report.rubric.definition.personas,
            first=found[:FIRST],
            rest=len(found) - FIRST,
            evidence={
                each.id: report_model.together(_relevant(each, by_probe)) for each in report.rubric.definition.criteria
            },
            opinions=opinions,
            coverage=report_model.coverage(report),
            dark=dark[:FILES],
            dark_rest=len(dark) - FILES,
            bench=bench_description.judged_by(report),
            titles={persona.id: persona.title for persona in report.rubric.definition.personas},
        )
    )
    return rendered


def _relevant(criterion: Criterion, by_probe: Mapping[str, list[Evidence]]) -> Iterator[Evidence]:
    """The evidence that a criterion looks at, in the order in which it names the probes."""
    for expectation in criterion.evidence:
        yield from by_probe.get(expectation.probe, ())


def _subject(report: AuditReport) -> Own:
    about = report.subject
    name = for_markdown(f"{about.repository}{f'/{about.folder}' if about.folder else ''}")
    if about.merge_base is None:
        return Own(f"{name}, the whole tree at {for_code_span(about.head[:10])}")
    return Own(f"{name}, {for_code_span(f'{about.merge_base[:10]}..{about.head[:10]}')}")


@cache
def _environment() -> Any:
    environment = markdown_templates().overlay()
    environment.filters = {
        **environment.filters,
        "place": _place,
        "places": _places,
        "outcome": _outcome,
        "codes": _codes,
        "told": verdict_sentences.told,
        "ended": _ended,
    }
    return environment


def _place(location: Location | None, *, in_table: bool = False) -> Own:
    """A place as code: `path:line`, and whether it stands on the base side."""
    if location is None:
        return Own("")
    base = " (before)" if isinstance(location, CodeLocation) and location.side is Side.BASE else ""
    return Own(for_code_span(clip(spoken(location), LONGEST), in_table=in_table) + base)


def _places(evidence: Evidence) -> Own:
    return Own(first_few([_place(each, in_table=True) for each in evidence.locations], PLACES))


def _codes(evidence: Iterable[Evidence]) -> Own:
    return Own(", ".join(for_code_span(clip(each.id, LONGEST), in_table=True) for each in evidence))


def _ended(statement: str) -> str:
    return verdict_sentences.with_doubt(statement, "")


def _outcome(outcome: Outcome) -> Own:
    return Own(_OUTCOMES[outcome])
