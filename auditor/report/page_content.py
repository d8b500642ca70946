"""What a published page says, put together once and dressed by templates: comment, check run and job summary."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from auditor.domain import (
    Attempt,
    AuditReport,
    CodeLocation,
    Conclusion,
    Evidence,
    FileStatus,
    GateReason,
    Location,
    Outcome,
    Ruling,
    RulingStatus,
    Side,
    State,
    Waiver,
    standings,
)
from auditor.domain.english_lists import first_few
from auditor.report import bench_description, previous_scores, report_model, verdict_sentences
from auditor.report.escaped_templates import Own
from auditor.report.escaping import clip, for_code_span, for_markdown
from auditor.report.fix_priorities import Priority, priorities, spoken
from auditor.report.github_links import Links
from auditor.report.previous_scores import Memory
from auditor.report.size_limits import Detail, Shown

_PATH = 160
_QUOTE = 100
_PERSONAS = 10
_CHANGES = 12
_MARK = {
    Conclusion.FAILED: Own(verdict_sentences.MARKS[Conclusion.FAILED]),
    Conclusion.INCONCLUSIVE: Own(verdict_sentences.MARKS[Conclusion.INCONCLUSIVE]),
    Conclusion.PASSED: Own(""),
    Conclusion.NOTHING_TO_JUDGE: Own(""),
}
ANSWERS = {
    Outcome.FOUND: Own("seen"),
    Outcome.NOT_FOUND: Own("not seen"),
    Outcome.NOT_APPLICABLE: Own("does not apply"),
    Outcome.UNAVAILABLE: Own("could not be told"),
}
_STATES = {State.MET: Own(""), State.UNMET: Own("\u274c"), State.UNKNOWN: Own("?"), State.NOT_APPLICABLE: Own("")}


@dataclass(frozen=True)
class Score:
    """One row of the score table."""

    title: str
    given: tuple[Own, ...]
    final: Own
    asked: Own


@dataclass(frozen=True)
class Fix:
    """One thing to fix."""

    number: int
    indent: Own
    """Blanks that keep a paragraph inside the numbered item."""
    place: Own
    more: Own
    seen: str
    told: str
    """What was seen, with how sure that is."""
    quote: Own
    about: str
    weight: Own
    advice: str


@dataclass(frozen=True)
class Said:
    """What one judge said, or why it said nothing, or why it did not count."""

    who: str
    score: Own
    words: str
    aside: str = ""


@dataclass(frozen=True)
class EvidenceRow:
    """One row of an evidence table."""

    mark: Own
    id: Own
    answer: Own
    told: str
    where: Own


@dataclass(frozen=True)
class Part:
    """One criterion in full."""

    title: str
    final: Own
    question: str
    sentence: str
    caps: tuple[Own, ...]
    dissent: str
    said: tuple[Said, ...]
    evidence: tuple[EvidenceRow, ...]
    left: int
    """Rows of the same kind that there is no room for."""
    hidden: int
    """Pieces that have nothing against the criterion."""


@dataclass(frozen=True)
class Request:
    """One request to a model and what it took."""

    judge: str
    model: str
    outcome: str
    read: Own
    written: Own
    price: Own
    seconds: Own


@dataclass(frozen=True)
class Page:
    """All that a template prints. Texts that are not `Own` are foreign and get escaped."""

    mark: Own
    verdict: str
    subject: Own
    audited: Own
    """The commit that was audited, linked; empty where it has no plain id."""
    reasons: tuple[str, ...]
    also: tuple[str, ...]
    lead: Own
    """The one thing to mend first, in a line for who reads no further."""
    idle: str
    """The criteria that do not apply."""
    legend: Own
    personas: tuple[str, ...]
    scores: tuple[Score, ...]
    scores_left: int
    changes: Own
    first: tuple[Fix, ...]
    further: tuple[Fix, ...]
    left: int
    parts: tuple[Part, ...]
    gate: tuple[tuple[Own, str], ...]
    waivers: tuple[tuple[str, str, str], ...]
    notices: tuple[str, ...]
    dark: tuple[tuple[Own, str], ...]
    dark_left: int
    coverage: str
    judged_by: str
    requests: tuple[Request, ...]
    record: Own
    where: Own
    shortened: bool


def page(
    report: AuditReport,
    links: Links,
    detail: Detail,
    *,
    memory: Memory | None = None,
    notices: Iterable[str] = (),
    shortened: bool = False,
) -> Page:
    """The page of a report at one level of detail."""
    return _Maker(report, links, detail).page(memory, tuple(notices), shortened=shortened)


class _Maker:
    def __init__(self, report: AuditReport, links: Links, detail: Detail) -> None:
        self.report = report
        self.links = links
        self.detail = detail
        self.titles = {each.id: each.title for each in report.rubric.definition.personas}
        self.personas = report.rubric.definition.personas[:_PERSONAS]
        self.by_probe: dict[str, list[Evidence]] = defaultdict(list)
        for each in report.evidence:
            self.by_probe[each.probe].append(each)

    def page(self, memory: Memory | None, notices: tuple[str, ...], *, shortened: bool) -> Page:
        report, detail = self.report, self.detail
        rows = report_model.rows(report)
        scored = report_model.scored(rows)
        found = priorities(report)
        shown = detail.first + detail.further
        fixes = [self._fix(number, each) for number, each in enumerate(found[:shown], start=1)]
        dark = [
            each
            for each in report.coverage.files
            if each.status in (FileStatus.UNAVAILABLE, FileStatus.PARTIAL, FileStatus.EXCLUDED)
        ]
        since = previous_scores.since(report, memory)
        return Page(
            mark=Own(verdict_sentences.MARKS[report.verdict.conclusion]),
            verdict=verdict_sentences.verdict(report),
            subject=self._subject(),
            audited=self._audited(),
            reasons=tuple(self._short(each) for each in report_model.reasons(report)[: detail.rows]),
            also=tuple(self._short(each) for each in verdict_sentences.also(report)[: detail.rows]),
            lead=self._lead(fixes, verdict_sentences.lead(report, found)),
            idle=clip(report_model.idle(rows), detail.words + 200),
            legend=_legend(report_model.scored(rows)),
            personas=tuple(self._title(each.title) for each in self.personas),
            scores=tuple(self._score(row, since) for row in scored[: detail.rows]),
            scores_left=max(0, len(scored) - detail.rows),
            changes=self._changes(since),
            first=tuple(fixes[: detail.first]),
            further=tuple(fixes[detail.first :]),
            left=max(0, len(found) - shown),
            parts=tuple(self._part(row) for row in rows) if detail.criteria else (),
            gate=tuple(
                (Own(each.conclusion.spoken), self._short(f"{each.sentence} {each.close}".strip()))
                for each in report.verdict.gate.reasons[: detail.rows]
            )
            if detail.criteria
            else (),
            waivers=tuple(
                (self._criterion_title(each.criterion), self._short(_waiver(each)), each.until or "")
                for each in report.rubric.waivers[: detail.rows]
            ),
            notices=tuple(self._short(each) for each in notices[: detail.rows]),
            dark=tuple((self._code(each.path), self._short(each.reason)) for each in dark[: detail.files]),
            dark_left=max(0, len(dark) - detail.files) if detail.files else 0,
            coverage=clip(report_model.coverage(report), detail.words + 200),
            judged_by=bench_description.judged_by(report),
            requests=tuple(self._request(each) for each in report.cost.attempts) if detail.requests else (),
            record=self._record(),
            where=self._where(),
            shortened=shortened,
        )

    def _lead(self, fixes: list[Fix], lead: str) -> Own:
        if not fixes or not lead:
            return Own("")
        first = fixes[0]
        place = f"{first.place}{first.more}: " if first.place else ""
        return Own(f"**{lead}** {place}{for_markdown(first.seen)}")

    def _short(self, text: str) -> str:
        return clip(text, self.detail.words)

    def _title(self, text: str) -> str:
        return clip(text, min(80, self.detail.words))

    def _code(self, text: str, *, in_table: bool = False) -> Own:
        return Own(for_code_span(clip(text, min(_PATH, self.detail.words)), in_table=in_table))

    def _criterion_title(self, criterion: str) -> str:
        known = {each.id: each.title for each in self.report.rubric.definition.criteria}
        return self._title(known.get(criterion, criterion))

    def _subject(self) -> Own:
        about = self.report.subject
        number = f"Pull request {about.pull_request}" if about.pull_request is not None else "The tree"
        judged = sum(each.status is RulingStatus.JUDGED for each in self.report.verdict.rulings)
        what = number if about.pull_request is not None or about.merge_base is None else "The change"
        return Own(
            f"{what} at {self._audited()} was judged on {judged} of {len(self.report.verdict.rulings)} criteria."
        )

    def _audited(self) -> Own:
        head = self.report.subject.head
        return Own(_link(Own(f"`{head[:10]}`"), self.links.commit(head)) if head.isalnum() else "")

    def _place(self, location: Location, *, in_table: bool = False) -> Own:
        base = " (before)" if isinstance(location, CodeLocation) and location.side is Side.BASE else ""
        shown = self._code(spoken(location), in_table=in_table)
        return Own(_link(shown, self.links.place(location)) + base)

    def _score(self, row: report_model.Row, since: previous_scores.Since | None) -> Score:
        demand = self._demand(row.criterion.id)
        changed = {each.criterion: each for each in since.changes} if since else {}
        arrow = _arrow(changed[row.criterion.id]) if row.criterion.id in changed else Own("")
        mark = _MARK[demand.conclusion] if demand is not None else Own("")
        asked = demand.threshold if demand is not None and isinstance(demand.threshold, float) else None
        return Score(
            title=self._title(row.criterion.title),
            given=tuple(Own(each) for each in row.scores[:_PERSONAS]),
            final=Own(" ".join(each for each in (f"**{row.final}**", mark, arrow) if each)),
            asked=Own(f"{asked:.1f}" if asked is not None else ""),
        )

    def _demand(self, criterion: str) -> GateReason | None:
        reasons = self.report.verdict.gate.reasons
        return next((each for each in reasons if each.demand == f"criteria.{criterion}"), None)

    def _changes(self, since: previous_scores.Since | None) -> Own:
        if since is None:
            return Own("")
        commit = _link(Own(f"`{since.past.head[:10]}`"), self.links.commit(since.past.head))
        overall = f"overall {_told(since.overall)}; " if since.overall is not None else ""
        changed = [f"{for_markdown(self._title(each.title))} {_told(each)}" for each in since.changes]
        rest = f"{since.unchanged} unchanged" if since.changes else "no score has changed"
        rest += f", {since.new} new" if since.new else ""
        measure = " It was judged by another rubric or bench." if since.other_measure else ""
        tail = f"{first_few(changed, _CHANGES)}; {rest}" if since.changes else rest
        return Own(f"Since {commit} ({since.past.conclusion.spoken}): {overall}{tail}.{measure}")

    def _fix(self, number: int, item: Priority) -> Fix:
        evidence, first = item.evidence, item.first
        quote = " ".join(first.quote.split()) if first is not None else ""
        return Fix(
            number=number,
            indent=Own(" " * (len(str(number)) + 2)),
            place=self._place(first) if first is not None else Own(""),
            more=Own(f" and {item.more:,} more" if item.more else ""),
            seen=verdict_sentences.with_doubt(self._short(evidence.statement), ""),
            told=self._evidenced(evidence),
            quote=Own(for_code_span(clip(quote, min(_QUOTE, self.detail.words)))) if quote else Own(""),
            about=self._title(item.criterion.title),
            weight=Own(f"{item.gravity}{', decided the gate' if item.decided_gate else ''}"),
            advice=self._short(item.tried),
        )

    def _evidenced(self, evidence: Evidence) -> str:
        """What was seen and how sure that is, each no longer than the page allows."""
        return verdict_sentences.with_doubt(
            self._short(evidence.statement), self._short(verdict_sentences.doubt(evidence))
        )

    def _part(self, row: report_model.Row) -> Part:
        ruling = row.ruling
        listed = self._evidence(row) if self.detail.evidence else ()
        kept = tuple(each for each in listed if self.detail.evidence is Shown.ALL or each.mark)
        rows = kept[: self.detail.pieces]
        return Part(
            title=self._title(row.criterion.title),
            final=Own(row.final),
            question=self._short(row.criterion.question),
            sentence=self._short(ruling.sentence),
            caps=tuple(
                Own(f"{each.cap:g}, because of {for_code_span(each.probe)}") for each in ruling.caps if each.lowered
            ),
            dissent=self._short(ruling.dissent),
            said=tuple(self._said(row.criterion.id, ruling)) if self.detail.opinions else (),
            evidence=rows,
            left=len(kept) - len(rows),
            hidden=len(listed) - len(kept),
        )

    def _said(self, criterion: str, ruling: Ruling) -> Iterable[Said]:
        asides = {each.judge: each.reason for each in ruling.set_aside}
        for opinion in self.report.opinions:
            if opinion.criterion == criterion:
                who = self._title(self.titles.get(opinion.judge, opinion.judge))
                aside = self._short(asides.get(opinion.judge, ""))
                yield Said(who, Own(f"{opinion.score}"), self._short(opinion.argument), aside)
        for abstention in self.report.abstentions:
            if abstention.criterion == criterion:
                who = self._title(self.titles.get(abstention.judge, abstention.judge))
                cause = abstention.cause.value.replace("_", " ")
                yield Said(who, Own(f"no opinion ({cause})"), self._short(abstention.reason))

    def _evidence(self, row: report_model.Row) -> tuple[EvidenceRow, ...]:
        relevant = [each for expectation in row.criterion.evidence for each in self.by_probe[expectation.probe]]
        marks: dict[str, Own] = {}
        for standing in standings(row.criterion, relevant, self.report.subject.scope):
            for each in standing.evidence:
                marks[each.id] = marks.get(each.id) or _STATES[standing.state]
        return tuple(
            EvidenceRow(
                mark=marks.get(each.id, Own("")),
                id=Own(for_code_span(each.id, in_table=True)),
                answer=Own(ANSWERS[each.outcome] + _qualified(each)),
                told=self._evidenced(each),
                where=self._places(each.locations),
            )
            for each in relevant
        )

    def _places(self, locations: tuple[Location, ...]) -> Own:
        return Own(first_few([self._place(each, in_table=True) for each in locations], self.detail.places))

    def _request(self, attempt: Attempt) -> Request:
        read = attempt.input_tokens + attempt.cache_write_tokens + attempt.cache_read_tokens
        return Request(
            judge=self._title(self.titles.get(attempt.judge, attempt.judge))
            + (", heard again" if attempt.round > 1 else ""),
            model=self._title(attempt.answered or attempt.asked),
            outcome=self._title(attempt.outcome),
            read=Own(f"{read:,}"),
            written=Own(f"{attempt.output_tokens:,}"),
            price=Own(bench_description.price(attempt.usd)),
            seconds=Own(f"{attempt.seconds:.1f}"),
        )

    def _record(self) -> Own:
        rubric, tool = self.report.rubric, self.report.tool
        return Own(
            f"Rubric {for_code_span(rubric.definition.id)} from {self._code(rubric.origin)}, digest {self._code(rubric.digest[:16])};"
            f" tool {for_code_span(clip(tool.version, 40))}. `auditor replay report.json` derives this verdict again from the record, offline."
        )

    def _where(self) -> Own:
        named = (("Check run", self.links.check), ("Workflow run", self.links.run), ("Whole report", self.links.report))
        return Own(" · ".join(f"[{name}]({url})" for name, url in named if url))


def _waiver(waiver: Waiver) -> str:
    return waiver.reason if waiver.path is None else f"{waiver.reason} (Only what stands in {waiver.path}.)"


def _legend(rows: tuple[report_model.Row, ...]) -> Own:
    """What the signs in the table mean, as far as they stand there."""
    given = [each for row in rows for each in row.scores]
    meanings = (
        (any(each.startswith("(") for each in given), "(n): set aside, with the reason below"),
        (report_model.NONE in given, f"{report_model.NONE}: no opinion"),
        (any(row.ruling.status is RulingStatus.INCONCLUSIVE for row in rows), "open: could not be judged"),
    )
    return Own("; ".join(meaning for stands, meaning in meanings if stands))


def _link(shown: Own, url: str | None) -> Own:
    return Own(f"[{shown}]({url})") if url else shown


def _qualified(evidence: Evidence) -> str:
    new = ", new" if evidence.introduced else ", not new" if evidence.introduced is False else ""
    return f"{new}{', in tests' if evidence.in_tests else ''}"


def _arrow(change: previous_scores.Change) -> Own:
    if change.difference is None:
        return Own("")
    return Own(f"{'▲' if change.difference > 0 else '▼'}\u00a0{abs(change.difference):.1f}")


def _told(change: previous_scores.Change) -> str:
    arrow = _arrow(change)
    return f"{change.before} → {change.after}{f' {arrow[0]}' if arrow else ''}"
