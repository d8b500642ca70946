"""The report as one HTML page that needs nothing else: no script, no font, no picture, no request."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from auditor.domain import (
    AuditReport,
    CodeLocation,
    Evidence,
    FileCoverage,
    LineMark,
    Location,
    Objection,
    Opinion,
    Side,
    State,
    Waiver,
    assess_expectations,
)
from auditor.report import bench_description, objection_summary, report_model, verdict_sentences
from auditor.report import previous_scores as past
from auditor.report.certainty import certainty_legend
from auditor.report.fix_priorities import Priority, describe_place, priorities
from auditor.report.github_links import Links
from auditor.report.html_templates import render_page
from auditor.report.page_content import ANSWER_BY_OUTCOME
from auditor.report.previous_scores import VerdictHistory

_MAX_PLACES = 40
_MAX_FIXES = 200
_STATE_CLASSES = {
    State.MET: "met",
    State.UNMET: "unmet",
    State.UNKNOWN: "unknown",
    State.NOT_APPLICABLE: "inapplicable",
}


@dataclass(frozen=True)
class PlaceView:
    """A place: its name, the text there, and the link to it if there is one."""

    name: str
    quote: str
    url: str | None
    before: bool


@dataclass(frozen=True)
class EvidenceView:
    """One piece of evidence with its places and the state of its expectation."""

    evidence: Evidence
    ids: tuple[str, ...]
    """Its id, with those of others that do not apply for the same reason."""
    answer: str
    state: str
    spots: tuple[PlaceView, ...]
    more: int


@dataclass(frozen=True)
class JudgeView:
    """One judge on one criterion."""

    title: str
    opinion: Opinion | None
    silence: str
    aside: str
    weight: str
    share: float


@dataclass(frozen=True)
class CriterionView:
    """One criterion."""

    row: report_model.Row
    voices: tuple[JudgeView, ...]
    pieces: tuple[EvidenceView, ...]
    asked: str
    demand: str
    change: past.ScoreChange | None


@dataclass(frozen=True)
class LineView:
    """One line of a hunk, and how it is coloured."""

    kind: str
    text: str


@dataclass(frozen=True)
class VoteView:
    """One vote on an objection."""

    title: str
    word: str
    quote: str
    reason: str


@dataclass(frozen=True)
class ObjectionView:
    """One objection with the lines around it and the votes."""

    objection: Objection
    spot: PlaceView
    lines: tuple[LineView, ...]
    votes: tuple[VoteView, ...]


@dataclass(frozen=True)
class FixView:
    """One thing to fix."""

    priority: Priority
    spot: PlaceView | None


def html(
    report: AuditReport, links: Links | None = None, previous: VerdictHistory | None = None, notices: Iterable[str] = ()
) -> str:
    """The page: no script, no font, no picture, no request. Every text is escaped by the template engine."""
    reader = _ViewBuilder(report, links or Links(), past.changes_since(report, previous))
    found = priorities(report)
    rows = report_model.rows(report)
    return render_page(
        "report.html.j2",
        report=report,
        verdict=verdict_sentences.verdict(report),
        word=verdict_sentences.CONCLUSION_WORDS[report.verdict.conclusion],
        also=verdict_sentences.other_reasons(report),
        subject=report_model.subject(report),
        since=reader.since,
        personas=report.rubric.definition.personas,
        chapters=[reader.criterion_view(row) for row in rows],
        scored={row.criterion.id for row in report_model.applicable_rows(rows)},
        idle=report_model.inapplicable_sentence(rows),
        lead=verdict_sentences.lead(report, found),
        objections=[reader.objection(each) for each in objection_summary.standing(report)],
        contested=[reader.objection(each) for each in objection_summary.contested(report)],
        objections_rest=objection_summary.rest_sentence(report, len(objection_summary.standing(report))),
        fixes=[reader.fix(each) for each in found[:_MAX_FIXES]],
        fixes_left=len(found) - _MAX_FIXES,
        certainty=certainty_legend(each.certainty for each in found[:_MAX_FIXES]),
        dark=_unread_files(report),
        waivers=_waivers(report),
        notices=tuple(notices),
        judged_by=bench_description.judged_by(report),
        coverage=report_model.coverage(report),
        links=links or Links(),
        titles=reader.titles,
        price=bench_description.price,
    )


_HUNK_CONTEXT = 3
_MAX_HUNK_LINES = 30
_LINE_KINDS = {LineMark.ADDED: "added", LineMark.REMOVED: "removed", LineMark.KEPT: "kept"}


class _ViewBuilder:
    """Builds what the template shows from the record."""

    def __init__(self, report: AuditReport, links: Links, since: past.VerdictChanges | None) -> None:
        self.report = report
        self.links = links
        self.since = since
        self.titles = {each.id: each.title for each in report.rubric.definition.personas}

    def spot(self, place: Location) -> PlaceView:
        before = isinstance(place, CodeLocation) and place.side is Side.BASE
        return PlaceView(describe_place(place), place.quote, self.links.place(place), before)

    def fix(self, priority: Priority) -> FixView:
        return FixView(priority, self.spot(priority.first) if priority.first is not None else None)

    def objection(self, objection: Objection) -> ObjectionView:
        return ObjectionView(
            objection,
            self.spot(objection_summary.place(objection)),
            tuple(self._lines_around(objection)),
            tuple(
                VoteView(
                    self.titles.get(each.judge, each.judge),
                    f"{each.kind.value.replace('_', ' ')}{', not counted: ' + each.fault if each.fault else ''}",
                    each.quote.quote if each.quote is not None else "",
                    each.reason,
                )
                for each in objection.votes
            ),
        )

    def _lines_around(self, objection: Objection) -> Iterable[LineView]:
        """The lines of the hunk near those objected to, with what the change does to each."""
        hunk = next((each for each in self.report.exhibits if each.id == objection.caused_by.exhibit), None)
        if hunk is None:
            return
        at = [
            number
            for number, line in enumerate(hunk.lines)
            if line.mark is not LineMark.KEPT or (objection.start <= line.number <= objection.end)
        ]
        for line in hunk.lines[max(0, min(at, default=0) - _HUNK_CONTEXT) :][:_MAX_HUNK_LINES]:
            yield LineView(_LINE_KINDS[line.mark], f"{line.mark.value}{line.number:>5}  {line.text}")

    def criterion_view(self, row: report_model.Row) -> CriterionView:
        criterion = row.criterion.id
        demand = next(
            (each for each in self.report.verdict.gate.reasons if each.demand == f"criteria.{criterion}"), None
        )
        asked = demand.threshold if demand is not None else None
        changed = {each.criterion: each for each in self.since.changes} if self.since else {}
        return CriterionView(
            row=row,
            voices=tuple(self._judge_views(row)),
            pieces=tuple(self._evidence_views(row)),
            asked=f"{asked:.1f}" if isinstance(asked, float) else "",
            demand=demand.conclusion.value if demand is not None else "",
            change=changed.get(criterion),
        )

    def _judge_views(self, row: report_model.Row) -> Iterable[JudgeView]:
        asides = {each.judge: each.reason for each in row.ruling.set_aside}
        kept = {each.judge: each.weight for each in row.ruling.kept}
        for opinion in self.report.opinions:
            if opinion.criterion == row.criterion.id:
                weight = kept.get(opinion.judge)
                yield JudgeView(
                    title=self.titles.get(opinion.judge, opinion.judge),
                    opinion=opinion,
                    silence="",
                    aside=asides.get(opinion.judge, ""),
                    weight=f"counts {weight:.0%}" if weight else "",
                    share=weight or 0.0,
                )
        for abstention in self.report.abstentions:
            if abstention.criterion == row.criterion.id:
                cause = abstention.cause.value.replace("_", " ")
                title = self.titles.get(abstention.judge, abstention.judge)
                yield JudgeView(title, None, f"No opinion ({cause}): {abstention.reason}", "", "", 0.0)

    def _evidence_views(self, row: report_model.Row) -> Iterable[EvidenceView]:
        probes = list(dict.fromkeys(each.probe for each in row.criterion.evidence))
        relevant = [each for probe in probes for each in self.report.evidence if each.probe == probe]
        states: dict[str, str] = {}
        for standing in assess_expectations(row.criterion, relevant, self.report.subject.scope):
            for each in standing.evidence:
                states.setdefault(each.id, _STATE_CLASSES[standing.state])
        for alike in report_model.group_inapplicable(relevant):
            each = alike[0]
            yield EvidenceView(
                evidence=each,
                ids=tuple(one.id for one in alike),
                answer=ANSWER_BY_OUTCOME[each.outcome],
                state=states.get(each.id, "aside"),
                spots=tuple(self.spot(place) for place in each.locations[:_MAX_PLACES]),
                more=max(0, len(each.locations) - _MAX_PLACES),
            )


def _unread_files(report: AuditReport) -> tuple[FileCoverage, ...]:
    """Files that were not read in full."""
    return tuple(each for each in report.coverage.files if each.is_incomplete)


def _waivers(report: AuditReport) -> tuple[tuple[str, Waiver], ...]:
    titles = {each.id: each.title for each in report.rubric.definition.criteria}
    return tuple((titles.get(each.criterion, each.criterion), each) for each in report.rubric.waivers)
