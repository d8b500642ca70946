"""Whether the gate is passed only because somebody said nothing: what a missing opinion could have made of it.

An author can make a model refuse, and so choose who is heard. Facts cannot be silenced, and neither may a judge be:
a demand that some opinion of a missing judge would have failed is inconclusive. All scores from 1 to 5 are tried with
the rules themselves, since another opinion may also change which rule decides. Who gave no usable answer when heard
again keeps the first opinion, and every score up to it is tried: only in the re-hearing are whole files shown, and text
in them must not keep praise in place that would have sunk.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from auditor.domain import Conclusion, Gate, GateReason, Opinion, Persona, Rubric, Ruling
from auditor.synthesis.decision_case import Case
from auditor.synthesis.decision_rules import rule_on
from auditor.synthesis.gate import make_gate
from auditor.synthesis.mean_score import mean_score

_MAX_SCORE = 5
_MIN_SCORE = 1.0
_MAX_TRIED_JUDGES = 3
"""Missing judges whose scores are tried out; of more nothing better is assumed than the lowest score there is."""


@dataclass(frozen=True)
class WorstCase:
    """The lowest score that was possible, whose opinions are missing, and the scores they would give."""

    score: float
    missing: tuple[Persona, ...]
    given: tuple[int, ...]
    silent: tuple[Persona, ...]
    """Those of the missing that gave no opinion at all that counts; the others gave none when heard again."""


@dataclass(frozen=True)
class _PossibleFailure:
    """What could have failed a demand: the score, who would have given it, and how a sentence puts it."""

    score: float
    missing: tuple[Persona, ...]
    failing: str
    where: str
    by: str


def apply_missing_opinions(
    rubric: Rubric, gate: Gate, cases: Mapping[str, Case], rulings: Mapping[str, Ruling]
) -> Gate:
    """The gate in which every demand that passes only for want of an opinion is inconclusive.

    `rulings` are those on the cases: a criterion without a score is left out.
    """
    scores = {name: ruling.score for name, ruling in rulings.items()}
    judged = {name: case for name, case in cases.items() if scores[name] is not None}
    worst = {name: found for name, case in judged.items() if (found := worst_case(case)) is not None}
    if not worst:
        return gate
    return make_gate(
        tuple(_apply_failure(each, _possible_failure(rubric, each.demand, scores, worst)) for each in gate.reasons)
    )


def worst_case(case: Case) -> WorstCase | None:
    """The worst that missing opinions could have made of a criterion that has a score; None when none is missing.

    An opinion is missing of every persona that said nothing, or nothing that stands, or nothing when heard again.
    """
    most = {each.judge: each.score for each in case.opinions if each.judge in case.unconfirmed}
    heard = {each.judge for each in case.opinions}
    missing = tuple(each for each in case.rubric.personas if each.id not in heard or each.id in most)
    if not missing:
        return None
    silent = tuple(each for each in missing if each.id not in heard)
    if len(missing) > _MAX_TRIED_JUDGES:
        return WorstCase(_MIN_SCORE, missing, (1,) * len(missing), silent)
    tried = (
        WorstCase(
            _MIN_SCORE if (score := rule_on(_assume_scores(case, missing, given)).score) is None else score,
            missing,
            given,
            silent,
        )
        for given in itertools.product(*(range(1, most.get(each.id, _MAX_SCORE) + 1) for each in missing))
    )
    return min(tried, key=lambda each: each.score)


def _assume_scores(case: Case, missing: Sequence[Persona], scores: Sequence[int]) -> Case:
    """The case as if the missing judges had given those scores, each with a citation that is found."""
    said = {each.judge: each for each in case.opinions}
    for persona, score in zip(missing, scores, strict=True):
        said[persona.id] = Opinion(judge=persona.id, criterion=case.criterion.id, score=score, argument="")
    return replace(case, opinions=tuple(said[each.id] for each in case.rubric.personas))


def _possible_failure(
    rubric: Rubric, demand: str, scores: Mapping[str, float | None], worst: Mapping[str, WorstCase]
) -> _PossibleFailure | None:
    """What the missing opinions could have made of what a demand looks at; None where none is missing."""
    if demand == "overall":
        score = mean_score(rubric, {**scores, **{name: each.score for name, each in worst.items()}})
        silent = {persona.id for each in worst.values() for persona in each.missing}
        personas = tuple(each for each in rubric.personas if each.id in silent)
        where = rubric.criterion(next(iter(worst))).title if len(worst) == 1 else f"{len(worst)} criteria"
        by = "with the least favourable from them the overall score would be"
        failing = _failure_phrase(personas, tuple(one for each in worst.values() for one in each.silent))
        return _PossibleFailure(_MIN_SCORE if score is None else score, personas, failing, f" on {where}", by)
    found = worst.get(demand.removeprefix("criteria."))
    if found is None:
        return None
    given = f"a {found.given[0]}" if len(found.given) == 1 else _join_with_and([str(each) for each in found.given])
    title = rubric.criterion(demand.removeprefix("criteria.")).title
    failing = _failure_phrase(found.missing, found.silent)
    return _PossibleFailure(found.score, found.missing, failing, "", f"with {given} from them {title} would have")


def _failure_phrase(missing: Sequence[Persona], silent: Sequence[Persona]) -> str:
    """What they did not do, of whom an opinion is missing."""
    if not silent:
        return "gave no usable answer when heard again"
    return "gave no opinion that counts" + ("" if set(missing) <= set(silent) else ", at first or when heard again")


def _apply_failure(reason: GateReason, failure: _PossibleFailure | None) -> GateReason:
    """The demand, inconclusive when it is met as it is and the threat would have it failed."""
    met = reason.conclusion is Conclusion.PASSED
    if not met or failure is None or not isinstance(reason.threshold, float) or not isinstance(reason.actual, float):
        return reason
    if failure.score >= reason.threshold:
        return reason
    who = _join_with_and([f"the {each.title}" for each in failure.missing])
    sentence = (
        f"{who[:1].upper()}{who[1:]} {failure.failing}{failure.where}: {failure.by} {failure.score:.1f} "
        f"in place of {reason.actual:.1f}, below {reason.threshold:.1f}."
    )
    silent = tuple(each.id for each in failure.missing)
    return reason.model_copy(update={"conclusion": Conclusion.INCONCLUSIVE, "sentence": sentence, "silent": silent})


def _join_with_and(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
