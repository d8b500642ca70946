"""What the plots of a page draw, as plain values: positions in percent of the width, and words beside each figure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from auditor.domain import AuditReport, CommitLocation, Conclusion, Criterion, GateReason
from auditor.report.fix_priorities import Priority
from auditor.report.report_model import Row

LOWEST, HIGHEST = 1.0, 5.0
_MARGIN = 9.0
"""Percent that stay free at each end of a scale, so that marks at the ends are whole."""
TICKS = (1, 2, 3, 4, 5)
_DOT = 17
"""Pixels from dot to dot where several have one score."""
MAX_FILES = 30
MAX_DEMANDS = 30


def percent(score: float) -> float:
    """The position of a score on a scale from 1 to 5, in percent of its width."""
    bounded = min(HIGHEST, max(LOWEST, score))
    return round(_MARGIN + (bounded - LOWEST) / (HIGHEST - LOWEST) * (100 - 2 * _MARGIN), 2)


@dataclass(frozen=True)
class Dot:
    """One judge on the scale. `shift` moves it aside, in pixels, from others with the same score."""

    letter: str
    at: float
    shift: int
    aside: bool


@dataclass(frozen=True)
class Dumbbell:
    """The judges' scores of one criterion, the final one and the threshold."""

    dots: tuple[Dot, ...]
    low: float | None
    high: float | None
    final: float | None
    threshold: float | None


def dumbbell(row: Row, titles: Sequence[str], threshold: float | None) -> Dumbbell:
    """The plot of one criterion. `titles` are the personas' in the order of the row's scores."""
    given = [(title, text.strip("()"), text.startswith("(")) for title, text in zip(titles, row.scores, strict=False)]
    known = [(title, int(score), aside) for title, score, aside in given if score.isdigit()]
    counts = Counter(score for _, score, _ in known)
    placed: Counter[int] = Counter()
    dots = []
    for title, score, aside in known:
        shift = round((placed[score] - (counts[score] - 1) / 2) * _DOT)
        placed[score] += 1
        dots.append(Dot(title[:1].upper(), percent(score), shift, aside))
    final = row.ruling.score
    return Dumbbell(
        dots=tuple(dots),
        low=min((each.at for each in dots), default=None),
        high=max((each.at for each in dots), default=None),
        final=None if final is None else percent(final),
        threshold=None if threshold is None else percent(threshold),
    )


@dataclass(frozen=True)
class Demand:
    """One demand of the gate: how it ended, its sentence, and both figures on a scale where they are scores."""

    conclusion: Conclusion
    sentence: str
    actual: float | None
    threshold: float | None


def demands(report: AuditReport) -> tuple[Demand, ...]:
    """The demands of the gate, those that did not pass first."""
    ordered = sorted(report.verdict.gate.reasons, key=lambda each: each.conclusion is Conclusion.PASSED)
    return tuple(map(_demand, ordered[:MAX_DEMANDS]))


def overall_without_threshold(report: AuditReport) -> float | None:
    """The position of the overall score; None where there is none, or where a demand of the gate shows it."""
    overall = report.verdict.overall
    if overall is None or any(each.demand == "overall" for each in report.verdict.gate.reasons):
        return None
    return percent(overall)


def _demand(reason: GateReason) -> Demand:
    """One demand. That on a criterion that does not apply asks for nothing, so no threshold of it is drawn."""
    about_scores = reason.demand == "overall" or reason.demand.startswith("criteria.")
    idle = reason.conclusion is Conclusion.PASSED and reason.actual is None
    scores = about_scores and not idle
    actual, threshold = (
        percent(each) if scores and isinstance(each, float) else None for each in (reason.actual, reason.threshold)
    )
    return Demand(reason.conclusion, f"{reason.sentence} {reason.close}".strip(), actual, threshold)


@dataclass(frozen=True)
class Cell:
    """Findings of one criterion in one file. `first` is the number of the most severe one, 0 for none."""

    criterion: str
    count: int = 0
    first: int = 0
    severity: str = ""


@dataclass(frozen=True)
class HeatRow:
    """One file with a cell for each criterion."""

    path: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class HeatMap:
    """Files by criteria."""

    criteria: tuple[Criterion, ...] = ()
    rows: tuple[HeatRow, ...] = ()
    left: int = 0
    """Files that there is no room for."""


COMMITS = "commit history"
"""The row of findings that are about commits."""
WHOLE = "no single file"
"""The row of findings without a place."""


def heat_map(findings: Sequence[Priority]) -> HeatMap:
    """Where the findings are, the files with the most severe ones first. Findings count from 1 in their order."""
    by_cell: dict[tuple[str, str], list[tuple[int, Priority]]] = defaultdict(list)
    criteria: dict[str, Criterion] = {}
    weights: dict[str, float] = defaultdict(float)
    for number, finding in enumerate(findings, 1):
        criteria.setdefault(finding.criterion.id, finding.criterion)
        for path in _files(finding):
            by_cell[path, finding.criterion.id].append((number, finding))
            weights[path] += 2.0**finding.standing.expectation.severity.rank
    paths = sorted(weights, key=lambda each: (-weights[each], each))
    rows = [
        HeatRow(path, tuple(_cell(each, by_cell.get((path, each.id), ())) for each in criteria.values()))
        for path in paths
    ]
    return HeatMap(tuple(criteria.values()), tuple(rows[:MAX_FILES]), max(0, len(rows) - MAX_FILES))


def _files(finding: Priority) -> Iterable[str]:
    places = finding.evidence.locations
    named = (COMMITS if isinstance(each, CommitLocation) else each.path for each in places)
    return dict.fromkeys(named) if places else (WHOLE,)


def _cell(criterion: Criterion, found: Sequence[tuple[int, Priority]]) -> Cell:
    if not found:
        return Cell(criterion.title)
    number, worst = max(found, key=lambda each: (each[1].standing.expectation.severity.rank, -each[0]))
    return Cell(criterion.title, len(found), number, worst.standing.expectation.severity.value)
