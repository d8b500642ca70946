"""What the HTML page of one record shows: criteria, findings, objections, with their places and code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from auditor.domain import (
    AuditReport,
    Evidence,
    FileCoverage,
    Location,
    Objection,
    Opinion,
    SensitiveArea,
    State,
    Waiver,
    assess_expectations,
)
from auditor.report import objection_summary, report_model
from auditor.report import previous_scores as past
from auditor.report.code_lines import CodeFinder, CodeLine
from auditor.report.escaping import clip
from auditor.report.fix_priorities import Priority
from auditor.report.github_links import Links
from auditor.report.page_content import ANSWER_BY_OUTCOME
from auditor.report.page_plots import Dumbbell, dumbbell
from auditor.report.place_words import describe_place, further_places, side_note

_MAX_PLACES = 40
MAX_FINDINGS = 200
"""Findings that are listed one by one."""
_MAX_VOICE = 600
"""Characters of a judge's argument beside a finding; the criterion has all of it."""
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
    note: str
    """The side of the change, where it is the base."""


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
    plot: Dumbbell
    change: past.ScoreChange | None


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
    raised_by: str
    lines: tuple[CodeLine, ...]
    votes: tuple[VoteView, ...]


@dataclass(frozen=True)
class CitingVoice:
    """A judge whose argument cites a finding."""

    title: str
    score: int
    argument: str
    quote: str


@dataclass(frozen=True)
class FindingView:
    """One thing to fix, with its places, the code at the first, and the judges that cite it."""

    number: int
    priority: Priority
    spot: PlaceView | None
    also: str
    """What follows the place: others like it, and the side of the change."""
    lines: tuple[CodeLine, ...]
    others: tuple[PlaceView, ...]
    more: int
    """Further places that there is no room for."""
    voices: tuple[CitingVoice, ...]


@dataclass(frozen=True)
class SensitiveView:
    """One sensitive thing that the change does, with its places."""

    does: str
    spots: tuple[PlaceView, ...]
    more: int


class ViewBuilder:
    """Builds what the template shows from the record."""

    def __init__(self, report: AuditReport, links: Links, since: past.VerdictChanges | None) -> None:
        self.report = report
        self.links = links
        self.since = since
        self.titles = {each.id: each.title for each in report.rubric.definition.personas}
        self.code = CodeFinder(report)
        self.opinions: dict[str, list[Opinion]] = defaultdict(list)
        for each in report.opinions:
            self.opinions[each.criterion].append(each)

    def spot(self, place: Location) -> PlaceView:
        """A place with the link to it."""
        return PlaceView(describe_place(place), place.quote, self.links.place(place), side_note(place))

    def findings(self, found: Sequence[Priority]) -> tuple[FindingView, ...]:
        """The first findings, numbered from 1."""
        return tuple(self._finding(number, each) for number, each in enumerate(found[:MAX_FINDINGS], 1))

    def _finding(self, number: int, priority: Priority) -> FindingView:
        others = priority.evidence.locations[1:]
        tells = bool(priority.quote) or self.code.has_lines(priority.first)
        return FindingView(
            number=number,
            priority=priority,
            spot=self.spot(priority.first) if priority.first is not None else None,
            also=further_places(
                priority.evidence.locations,
                describe_place,
                rest="all listed below" if len(others) <= _MAX_PLACES else "all in report.json",
            ),
            lines=self.code.around(priority.first) if tells else (),
            others=tuple(self.spot(each) for each in others[:_MAX_PLACES]),
            more=max(0, len(others) - _MAX_PLACES),
            voices=tuple(self._citing_voices(priority)),
        )

    def _citing_voices(self, priority: Priority) -> Iterable[CitingVoice]:
        for opinion in self.opinions.get(priority.criterion.id, ()):
            cited = next((each for each in opinion.citations if each.evidence == priority.evidence.id), None)
            if cited is not None:
                title = self.titles.get(opinion.judge, opinion.judge)
                yield CitingVoice(title, opinion.score, clip(opinion.argument, _MAX_VOICE), cited.quote)

    def sensitive(self, area: SensitiveArea) -> SensitiveView:
        """An area of sensitive lines."""
        return SensitiveView(area.does, tuple(self.spot(each) for each in area.places), area.left_out)

    def objection(self, objection: Objection) -> ObjectionView:
        """An objection with its code and votes."""
        return ObjectionView(
            objection,
            self.spot(objection_summary.place(objection)),
            ", ".join(self.titles.get(each, each) for each in objection.raised_by),
            self.code.around(objection_summary.place(objection)),
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

    def criterion_view(self, row: report_model.Row) -> CriterionView:
        """One criterion with its opinions and evidence."""
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
            plot=dumbbell(row, tuple(self.titles.values()), asked if isinstance(asked, float) else None),
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


def unread_files(report: AuditReport) -> tuple[FileCoverage, ...]:
    """Files that were not read in full."""
    return tuple(each for each in report.coverage.files if each.is_incomplete)


def waivers(report: AuditReport) -> tuple[tuple[str, Waiver], ...]:
    """The waivers in force, each with the title of its criterion."""
    titles = {each.id: each.title for each in report.rubric.definition.criteria}
    return tuple((titles.get(each.criterion, each.criterion), each) for each in report.rubric.waivers)
