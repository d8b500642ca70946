"""What differs between two records: scores, rulings, the gate, findings and objections."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from auditor.domain import AuditReport, Criterion, Evidence, Objection, Outcome
from auditor.domain.comparison import (
    ComparedRecord,
    CriterionComparison,
    DemandComparison,
    Finding,
    FindingChange,
    FindingField,
    Mismatch,
    ObjectionChange,
    ObjectionComparison,
    OpinionChange,
    ProbeComparison,
    RecordComparison,
)
from auditor.ledger.finding_fingerprint import findings
from auditor.ledger.finding_matching import match

_Question = tuple[str, bool]
"""A probe, and whether it is asked of tests."""
LEAST_CONFIDENCE_CHANGE = 0.05
"""Smaller ones come from the share of files that could be read, which changes with every file."""
_NOTHING_SEEN = (Outcome.NOT_FOUND, Outcome.NOT_APPLICABLE)


def compare_records(
    before: AuditReport, after: AuditReport, names: tuple[str, str] = ("before", "after")
) -> RecordComparison:
    """What differs between two records. `names` says where each was read from.

    The records may be of different subjects, rubrics or schema versions: what only one of them has is listed as such.
    """
    asked = before.rubric.definition.probes(), after.rubric.definition.probes()
    return RecordComparison(
        before=_describe(before, names[0]),
        after=_describe(after, names[1]),
        mismatches=tuple(_mismatches(before, after)),
        criteria=tuple(_compare_criteria(before, after)),
        gate=tuple(_compare_gates(before, after)),
        probes=tuple(_compare_evidence(before.evidence, after.evidence, asked[0] & asked[1])),
        only_before=tuple(sorted(asked[0] - asked[1])),
        only_after=tuple(sorted(asked[1] - asked[0])),
        objections=_compare_objections(before.objections, after.objections),
    )


def _describe(report: AuditReport, name: str) -> ComparedRecord:
    return ComparedRecord(
        name=name,
        subject=report.subject,
        schema_version=report.schema_version,
        rubric=report.rubric.definition.id,
        rubric_digest=report.rubric.digest,
        bench=report.tool.bench,
        tool_version=report.tool.version,
        conclusion=report.verdict.conclusion,
        overall=report.verdict.overall,
    )


def _mismatches(before: AuditReport, after: AuditReport) -> Iterator[Mismatch]:
    rubrics = before.rubric, after.rubric
    if rubrics[0].definition.id != rubrics[1].definition.id:
        yield Mismatch.RUBRIC
    elif rubrics[0].digest != rubrics[1].digest:
        yield Mismatch.RUBRIC_TEXT
    known = [each.team_rows.digest if each.team_rows else "" for each in rubrics]
    if known[0] != known[1]:
        yield Mismatch.TEAM_ROWS
    if before.subject.repository != after.subject.repository:
        yield Mismatch.REPOSITORY
    if before.subject.folder != after.subject.folder:
        yield Mismatch.FOLDER
    if before.subject.scope is not after.subject.scope:
        yield Mismatch.SCOPE
    if before.tool.bench != after.tool.bench:
        yield Mismatch.BENCH
    if before.tool.version != after.tool.version:
        yield Mismatch.TOOL_VERSION


def _compare_criteria(before: AuditReport, after: AuditReport) -> Iterator[CriterionComparison]:
    """Every criterion of either rubric: those of the second record in its order, then those only the first has."""
    rulings = tuple({each.criterion: each for each in report.verdict.rulings} for report in (before, after))
    known: dict[str, Criterion] = {}
    for report in (after, before):
        for criterion in report.rubric.definition.criteria:
            known.setdefault(criterion.id, criterion)
    for criterion in known.values():
        first, second = (each.get(criterion.id) for each in rulings)
        yield CriterionComparison(
            criterion=criterion.id,
            title=criterion.title,
            before=first,
            after=second,
            opinions=tuple(_compare_opinions(before, after, criterion.id)) if first and second else (),
        )


def _compare_opinions(before: AuditReport, after: AuditReport, criterion: str) -> Iterator[OpinionChange]:
    titles = {each.id: each.title for report in (before, after) for each in report.rubric.definition.personas}
    given = [
        {each.judge: each.score for each in report.opinions if each.criterion == criterion}
        for report in (before, after)
    ]
    for judge in dict.fromkeys([*titles, *given[0], *given[1]]):
        first, second = (scores.get(judge) for scores in given)
        if first != second:
            yield OpinionChange(judge=judge, title=titles.get(judge, judge), before=first, after=second)


def _compare_gates(before: AuditReport, after: AuditReport) -> Iterator[DemandComparison]:
    reasons = tuple({each.demand: each for each in report.verdict.gate.reasons} for report in (before, after))
    for demand in dict.fromkeys([*reasons[1], *reasons[0]]):
        yield DemandComparison(demand=demand, before=reasons[0].get(demand), after=reasons[1].get(demand))


def _compare_evidence(
    before: Iterable[Evidence], after: Iterable[Evidence], asked: frozenset[str]
) -> Iterator[ProbeComparison]:
    """One comparison for each probe that both rubrics ask, of product code and of tests apart."""
    first, second = _by_question(before), _by_question(after)
    for question in sorted(first.keys() | second.keys()):
        if question[0] in asked:
            yield _compare_answers(question, first.get(question, ()), second.get(question, ()))


def _by_question(evidence: Iterable[Evidence]) -> Mapping[_Question, Sequence[Finding]]:
    grouped: dict[_Question, list[Finding]] = defaultdict(list)
    for each in findings(evidence):
        grouped[each.probe, each.in_tests].append(each)
    return grouped


def _compare_answers(question: _Question, before: Sequence[Finding], after: Sequence[Finding]) -> ProbeComparison:
    matching = match(before, after)
    pairs = [(first, second, _changed_fields(first, second)) for first, second in matching.pairs]
    changed = [FindingChange(before=first, after=second, changed=fields) for first, second, fields in pairs if fields]
    return ProbeComparison(
        probe=question[0],
        in_tests=question[1],
        before=_outcomes(before),
        after=_outcomes(after),
        added=tuple(each for each in matching.after if not _says_nothing(each)),
        removed=tuple(each for each in matching.before if not _says_nothing(each)),
        changed=tuple(changed),
        unchanged=sum(not fields and not _says_nothing(first) for first, _, fields in pairs),
    )


def _outcomes(found: Sequence[Finding]) -> tuple[Outcome, ...]:
    present = {each.outcome for each in found}
    return tuple(each for each in Outcome if each in present)


def _says_nothing(finding: Finding) -> bool:
    """Is it only the answer that nothing was seen? The change of the probe's outcome says that already."""
    return finding.place is None and finding.outcome in _NOTHING_SEEN


def _changed_fields(before: Finding, after: Finding) -> tuple[FindingField, ...]:
    """What changed about a finding; nothing where one answer that nothing was seen took the place of another."""
    if _says_nothing(before) and _says_nothing(after) and before.outcome is not after.outcome:
        return ()
    both_placed_in_time = before.introduced is not None and after.introduced is not None
    placeless = before.place is None and after.place is None
    changes = {
        FindingField.OUTCOME: before.outcome is not after.outcome,
        FindingField.CONFIDENCE: round(abs(after.confidence - before.confidence), 6) >= LEAST_CONFIDENCE_CHANGE,
        FindingField.INTRODUCED: both_placed_in_time and before.introduced is not after.introduced,
        FindingField.WAIVED: set(before.waived) != set(after.waived),
        FindingField.MEASURE: placeless and _percent(before.measure) != _percent(after.measure),
    }
    return tuple(each for each, differs in changes.items() if differs)


def _percent(share: float | None) -> int | None:
    """As precise as it is shown."""
    return None if share is None else round(100 * share)


def _compare_objections(before: Iterable[Objection], after: Iterable[Objection]) -> ObjectionComparison:
    """Objections by fingerprint, equal ones in their order."""
    waiting: dict[str, deque[Objection]] = defaultdict(deque)
    for each in before:
        waiting[each.fingerprint].append(each)
    pairs, added = [], []
    for each in after:
        if waiting[each.fingerprint]:
            pairs.append((waiting[each.fingerprint].popleft(), each))
        else:
            added.append(each)
    changed = [each for each in pairs if (each[0].state, each[0].severity) != (each[1].state, each[1].severity)]
    return ObjectionComparison(
        added=tuple(added),
        removed=tuple(each for left in waiting.values() for each in left),
        changed=tuple(ObjectionChange(before=first, after=second) for first, second in changed),
        unchanged=len(pairs) - len(changed),
    )
