"""What every report of a comparison says, before it is dressed for a terminal, Markdown or HTML.

Every text here may quote a record: whoever shows it escapes it for its sink.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from auditor.domain import Objection, Ruling, RulingStatus
from auditor.domain.comparison import (
    ComparedRecord,
    CriterionComparison,
    Finding,
    ProbeComparison,
    RecordComparison,
    RecordSetComparison,
)
from auditor.english_counts import by_count
from auditor.report import comparison_sentences as words
from auditor.report import objection_summary, report_model
from auditor.report.place_words import place_with_side
from auditor.report.verdict_sentences import with_note

MAX_LEFT_OUT = 10
ADDED, REMOVED, CHANGED = "added", "removed", "changed"


@dataclass(frozen=True)
class ScoreRow:
    """One line of the score table: the overall score, or a criterion."""

    title: str
    before: str
    after: str
    difference: str
    """With its sign; empty where there is none."""
    better: bool | None
    decided: str
    """The decision rule, or both where it changed."""
    opinions: str
    """Judges whose scores changed."""


@dataclass(frozen=True)
class FindingGroup:
    """Places of one probe to which the same happened and of which the same is said."""

    what: str
    """`added`, `removed` or `changed`."""
    statement: str
    note: str
    """What changed about them; empty unless something did."""
    places: tuple[tuple[str, str], ...]
    """Place and quote."""
    more: int


@dataclass(frozen=True)
class ProbeSection:
    """One probe whose answer or findings changed, or several of which only the answer changed, and in the same way."""

    probes: tuple[str, ...]
    in_tests: bool
    outcome: str
    groups: tuple[FindingGroup, ...]


@dataclass(frozen=True)
class ObjectionLine:
    """One objection that was added or removed, or that changed."""

    what: str
    place: str
    severity: str
    claim: str
    note: str


@dataclass(frozen=True)
class ComparisonContent:
    """All that is said about one pair of records."""

    headline: str
    before: str
    after: str
    notes: tuple[str, ...]
    """What other than the audited code may explain differences. To be read first."""
    scores: tuple[ScoreRow, ...]
    """The overall score first, then the criteria that changed."""
    unchanged_criteria: str
    gate: tuple[str, ...]
    findings: str
    probes: tuple[ProbeSection, ...]
    objections: str
    """How many were added, removed, changed and stayed; empty where neither record has one."""
    objection_lines: tuple[ObjectionLine, ...]


@dataclass(frozen=True)
class PairRow:
    """One pair of records in the table of a comparison of folders."""

    name: str
    conclusion: str
    overall: str
    difference: str
    better: bool | None
    criteria: str
    findings: str
    objections: str
    different: bool


def comparison_content(comparison: RecordComparison, max_places: int) -> ComparisonContent:
    """What is said about a pair. Of each group of findings, `max_places` places are named and the rest counted."""
    changed = [each for each in comparison.criteria if each.different]
    alike = len(comparison.criteria) - len(changed)
    objections = comparison.objections
    lines = tuple(_objection_lines(comparison))
    counts = len(objections.added), len(objections.removed), len(objections.changed), objections.unchanged
    return ComparisonContent(
        headline=words.headline(comparison),
        before=_record_line(comparison.before),
        after=_record_line(comparison.after),
        notes=tuple(words.notes(comparison)),
        scores=(_overall_row(comparison), *(_criterion_row(each) for each in changed)),
        unchanged_criteria=f"{alike} {by_count(alike, 'criterion', 'criteria')} unchanged." if alike else "",
        gate=tuple(words.demand_sentence(each) for each in comparison.gate if each.different),
        findings=words.count_sentence(*_finding_counts(comparison)),
        probes=_probe_sections(comparison, max_places),
        objections=words.count_sentence(*counts) if any(counts) else "",
        objection_lines=lines,
    )


def pair_rows(comparison: RecordSetComparison) -> tuple[PairRow, ...]:
    """The table over all pairs, in their order."""
    return tuple(_pair_row(each) for each in comparison.pairs)


def is_single_pair(comparison: RecordSetComparison) -> bool:
    """Is it one pair and nothing else, so that a table of pairs would say nothing?"""
    return len(comparison.pairs) == 1 and not (comparison.only_before or comparison.only_after or comparison.not_read)


def set_notes(comparison: RecordSetComparison) -> tuple[str, ...]:
    """What other than the audited code may explain differences, each sentence once with the pair or the number of pairs."""
    pairs: dict[str, list[str]] = defaultdict(list)
    for each in comparison.pairs:
        for note in words.notes(each):
            pairs[note].append(each.after.name)
    return tuple(f"{names[0] if len(names) == 1 else f'{len(names):,} pairs'}: {note}" for note, names in pairs.items())


def left_out_sentences(comparison: RecordSetComparison) -> tuple[str, ...]:
    """Why JSON files were left out, and how many more there are where they are many."""
    reasons = comparison.not_read
    more = len(reasons) - MAX_LEFT_OUT
    return (*reasons[:MAX_LEFT_OUT], *([f"{more:,} more JSON files were left out."] if more > 0 else []))


def _pair_row(comparison: RecordComparison) -> PairRow:
    first, second = comparison.before, comparison.after
    overall = words.overall_difference(comparison)
    objections = comparison.objections
    return PairRow(
        name=words.from_to(first.name, second.name),
        conclusion=words.from_to(first.conclusion.spoken, second.conclusion.spoken),
        overall=words.from_to(*map(words.score_text, (first.overall, second.overall))),
        difference=words.difference_text(overall),
        better=_is_better(overall),
        criteria=str(sum(each.different for each in comparison.criteria)),
        findings=_short_counts(*_finding_counts(comparison)[:3]),
        objections=_short_counts(len(objections.added), len(objections.removed), len(objections.changed)),
        different=comparison.different,
    )


def _short_counts(added: int, removed: int, changed: int) -> str:
    parts = [f"{sign}{count:,}" for sign, count in (("+", added), ("-", removed), ("~", changed)) if count]
    return " ".join(parts) or "0"


def _record_line(record: ComparedRecord) -> str:
    return f"{report_model.describe_subject(record.subject)} ({record.name})"


def _finding_counts(comparison: RecordComparison) -> tuple[int, int, int, int]:
    """Findings added, removed, changed and unchanged, those of probes that only one rubric asks left out."""
    probes = comparison.probes
    return (
        sum(len(each.added) for each in probes),
        sum(len(each.removed) for each in probes),
        sum(len(each.changed) for each in probes),
        sum(each.unchanged for each in probes),
    )


def _is_better(difference: float | None) -> bool | None:
    return difference > 0 if difference else None


def _overall_row(comparison: RecordComparison) -> ScoreRow:
    first, second = comparison.before.overall, comparison.after.overall
    difference = words.overall_difference(comparison)
    return ScoreRow(
        "Overall",
        words.score_text(first),
        words.score_text(second),
        words.difference_text(difference),
        _is_better(difference),
        "",
        "",
    )


def _criterion_row(criterion: CriterionComparison) -> ScoreRow:
    return ScoreRow(
        title=criterion.title,
        before=_final_text(criterion.before),
        after=_final_text(criterion.after),
        difference=words.difference_text(criterion.difference),
        better=_is_better(criterion.difference),
        decided=_decision_text(criterion.before, criterion.after),
        opinions=", ".join(
            f"{each.title} {words.from_to(*(str(score or report_model.NO_SCORE) for score in (each.before, each.after)))}"
            for each in criterion.opinions
        ),
    )


def _final_text(ruling: Ruling | None) -> str:
    return "not asked" if ruling is None else report_model.final_text(ruling)


def _decision_text(before: Ruling | None, after: Ruling | None) -> str:
    """The decision rules of both, or of the one that there is."""
    rules = [_decided_by(each) for each in (before, after) if each is not None]
    return words.from_to(rules[0], rules[-1])


def _decided_by(ruling: Ruling) -> str:
    return report_model.decided_by(ruling) if ruling.status is RulingStatus.JUDGED else ruling.rule.spoken


def _probe_sections(comparison: RecordComparison, max_places: int) -> tuple[ProbeSection, ...]:
    """The probes with findings first, each by itself; then those without, in one section for each change of outcome."""
    sections = [_probe_section(each, max_places) for each in comparison.probes if each.different]
    alike: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for each in sections:
        if not each.groups:
            alike[each.outcome, each.in_tests] += each.probes
    merged = (ProbeSection(tuple(probes), in_tests, outcome, ()) for (outcome, in_tests), probes in alike.items())
    return (*(each for each in sections if each.groups), *merged)


def _probe_section(probe: ProbeComparison, max_places: int) -> ProbeSection:
    outcome = words.from_to(
        *(", ".join(words.OUTCOMES[each] for each in side) or "no answer" for side in (probe.before, probe.after))
    )
    groups = (
        *_groups(ADDED, ((each, "") for each in probe.added), max_places),
        *_groups(REMOVED, ((each, "") for each in probe.removed), max_places),
        *_groups(CHANGED, ((each.after, words.change_note(each)) for each in probe.changed), max_places),
    )
    return ProbeSection((probe.probe,), probe.in_tests, outcome, groups)


def _groups(what: str, found: Iterable[tuple[Finding, str]], max_places: int) -> Iterator[FindingGroup]:
    """The findings by what is said of them, in the order in which they are."""
    grouped: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    for finding, note in found:
        grouped[finding.statement, note].append(finding)
    for (statement, note), members in grouped.items():
        places = _places(members)
        yield FindingGroup(what, with_note(statement, ""), note, places[:max_places], max(0, len(places) - max_places))


def _places(findings: Sequence[Finding]) -> tuple[tuple[str, str], ...]:
    return tuple((place_with_side(each.place), each.place.quote) for each in findings if each.place is not None)


def _objection_lines(comparison: RecordComparison) -> Iterator[ObjectionLine]:
    objections = comparison.objections
    for each in objections.added:
        yield _objection_line(ADDED, each, each.state.value)
    for each in objections.removed:
        yield _objection_line(REMOVED, each, f"{each.state.value} before")
    for change in objections.changed:
        state = words.from_to(change.before.state.value, change.after.state.value)
        severity = f", {change.before.severity.value} {words.ARROW} {change.after.severity.value}"
        yield _objection_line(
            CHANGED, change.after, state + (severity if change.before.severity is not change.after.severity else "")
        )


def _objection_line(what: str, objection: Objection, note: str) -> ObjectionLine:
    place = place_with_side(objection_summary.place(objection))
    return ObjectionLine(what, place, objection.severity.value, with_note(objection.claim, ""), note)
