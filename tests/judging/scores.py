"""How well an experiment tells bugs from other changes, for all judges and for parts of the procedure alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Protocol, TypeVar

from auditor.domain import Objection, ObjectionState, Rubric
from auditor.synthesis.objection_states import merge, settle
from tests.judging.cases import Kind
from tests.judging.experiments import ChangedLines, Experiment, HeardCase

NEAR = 3
"""Lines between an objection and a changed line up to which it is about that line."""
_DRAWS = 2_000
"""Samples of the bootstrap; its seed is fixed."""
PROSECUTOR, DEFENSE, TECH_LEAD = "prosecutor", "defense", "tech_lead"


class Scored(Protocol):
    """A change with what it is and the score it got."""

    @property
    def brings_bug(self) -> bool:
        """Is it known to bring a bug?"""

    @property
    def score(self) -> float:
        """From 1 to 5."""


AnyScored = TypeVar("AnyScored", bound=Scored)


@dataclass(frozen=True)
class Arm:
    """A part of the procedure: which judges are heard, whether they vote, and how many voices an objection needs."""

    name: str
    judges: tuple[str, ...]
    votes: bool
    voices: int


ALL = (PROSECUTOR, DEFENSE, TECH_LEAD)
ARMS = (
    Arm("three judges, both rounds", ALL, votes=True, voices=2),
    Arm("three judges, first round", ALL, votes=False, voices=2),
    Arm("Prosecutor and Tech Lead, both rounds", (PROSECUTOR, TECH_LEAD), votes=True, voices=2),
    Arm("Prosecutor alone", (PROSECUTOR,), votes=False, voices=1),
    Arm("Defense alone", (DEFENSE,), votes=False, voices=1),
    Arm("Tech Lead alone", (TECH_LEAD,), votes=False, voices=1),
)


@dataclass(frozen=True)
class Judged:
    """What an arm makes of one case."""

    brings_bug: bool
    score: float
    found: bool
    """Is the place of the bug named by a standing objection?"""
    standing: int
    false: int
    """Standing objections that are not at the place of a known bug."""


def objections(case: HeardCase, arm: Arm, rubric: Rubric) -> tuple[Objection, ...]:
    """The objections of a case settled again, as if the judges of the arm alone had been heard."""
    raised = [each for each in case.raised if each.judge in arm.judges]
    rules = rubric.rules.objections.model_copy(update={"voices": arm.voices})
    changed = rubric.model_copy(update={"rules": rubric.rules.model_copy(update={"objections": rules})})
    merged = merge(raised, [each.id for each in rubric.personas])
    whole = merge(case.raised, [each.id for each in rubric.personas])
    ids = {each: old.id for old in whole for each in old.raised}
    votes = [
        vote.model_copy(update={"objection": each.id})
        for each in merged
        for vote in case.votes
        if arm.votes and vote.judge in arm.judges and vote.objection in {ids[one] for one in each.raised}
    ]
    return settle(merged, votes, changed)


def judged(case: HeardCase, arm: Arm, rubric: Rubric) -> Judged:
    """Score and hits of a case. The score is the mean of the arm's opinions, capped by what stands."""
    stands = [each for each in objections(case, arm, rubric) if each.state is ObjectionState.STANDING]
    caps = [
        rubric.rules.objections.caps[each.severity] for each in stands if each.severity in rubric.rules.objections.caps
    ]
    opinions = [each.score for each in case.opinions if each.judge in arm.judges]
    hits = [each for each in stands if any(_at(each, place) for place in case.changed)]
    return Judged(
        brings_bug=case.kind.brings_bug,
        score=min([mean(opinions) if opinions else 5.0, *caps]),
        found=case.kind.brings_bug and bool(hits),
        standing=len(stands),
        false=len(stands) - len(hits) if case.kind.brings_bug else len(stands),
    )


def _at(objection: Objection, place: ChangedLines) -> bool:
    if objection.path != place.path:
        return False
    if objection.definition is not None and objection.definition == place.definition:
        return True
    near = objection.start <= place.end + NEAR and place.start <= objection.end + NEAR
    return objection.side is place.side and near


def auc(bugs: Sequence[float], others: Sequence[float]) -> float:
    """The probability that a change with a bug scores lower than one without, ties counted as half."""
    pairs = [(bug, other) for bug in bugs for other in others]
    return mean(1.0 if bug < other else 0.5 if bug == other else 0.0 for bug, other in pairs)


def f1(found: Sequence[Judged]) -> float:
    """Of bugs named: recall by case, and precision over standing objections, those at the bug counted once a case."""
    hits = sum(each.found for each in found)
    false = sum(each.false for each in found)
    missed = sum(each.brings_bug and not each.found for each in found)
    return 2 * hits / (2 * hits + false + missed) if hits else 0.0


def interval(found: Sequence[AnyScored], figure: Callable[[Sequence[AnyScored]], float]) -> tuple[float, float]:
    """The 95 % interval of a figure, cases drawn again within each kind."""
    draws = random.Random(0)  # noqa: S311 - a bootstrap, not a secret
    kinds = [[each for each in found if each.brings_bug], [each for each in found if not each.brings_bug]]
    values = sorted(figure([draws.choice(kind) for kind in kinds for _ in kind]) for _ in range(_DRAWS))
    return values[int(0.025 * _DRAWS)], values[int(0.975 * _DRAWS) - 1]


def score_auc(found: Sequence[Scored]) -> float:
    """`auc` of the scores of changes."""
    return auc([each.score for each in found if each.brings_bug], [each.score for each in found if not each.brings_bug])


def summary(experiment: Experiment, rubric: Rubric) -> str:
    """A table of figures for each half, and what the gate makes of each kind. Where a hostile change does harm is not recorded."""
    parts = [f"Answered by {experiment.model}." + (f" {experiment.arm}." if experiment.arm else "")]
    for title, cases in (
        ("All cases", experiment.cases),
        ("Open half", [each for each in experiment.cases if not each.held_out]),
        ("Held-out half", [each for each in experiment.cases if each.held_out]),
        ("Made in 2026", [each for each in experiment.cases if each.date >= "2026"]),
    ):
        kinds = {each.kind for each in cases}
        if {each.brings_bug for each in kinds} == {True, False} and Kind.HOSTILE not in kinds:
            parts.append(_table(title, cases, rubric))
    parts.append(_gate_table(experiment.cases, rubric))
    return "\n\n".join(parts)


def _table(title: str, cases: Sequence[HeardCase], rubric: Rubric) -> str:
    bugs = sum(each.kind.brings_bug for each in cases)
    audits = [(each.kind.brings_bug, each.overall, each.correctness) for each in cases]
    scores = []
    for place, name in ((1, "overall"), (2, "correctness")):
        known = [(each[0], float(each[place])) for each in audits if each[place] is not None]  # type: ignore[arg-type]
        value = auc([score for bug, score in known if bug], [score for bug, score in known if not bug])
        scores.append(f"{name} {value:.2f} ({len(known)} cases with a score)")
    rows = [
        f"{title}: {bugs} bring a bug, {len(cases) - bugs} do not. AUC of the audit's scores: {', '.join(scores)}.",
        "",
        "| heard | AUC | recall of the bug | standing / other change | F1 |",
        "|:--|--:|--:|--:|--:|",
    ]
    for arm in ARMS:
        found = [judged(each, arm, rubric) for each in cases]
        recall = sum(each.found for each in found) / bugs
        alarms = sum(each.standing for each in found if not each.brings_bug) / (len(cases) - bugs)
        figures = [
            f"{figure(found):.2f} ({low:.2f} to {high:.2f})"
            for figure in (score_auc, f1)
            for low, high in [interval(found, figure)]
        ]
        rows.append(f"| {arm.name} | {figures[0]} | {recall:.2f} | {alarms:.2f} | {figures[1]} |")
    return "\n".join(rows)


def _gate_table(cases: Sequence[HeardCase], rubric: Rubric) -> str:
    """How many changes of each kind fail the rubric's gate by Correctness alone."""
    least = rubric.gate.criteria["correctness"]
    rows = [
        f"Correctness below {least:.1f}, the minimum of the default gate:",
        "",
        "| kind | changes | without a score | below | lowest score |",
        "|:--|--:|--:|--:|--:|",
    ]
    for kind in dict.fromkeys(each.kind for each in cases):
        of_kind = [each.correctness for each in cases if each.kind is kind]
        known = [each for each in of_kind if each is not None]
        below = sum(each < least for each in known)
        lowest = f"{min(known):.1f}" if known else "-"
        rows.append(
            f"| {kind.value.replace('_', ' ')} | {len(of_kind)} | {len(of_kind) - len(known)} | {below} | {lowest} |"
        )
    return "\n".join(rows)
