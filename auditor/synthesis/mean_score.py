"""Scores as a reader sees them: rounded half up, and the mean over the judged criteria."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

from auditor.domain import (
    Rubric,
)


def one_decimal(value: float) -> float:
    """Rounded half up, on the decimal a reader sees."""
    return float(Decimal(repr(round(value, 9))).quantize(Decimal("0.1"), rounding=ROUND_HALF_UP))


def mean_score(rubric: Rubric, scores: Mapping[str, float | None]) -> float | None:
    """Mean of the judged criteria by their weights, one decimal; None when none was judged.

    Rounding alone never makes it a full score.
    """
    judged = [(each.weight, score) for each in rubric.criteria if (score := scores.get(each.id)) is not None]
    if not judged:
        return None
    shown = one_decimal(sum(each * score for each, score in judged) / sum(each for each, _ in judged))
    full = all(score >= MAX_SCORE for _, score in judged)
    return shown if full or shown < MAX_SCORE else _MAX_PARTIAL_SCORE


MAX_SCORE, _MAX_PARTIAL_SCORE = 5.0, 4.9
