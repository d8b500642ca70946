"""What the embedded bench sees of known bugs: rules and scores of fixes taken back against those of other changes.

A fix that is taken back differs from a change of its author in more than its bug, and some rules see only that:

- `tests.removed_or_skipped` and `tests.file_removed`: the tests of the fix go with it. Every such fix has tests,
  because only those are drawn, so `tests.changed_with_code` and other rules that read tests compare unlike things, too.
- `history.messages` and `history.dates`: the commit that takes a change back is made by the drawing.

A refactoring that is taken back shares the second, and mostly not the first. To see what is left, leave these
rules out (`--without`), or draw changes that brought a bug as their authors made them (`--cases introduced`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, sqrt

from tests.judging.audited_cases import AuditedCase
from tests.judging.cases import Kind
from tests.judging.scores import interval, score_auc

FULL = 5.0
_Z = 1.959964
"""Of a 95 % interval of a normal distribution."""
_MOST_RULES = 12
_LEAST_P = 0.001


@dataclass(frozen=True)
class Share:
    """How many of how many."""

    count: int
    of: int

    @property
    def value(self) -> float:
        """From 0 to 1; 0 where there is nothing to count."""
        return self.count / self.of if self.of else 0.0

    def __str__(self) -> str:
        return "-" if self.of == 0 else f"{self.value:.0%} ({self.count} of {self.of})"


@dataclass(frozen=True)
class Separation:
    """How often something holds for changes that bring a known bug, and for others."""

    bugs: Share
    others: Share

    @property
    def difference(self) -> float:
        """Share among bugs less share among others, -1 to 1."""
        return self.bugs.value - self.others.value

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the difference, by Newcombe's method of two Wilson intervals."""
        (low_bugs, high_bugs), (low_others, high_others) = _wilson(self.bugs), _wilson(self.others)
        below = sqrt((self.bugs.value - low_bugs) ** 2 + (high_others - self.others.value) ** 2)
        above = sqrt((high_bugs - self.bugs.value) ** 2 + (self.others.value - low_others) ** 2)
        return self.difference - below, self.difference + above

    @property
    def p(self) -> float:
        """Two-sided p-value of Fisher's exact test."""
        total, drawn = self.bugs.of + self.others.of, self.bugs.count + self.others.count
        least, most = max(0, drawn - self.others.of), min(drawn, self.bugs.of)
        ways = [comb(self.bugs.of, each) * comb(self.others.of, drawn - each) for each in range(least, most + 1)]
        seen = ways[self.bugs.count - least]
        return sum(each for each in ways if each <= seen) / comb(total, drawn)


def _wilson(share: Share) -> tuple[float, float]:
    if share.of == 0:
        return 0.0, 1.0
    spread = _Z * sqrt(share.value * (1 - share.value) / share.of + _Z**2 / (4 * share.of**2))
    middle, scale = share.value + _Z**2 / (2 * share.of), 1 + _Z**2 / share.of
    return (middle - spread) / scale, (middle + spread) / scale


def rule_separation(cases: Sequence[AuditedCase], rule: str) -> Separation:
    """How often a rule has a finding."""
    return _separation(cases, [rule in each.broken for each in cases])


def _separation(cases: Sequence[AuditedCase], holds: Sequence[bool]) -> Separation:
    shares = [
        Share(
            sum(true for each, true in zip(cases, holds, strict=True) if each.brings_bug is kind),
            sum(each.brings_bug is kind for each in cases),
        )
        for kind in (True, False)
    ]
    return Separation(*shares)


def summary(title: str, cases: Sequence[AuditedCase]) -> str:
    """Scores, gate and rules of one half, the rules that differ most first."""
    if {each.brings_bug for each in cases} != {True, False}:
        return f"{title}: there are not both changes that bring a bug and others."
    low, high = interval(cases, score_auc)
    rows = [
        ("Overall exactly 5.0", [each.score == FULL for each in cases]),
        ("Blocked by the gate", [bool(each.blocked_by) for each in cases]),
    ]
    lines = [
        f"{title}. AUC of the overall score: {score_auc(cases):.2f} ({low:.2f} to {high:.2f}).",
        "",
        "| | bring a bug | do not | of these refactorings taken back | difference | p |",
        "|:--|--:|--:|--:|--:|--:|",
        *(_row(name, cases, holds) for name, holds in rows),
        *_rule_rows(cases),
    ]
    return "\n".join(lines)


def _rule_rows(cases: Sequence[AuditedCase]) -> list[str]:
    rules = sorted({rule for each in cases for rule in each.broken})
    rules.sort(key=lambda each: (rule_separation(cases, each).p, each))
    rows = [_row(f"`{each}`", cases, [each in case.broken for case in cases]) for each in rules[:_MOST_RULES]]
    note = f"{len(rules)} rules have findings. With so many, chance alone gives a p below {0.05 / max(1, len(rules)):.4f} to one of them in 5 % of such tables."
    return [*rows, "", note]


def _row(name: str, cases: Sequence[AuditedCase], holds: Sequence[bool]) -> str:
    found = _separation(cases, holds)
    taken_back = [true for each, true in zip(cases, holds, strict=True) if each.kind is Kind.REFACTORING_TAKEN_BACK]
    low, high = found.interval
    cells = (
        name,
        str(found.bugs),
        str(found.others),
        str(Share(sum(taken_back), len(taken_back))),
        f"{found.difference:+.2f} ({low:+.2f} to {high:+.2f})",
        f"{found.p:.3f}" if found.p >= _LEAST_P else f"< {_LEAST_P}",
    )
    return f"| {' | '.join(cells)} |"
