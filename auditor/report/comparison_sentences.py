"""The sentences about what differs between two records. They may quote a record: escape them for their sink."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from auditor.domain import Outcome
from auditor.domain.comparison import (
    ComparedRecord,
    DemandComparison,
    FindingChange,
    FindingField,
    Mismatch,
    RecordComparison,
    RecordSetComparison,
)
from auditor.domain.english_lists import first_few
from auditor.english_counts import by_count, pluralize
from auditor.report import report_model

ARROW = "\u2192"
_MAX_NAMES = 8
OUTCOMES = {
    Outcome.FOUND: "found",
    Outcome.NOT_FOUND: "not found",
    Outcome.NOT_APPLICABLE: "not applicable",
    Outcome.UNAVAILABLE: "unavailable",
}


def headline(comparison: RecordComparison) -> str:
    """The conclusions and overall scores of both records in a sentence, or that nothing differs."""
    first, second = comparison.before, comparison.after
    if not comparison.different:
        score = "no overall score" if second.overall is None else f"overall score {second.overall:.1f}"
        return f"No differences: {second.conclusion.spoken} in both, {score}."
    if not comparison.verdict_different:
        score = "" if second.overall is None else f" with overall score {second.overall:.1f}"
        return f"{second.conclusion.spoken.capitalize()} in both{score}; findings or objections differ."
    conclusion = _both(first.conclusion.spoken, second.conclusion.spoken).capitalize()
    overall = _both(*map(score_text, (first.overall, second.overall)))
    difference = difference_text(overall_difference(comparison))
    return f"{conclusion}, overall score {overall}{f' ({difference})' if difference else ''}."


def _both(before: str, after: str) -> str:
    return f"{after} in both" if before == after else from_to(before, after)


def set_headline(comparison: RecordSetComparison) -> str:
    """How many pairs differ, in a sentence."""
    pairs = len(comparison.pairs)
    different = sum(each.different for each in comparison.pairs)
    verdicts = sum(each.verdict_different for each in comparison.pairs)
    counted = f"{pluralize(pairs, 'pair')} of records"
    if not different:
        return f"{counted}: no differences."
    return f"{counted}: {different:,} {by_count(different, 'differs', 'differ')}, {verdicts:,} in scores or conclusion."


def notes(comparison: RecordComparison) -> Iterator[str]:
    """What other than the audited code may explain differences, and which probes are left out."""
    for each in comparison.mismatches:
        sentence, value = _MISMATCHES[each]
        yield sentence.format(value(comparison.before), value(comparison.after))
    for record, probes in ((comparison.before, comparison.only_before), (comparison.after, comparison.only_after)):
        if probes:
            named = first_few([f"`{each}`" for each in probes], _MAX_NAMES)
            count = f"{pluralize(len(probes), 'probe')}"
            yield f"Only the rubric of {record.name} asks {count}: {named}."


_MISMATCHES: dict[Mismatch, tuple[str, Callable[[ComparedRecord], str]]] = {
    Mismatch.RUBRIC: (
        "The rubrics differ, `{0}` and `{1}`: what only one of them asks cannot be compared.",
        lambda record: record.rubric,
    ),
    Mismatch.RUBRIC_TEXT: (
        "The rubric `{0}` was edited between the two audits: scores can differ for that reason alone.",
        lambda record: record.rubric,
    ),
    Mismatch.TEAM_ROWS: (
        "The team's own rows differ between the two audits: findings can differ for that reason alone.",
        lambda record: record.name,
    ),
    Mismatch.REPOSITORY: ("The repositories differ: `{0}` and `{1}`.", lambda record: record.subject.repository),
    Mismatch.FOLDER: ("The audited folders differ: `{0}` and `{1}`.", lambda record: record.subject.folder or "."),
    Mismatch.SCOPE: (
        "The scopes differ, {0} and {1}: of a change, only findings that it introduced count against it.",
        lambda record: record.subject.scope.value.replace("_", " "),
    ),
    Mismatch.BENCH: ("The benches of judges differ: `{0}` and `{1}`.", lambda record: record.bench),
    Mismatch.TOOL_VERSION: (
        "The records come from versions {0} and {1} of the tool: results can differ for that reason alone.",
        lambda record: record.tool_version,
    ),
}
"""The sentence for each mismatch, and what of each record stands in it."""


def demand_sentence(demand: DemandComparison) -> str:
    """What changed about a demand of the gate, and its sentence."""
    first, second = demand.before, demand.after
    if second is None:
        assert first is not None, "a condition is in only one of the gates"
        return f"No longer asked ({first.conclusion.spoken} before): {first.sentence}"
    if first is None:
        return f"New demand ({second.conclusion.spoken}): {second.sentence}"
    conclusion = from_to(first.conclusion.spoken, second.conclusion.spoken).capitalize()
    thresholds = (
        f", threshold {first.threshold} {ARROW} {second.threshold}" if first.threshold != second.threshold else ""
    )
    return f"{conclusion}{thresholds}: {second.sentence}"


def change_note(change: FindingChange) -> str:
    """What changed about a finding that is in both records."""
    before, after = change.before, change.after
    words = {
        FindingField.OUTCOME: lambda: f"{OUTCOMES[before.outcome]} {ARROW} {OUTCOMES[after.outcome]}",
        FindingField.CONFIDENCE: lambda: f"confidence {before.confidence:.0%} {ARROW} {after.confidence:.0%}",
        FindingField.INTRODUCED: lambda: (
            f"pre-existing {ARROW} introduced" if after.introduced else f"introduced {ARROW} pre-existing"
        ),
        FindingField.WAIVED: lambda: f"waived for {_names(before.waived)} {ARROW} {_names(after.waived)}",
        FindingField.MEASURE: lambda: f"measure {_share(before.measure)} {ARROW} {_share(after.measure)}",
    }
    return ", ".join(words[each]() for each in change.changed)


def _names(criteria: Sequence[str]) -> str:
    return " and ".join(criteria) or "none"


def _share(measure: float | None) -> str:
    return "none" if measure is None else f"{measure:.0%}"


def from_to(before: str, after: str) -> str:
    """Both with an arrow between them, or one where they are equal."""
    return after if before == after else f"{before} {ARROW} {after}"


def score_text(score: float | None) -> str:
    """A score with one decimal, or an en dash."""
    return report_model.NO_SCORE if score is None else f"{score:.1f}"


def difference_text(difference: float | None) -> str:
    """With its sign; empty for none."""
    return f"{difference:+.1f}" if difference else ""


def overall_difference(comparison: RecordComparison) -> float | None:
    """Overall score after less before; None unless both records have one."""
    first, second = comparison.before.overall, comparison.after.overall
    return None if first is None or second is None else round(second - first, 1)


def count_sentence(added: int, removed: int, changed: int, unchanged: int) -> str:
    """How many were added, removed and changed, and how many are the same in both."""
    return f"{added:,} added, {removed:,} removed, {changed:,} changed, {unchanged:,} unchanged."
