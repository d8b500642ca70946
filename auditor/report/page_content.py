"""What a published page says, assembled once and dressed by templates: comment, check run and job summary."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from auditor.domain import (
    Attempt,
    AuditReport,
    Conclusion,
    Evidence,
    GateReason,
    Location,
    Objection,
    Outcome,
    Ruling,
    RulingStatus,
    SensitiveArea,
    State,
    Waiver,
    assess_expectations,
)
from auditor.domain.english_lists import first_few
from auditor.report import (
    bench_description,
    objection_summary,
    previous_scores,
    report_model,
    sensitive_summary,
    verdict_sentences,
)
from auditor.report.escaped_templates import SafeText
from auditor.report.escaping import clip, for_code_span, for_markdown
from auditor.report.fix_priorities import Priority, priorities
from auditor.report.github_links import Links
from auditor.report.place_words import describe_place, further_places, side_note, whole_subject
from auditor.report.previous_scores import VerdictHistory
from auditor.report.size_limits import Detail, EvidenceDetail
from auditor.report.template_values import (
    CriterionDetail,
    EvidenceRow,
    Fix,
    ObjectionItem,
    OpinionRow,
    Page,
    RequestRow,
    ScoreRow,
    SensitiveItem,
)

_MAX_PATH = 160
_MAX_QUOTE = 100
_MAX_PERSONAS = 10
_MAX_CHANGES = 12
_MARK_BY_CONCLUSION = {
    Conclusion.FAILED: SafeText(verdict_sentences.CONCLUSION_MARKS[Conclusion.FAILED]),
    Conclusion.INCONCLUSIVE: SafeText(verdict_sentences.CONCLUSION_MARKS[Conclusion.INCONCLUSIVE]),
    Conclusion.PASSED: SafeText(""),
    Conclusion.NOTHING_TO_JUDGE: SafeText(""),
}
ANSWER_BY_OUTCOME = {
    Outcome.FOUND: SafeText("seen"),
    Outcome.NOT_FOUND: SafeText("not seen"),
    Outcome.NOT_APPLICABLE: SafeText("does not apply"),
    Outcome.UNAVAILABLE: SafeText("unknown"),
}
_MARK_BY_STATE = {
    State.MET: SafeText(""),
    State.UNMET: SafeText("\u274c"),
    State.UNKNOWN: SafeText("?"),
    State.NOT_APPLICABLE: SafeText(""),
}


def page(
    report: AuditReport,
    links: Links,
    detail: Detail,
    *,
    memory: VerdictHistory | None = None,
    notices: Iterable[str] = (),
    shortened: bool = False,
) -> Page:
    """The page of a report at one level of detail."""
    return _PageBuilder(report, links, detail).page(memory, tuple(notices), shortened=shortened)


class _PageBuilder:
    def __init__(self, report: AuditReport, links: Links, detail: Detail) -> None:
        self.report = report
        self.links = links
        self.detail = detail
        self.titles = {each.id: each.title for each in report.rubric.definition.personas}
        self.personas = report.rubric.definition.personas[:_MAX_PERSONAS]
        self.by_probe: dict[str, list[Evidence]] = defaultdict(list)
        for each in report.evidence:
            self.by_probe[each.probe].append(each)

    def page(self, memory: VerdictHistory | None, notices: tuple[str, ...], *, shortened: bool) -> Page:
        report, detail = self.report, self.detail
        rows = report_model.rows(report)
        scored = report_model.applicable_rows(rows)
        found = priorities(report)
        weak = sum(each.weak for each in found)
        first = min(detail.first, len(found) - weak)
        shown = found[: first + detail.further]
        fixes = [self._fix(number, each) for number, each in enumerate(shown, start=1)]
        dark = [each for each in report.coverage.files if each.is_incomplete]
        since = previous_scores.changes_since(report, memory)
        return Page(
            mark=SafeText(verdict_sentences.CONCLUSION_MARKS[report.verdict.conclusion]),
            verdict=verdict_sentences.verdict(report),
            subject=self._subject(),
            audited=self._audited(),
            reasons=tuple(self._clip(each) for each in report_model.reasons(report)[: detail.rows]),
            also=tuple(self._clip(each) for each in verdict_sentences.other_reasons(report)[: detail.rows]),
            lead=self._lead(fixes, verdict_sentences.lead(report, found)),
            idle=clip(report_model.inapplicable_sentence(rows), detail.words + 200),
            legend=_legend(report_model.applicable_rows(rows)),
            personas=tuple(self._title(each.title) for each in self.personas),
            scores=tuple(self._score_row(row, since) for row in scored[: detail.rows]),
            scores_left=max(0, len(scored) - detail.rows),
            changes=self._changes_sentence(since),
            objections=self._objections(),
            objections_rest=objection_summary.rest_sentence(report, len(self._objections())),
            first=tuple(fixes[:first]),
            further=tuple(fixes[first:]),
            nothing=SafeText(verdict_sentences.no_fixes(weak=weak, defects=bool(self._objections()))),
            further_title=SafeText(_further_title(shown[first:])),
            left=len(found) - len(shown),
            sensitive_title=SafeText(sensitive_summary.TITLE),
            sensitive_note=SafeText(sensitive_summary.NOTE),
            sensitive=tuple(self._sensitive(each) for each in report.sensitive_lines.areas[: detail.areas]),
            sensitive_rest=sensitive_summary.rest_sentence(report.sensitive_lines, detail.areas),
            parts=tuple(self._criterion_detail(row) for row in rows) if detail.criteria else (),
            gate=tuple(
                (SafeText(each.conclusion.spoken), self._clip(f"{each.sentence} {each.close}".strip()))
                for each in report.verdict.gate.reasons[: detail.rows]
            )
            if detail.criteria
            else (),
            waivers=tuple(
                (self._criterion_title(each.criterion), self._clip(_waiver_text(each)), each.until or "")
                for each in report.rubric.waivers[: detail.rows]
            ),
            notices=tuple(self._clip(each) for each in notices[: detail.rows]),
            dark=tuple((self._code(each.path), self._clip(each.reason)) for each in dark[: detail.files]),
            dark_left=max(0, len(dark) - detail.files) if detail.files else 0,
            coverage=clip(report_model.coverage(report), detail.words + 200),
            judged_by=bench_description.judged_by(report),
            requests=tuple(self._request_row(each) for each in report.cost.attempts) if detail.requests else (),
            record=self._record(),
            where=self._where(),
            shortened=shortened,
        )

    def _lead(self, fixes: list[Fix], lead: str) -> SafeText:
        if not fixes or not lead:
            return SafeText("")
        first = fixes[0]
        return SafeText(f"**{lead}** {for_markdown(first.seen)} {first.place}{first.more}.")

    def _clip(self, text: str) -> str:
        return clip(text, self.detail.words)

    def _title(self, text: str) -> str:
        return clip(text, min(80, self.detail.words))

    def _code(self, text: str, *, in_table: bool = False) -> SafeText:
        return SafeText(for_code_span(clip(text, min(_MAX_PATH, self.detail.words)), in_table=in_table))

    def _criterion_title(self, criterion: str) -> str:
        known = {each.id: each.title for each in self.report.rubric.definition.criteria}
        return self._title(known.get(criterion, criterion))

    def _subject(self) -> SafeText:
        about = self.report.subject
        number = f"Pull request {about.pull_request}" if about.pull_request is not None else "The tree"
        judged = sum(each.status is RulingStatus.JUDGED for each in self.report.verdict.rulings)
        what = number if about.pull_request is not None or about.merge_base is None else "The change"
        return SafeText(
            f"{what} at {self._audited()} was judged on {judged} of {len(self.report.verdict.rulings)} criteria."
        )

    def _audited(self) -> SafeText:
        head = self.report.subject.head
        return SafeText(_link(SafeText(f"`{head[:10]}`"), self.links.commit(head)) if head.isalnum() else "")

    def _place(self, location: Location, *, in_table: bool = False) -> SafeText:
        return SafeText(self._linked_name(location, in_table=in_table) + side_note(location))

    def _linked_name(self, location: Location, *, in_table: bool = False) -> SafeText:
        return _link(self._code(describe_place(location), in_table=in_table), self.links.place(location))

    def _score_row(self, row: report_model.Row, since: previous_scores.VerdictChanges | None) -> ScoreRow:
        demand = self._demand(row.criterion.id)
        changed = {each.criterion: each for each in since.changes} if since else {}
        arrow = _arrow(changed[row.criterion.id]) if row.criterion.id in changed else SafeText("")
        mark = _MARK_BY_CONCLUSION[demand.conclusion] if demand is not None else SafeText("")
        asked = demand.threshold if demand is not None and isinstance(demand.threshold, float) else None
        return ScoreRow(
            title=self._title(row.criterion.title),
            given=tuple(SafeText(each) for each in row.scores[:_MAX_PERSONAS]),
            final=SafeText(" ".join(each for each in (f"**{row.final}**", mark, arrow) if each)),
            asked=SafeText(f"{asked:.1f}" if asked is not None else ""),
        )

    def _demand(self, criterion: str) -> GateReason | None:
        reasons = self.report.verdict.gate.reasons
        return next((each for each in reasons if each.demand == f"criteria.{criterion}"), None)

    def _changes_sentence(self, since: previous_scores.VerdictChanges | None) -> SafeText:
        if since is None:
            return SafeText("")
        commit = _link(SafeText(f"`{since.past.head[:10]}`"), self.links.commit(since.past.head))
        overall = f"overall {_change_text(since.overall)}; " if since.overall is not None else ""
        changed = [f"{for_markdown(self._title(each.title))} {_change_text(each)}" for each in since.changes]
        rest = f"{since.unchanged} unchanged" if since.changes else "no score has changed"
        rest += f", {since.new} new" if since.new else ""
        measure = " It was judged by another rubric or bench." if since.other_measure else ""
        tail = f"{first_few(changed, _MAX_CHANGES)}; {rest}" if since.changes else rest
        return SafeText(f"Since {commit} ({since.past.conclusion.spoken}): {overall}{tail}.{measure}")

    def _objections(self) -> tuple[ObjectionItem, ...]:
        shown = objection_summary.standing(self.report)[: objection_summary.MAX_SHOWN]
        return tuple(self._objection(number, each) for number, each in enumerate(shown, start=1))

    def _objection(self, number: int, item: Objection) -> ObjectionItem:
        return ObjectionItem(
            number=number,
            indent=SafeText(" " * (len(str(number)) + 2)),
            place=self._place(objection_summary.place(item)),
            claim=verdict_sentences.with_note(self._clip(item.claim), ""),
            trigger=verdict_sentences.with_note(self._clip(item.trigger), ""),
            effect=verdict_sentences.with_note(self._clip(item.effect), ""),
            fix=verdict_sentences.with_note(self._clip(item.fix), "") if item.fix else "",
            severity=SafeText(item.severity.value),
            raised=self._clip(item.reason),
        )

    def _sensitive(self, item: SensitiveArea) -> SensitiveItem:
        places = sensitive_summary.list_places(item, self.detail.area_places, self._place)
        return SensitiveItem(self._clip(item.does), SafeText(places))

    def _fix(self, number: int, item: Priority) -> Fix:
        quote = clip(item.quote, min(_MAX_QUOTE, self.detail.words))
        return Fix(
            number=number,
            indent=SafeText(" " * (len(str(number)) + 2)),
            place=SafeText(whole_subject(self.report)) if item.first is None else self._linked_name(item.first),
            more=SafeText(further_places(item.evidence.locations, self._linked_name)),
            seen=verdict_sentences.with_note(self._clip(item.evidence.statement), ""),
            quote=SafeText(for_code_span(quote) if quote else ""),
            about=self._title(item.criterion.title),
            weight=SafeText(item.weight_explained),
            harm=self._clip(item.harm),
            advice=self._clip(item.tried),
            fine_if=self._clip(item.fine_if),
            rule=SafeText(_link(SafeText(for_code_span(item.rule)), self.links.rule(item.rule))),
        )

    def _evidence_sentence(self, evidence: Evidence) -> str:
        """What was seen and how sure that is, each no longer than the page allows."""
        return verdict_sentences.with_note(
            self._clip(evidence.statement), self._clip(verdict_sentences.confidence_note(evidence))
        )

    def _criterion_detail(self, row: report_model.Row) -> CriterionDetail:
        ruling = row.ruling
        listed = self._evidence_rows(row) if self.detail.evidence else ()
        kept = tuple(each for each in listed if self.detail.evidence is EvidenceDetail.ALL or each.mark)
        rows = kept[: self.detail.pieces]
        return CriterionDetail(
            title=self._title(row.criterion.title),
            final=SafeText(row.final),
            question=self._clip(row.criterion.question),
            sentence=self._clip(ruling.sentence),
            caps=tuple(
                SafeText(f"{each.cap:g}, because of {for_code_span(each.probe or each.objection)}")
                for each in ruling.caps
                if each.lowered
            ),
            dissent=self._clip(ruling.dissent),
            said=tuple(self._opinion_rows(row.criterion.id, ruling)) if self.detail.opinions else (),
            evidence=rows,
            left=len(kept) - len(rows),
            hidden=len(listed) - len(kept),
        )

    def _opinion_rows(self, criterion: str, ruling: Ruling) -> Iterable[OpinionRow]:
        asides = {each.judge: each.reason for each in ruling.set_aside}
        for opinion in self.report.opinions:
            if opinion.criterion == criterion:
                who = self._title(self.titles.get(opinion.judge, opinion.judge))
                aside = self._clip(asides.get(opinion.judge, ""))
                yield OpinionRow(who, SafeText(f"{opinion.score}"), self._clip(opinion.argument), aside)
        for abstention in self.report.abstentions:
            if abstention.criterion == criterion:
                who = self._title(self.titles.get(abstention.judge, abstention.judge))
                cause = abstention.cause.value.replace("_", " ")
                yield OpinionRow(who, SafeText(f"no opinion ({cause})"), self._clip(abstention.reason))

    def _evidence_rows(self, row: report_model.Row) -> tuple[EvidenceRow, ...]:
        probes = dict.fromkeys(each.probe for each in row.criterion.evidence)
        relevant = [each for probe in probes for each in self.by_probe[probe]]
        marks: dict[str, SafeText] = {}
        for standing in assess_expectations(row.criterion, relevant, self.report.subject.scope):
            for each in standing.evidence:
                marks[each.id] = marks.get(each.id) or _MARK_BY_STATE[standing.state]
        return tuple(
            EvidenceRow(
                mark=marks.get(each.id, SafeText("")),
                id=SafeText(for_code_span(each.id, in_table=True)),
                answer=SafeText(ANSWER_BY_OUTCOME[each.outcome] + _qualifiers(each)),
                seen=self._evidence_sentence(each),
                where=self._places(each.locations),
            )
            for each in relevant
        )

    def _places(self, locations: tuple[Location, ...]) -> SafeText:
        return SafeText(first_few([self._place(each, in_table=True) for each in locations], self.detail.places))

    def _request_row(self, attempt: Attempt) -> RequestRow:
        read = attempt.input_tokens + attempt.cache_write_tokens + attempt.cache_read_tokens
        return RequestRow(
            judge=self._title(self.titles.get(attempt.judge, attempt.judge))
            + (", heard again" if attempt.round > 1 else ""),
            model=self._title(attempt.answered or attempt.asked),
            outcome=self._title(attempt.outcome),
            read=SafeText(f"{read:,}"),
            written=SafeText(f"{attempt.output_tokens:,}"),
            price=SafeText(bench_description.price(attempt.usd)),
            seconds=SafeText(f"{attempt.seconds:.1f}"),
        )

    def _record(self) -> SafeText:
        rubric, tool = self.report.rubric, self.report.tool
        return SafeText(
            f"Rubric {for_code_span(rubric.definition.id)} from {self._code(rubric.origin)}, digest {self._code(rubric.digest[:16])};"
            f" tool {for_code_span(clip(tool.version, 40))}. `auditor replay report.json` derives this verdict again from the record, offline."
        )

    def _where(self) -> SafeText:
        named = (("Check run", self.links.check), ("Workflow run", self.links.run), ("Whole report", self.links.report))
        return SafeText(" · ".join(f"[{name}]({url})" for name, url in named if url))


def _further_title(further: Sequence[Priority]) -> str:
    weak = sum(each.weak for each in further)
    findings = "finding" if len(further) == 1 else "findings"
    if weak == len(further):
        return f"{weak:,} {findings} of low severity or only possible"
    rest = f", {weak:,} of them of low severity or only possible" if weak else ""
    return f"{len(further):,} more {findings}{rest}"


def _waiver_text(waiver: Waiver) -> str:
    return waiver.reason if waiver.path is None else f"{waiver.reason} (Only findings in {waiver.path}.)"


def _legend(rows: tuple[report_model.Row, ...]) -> SafeText:
    """What the signs in the table mean, for those that are there."""
    given = [each for row in rows for each in row.scores]
    meanings = (
        (any(each.startswith("(") for each in given), "(n): set aside, with the reason below"),
        (report_model.NO_SCORE in given, f"{report_model.NO_SCORE}: no opinion"),
        (any(row.ruling.status is RulingStatus.INCONCLUSIVE for row in rows), "open: could not be judged"),
    )
    return SafeText("; ".join(meaning for present, meaning in meanings if present))


def _link(shown: SafeText, url: str | None) -> SafeText:
    return SafeText(f"[{shown}]({url})") if url else shown


def _qualifiers(evidence: Evidence) -> str:
    new = ", new" if evidence.introduced else ", not new" if evidence.introduced is False else ""
    return f"{new}{', in tests' if evidence.in_tests else ''}"


def _arrow(change: previous_scores.ScoreChange) -> SafeText:
    if change.difference is None:
        return SafeText("")
    return SafeText(f"{'▲' if change.difference > 0 else '▼'}\u00a0{abs(change.difference):.1f}")


def _change_text(change: previous_scores.ScoreChange) -> str:
    arrow = _arrow(change)
    return f"{change.before} → {change.after}{f' {arrow[0]}' if arrow else ''}"
