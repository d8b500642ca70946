"""The report as one HTML page that needs nothing else: no script, no font, no picture, no request."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from auditor import packaged_files
from auditor.domain import (
    AuditReport,
    CodeLocation,
    Evidence,
    FileCoverage,
    FileStatus,
    Location,
    Opinion,
    Side,
    State,
    Waiver,
    standings,
)
from auditor.report import bench_description, report_model, verdict_sentences
from auditor.report import previous_scores as past
from auditor.report.escaping import CODE, clip, visible
from auditor.report.fix_priorities import Priority, priorities, spoken
from auditor.report.github_links import Links
from auditor.report.page_content import ANSWERS
from auditor.report.previous_scores import Memory

_PLACES = 40
_FIXES = 200
_WORDS = 10_000
_STATES = {State.MET: "met", State.UNMET: "unmet", State.UNKNOWN: "unknown", State.NOT_APPLICABLE: "inapplicable"}


@dataclass(frozen=True)
class Spot:
    """A place: its name, what stands there, and the link to it if there is one."""

    name: str
    quote: str
    url: str | None
    before: bool


@dataclass(frozen=True)
class Piece:
    """One piece of evidence with its places and how its expectation stands."""

    evidence: Evidence
    ids: tuple[str, ...]
    """Its id, with those of others that do not apply for the same reason."""
    answer: str
    state: str
    spots: tuple[Spot, ...]
    more: int


@dataclass(frozen=True)
class Voice:
    """One judge on one criterion."""

    title: str
    opinion: Opinion | None
    silence: str
    aside: str
    weight: str
    share: float


@dataclass(frozen=True)
class Chapter:
    """One criterion."""

    row: report_model.Row
    voices: tuple[Voice, ...]
    pieces: tuple[Piece, ...]
    asked: str
    demand: str
    change: past.Change | None


@dataclass(frozen=True)
class Fix:
    """One thing to fix."""

    priority: Priority
    spot: Spot | None


def html(
    report: AuditReport, links: Links | None = None, previous: Memory | None = None, notices: Iterable[str] = ()
) -> str:
    """The page. Every text is escaped by the template engine; the style is allowed by its hash, and nothing else is."""
    style = _style()
    reader = _Reader(report, links or Links(), past.since(report, previous))
    found = priorities(report)
    rows = report_model.rows(report)
    text: str = (
        _environment()
        .get_template("report.html.j2")
        .render(
            style=_trusted(style),
            style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
            report=report,
            verdict=verdict_sentences.verdict(report),
            word=verdict_sentences.WORDS[report.verdict.conclusion],
            also=verdict_sentences.also(report),
            subject=report_model.subject(report),
            since=reader.since,
            personas=report.rubric.definition.personas,
            chapters=[reader.chapter(row) for row in rows],
            scored={row.criterion.id for row in report_model.scored(rows)},
            idle=report_model.idle(rows),
            lead=verdict_sentences.lead(report, found),
            fixes=[reader.fix(each) for each in found[:_FIXES]],
            fixes_left=len(found) - _FIXES,
            dark=_dark(report),
            waivers=_waivers(report),
            notices=tuple(notices),
            judged_by=bench_description.judged_by(report),
            coverage=report_model.coverage(report),
            links=links or Links(),
            titles=reader.titles,
            price=bench_description.price,
        )
    )
    return text


class _Reader:
    """Looks things up in the record for the template."""

    def __init__(self, report: AuditReport, links: Links, since: past.Since | None) -> None:
        self.report = report
        self.links = links
        self.since = since
        self.titles = {each.id: each.title for each in report.rubric.definition.personas}

    def spot(self, place: Location) -> Spot:
        before = isinstance(place, CodeLocation) and place.side is Side.BASE
        return Spot(spoken(place), place.quote, self.links.place(place), before)

    def fix(self, priority: Priority) -> Fix:
        return Fix(priority, self.spot(priority.first) if priority.first is not None else None)

    def chapter(self, row: report_model.Row) -> Chapter:
        criterion = row.criterion.id
        demand = next(
            (each for each in self.report.verdict.gate.reasons if each.demand == f"criteria.{criterion}"), None
        )
        asked = demand.threshold if demand is not None else None
        changed = {each.criterion: each for each in self.since.changes} if self.since else {}
        return Chapter(
            row=row,
            voices=tuple(self._voices(row)),
            pieces=tuple(self._pieces(row)),
            asked=f"{asked:.1f}" if isinstance(asked, float) else "",
            demand=demand.conclusion.value if demand is not None else "",
            change=changed.get(criterion),
        )

    def _voices(self, row: report_model.Row) -> Iterable[Voice]:
        asides = {each.judge: each.reason for each in row.ruling.set_aside}
        kept = {each.judge: each.weight for each in row.ruling.kept}
        for opinion in self.report.opinions:
            if opinion.criterion == row.criterion.id:
                weight = kept.get(opinion.judge)
                yield Voice(
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
                yield Voice(title, None, f"No opinion ({cause}): {abstention.reason}", "", "", 0.0)

    def _pieces(self, row: report_model.Row) -> Iterable[Piece]:
        probes = list(dict.fromkeys(each.probe for each in row.criterion.evidence))
        relevant = [each for probe in probes for each in self.report.evidence if each.probe == probe]
        states: dict[str, str] = {}
        for standing in standings(row.criterion, relevant, self.report.subject.scope):
            for each in standing.evidence:
                states.setdefault(each.id, _STATES[standing.state])
        for alike in report_model.together(relevant):
            each = alike[0]
            yield Piece(
                evidence=each,
                ids=tuple(one.id for one in alike),
                answer=ANSWERS[each.outcome],
                state=states.get(each.id, "aside"),
                spots=tuple(self.spot(place) for place in each.locations[:_PLACES]),
                more=max(0, len(each.locations) - _PLACES),
            )


def _dark(report: AuditReport) -> tuple[FileCoverage, ...]:
    """Files that were not read in full."""
    whole = (FileStatus.ANALYSED, FileStatus.NOT_APPLICABLE)
    return tuple(each for each in report.coverage.files if each.status not in whole)


def _waivers(report: AuditReport) -> tuple[tuple[str, Waiver], ...]:
    titles = {each.id: each.title for each in report.rubric.definition.criteria}
    return tuple((titles.get(each.criterion, each.criterion), each) for each in report.rubric.waivers)


@cache
def _style() -> str:
    return (packaged_files.templates() / "report.css").read_text(encoding="utf-8")


@cache
def _environment() -> Any:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(packaged_files.templates()),
        autoescape=True,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(
        prose=_prose,
        bare=lambda statement: statement.rstrip().removesuffix("."),
        ended=lambda statement: verdict_sentences.with_doubt(statement, ""),
        doubt=verdict_sentences.doubt,
        word=lambda value: str(value).replace("_", " "),
    )
    return environment


def _shown(value: object) -> object:
    """What is printed, without unseen characters and not endless. Escaping follows."""
    from markupsafe import Markup

    if isinstance(value, (Markup, int, float)):
        return value
    return "" if value is None else visible(clip(str(value), _WORDS))


def _prose(text: str) -> object:
    """Sentences in which what stands between backticks is shown as code."""
    from markupsafe import Markup, escape

    pieces = CODE.split(str(_shown(text)))
    return Markup("").join(
        Markup("<code>{}</code>").format(each) if index % 2 else escape(each) for index, each in enumerate(pieces)
    )


def _trusted(text: str) -> object:
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - the style sheet that ships with the tool
