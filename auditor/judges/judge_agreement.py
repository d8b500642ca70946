"""How alike the judges answered: information for readers, never part of a score.

Personas that run on one model are close to one vote, whatever their number. Kish's effective number n / (1 + (n - 1) r)
tells how close, with r the mean correlation between two judges' scores over the criteria.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from auditor.domain import Agreement, Opinion

_MIN_CRITERIA = 3
"""The fewest criteria for which agreement is computed."""


def agreement(opinions: Sequence[Opinion], judges: Sequence[str]) -> Agreement:
    """The figures over the criteria on which every judge gave an opinion."""
    scores = {(each.judge, each.criterion): each.score for each in opinions}
    criteria = [
        criterion
        for criterion in dict.fromkeys(each.criterion for each in opinions)
        if all((judge, criterion) in scores for judge in judges)
    ]
    rows = [[scores[judge, criterion] for criterion in criteria] for judge in judges]
    equal = sum(len({row[column] for row in rows}) == 1 for column in range(len(criteria)))
    return Agreement(
        criteria=len(criteria),
        equal=round(equal / len(criteria), 4) if criteria else None,
        convergent=len(judges) > 1 and len(criteria) >= _MIN_CRITERIA and equal == len(criteria),
        effective_votes=_effective_votes(rows) if len(criteria) >= _MIN_CRITERIA else None,
    )


def _effective_votes(rows: list[list[int]]) -> float | None:
    """Kish's figure, with correlations below 0 taken for 0. None when a judge gives one score to all, so that it cannot be computed."""
    if len(rows) < 2:
        return None
    if all(row == rows[0] for row in rows):
        return 1.0
    found = [_correlation(one, other) for one, other in itertools.combinations(rows, 2)]
    told = [each for each in found if each is not None]
    if len(told) < len(found):
        return None
    mean = max(0.0, sum(told) / len(told))
    return round(len(rows) / (1 + (len(rows) - 1) * mean), 2)


def _correlation(one: list[int], other: list[int]) -> float | None:
    """Pearson's, None where one of them never varies."""
    mean, mean_other = sum(one) / len(one), sum(other) / len(other)
    spread = math.sqrt(sum((each - mean) ** 2 for each in one) * sum((each - mean_other) ** 2 for each in other))
    if not spread:
        return None
    return sum((a - mean) * (b - mean_other) for a, b in zip(one, other, strict=True)) / spread
